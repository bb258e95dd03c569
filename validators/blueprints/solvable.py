"""Checks that whoever makes each call of a blueprint can know its arguments."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.calls.first_page import first_page
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.canonical import at_pointer, canonical_json, join_pointer, leaves
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Origin
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.findings.replay import Replays, Step, answers, broken, steps_by_action


class SolvableCheck:
    """Compares each argument of the replayed ground truth with the user's facts, earlier results, and the schema."""

    name = "solvable"
    codes = (
        "environment_failure", "knowable_fact", "missing_dependency", "stray_origin", "unsolvable_fact",
        "unsolvable_given", "unsolvable_output", "unsolvable_past", "wrong_choice", "wrong_constant", "wrong_default",
        "wrong_needed",
    )  # fmt: skip

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = toolset.by_name

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the arguments whose value does not come from the origin that `blueprint` names."""
        replay = await self._replays.of_blueprint(blueprint)
        steps = steps_by_action(blueprint, replay)
        facts = {fact.id: fact for fact in blueprint.scenario.facts}
        issues = broken(replay)
        above: dict[str, frozenset[str]] = {}
        for index, action in enumerate(blueprint.actions):
            direct = [needed for needed in action.depends_on if needed in above]
            above[action.id] = frozenset(direct).union(*(above[needed] for needed in direct))
            for path, origin in action.origins.items():
                pointer = f"/actions/{index}/origins{join_pointer(path)}"
                try:
                    value = at_pointer(action.arguments, path)
                except LookupError:
                    issues.append(Issue.of("stray_origin", f"There is no argument at {path}.", pointer))
                    continue
                if origin.kind == "user" and action.withheld is not None and origin.fact == action.withheld.fact:
                    issues += _never_told(facts.get(origin.fact or ""), pointer)
                elif origin.kind == "user":
                    issues += _told(value, facts.get(origin.fact or ""), pointer)
                elif origin.kind == "output" and action.withheld is not None and action.withheld.reason == "failed":
                    issues += _picked(origin, facts, pointer)  # the result it needs does not exist
                elif origin.kind == "given":
                    issues += _given_to_all(value, blueprint, pointer)
                elif origin.kind == "past":
                    issues += _came_up(value, blueprint, pointer)
                elif origin.kind == "output":
                    issues += _returned(value, origin, steps, above[action.id], pointer)
                    issues += _picked(origin, facts, pointer)
                elif origin.kind == "needed":
                    issues += _enabling(action, blueprint, pointer)
                else:
                    issues += _given(value, origin, self._tools.get(action.tool), path, pointer)
        return Verdict(check=self.name, issues=tuple(issues))


def _is(value: Any, source: Any) -> bool:
    """Tell whether an argument equals its source, is a list with only that, or differs only in being text or a number."""
    alone = value[0] if isinstance(value, list) and len(value) == 1 else value
    return same(value, source) or same(alone, source) or _digits(alone, source)


def _other_kind(value: Any) -> Any:
    """Convert a number to text, and digits to a number: APIs return one and take the other."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _digits(value: Any, source: Any) -> bool:
    kinds = {type(value), type(source)}
    return kinds == {str, int} and str(value) == str(source)


def _told(value: Any, fact: Fact | None, pointer: str) -> Iterator[Issue]:
    if fact is None or not _is(value, fact.value):
        known = "nothing" if fact is None else canonical_json(fact.value)[:80]
        yield Issue.of("unsolvable_fact", f"The user knows {known}, not {canonical_json(value)[:80]}.", pointer)


def _never_told(fact: Fact | None, pointer: str) -> Iterator[Issue]:
    if fact is None or fact.reveal != "never" or fact.value is not None:
        yield Issue.of("knowable_fact", "The call is withheld for a fact that the user knows.", pointer)


def _returned(
    value: Any, origin: Origin, steps: Mapping[str, Step], above: frozenset[str], pointer: str
) -> Iterator[Issue]:
    step, place = steps.get(origin.action or ""), origin.pointer or ""
    options = [value, *(value if isinstance(value, list) and len(value) == 1 else [])]
    options += [_other_kind(option) for option in options]
    if not any(answers(step, place, option) for option in options):
        text = f"{origin.action} does not answer {canonical_json(value)[:80]} at {place}."
        yield Issue.of("unsolvable_output", text, pointer)
    if origin.action not in above:
        yield Issue.of("missing_dependency", f"The action does not depend on {origin.action}.", pointer)


def _picked(origin: Origin, facts: Mapping[str, Fact], pointer: str) -> Iterator[Issue]:
    """Check that the fact by which the user chose points to the item that the value is taken from."""
    if origin.fact is None:
        return
    fact = facts.get(origin.fact)
    inside = fact is not None and f"{origin.pointer}/".startswith(f"{fact.choice}/")
    if fact is None or fact.choice is None or fact.action != origin.action or not inside:
        yield Issue.of("wrong_choice", f"The user does not choose this by {origin.fact}.", pointer)


def _came_up(value: Any, blueprint: Blueprint, pointer: str) -> Iterator[Issue]:
    """Check that a value was passed, returned or said by the user before the task began."""
    start = blueprint.start
    past = [item for call, result in start.history() for item in (call.arguments, result.value)] if start else []
    said = [message.content for message in start.messages if message.role == "user"] if start else []
    if not any(_is(value, leaf) for item in past for _, leaf in leaves(item)) and not any(
        str(value) in t for t in said
    ):
        yield Issue.of("unsolvable_past", f"{canonical_json(value)[:80]} did not come up before.", pointer)


def _given_to_all(value: Any, blueprint: Blueprint, pointer: str) -> Iterator[Issue]:
    """Check that a value is the one that the system prompt gives."""
    if blueprint.given is None or not _is(value, blueprint.given.value):
        yield Issue.of("unsolvable_given", f"The system prompt does not tell {canonical_json(value)[:80]}.", pointer)


def _enabling(action: Action, blueprint: Blueprint, pointer: str) -> Iterator[Issue]:
    """Check that some action depends on this one, which is only made for its sake."""
    if not any(action.id in other.depends_on for other in blueprint.actions):
        yield Issue.of("wrong_needed", f"Nothing depends on {action.id}.", pointer)


def _given(value: Any, origin: Origin, tool: Tool | None, path: str, pointer: str) -> Iterator[Issue]:
    if tool is None or origin.kind == "policy":
        return
    if origin.kind == "constant" and (value in ({}, []) or (value is True and is_implied_flag(tool, path[1:]))):
        return
    says = prescribed(tool.parameters, path)
    if origin.kind == "constant" and tool.effect == "read" and _is(value, first_page(path[1:], says.schema)):
        return
    implied = [said for name, said in tool.phrases.implied.items() if path == f"/{name}"]
    fixed = says.defaults if origin.kind == "default" else [*says.constants, *implied]
    if not any(same(value, item) for item in fixed):
        yield Issue.of(f"wrong_{origin.kind}", f"The schema does not prescribe {canonical_json(value)[:80]}.", pointer)
