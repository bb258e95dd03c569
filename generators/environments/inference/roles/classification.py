"""One tool -> what it does to which resource: by its path if it has one, else by its name, then corrected by what it shows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from interplay.generators.environments.inference.plans import Rows, ToolPlan
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.generators.environments.inference.roles.field_edits import FieldPath
from interplay.generators.environments.inference.roles.name_rules import by_name
from interplay.generators.environments.inference.roles.path_calls import PathCall
from interplay.generators.environments.inference.roles.path_rules import FIELD_RULES, NAMES_GIVEN, PATH_RULES
from interplay.generators.environments.inference.roles.paths import PathFacts, place_of
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.roles.rule_table import Rule, first_rule
from interplay.generators.environments.inference.tool_words import (
    ENVELOPES,
    ID_WORDS,
    is_plural,
    resource_name,
    stem_of,
)
from interplay.generators.environments.inference.views import apart, by_view, seen_in_view
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.tool import Operation, Tool


@dataclass(frozen=True)
class Answer:
    """A tool's plan so far, and where its result shows rows."""

    plan: ToolPlan
    rows: Rows | None

    @property
    def operation(self) -> Operation:
        """The operation inferred so far."""
        return self.plan.operation

    @property
    def returns(self) -> bool:
        """Whether the result is described."""
        return self.plan.tool.returns is not None

    @property
    def many(self) -> bool:
        """Whether the result shows a list of rows."""
        return self.rows is not None and self.rows.many

    @property
    def makes(self) -> bool:
        """Whether a function without a target shows a row with an identity and with fields that the call gives."""
        plan = self.plan
        if plan.operation != "action" or plan.tool.http is None or call_parts(plan.tool.path) is not None:
            return False
        if self.rows is None or self.many:
            return False
        if plan.target or plan.parents or plan.keys or plan.edit or plan.every or plan.batch or plan.single:
            return False
        given, shown = plan.tool.parameters.get("properties", {}), object_properties(self.rows.schema)
        noun = plan.resource or ""
        named = any(stem_of(name) == noun or name in ID_WORDS for name in given)
        return (
            not named
            and any(name == "id" or stem_of(name) == noun for name in shown)
            and len(given.keys() & shown.keys()) > 1
        )


RESULT_RULES = (
    Rule("but it returns no list", when=lambda answer: answer.operation == "list" and answer.returns and not answer.many,
         then="compute", example="list_sums() -> {sum}"),
    Rule("but it returns a list",
         when=lambda answer: answer.operation == "read" and not answer.plan.target and not answer.plan.single and answer.many,
         then="list", example="get_order() -> [order]"),
    Rule("but it shows a new row, which nothing names", when=lambda answer: answer.makes, then="create",
         example="POST /faxes/send (title, to) -> {fax: {id, title, to}}"),
    Rule("but it only reads",
         when=lambda answer: answer.plan.tool.effect == "read" and answer.operation not in ("read", "list", "compute"),
         then="compute", example="read verify_email(email)"),
)  # fmt: skip
"""Corrections of the operation by what the result shows; the first rule that holds decides."""


def classified(tools: Iterable[Tool], facts: PathFacts) -> dict[str, ToolPlan]:
    """Return what each tool does, and where its result shows rows."""
    tools = tuple(tools)
    calls = {tool.name: call for tool in tools if (call := _path_call(tool, facts)) is not None}
    written = [(rule, rule.conclude(call)) for call in calls.values() if (rule := first_rule(FIELD_RULES, call))]
    edited = frozenset((plan.resource, plan.edit.names) for _, plan in written)
    listed = frozenset((plan.resource, plan.edit.names) for rule, plan in written if rule.name == NAMES_GIVEN)
    plans = (
        _by_path(PathCall(replace(calls[tool.name].field, edited=edited, listed=listed)))
        if tool.name in calls
        else by_name(tool)
        for tool in tools
    )
    return apart({plan.tool.name: _as_shown(plan) for plan in plans})


def _path_call(tool: Tool, facts: PathFacts) -> PathCall | None:
    """Return a tool whose path names more than a function; none for other tools."""
    if tool.http is None or call_parts(tool.path) is not None:
        return None
    place = place_of(tool, facts)
    return PathCall(FieldPath(tool, place, facts)) if place.segments else None


def _by_path(call: PathCall) -> ToolPlan:
    rule = first_rule(PATH_RULES, call)
    assert rule is not None
    plan: ToolPlan = rule.conclude(call)
    return replace(plan, keys=call.place.keys or plan.keys, why=rule.name)


def _as_shown(plan: ToolPlan) -> ToolPlan:
    """Return the plan with the rows in its result, corrected by the table of results."""
    if plan.counts:
        return plan
    names = (plan.resource or "", plan.resource.split("_")[-1] if plan.resource else "")
    rows = rows_in(plan.tool.returns, plan.operation == "list", names)
    if rows is not None:
        rows = seen_in_view(rows, plan.tool.returns or {}, names)
    if plan.tool.http is None and plan.operation == "list" and rows is not None and rows.many:
        plan = replace(plan, resource=_row_noun(rows.pointer) or plan.resource)
    rule = first_rule(RESULT_RULES, Answer(plan, rows))
    if rule is None:
        return by_view(replace(plan, rows=rows))
    return by_view(
        replace(plan, rows=rows, operation=rule.conclude(Answer(plan, rows)), why=f"{plan.why}; {rule.name}")
    )


def _row_noun(pointer: str) -> str | None:
    """Return the resource named by the field with the rows: `/entities` of `search_nodes`; none if it names none."""
    last = pointer.split("/")[-1]
    return resource_name(last) if last and last.lower() not in ENVELOPES and is_plural(last) else None
