"""Expressions that tools work out: bounded arithmetic, and nothing else is ever run."""

import pytest

from interplay.generators.results.calculation import NoValue, expression_of, shown_value, worked_out
from interplay.schemas.records.tool import Source, Tool


def tool(name: str, parameter: str, description: str = "") -> Tool:
    """Return a tool that reads and takes one text."""
    parameters = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return Tool(
        name=name,
        original_name=name,
        description=description,
        parameters=parameters,
        source=Source(file="tools.json"),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 2", 4),
        ("(12 + 8) * 3", 60),
        ("-7 % 4", 1),
        ("2 ** 10", 1024),
        ("10 / 4", 2.5),
        ("1 / 3", 0.3333333333),
        ("9 / 3", 3),
    ],
)
def test_works_out_arithmetic(text: str, value: float) -> None:
    assert worked_out(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').getcwd()",
        "x + 2",
        "9 ** 9 ** 9",
        "2 ** 65",
        "(-8) ** 0.5",
        "1 / 0",
        "1e400",
        "1" * 201,
        "+".join("1" * 90),
        "[1]",
        "True + 1",
        "'a' * 3",
        "2 +",
        "",
        "\0",
    ],
)
def test_refuses_all_else(text: str) -> None:
    with pytest.raises(NoValue):
        worked_out(text)


def test_finds_the_parameter_that_holds_arithmetic() -> None:
    assert expression_of(tool("calculate", "expression")) == "expression"
    assert expression_of(tool("solver", "equation", "Solve a mathematical equation.")) == "equation"
    assert expression_of(tool("search_code", "expression", "Search by a regular expression.")) is None
    assert expression_of(tool("calculate", "city")) is None


def test_shows_a_value_as_the_schema_has_it() -> None:
    assert shown_value(4, None) == [{"result": 4}]
    assert shown_value(4, {"type": "string"}) == ["4"]
    assert shown_value(2.5, {"type": "number"}) == [2.5]
    answer = {"type": "object", "properties": {"answer": {"type": "number"}}, "required": ["answer"]}
    assert shown_value(2.5, answer) == [{"answer": 2.5}]
    assert shown_value(2.5, {"type": "array"}) == []
