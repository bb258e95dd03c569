"""What no user can mean and no assistant would ask: denials of what was said, circles, facts that are decisions."""

import asyncio
import itertools
import re
from random import Random

import pytest
from tests.generators.worlds import played as first_played

from interplay.generators.participants.hearing.state_tracker import UNKNOWN
from interplay.generators.participants.hearing.word_overlap import names
from interplay.generators.participants.rules.agenda import AgendaUser
from interplay.generators.participants.rules.elicitation import steered
from interplay.generators.participants.wording.goal_phrases import Topics
from interplay.generators.participants.wording.languages import load_language
from interplay.generators.participants.wording.result_phrases import told_apart
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.phrases.lackable_facts import is_decided, is_given
from interplay.schemas.json.canonical import canonical_json, leaves
from interplay.schemas.records.blueprint import Blueprint, Fact, Goal, Scenario
from interplay.schemas.records.dialogue import DialogueState, Message, Trajectory
from interplay.schemas.records.recipe import Pattern, Persona
from interplay.schemas.records.tool import ToolRole

TRAINS = "train_travel.yaml"


def played(
    spec: str, pattern: Pattern | None = None, count: int = 60, **recipes: float
) -> list[tuple[Blueprint, Trajectory]]:
    """Return the first dialogues of a toolset, of one pattern as far as it has tools for it."""
    return first_played(spec, count, recipes={**({"patterns": {pattern: 1.0}} if pattern else {}), **recipes})


@pytest.mark.parametrize("spec", ["domain:clinic", "domain:workspace", TRAINS])
def test_nobody_denies_what_they_have_said_or_are_about_to_say(spec: str) -> None:
    denied = 0
    for blueprint, trajectory in first_played(spec, 60, recipes={"asks_unknown": 0.3}):
        for message in trajectory.messages:
            asked = [name for name in (message.state.asked if message.state else ()) if name.startswith(UNKNOWN)]
            if message.role != "assistant" or not asked or message.state is None or message.state.goal is None:
                continue
            label, denied = asked[0].removeprefix(UNKNOWN), denied + 1
            facts = [fact for fact in blueprint.scenario.facts if fact.goal == message.state.goal]
            known = [fact.label for fact in facts if fact.choice is None and names(fact.label, label)]
            assert not known, (label, known)
    assert denied


def test_a_user_says_the_name_of_what_it_is_asked_for() -> None:
    fact = Fact(id="f1", goal=0, label="origin's name", value="Berlin Hauptbahnhof")
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=(fact,))
    words = Voice(load_grammar()["user"], Random(1), Persona())
    user = AgendaUser(scenario, [Goal(intent="book a trip", tool="book", topic="trip")], words, vague=False)

    async def answered() -> Message:
        opening = await user.respond(())
        asking = Message(
            role="assistant", content="Which origin?", act="request", state=DialogueState(asked=(f"{UNKNOWN}origin",))
        )
        return await user.respond((opening, asking))

    answer = asyncio.run(answered())
    assert "Berlin Hauptbahnhof" in answer.content
    assert answer.act == "inform"


@pytest.mark.parametrize(("result", "kind"), [("[]", "nothing"), ('[{"id": 1}]', "told")])
def test_nobody_says_that_nothing_is_good_to_know(result: str, kind: str) -> None:
    grammar, seen = load_grammar()["user"], set()
    for seed in range(20):
        words = Voice(grammar, Random(seed), Persona())
        goals = [Goal(intent="see open invoices", tool="list", topic="invoice")] * 2
        user = AgendaUser(Scenario(requests=((0,), (1,))), goals, words, vague=False)

        async def answered(user: AgendaUser) -> str:
            opening = await user.respond(())
            found = Message(role="tool", content=result, tool_call_id="call00001")
            return (
                await user.respond((opening, found, Message(role="assistant", content="Here.", act="response")))
            ).content

        said = asyncio.run(answered(user))
        seen |= {one for one in ("nothing", "told") if said.startswith(tuple(grammar[f"thanks_{one}"]["plain"]))}
    assert seen == {kind}


@pytest.mark.parametrize("spec", ["domain:workspace", "xero_projects.yaml"])
def test_what_is_asked_for_is_not_what_it_is_known_by(spec: str) -> None:
    asked = 0
    for blueprint, _ in played(spec, "question", 30):
        for goal in (number for number, goal in enumerate(blueprint.goals) if goal.asks):
            facts = [fact for fact in blueprint.scenario.facts if fact.goal == goal]
            told = {canonical_json(value) for fact in facts for _, value in leaves(fact.value)}
            wanted = [out for out in blueprint.expected.outputs if blueprint.action(out.action).goal == goal]
            asked += 1
            assert not [out.label for out in wanted if canonical_json(out.value) in told]
    assert asked


