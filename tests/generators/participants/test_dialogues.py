"""Dialogues by rules: the acts, the variety, and that nobody speaks like a machine."""

import itertools
import json
import re
from collections import Counter
from typing import get_args

import pytest
from tests.generators.worlds import SMALL_SPECS, generator, records, shared_spec
from tests.generators.worlds import played as first_played

from interplay.outputs.store.utterance_patterns import utterance_pattern
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, SystemAct, Trajectory, UserAct
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.mentions import mentions

CLINIC = "domain:clinic"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", re.IGNORECASE)


def trajectories(spec: str = CLINIC, count: int = 300) -> list[Trajectory]:
    return [record.trajectory for record in records(spec, count) if record.trajectory is not None]


def played(spec: str = CLINIC, count: int = 300) -> list[tuple[Blueprint, Trajectory]]:
    made = records(spec, count)
    return [(record.blueprint, record.trajectory) for record in made if record.blueprint and record.trajectory]


def spoken(trajectory: Trajectory) -> list[Message]:
    return [message for message in trajectory.messages if message.role != "tool" and message.content]


def test_accepts_at_least_99_of_100_clinic_dialogues() -> None:
    made = records(CLINIC, 300)
    assert sum(record.status == "accepted" for record in made) >= 297


def test_uses_the_16_acts_of_tooldial() -> None:
    made = [*trajectories(), *trajectories("domain:rental", 150)]
    acts = {message.act for trajectory in made for message in trajectory.messages}
    assert {*get_args(UserAct), *get_args(SystemAct)} <= acts


def test_is_long_enough_on_average() -> None:
    made = trajectories()
    turns = [sum(message.role != "tool" for message in trajectory.messages) for trajectory in made]
    assert sum(turns) / len(made) >= 8.95
    assert sum(len(trajectory.calls()) for trajectory in made) / len(made) >= 3.3


def test_words_what_users_say_in_many_ways() -> None:
    said = [
        utterance_pattern(message.content, message.spoken)
        for trajectory in trajectories()
        for message in trajectory.messages
        if message.role == "user"
    ]
    counted = Counter(said)
    assert len(counted) >= 600
    assert counted.most_common(1)[0][1] / len(said) <= 0.02


@pytest.mark.parametrize("spec", [CLINIC, *SMALL_SPECS])
def test_speaks_neither_json_nor_field_names_nor_uuids(spec: str) -> None:
    source = spec if spec == CLINIC else shared_spec(spec)
    toolset = generator(source).world.toolset
    names = {
        name
        for tool in toolset.tools
        for name in tool.parameters.get("properties", {})
        if (len(name_tokens(name)) > 1 and not name.islower()) or "_" in name
    }
    sentences = [message.content for trajectory in trajectories(source, 60) for message in spoken(trajectory)]
    strange = [
        text
        for text in sentences
        if '{"' in text or "[{" in text or any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
    ]
    assert strange == []
    # A person holds such a code in hand only where no tool can look it up.
    assert sum(bool(UUID.search(text)) for text in sentences) <= 0.01 * len(sentences)


def test_confirms_before_it_calls_what_the_policy_names() -> None:
    policy = generator(CLINIC).world.policy
    assert policy is not None
    for trajectory in trajectories(count=150):
        acts = [message.act for message in trajectory.messages if message.role != "tool"]
        calls = [message.tool_calls for message in trajectory.messages if message.role != "tool"]
        for position, made in enumerate(calls):
            again = position > 0 and bool(calls[position - 1])  # tried once more after a fault
            if any(policy.confirms(call.name) for call in made) and not again:
                assert acts[position - 2 : position] == ["confirm_request", "affirm"]


def test_says_when_it_is_where_it_confirms_a_time_that_was_only_described() -> None:
    described = 0
    for blueprint, trajectory in played(count=300):
        facts = {fact.id for fact in blueprint.scenario.facts if fact.description is not None}
        slots = [
            action.arguments["slot_id"]
            for action in blueprint.calls
            if "/slot_id" in action.origins and action.origins["/slot_id"].fact in facts
        ]
        moments = {
            row["slot_id"]: row["starts_at"]
            for message in trajectory.messages
            if message.role == "tool" and message.content.startswith("[")
            for row in json.loads(message.content)
            if "slot_id" in row and "starts_at" in row
        }
        asked = " ".join(message.content for message in trajectory.messages if message.act == "confirm_request")
        for slot in (slot for slot in slots if asked):
            described += 1
            assert mentions(asked, moments[slot], {}, today=first_day(trajectory.system_prompt)), asked
    assert described


def test_speaks_of_the_users_things_as_the_users() -> None:
    for trajectory in trajectories(count=200):
        for message in spoken(trajectory):
            if message.role == "assistant" and message.act in ("confirm_request", "suggest"):
                own = re.sub(r"\(.*?\)", "", message.content)  # the rest quotes the user, or what was written down
                for value in sorted(message.spoken, key=len, reverse=True):
                    own = own.replace(value, "")
                assert not re.search(r"\bmy\b", own), own


def test_calls_independent_tools_in_parallel() -> None:
    assert any(len(message.tool_calls) > 1 for trajectory in trajectories() for message in trajectory.messages)


def test_asks_for_what_is_missing_and_looks_up_what_the_user_does_not_know() -> None:
    for blueprint, trajectory in played(count=150):
        acts = [message.act for message in trajectory.messages if message.role != "tool"]
        if "fail_inform" in acts and not any(action.withheld for action in blueprint.actions):
            assert "call" in acts[acts.index("fail_inform") :]


