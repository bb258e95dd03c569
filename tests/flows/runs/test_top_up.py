"""Top-up: later shards aim at what earlier ones left out, the same with any number of workers."""

import asyncio
from pathlib import Path

import pytest

from interplay.flows.runs.committer import RunProgress
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import decided_at
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.aims import Aim, with_aim
from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import PolicyRule

SETTINGS = RecipeSettings(top_up=0.5, evolved=0.0)
RULES = [PolicyRule(id="r1", kind="forbids", text="No a.", tools=("a",))]


def config(workers: int = 1) -> RunConfig:
    return RunConfig(records=24, shard_size=4, workers=workers, recipes=SETTINGS)


def made(folder: Path, workers: int = 1) -> Workspace:
    place = Workspace(folder)
    asyncio.run(run(place, config(workers), lambda _progress: None))
    return place


def test_decides_whenever_the_shards_have_doubled() -> None:
    assert [decided_at(number) for number in range(10)] == [None, None, None, None, 4, 4, 4, 4, 8, 8]


def test_aims_a_share_of_the_recipes_at_holes() -> None:
    aims = [Aim(kind="tool", name="b"), Aim(kind="pattern", name="fan_out"), Aim(kind="temptation", name="r1")]
    plain = [make_recipe(["a", "b", "c"], SETTINGS, 1, index, RULES) for index in range(200)]
    changed = [with_aim(recipe, aims, SETTINGS, RULES) for recipe in plain]
    moved = [new for old, new in zip(plain, changed, strict=True) if new != old]
    assert 70 <= len(moved) <= 105
    assert any(recipe.pattern == "fan_out" for recipe in moved)
    tempted = [recipe for recipe in moved if recipe.rule == "r1" and recipe.pair.startswith("1/top_up/")]
    assert tempted
    assert {(recipe.target, recipe.pattern, recipe.twin) for recipe in tempted} == {("a", "refusal", "forbidden")}
    assert [with_aim(recipe, (), SETTINGS, RULES) for recipe in plain] == plain


def test_aims_at_edges_as_often_as_at_tools_however_many_there_are() -> None:
    aims = [Aim(kind="tool", name="b"), *(Aim(kind="edge", name=f"a{number} > c") for number in range(50))]
    plain = [make_recipe(["a", "b", "c"], SETTINGS, 1, index, RULES) for index in range(300)]
    changed = [with_aim(recipe, aims, SETTINGS, RULES) for recipe in plain]
    moved = [new for old, new in zip(plain, changed, strict=True) if new is not old]
    led = [recipe for recipe in moved if recipe.edge]
    assert 0.35 < len(led) / len(moved) < 0.65
    assert {recipe.target for recipe in led} == {"c"}
    assert {recipe.pattern for recipe in led} == {"sequential", "multi_goal"}
    assert all(recipe.goals > 1 for recipe in led if recipe.pattern == "multi_goal")


def test_writes_what_later_shards_aim_at_and_makes_the_same_with_two_workers(tmp_path: Path) -> None:
    one, two = made(tmp_path / "one"), made(tmp_path / "two", workers=2)
    aims = one.aims(4)
    assert Aim(kind="pattern", name="single") in aims or len(aims) > 3
    assert one.aims_file(4).read_bytes() == two.aims_file(4).read_bytes()
    for number in range(6):
        assert one.shard(number).read_bytes() == two.shard(number).read_bytes()
    recipes = [record.blueprint.recipe for record in read_shard(one.shard(4)) if record.blueprint]
    names = {aim.name for aim in aims}
    assert any({recipe.target, recipe.pattern, recipe.rule} & names for recipe in recipes)


def test_a_run_that_waits_for_a_reader_to_aim_can_be_ended_and_goes_on(tmp_path: Path) -> None:
    place = Workspace(tmp_path)
    asyncio.run(run(place, config().model_copy(update={"records": 4}), lambda _progress: None))

    async def ended() -> None:
        def tell(progress: RunProgress) -> None:
            if progress.tried >= 16:  # what comes next is to be decided
                asyncio.get_running_loop().call_later(0.2, going.cancel)

        going = asyncio.ensure_future(run(place, config(), tell))
        with pytest.raises(asyncio.CancelledError):
            await going

    with loaded_store(place):
        asyncio.run(ended())
    assert not place.aims_file(4).exists()
    assert made(tmp_path).aims(4)


def test_tells_that_aims_must_be_decided_first(tmp_path: Path) -> None:
    assert Workspace(tmp_path).aims(3) == ()
    with pytest.raises(ConfigError, match="interplay run"):
        Workspace(tmp_path).aims(5)