@pytest.mark.parametrize("spec", ["domain:workspace", "slack_web_v2.json"])
def test_users_lack_what_others_give_and_have_not_decided_on_the_rest(spec: str) -> None:
    lacking = [
        (fact, trajectory)
        for blueprint, trajectory in played(spec, "ask", 20)
        for fact in blueprint.scenario.facts
        if fact.reveal == "never" and not blueprint.scenario.behaves("refuses_identity")
    ]
    assert lacking
    for fact, trajectory in lacking:
        assert is_given(fact.label) or is_decided(fact.label, fact.hint) or fact.hint.get("type") == "identity", fact
        said = " ".join(message.content for message in trajectory.messages if message.role == "user")
        assert not (is_decided(fact.label, fact.hint) and "Nobody told me" in said), said


def test_which_thing_a_condition_is_about_is_said_before_it_is_decided() -> None:
    decided = 0
    for blueprint, trajectory in played("domain:clinic", "conditional"):
        condition = blueprint.goals[0].condition
        fact = next((fact for fact in blueprint.scenario.facts if condition and fact.action == condition.action), None)
        if condition is None or fact is None or fact.choice is None:
            continue
        decided += fact.reveal == "opening"
        assert fact.reveal == "opening" or fact.description or not fact.value
        told = [name for message in trajectory.messages if message.state for name in message.state.told]
        assert fact.id in told, blueprint.id
        assert told.count(fact.id) == 1
    assert decided


def test_how_it_stands_is_told_before_something_is_done_because_of_it() -> None:
    done = 0
    for blueprint, trajectory in played("domain:clinic", "conditional"):
        goal = blueprint.goals[0]
        main = [action for action in blueprint.calls if action.goal == 0 and action.tool == goal.tool]
        if goal.condition is None or goal.condition.otherwise or not main or not isinstance(goal.condition.value, str):
            continue
        made = next(
            (at for at, message in enumerate(trajectory.messages) if goal.tool in [c.name for c in message.tool_calls]),
            0,
        )
        before = [message.content for message in trajectory.messages[: made + 1] if message.role == "assistant"]
        done += bool(made)
        assert not made or any(f"is {goal.condition.value}" in text for text in before), before
    assert done


def test_a_fallback_that_a_user_has_named_is_tried_before_anything_is_asked() -> None:
    named = 0
    for blueprint, _ in played(TRAINS, "iterative_search"):
        facts = {fact.id: fact for fact in blueprint.scenario.facts}
        named += any(fact.instead_of and fact.reveal == "opening" for fact in facts.values())
        for fact in facts.values():
            rivals = [other for other in facts.values() if other.instead_of and other.goal == fact.goal]
            assert not fact.instead_of or fact.reveal == "opening" or len(rivals) == 1
    assert named


def test_nobody_is_sorry_where_only_something_off_the_topic_could_not_be_done() -> None:
    ends = 0
    for _, trajectory in first_played("domain:clinic", 60, recipes={"out_of_scope": 0.3}):
        acts = [message.act for message in trajectory.messages]
        if "off_topic" in acts[-5:-3] and acts[-3] == "response_fail" and "response" in acts:
            ends += 1
            assert not re.search("sorry|regret|works out another|wish I could", trajectory.messages[-1].content, re.I)
    assert ends


def test_the_only_thing_that_is_found_is_told_by_more_than_its_name() -> None:
    found = 0
    for blueprint, trajectory in played(TRAINS, "sequential"):
        for action in blueprint.calls:
            told = [out for out in blueprint.expected.outputs if out.action == action.id]
            if action.tool == "get-trips" and blueprint.goals[action.goal].tool == action.tool and told:
                found += 1
                alone = {out.pointer.rpartition("/")[0] for out in told} == {"/data/0"}
                assert not alone or len(told) > 1, trajectory.messages
    assert found


def test_things_to_choose_from_can_be_told_apart() -> None:
    items = [
        {"order_id": f"O-{place}", "product": "desk" if place % 2 else "lamp", "status": "new"} for place in range(4)
    ]
    assert told_apart(items, 4, ["/product"]) == ["/product", "/order_id"]
    assert told_apart(items[:2], 2, ["/product"]) == ["/product"]
    assert told_apart([{"id": place, "url": f"https://a.example/{place}"} for place in (5, 7)], 2, []) == ["/id"]
    sized = [{**item, "size": place} for place, item in enumerate(items)]
    assert told_apart(sized, 4, ["/product"]) == ["/product", "/size"]


