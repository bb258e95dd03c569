"""Made-up worlds: functions of seed and number, shared by few records and by no two splits; what small toolsets hold is told."""

import asyncio
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from tests.generators.worlds import SMALL_SPECS, generator, records, shared_spec

from interplay.flows.generation.generator import Generator
from interplay.flows.runs.capacity import SAMPLE, estimate_kinds, few_tasks, sample_stories
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.values.texts.sample_words import names_of
from interplay.generators.values.world_seed import Size, WorldSeed
from interplay.outputs.store.splits import split_of
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recipe import MadeWorld

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")


def renewed(world: OpenedWorld, number: int, locale: str = "en_GB", **sizes: Size) -> OpenedWorld:
    """Return one of many worlds."""
    return world.renewed(WorldSeed.of(MadeWorld(seed=1, number=number, locale=locale), sizes))


def tables(world: OpenedWorld, backwards: bool = False) -> dict[str, dict[str, object]]:
    """Return all rows, looked at table by table."""
    state = world.environment.state()
    return {name: dict(state[name]) for name in sorted(state, reverse=backwards)}


@pytest.mark.parametrize("source", [*DOMAINS, *SMALL_SPECS])
def test_a_world_is_a_function_of_seed_and_number_whatever_is_looked_at_first(source: str) -> None:
    world = open_world([source if ":" in source else shared_spec(source)])
    first, again, other = renewed(world, 3), renewed(world, 3), renewed(world, 4)
    assert tables(first) == tables(again, backwards=True)
    assert first.environment.digest() == again.environment.digest() != other.environment.digest()
    assert tables(first) != tables(other)
    assert tables(world) == tables(open_world([source if ":" in source else shared_spec(source)]), backwards=True)


def test_people_come_from_where_the_world_is() -> None:
    rows = tables(renewed(open_world(["domain:clinic"]), 5, "de_DE"))["patients"].values()
    given = set(names_of("de_DE")[0])
    german = [row for row in rows if isinstance(row, dict) and str(row["name"]).split()[0] in given]
    assert len(german) > 0.7 * len(rows)


def test_the_number_of_rows_is_as_asked_for() -> None:
    asked = Size(fewest=5, usual=7, most=9)
    found = {len(tables(renewed(open_world(["domain:clinic"]), n, patient=asked))["patients"]) for n in range(12)}
    assert found <= set(range(5, 10))
    assert len(found) > 2
    pets = open_world([shared_spec("petstore_v3.yaml")])
    many = tables(renewed(pets, 1, pet=Size(fewest=120, usual=120, most=120)))
    assert len(many["pet"]) == 120


@pytest.mark.parametrize("tasks_per_session", [1, 3, 4, 16])
def test_few_records_share_a_world_and_sessions_and_twins_are_never_parted(tasks_per_session: int) -> None:
    config = RunConfig.model_validate({"tasks_per_session": tasks_per_session})
    numbers = [config.world(index).number for index in range(1_000)]
    assert max(Counter(numbers).values()) <= 20
    sessions = defaultdict(set)
    for index, number in enumerate(numbers):
        sessions[config.session(index)].add(number)
    assert all(len(found) == 1 for found in sessions.values())
    if tasks_per_session == 1:
        assert all(numbers[index] == numbers[index + 5] for index in range(0, 990, 6))


def test_a_record_names_its_world_and_its_rows_are_from_there() -> None:
    made = [record for record in records("domain:clinic", 40) if record.blueprint is not None]
    assert [record.blueprint.world.number for record in made if record.blueprint and record.blueprint.world] == [
        record.index // 18 for record in made
    ]
    source = generator("domain:clinic")
    for record in made:
        assert record.blueprint is not None
        patients = source.workshop(record.index).world.environment.state()["patients"]
        called = [action.arguments.get("patient_id") for action in record.blueprint.calls if not action.failed]
        assert {key for key in called if key is not None} <= patients.keys() | {
            change.path.split("/")[2] for change in record.blueprint.expected.difference if "patients" in change.path
        }


def test_no_two_splits_share_a_world_and_each_gets_some() -> None:
    made = records("domain:clinic", 40)
    worlds = defaultdict(set)
    for record in made:
        if record.blueprint and record.blueprint.world:
            worlds[record.blueprint.world.name].add(split_of(record.blueprint))
    assert all(len(splits) == 1 for splits in worlds.values())
    template = next(record.blueprint for record in made if record.blueprint)
    asked = [template.model_copy(update={"world": MadeWorld(seed=9, number=number)}) for number in range(200)]
    found = Counter(split_of(blueprint) for blueprint in asked)
    assert abs(found["test"] - 10) <= 2
    assert abs(found["validation"] - 10) <= 2
    assert split_of(asked[1]) == "test"


def test_what_is_told_again_is_from_the_same_world() -> None:
    source = generator("domain:clinic", recipes={"retold": 0.5})
    told = [(index, source.tasks.recipe(index).retells) for index in range(200)]
    again = [(index, earlier) for index, earlier in told if earlier is not None]
    assert len(again) > 50
    assert all(source.config.world(index) == source.config.world(earlier) for index, earlier in again)


def test_code_of_somebody_knows_one_world() -> None:
    made = records("python:tests.flows.support:Support", 3)
    assert all(record.blueprint is None or record.blueprint.world is None for record in made)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"records": 2}, "worlds"),
        ({"locale": "xx_YY"}, "no locale of Faker"),
        ({"rows": {"patient": [9, 3]}}, "in this order"),
        ({"rows": {"patient": "many"}}, "patient"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_config({"toolset": ["domain:clinic"], "worlds": settings}, "run.yaml")


def test_rows_of_what_there_is_not_are_refused() -> None:
    config = RunConfig.model_validate({"toolset": ["domain:clinic"], "worlds": {"rows": {"patiens": 9}}})
    with pytest.raises(ConfigError, match="patient"):
        open_world(config.toolset).check_sizes(config.worlds.rows)


def test_how_many_kinds_there_are_is_estimated_from_what_comes_up_again() -> None:
    assert estimate_kinds([str(number) for number in range(64)]) is None
    few = estimate_kinds([str(number * number % 23) for number in range(64)])
    assert few is not None
    assert few <= 15


def test_a_run_says_what_a_small_toolset_holds(tmp_path: Path) -> None:
    days, clock = {"type": "string", "enum": ["Monday", "Tuesday", "Saturday"]}, {"type": "string", "format": "time"}
    tool = {
        "name": "get_hours",
        "description": "Get the opening hours on a day.",
        "parameters": {"type": "object", "properties": {"day": days}, "required": ["day"]},
        "returns": {"type": "object", "properties": {"opens": clock, "closes": clock}},
    }
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps([tool]), encoding="utf-8")
    config = RunConfig.model_validate({"toolset": [f"json:{path}"]})

    async def told(records: int) -> str:
        world = open_world(config.toolset)
        return await few_tasks(Generator(config, world, await open_graph(world), "run"), records)

    assert "What gives more" in asyncio.run(told(5_000))
    assert asyncio.run(told(20)) == ""


def test_no_more_tasks_are_composed_for_an_estimate_than_tell_that_there_are_enough() -> None:
    config = RunConfig.model_validate({"toolset": ["domain:clinic"]})
    world = open_world(config.toolset)
    source = Generator(config, world, asyncio.run(open_graph(world)), "run")
    asked = [len(asyncio.run(sample_stories(source, records))) for records in (40, 5_000)]
    assert asked == [19, SAMPLE]
