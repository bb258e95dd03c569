"""Find calls by a value that the user had taken back by then."""

from collections.abc import Iterator

from interplay.schemas.json.canonical import canonical_json, value_at
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised
from interplay.validators.findings.conformance import same

TAKEN_BACK = ("changes_mind", "corrects_itself", "contradicts")


def retraction_issues(trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue for each call by a value that the user dropped before, where nothing else wants that value."""
    for done in blueprint.scenario.behaviours:
        if done.kind in TAKEN_BACK:
            yield from _acted_on(done, trajectory, blueprint)


def _acted_on(done: PlannedBehaviour, trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    fact = blueprint.scenario.fact(done.fact)
    places = {
        (action.tool, pointer)
        for action in blueprint.actions
        for pointer, origin in action.origins.items()
        if origin.fact == fact.id
    }
    wanted = {
        (tool, pointer)
        for tool, pointer in places
        for action in blueprint.calls
        if action.tool == tool and same(value_at(action.arguments, pointer), done.value)
    }
    settled, today = False, first_day(trajectory.system_prompt)
    for index, message in enumerate(trajectory.messages):
        if message.role == "user":
            settled = settled or said([normalised(message.content, today)], fact.value, fact.hint, fact.label)
        for call in message.tool_calls if settled else ():
            for tool, pointer in sorted(places - wanted):
                if call.name == tool and same(value_at(call.arguments, pointer), done.value):
                    text = f"The user has taken back {canonical_json(done.value)[:80]} for the {fact.label}."
                    yield Issue.of("dropped_value", text, f"/messages/{index}")
