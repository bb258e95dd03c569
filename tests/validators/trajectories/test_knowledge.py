"""What a user that a model plays may say: what its scenario tells, in all its wordings, and what was said before."""

import asyncio

import pytest
from tests.generators.worlds import generator
from tests.validators.builders import make_blueprint, make_trajectory

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.blueprint import Fact, Scenario
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.chain import check_trajectory
from interplay.validators.findings.excerpt import excerpt
from interplay.validators.labels.diagnosis import diagnose
from interplay.validators.trajectories.knowledge import KnowledgeCheck

WORLDS = ("domain:clinic", "domain:rental", "domain:workspace")
FACTS = (
    Fact(id="f1", goal=0, label="birth date", value="1972-08-05"),
    Fact(id="f2", goal=0, label="starts at", value="2026-03-02T14:30:00"),
    Fact(id="f3", goal=0, label="amount", value=1546.5),
    Fact(id="f4", goal=0, label="phone", value="+44 7700 900034"),
    Fact(id="f5", goal=0, label="email", value="Lena.Moreau@example.com"),
    Fact(id="f6", goal=0, label="order id", value="RE-52334"),
    Fact(id="f7", goal=0, label="patient id", value="P-0007", reveal="never"),
)


def spoken(records: list[DatasetRecord], also: str = "") -> list[tuple[str, ...]]:
    """Return what is found in dialogues of the rules, heard as a model's, where the user says something else as well."""
    found = []
    for record in records:
        if record.trajectory is None or record.blueprint is None:
            continue
        messages = [
            message.model_copy(
                update={
                    "act": None,
                    "state": None,
                    "content": message.content + (also if message.role == "user" else ""),
                }
            )
            for message in record.trajectory.messages
        ]
        heard = excerpt(record.trajectory.model_copy(update={"messages": tuple(messages)}), record.blueprint)
        verdict = asyncio.run(KnowledgeCheck().check(heard, record.blueprint))
        found.append(tuple(issue.code for issue in verdict.issues))
    assert found
    return found


def played(spec: str, language: str, count: int) -> list[DatasetRecord]:
    config = RunConfig(toolset=(spec,), seed=11, language=language)
    world = open_world([spec])
    made = Generator(config, world, asyncio.run(open_graph(world)), "run")

    async def make() -> list[DatasetRecord]:
        return [await made.make_record(index) for index in range(count)]

    return asyncio.run(make())


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("world", WORLDS)
def test_all_that_the_rules_say_is_known(world: str, language: str) -> None:
    records = played(world, language, 25)
    assert set(spoken(records)) == {()}
    assert all(spoken(records, " My reference number is QX-99812."))
    assert all(spoken(records, " Meine Adresse ist ghost@nowhere.example."))


def said(text: str, *before: Message) -> bool:
    """Tell whether a user who knows `FACTS` may say something."""
    blueprint = make_blueprint(scenario=Scenario(requests=((0,),), facts=FACTS))
    trajectory = make_trajectory((*before, Message(role="user", content=text)))
    return asyncio.run(KnowledgeCheck().check(trajectory, blueprint)).passed


@pytest.mark.parametrize(
    "text",
    [
        "I was born on August 5th, 1972.",
        "born 5 August", "05.08.1972, please", "8/5/72",
        "On March 2 at 2:30 pm.", "2. März um 14:30 Uhr", "2026-03-02, half past two, so 2.30",
        "It's 1,546.50 euros.", "1.546,50 €", "€1546.50", "Der Betrag ist 1546,5.",
        "Call me on +44 7700 900034.", "07700 900034", "(+44) 77 00 90 00 34",
        "lena.moreau@example.com", "order re-52334", "RE 52334", "My order is RE52334!",
        "I'll take the 2nd one, number 3 is too far.", "I have 2 of these, 12 in all.", "Sorry, give me 5min.",
    ],
)  # fmt: skip
def test_a_value_may_be_worded_in_many_ways(text: str) -> None:
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        "I was born on August 6th, 1972.", "born 5 August 1973",
        "On March 2 at 3:30 pm.", "am 3. März um 14:30 Uhr",
        "It's 1,646.50 euros.", "99,90 €",
        "Call me on +44 7700 900035.", "ghost@nowhere.example", "07700 900034 or ghost@nowhere.example", "see www.nowhere.example",
        "order RE-52335", "It's P-0003.", "P-0007", "My card ends in 4411.",
    ],
)  # fmt: skip
def test_what_the_scenario_does_not_tell_is_made_up(text: str) -> None:
    assert not said(text)


def test_what_was_said_before_may_be_said_again_and_what_only_a_tool_returned_may_not() -> None:
    shown = Message(role="assistant", content="There is P-0003, at 09:15.")
    returned = Message(role="tool", content='{"id": "P-0003"}', tool_call_id="call00001")
    assert said("Then P-0003, a quarter past 9.", shown)
    assert not said("Then P-0003.", returned)


def test_a_user_who_makes_something_up_is_to_blame() -> None:
    made = generator("domain:clinic")
    place = made.workshop(0)
    record = next(r for r in (asyncio.run(made.make_record(i)) for i in range(9)) if r.status == "accepted")
    assert record.trajectory is not None
    assert record.blueprint is not None
    first, *others = record.trajectory.messages
    invented = first.model_copy(
        update={"content": f"{first.content} My number is QX-99812.", "act": None, "state": None}
    )
    trajectory = record.trajectory.model_copy(update={"messages": (invented, *others)})
    judgement = asyncio.run(check_trajectory(trajectory, record.blueprint, place.trajectory_checks))
    assert judgement.stage == "knowledge"
    label = asyncio.run(diagnose(trajectory, record.blueprint, judgement, place.trajectory_checks, place.world.toolset))
    assert label is not None
    assert (label.fault, label.message) == ("user_fault", 0)