def test_of_several_wishes_alike_it_is_said_for_which_one_something_is_chosen() -> None:
    asked = 0
    for blueprint, trajectory in played(TRAINS, "parallel_then_sequential", 80, named=0.0):
        for before, message in itertools.pairwise(trajectory.messages):
            if before.act in ("wander", "ask_back"):  # an answer to the user, which has asked about one of them
                continue
            if message.role == "assistant" and message.act == "suggest" and message.state and message.state.asked:
                fact = next((f for f in blueprint.scenario.facts if f.id == message.state.asked[0]), None)
                if fact is None or fact.choice is None:
                    continue
                group = next(goals for goals in blueprint.scenario.requests if fact.goal in goals)
                alike = [goal for goal in group if blueprint.goals[goal].tool == blueprint.goals[fact.goal].tool]
                if len(alike) > 1:
                    asked += 1
                    assert re.search("first|second|third|fourth", message.content), message.content
    assert asked


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "By the way, are you a person or a machine? 😊"),
        ("de", "Übrigens, bist du ein Mensch oder eine Maschine?"),
    ],
)
def test_an_assistant_says_that_it_is_a_machine(language: str, question: str) -> None:
    grammar = load_language(language)
    words = Voice(grammar.grammar["assistant"], Random(1), Persona(), language=grammar)
    before = Message(role="assistant", content="Shall I go ahead?", act="confirm_request", state=DialogueState())
    blueprint = played("domain:clinic")[0][0]
    said = {steered(words, blueprint, before, Message(role="user", content=question)) for _ in range(20)}
    assert all(re.search("machine|program|digital|Maschine|Programm", text) for text in said), said


def test_the_same_index_does_not_begin_with_the_same_words_whatever_the_tools() -> None:
    first, second = ([t.messages[0].content for _, t in played(spec)] for spec in ("domain:clinic", "domain:workspace"))
    same = [one for one, other in zip(first, second, strict=False) if one[:12] == other[:12]]
    assert len(same) < len(first) / 3, same


def test_a_wish_is_not_called_by_what_it_does_not_speak_of() -> None:
    goals = [
        Goal(intent="talk to the reception", tool="hand_over", topic="patient file"),
        Goal(intent="cancel an appointment", tool="cancel", topic="appointment"),
        Goal(intent="talk to the reception", tool="hand_over", topic="patient file"),
        Goal(intent="cancel an appointment", tool="cancel", topic="appointment"),
    ]
    roles = {name: ToolRole(tool=name, operation="action") for name in ("hand_over", "cancel")}
    topics = Topics(goals, roles, Voice(load_grammar()["assistant"], Random(1), Persona()))
    named = [topics.name(goal, range(4)) for goal in range(4)]
    assert named == ["the first request", "the first appointment", "the third request", "the second appointment"]


def test_who_is_addressed_formally_is_sent_no_love() -> None:
    said = {"formal": str(load_language("de", "formal").grammar["assistant"]["bye"])}
    assert "Alles Gute" in said["formal"]
    assert "Liebe" not in said["formal"]


def test_like_wishes_are_numbered_in_one_way() -> None:
    roles, words = (
        {"find": ToolRole(tool="find", operation="list")},
        Voice(load_grammar()["assistant"], Random(1), Persona()),
    )
    for second, named in (("find a vehicle", "list"), ("look for something to rent", "request")):
        goals = [Goal(intent=intent, tool="find", topic="vehicle") for intent in ("see vehicles", second)]
        topics = Topics(goals, roles, words)
        assert [topics.name(goal, range(2)) for goal in range(2)] == [f"the first {named}", f"the second {named}"]


def test_who_says_it_does_not_say_again_which_one_it_is() -> None:
    again = [text.partition("{noun}")[0].rstrip() for text in load_grammar()["user"]["same_here"]]
    otherwise = re.compile(r"\b(?:Otherwise|If not|If it isn't|Or else)\b[^.?!]* it\b[^.?!]*[.?!]+ (.*)")
    found = 0
    for blueprint, trajectory in played("domain:workspace", "conditional"):
        said = otherwise.search(trajectory.messages[0].content)
        if said and any(goal.condition and goal.condition.otherwise for goal in blueprint.goals):
            found += 1
            assert not said[1].lower().startswith(tuple(text.lower() for text in again)), said[0]
    assert found
