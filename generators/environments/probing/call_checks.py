"""Checks of one tool: it can succeed, reads change nothing, writes change something, unknown identities are refused."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.probing.comparison import short
from interplay.generators.environments.probing.reading_tools import is_identity_name, path_names
from interplay.generators.environments.probing.trial import Trial
from interplay.schemas.json.fields import SCALARS, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import WRITING

UNKNOWN = ("unknown-000", "00000000-0000-4000-8000-00000000dead", 987654321, "987654321", "99999999999999999999")
"""Identities that no row has, in usual forms."""

MOST_REFERENCES = 3
"""Arguments of one tool that are tried with unknown identities."""

CHANCES = 4
"""Attempts, each with other arguments, that a write has to change something."""


async def check_success(trial: Trial, item: ToolPlan) -> None:
    """Check that the tool succeeds with some arguments."""
    found = await trial.example(item.tool.name)
    came = trial.failures.get(item.tool.name, "no arguments satisfy its parameters")
    remedy = f"tools: {{{item.tool.name}: {{references: {{ARGUMENT: null}}}}}}" if came.startswith("404") else ""
    trial.check("never_succeeds", found is not None, (item,), "some call to succeed", came, remedy)


async def check_read(trial: Trial, item: ToolPlan) -> None:
    """Check that a read changes nothing and repeats its answer."""
    found = await trial.example(item.tool.name)
    if found is None or item.tool.effect != "read":
        return
    trial.begin()
    before = trial.environment.digest()
    first = await trial.call(item.tool.name, found[0])
    same = trial.environment.digest() == before
    remedy = f"tools: {{{item.tool.name}: {{effect: write}}}}"
    trial.check("read_changes_state", same, (item,), "a read to change nothing", "another state", remedy)
    again = await trial.call(item.tool.name, found[0])
    came = f"{short(first.value)}, then {short(again.value if again.error is None else again.error)}"
    trial.check("unstable_read", first.text == again.text, (item,), "the same answer to the same call", came)


async def check_unknown(trial: Trial, item: ToolPlan) -> None:
    """Check that a call with an unknown identity fails, and changes nothing."""
    found = await trial.example(item.tool.name)
    if found is None:
        return
    for name in list(_referring(trial, item, found[0]))[:MOST_REFERENCES]:
        target = trial.plan.references[item.tool.name].get(f"/{name}")
        unknown = _unknown(trial, item, name, target)
        if unknown is None:
            continue
        trial.begin()
        before = trial.environment.digest()
        result = await trial.call(item.tool.name, {**found[0], name: unknown})
        remedy = f"tools: {{{item.tool.name}: {{references: {{{name}: RESOURCE}}}}}}" if target is None else ""
        expected = f"an error for the unknown {name} {unknown!r}"
        trial.check("unknown_accepted", result.error is not None, (item,), expected, short(result.value), remedy)
        if result.error is not None:
            same = trial.environment.digest() == before
            trial.check("failure_changes_state", same, (item,), "a call that fails to change nothing", "another state")


def _referring(trial: Trial, item: ToolPlan, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arguments that name an existing row; the target of a creating call may name a new one."""
    inside = set(path_names(item)) if item.tool.http is not None else set()
    for name in arguments:
        known = name in item.tool.required and f"/{name}" in trial.plan.references[item.tool.name]
        named = name in inside and is_identity_name(name)
        makes = item.operation == "create" or (item.tool.method == "PUT")
        if (known or named) and not (makes and name == item.target):
            yield name


def _unknown(trial: Trial, item: ToolPlan, name: str, target: str | None) -> Any:
    """Return an identity that a parameter admits and no row has; none if there is no such value."""
    schema = item.tool.parameters["properties"][name]
    if schema_type(schema) not in SCALARS or "enum" in schema or "const" in schema:
        return None
    scope = target is not None and trial.plan.resources[target].scope
    table = trial.environment.state().get(target or "", {})
    return next((value for value in UNKNOWN if not scope and is_valid(value, schema) and str(value) not in table), None)


async def check_write(trial: Trial, item: ToolPlan) -> None:
    """Check that a write changes the state."""
    if item.tool.effect != "write" or item.operation not in WRITING:
        return
    for first in range(CHANCES):
        trial.begin()
        before = trial.environment.digest()
        found = await trial.attempt(item.tool.name, {}, optional=3, first=first)
        if found is None:
            return
        if trial.environment.digest() != before:
            break
    changed = trial.environment.digest() != before
    fix = f"tools: {{{item.tool.name}: {{operation: action}}}}" if item.operation != "action" else ""
    trial.check("write_changes_nothing", changed, (item,), "a write to change something", "the same state", fix)
