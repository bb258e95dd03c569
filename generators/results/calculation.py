"""A tool that evaluates an expression -> its value, by bounded arithmetic only.

calculate(expression="(12 + 8) * 3")  ->  60
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens

_EXPRESSIONS = {"expression", "expr", "formula", "equation", "calculation"}
_WORKS_OUT = {"calculate", "calculator", "calc", "compute", "evaluate", "eval", "math", "maths", "solve", "arithmetic"}
_MATHEMATICAL = ("mathematical", "arithmetic", "calculat", "math ")
_RESULTS = ("result", "value", "answer", "output", "content", "text")

LONGEST, NODES, DEEPEST = 200, 100, 40
"""Maximum length of an expression in characters, number of its syntax nodes, and nesting depth."""
LARGEST, EXPONENT = 1e15, 64
DIGITS = 10
"""Decimal places to which a value is rounded."""

_BOTH: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Mod: operator.mod,
}  # fmt: skip


class NoValue(ValueError):
    """The text is not arithmetic, or its value is undefined or too large."""


def expression_of(tool: Tool) -> str | None:
    """Return the name of the parameter that holds an expression to evaluate; None if the tool is no calculator."""
    fields, needed = object_properties(tool.parameters), tool.required
    wanted = list(needed or fields)
    if tool.effect != "read" or len(wanted) != 1 or schema_type(fields.get(wanted[0], {})) != "string":
        return None
    said = f"{tool.description} {fields[wanted[0]].get('description', '')} ".lower()
    named = set(name_tokens(tool.original_name)) & _WORKS_OUT
    meant = named or any(word in said for word in _MATHEMATICAL)
    return wanted[0] if meant and set(name_tokens(wanted[0])) & _EXPRESSIONS else None


def worked_out(text: str) -> int | float:
    """Return the value of an expression of numbers, `+ - * / ** %` and parentheses.

    Raises:
        NoValue: the text is not such an expression, or its value is undefined or too large.
    """
    if len(text) > LONGEST:
        raise NoValue(f"has more than {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as failure:
        raise NoValue("is no arithmetic expression") from failure
    if sum(1 for _ in ast.walk(tree)) > NODES:
        raise NoValue("is too long")
    value = _value(tree.body, 0)
    return round(value, DIGITS) if isinstance(value, float) and not value.is_integer() else int(value)


def _value(node: ast.expr, depth: int) -> int | float:
    if depth > DEEPEST:
        raise NoValue("is nested too deep")
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _bounded(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = _value(node.operand, depth + 1)
        return -inner if isinstance(node.op, ast.USub) else inner
    if not isinstance(node, ast.BinOp):
        raise NoValue("is no arithmetic expression")
    left, right = _value(node.left, depth + 1), _value(node.right, depth + 1)
    try:
        if isinstance(node.op, ast.Pow):
            if abs(right) > EXPONENT or (left and abs(right * math.log10(abs(left))) > math.log10(LARGEST)):
                raise NoValue("is too large")
            return _bounded(left**right)
        if type(node.op) not in _BOTH:
            raise NoValue("is no arithmetic expression")
        return _bounded(_BOTH[type(node.op)](left, right))
    except ArithmeticError as failure:
        raise NoValue("has no value: division by zero" if not right else "has no value") from failure


def _bounded(value: Any) -> int | float:
    if isinstance(value, complex) or not math.isfinite(value) or abs(value) > LARGEST:
        raise NoValue("is too large" if not isinstance(value, complex) else "has no value")
    return value if isinstance(value, int) else float(value)


def shown_value(value: int | float, returns: Mapping[str, Any] | None) -> list[Any]:
    """Return, as a list of at most one item, the value in the first form that the result schema admits."""
    if returns is None:
        return [{"result": value}]
    fields = object_properties(returns)
    named = [name for name in fields if name.lower() in _RESULTS] or list(fields)
    options: list[Any] = [value, float(value), str(value)]
    options += [{name: option} for name in named[:1] for option in (value, str(value))]
    return [option for option in options if is_valid(option, returns)][:1]
