"""A call in its state, and the rules -> what rules require to be said before it, or offered in its place."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import at_pointer, join_pointer, leaves
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.blueprint import DueDuty, Withheld
from interplay.schemas.records.tool import PolicyRule


def due_duties(
    event: PolicyEvent, withheld: Withheld | None, environment: Environment, policy: Policy
) -> tuple[DueDuty, ...]:
    """Return the duties due for a call; for a withheld call, those of the rule that forbids it."""
    rules = [rule for rule in environment.toolset.rules if rule.duty is not None]
    if withheld is not None:
        against = withheld.rule if withheld.reason == "forbidden" else ""
        return tuple(DueDuty(rule=rule.id) for rule in rules if rule.id == against and not _says(rule))
    governing = [rule for rule in rules if _says(rule) and event.call.name in rule.tools]
    if not governing:
        return ()
    unasked = PolicyEvent(event.call, event.history, event.state, confirmed=False)
    broken = {issue.code for issue in policy.violations(unasked)}
    due = (rule for rule in governing if rule.kind != "confirm_before" or rule.id in broken)
    return tuple(DueDuty(rule=rule.id, values=dict(_values(rule, event, environment))) for rule in due)


def _says(rule: PolicyRule) -> bool:
    return rule.duty is not None and rule.duty.kind == "say"


def _values(rule: PolicyRule, event: PolicyEvent, environment: Environment) -> Iterator[tuple[str, Any]]:
    """Yield the paths of a duty with their values; a list of values where an argument refers to several rows."""
    assert rule.duty is not None
    for path in rule.duty.values:
        root, *steps = path.split(".")
        held = [event.call.arguments] if root == "argument" else list(_rows(root, event, environment))
        found = [value for item in held if (value := _within(item, steps)) not in (None, "", [])]
        if found:
            yield path, found[0] if len(found) == 1 else found


def _rows(root: str, event: PolicyEvent, environment: Environment) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a resource that arguments refer to; `row` stands for the resource of the call's tool."""
    known = environment.resources
    role = known.by_tool.get(event.call.name)
    kind = (role.resource if role is not None else None) if root == "row" else root
    if role is None or kind not in known.by_name:
        return
    table = event.state.get(known.by_name[str(kind)].table, {})
    for pointer, value in leaves(dict(event.call.arguments)):
        if kind in (
            role.references.get(pointer),
            role.references.get(f"{pointer}/*"),
            role.references.get(f"{pointer}/0"),
        ):
            yield from (table[str(key)] for key in (value if isinstance(value, list) else [value]) if str(key) in table)


def _within(item: Mapping[str, Any], steps: list[str]) -> Any:
    try:
        return at_pointer(item, join_pointer(*steps))
    except LookupError:
        return None