def test_records_the_state_of_the_dialogue_in_every_turn() -> None:
    for trajectory in trajectories(count=50):
        for message in trajectory.messages:
            if message.role != "tool":
                assert message.state is not None
                assert message.act is not None


def test_ends_with_a_goodbye_or_without_a_word_once_all_is_told() -> None:
    ends = []
    for trajectory in trajectories(count=50):
        assert trajectory.termination == "user_ended"
        acts = [message.act for message in trajectory.messages[-2:]]
        assert acts == ["user_bye", "system_bye"] or acts[-1] == "response"
        ends.append(acts[-1])
    assert set(ends) == {"system_bye", "response"}


def test_calls_a_thing_the_same_only_where_it_is() -> None:
    """Whoever says "the same booking" is not asked which booking is meant."""
    for blueprint, trajectory in played(shared_spec("train_travel.yaml"), 60):
        said = [message for message in trajectory.messages if message.role != "tool" and message.content]
        for user, assistant in itertools.pairwise(said):
            found = re.search(r"(?:the same|again that|concerns the|mean the) (\w+)(?: is| from| we|\.)", user.content)
            goal = assistant.state.goal if assistant.state is not None else None
            whole = goal is not None and not blueprint.goals[goal].condition and "the first" not in assistant.content
            asks = whole and "Which one" in assistant.content  # not for the first of which there is the same again
            if found and user.role == "user" and asks:
                assert f"{found[1]}s" not in assistant.content, (user.content, assistant.content)


def test_says_for_what_something_is_chosen() -> None:
    offers = [
        message.content
        for trajectory in trajectories(shared_spec("train_travel.yaml"), 60)
        for message in spoken(trajectory)
        if message.act == "suggest" and "station" in message.content
    ]
    assert any("origin" in text or "destination" in text for text in offers)


def test_calls_the_values_of_a_map_by_what_it_holds() -> None:
    """To look at an inventory is an idle question, so that tasks of little sense are kept here."""
    made = records(shared_spec("petstore_v3.yaml"), 60, recipes={"sense": 0.0})
    said = [message.content for record in made if record.trajectory for message in spoken(record.trajectory)]
    counts = [text for text in said if re.search(r"\binventory for \w+ is \d+", text)]
    assert counts


def test_says_which_one_it_is_about_to_change() -> None:
    """By what tells it from others, and not by a number that nobody has heard; a question that is asked again has said so."""
    named = 0
    for blueprint, trajectory in played():
        before = ""
        for message in spoken(trajectory):
            if message.act == "confirm_request" and before != "wander":
                assert message.state is not None
                tool = message.state.tool or ""
                if tool.startswith(("cancel_", "pay_")):
                    assert re.search(r"\(|\n- ", message.content), (blueprint.id, message.content)
                    heard = any(fact.hint.get("type") == "identity" for fact in blueprint.scenario.facts)
                    assert heard or " number " not in message.content, message.content
                    named += 1
            before = message.act or ""
    assert named


def test_names_what_was_moved_by_what_it_is_now() -> None:
    """Who cancels the appointment that was just moved to the 3rd is asked about the 3rd, and where that is."""
    moved = 0
    for trajectory in trajectories():
        rows: dict[str, list[dict[str, str]]] = {}
        question = ""
        calls = {call.id: call for call in trajectory.calls()}
        for message in trajectory.messages:
            made = message.tool_calls[0] if message.tool_calls else None
            if message.act == "confirm_request":
                question = message.content
            elif made is not None and len(rows.get(made.arguments.get("appointment_id", ""), ())) > 1:
                now, *before = rows[made.arguments["appointment_id"]][::-1]
                old = [row[key] for row in before for key in ("starts_at", "location") if row[key] != now[key]]
                told = [value for value in old if mentions(question, value)]
                if made.name == "cancel_appointment":
                    assert not told, (question, told)
                    moved += 1
            if message.role == "tool" and not message.failed and '"appointment_id"' in message.content:
                found = json.loads(message.content)
                fresh = calls[str(message.tool_call_id)].name == "reschedule_appointment"
                for row in found if isinstance(found, list) else [found] if isinstance(found, dict) else []:
                    if "appointment_id" in row and (fresh or row["appointment_id"] not in rows):
                        rows.setdefault(row["appointment_id"], []).append(row)
    assert moved


def test_wants_something_done_to_the_thing_that_it_depends_on() -> None:
    """Not to some thing of its kind: "if the booking has no bicycle, delete it"."""
    pronouns = 0
    conditional = first_played("train_travel.yaml", 60, recipes={"patterns": {"conditional": 1.0}})
    for blueprint, trajectory in conditional:
        said = " ".join(message.content for message in trajectory.messages if message.role == "user")
        for goal in blueprint.goals:
            if goal.condition is not None and goal.condition.noun == goal.topic and " a booking" in goal.intent:
                pronouns += goal.intent.replace("a booking", "it").lower() in said.lower()
    assert pronouns


def test_who_cannot_do_something_with_things_offers_to_show_them() -> None:
    offered = 0
    for blueprint, trajectory in first_played("petstore_v3.yaml", 60):
        said = [message.content for message in trajectory.messages if message.role == "assistant"]
        lost = [goal for goal in blueprint.goals if not goal.tool]
        if len(lost) == 1 and " pet" in lost[0].intent:
            assert any("the pets" in content for content in said), said
            offered += 1
    assert offered
