"""Every kind of turn that a data set should hold, on bundled domains and on real toolsets."""

import pytest
from tests.generators.worlds import SHARED, records, shared_spec

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

MOST, STEP = 96, 24
"""Records that are made of a source at most, and how many more each time something was not among them."""

ALWAYS = {
    "parallel calls", "chained calls", "no call", "clarifying question", "tool missing", "tool appearing", "distractor",
    "lookalike",
}  # fmt: skip
GOVERNED = {"refusal", "handover"}


def airline() -> str:
    path = SHARED / "data" / "tau" / "airline.json"
    if not path.exists():
        pytest.skip(f"{path} is not there; set INTERPLAY_SHARED")
    return f"json:{path}"


def kinds(record: DatasetRecord) -> set[str]:
    """Return the kinds of turns that a dialogue has."""
    blueprint, trajectory = record.blueprint, record.trajectory
    assert blueprint is not None
    assert trajectory is not None
    said = trajectory.messages
    calls = [message for message in said if message.role == "assistant" and message.tool_calls]
    offered = set(trajectory.tools)
    found = {
        "parallel calls": any(len(message.tool_calls) > 1 for message in calls),
        "chained calls": any(_chained(said, index) for index in range(1, len(said))),
        "no call": not calls,
        "clarifying question": any(message.act in ("request", "clarify", "suggest") for message in said),
        "refusal": any(message.act == "refuse" for message in said),
        "handover": blueprint.pattern == "handover" and bool(calls),
        "tool missing": blueprint.scenario.early is not None and any(m.act == "response_fail" for m in said),
        "tool appearing": any(set(message.offered or ()) - offered for message in said),
        "distractor": bool(set(trajectory.all_tools()) - {action.tool for action in blueprint.actions}),
        "lookalike": bool(blueprint.lookalikes),
        "user's steps": any(message.act == "perform" for message in said),
    }
    return {name for name, shown in found.items() if shown}


def _chained(said: tuple[Message, ...], index: int) -> bool:
    """Tell whether a message calls something after the results of other calls, without a word of the user between them."""
    return said[index].role == "assistant" and bool(said[index].tool_calls) and said[index - 1].role == "tool"


@pytest.mark.parametrize(
    ("spec", "more"),
    [
        ("domain:clinic", GOVERNED),
        ("domain:rental", GOVERNED),
        ("domain:workspace", {*GOVERNED, "user's steps"}),
        ("train_travel.yaml", set()),
        ("trello.yaml", set()),
        ("airline", {"handover"}),
    ],
)
def test_dialogues_have_turns_of_every_kind(spec: str, more: set[str]) -> None:
    place = airline() if spec == "airline" else spec if ":" in spec else shared_spec(spec)
    recipes = {"tool_changes": 0.15} if spec in ("airline", "trello.yaml") else {}  # by default, few tools come and go
    found: set[str] = set()
    for count in range(STEP, MOST + 1, STEP):
        accepted = [record for record in records(place, count, recipes=recipes) if record.status == "accepted"]
        found = {kind for record in accepted for kind in kinds(record)}
        assert len(accepted) >= 0.9 * count
        if found >= ALWAYS | more:
            break
    assert ALWAYS | more <= found


def test_of_many_tools_some_that_are_like_the_needed_ones_are_offered() -> None:
    accepted = [record for record in records(shared_spec("trello.yaml"), 2 * STEP) if record.status == "accepted"]
    assert sum("lookalike" in kinds(record) for record in accepted) >= 0.8 * len(accepted)
    for record in accepted:
        assert record.blueprint is not None
        assert not {action.tool for action in record.blueprint.actions} & set(record.blueprint.lookalikes)
