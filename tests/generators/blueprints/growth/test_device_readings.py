"""What a user reads off its own device goes into calls of the assistant: by what it said, and by nothing else."""

import asyncio

import pytest
from tests.generators.environments import meter
from tests.generators.worlds import generator as first_generator
from tests.generators.worlds import records as first_records

from interplay.flows.generation.generator import Generator
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

METER = f"python:{meter.__name__}:Supplier"
GUIDED = RecipeSettings(patterns={"guided": 1.0}, faults=0.0, evolved=0.0)


def generator(spec: str = METER, language: str = "en") -> Generator:
    return first_generator(spec, seed=0, recipes=GUIDED, language=language)


def records(spec: str = METER, language: str = "en", count: int = 12) -> tuple[DatasetRecord, ...]:
    return first_records(spec, count, seed=0, recipes=GUIDED, language=language)


def readings(language: str = "en") -> list[DatasetRecord]:
    """Return the records whose assistant hands in what the user has read."""
    made = records(METER, language)
    return [r for r in made if r.blueprint and any(a.tool == "submit_reading" for a in r.blueprint.calls)]


def said(record: DatasetRecord, role: str) -> str:
    assert record.trajectory is not None
    return " ".join(message.content for message in record.trajectory.messages if message.role == role)


def codes(record: DatasetRecord, messages: tuple[Message, ...]) -> set[str]:
    """Return what is said of where the arguments come from in other messages of a record."""
    blueprint, trajectory, place = record.blueprint, record.trajectory, generator().workshop(0)
    assert blueprint is not None
    assert trajectory is not None

    async def check() -> set[str]:
        async with place.turn():
            changed = trajectory.model_copy(update={"messages": messages})
            check = next(check for check in place.trajectory_checks if check.name == "grounding")
            return {issue.code for issue in (await check.check(changed, blueprint)).issues}

    return asyncio.run(check())


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_argument_comes_from_what_the_user_has_seen_and_says(language: str) -> None:
    assert {record.status for record in records(METER, language)} == {"accepted"}
    for record in readings(language):
        blueprint = record.blueprint
        assert blueprint is not None
        call = next(action for action in blueprint.calls if action.tool == "submit_reading")
        looks = {action.id for action in blueprint.calls if action.requestor == "user"}
        assert {origin.kind for origin in call.origins.values()} == {"output"}
        assert {origin.action for origin in call.origins.values()} <= looks
        assert not any(fact.value == meter.NUMBER for fact in blueprint.scenario.facts)
        assert meter.NUMBER in said(record, "user")


def test_the_assistant_says_what_it_needs_and_the_user_reads_out_that_alone() -> None:
    for record in readings():
        assert "the meter number and the meter reading" in said(record, "assistant")
        assert "Corvid" not in said(record, "user")


def test_a_number_that_the_user_did_not_read_out_is_noticed() -> None:
    record = readings()[0]
    assert record.trajectory is not None
    messages = record.trajectory.messages
    report = next(place for place, message in enumerate(messages) if message.act == "report")
    silent = messages[report].model_copy(update={"content": "I have had a look."})
    assert "ungrounded_argument" in codes(record, (*messages[:report], silent, *messages[report + 1 :]))
    place = next(p for p, m in enumerate(messages) if [c.name for c in m.tool_calls] == ["submit_reading"])
    wrong = (
        messages[place]
        .tool_calls[0]
        .model_copy(update={"arguments": {"meter_number": meter.NUMBER, "meter_reading": meter.COUNT + 10}})
    )
    changed = messages[place].model_copy(update={"tool_calls": (wrong,)})
    assert "ungrounded_argument" in codes(record, (*messages[:place], changed, *messages[place + 1 :]))
    assert not codes(record, messages)


def test_a_bundled_office_has_what_stands_on_a_laptop_read_out() -> None:
    made = records("domain:workspace", count=30)
    called = {action.tool for record in made if record.blueprint for action in record.blueprint.calls}
    assert {"read_sticker", "check_warranty"} <= called or {"read_sticker", "order_repair"} <= called
