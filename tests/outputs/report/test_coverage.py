"""Coverage: what tasks hold and leave out, by name, and how far their tool sequences are apart."""

from pathlib import Path

import pytest
from tests.outputs.builders import RUN, load_all, make_record, make_shard

from interplay.outputs.report.coverage import coverage, distance, mean_distance
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.task_coverage import WAYS, covered_by
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Difficulty,
    Expected,
    Goal,
    Lineage,
    Origin,
    Recipe,
    Scenario,
    Withheld,
)  # fmt: skip
from interplay.schemas.records.dialogue import DialogueState, Message, Trajectory
from interplay.schemas.records.tool import Source, Tool, Toolset
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import DatasetRecord


def test_weighs_calls_that_write_more_than_look_ups() -> None:
    writes = {"book_room"}
    assert distance(["find_room"], ["find_room"], writes) == 0
    assert distance(["find_room"], [], writes) == 0.5
    assert distance(["book_room"], [], writes) == 1
    assert distance(["find_room", "book_room"], ["book_room"], writes) == 0.5


def test_tools_that_share_a_word_are_nearer_to_each_other() -> None:
    assert distance(["getRoom"], ["get_pet"]) == 0.25
    assert distance(["get_room"], ["find_pets"]) == 0.5


def test_is_the_same_both_ways_and_never_beyond_starting_anew() -> None:
    one, two = ["a", "b", "c", "d"], ["d", "b", "x"]
    assert distance(one, two) == distance(two, one)
    assert distance(one, two) <= 0.5 * (len(one) + len(two))


def test_takes_the_mean_over_a_sample_that_a_seed_decides() -> None:
    sequences = [[f"tool{number % 7}"] * (1 + number % 5) for number in range(200)]
    assert mean_distance(sequences) == mean_distance(sequences)
    assert mean_distance(sequences[:1]) == 0
    assert mean_distance([["a"], ["b"], ["b"]]) == pytest.approx(1 / 3, abs=0.001)


def task(index: int, *, score: float, status: str = "accepted") -> DatasetRecord:
    """Return a record whose task uses an edge, tempts a rule, and is told late."""
    record = make_record(index)
    assert record.blueprint is not None
    actions = (
        Action(id="a1", goal=0, tool="find_hotel", arguments={}),
        Action(
            id="a2", goal=0, tool="book_hotel", arguments={"nights": 2}, depends_on=("a1",),
            origins={"/nights": Origin(kind="output", action="a1", pointer="/x")},
        ),
        Action(id="a3", goal=0, tool="cancel", arguments={}, withheld=Withheld(reason="forbidden", rule="late")),
    )  # fmt: skip
    blueprint = Blueprint(
        id=f"b{index}", recipe=Recipe(index=index, seed=0, target="cancel", pattern="refusal", vague=True),
        toolset=record.blueprint.toolset, pattern="refusal", goals=(Goal(intent="cancel", tool="cancel"),),
        actions=actions, expected=Expected(digest=""), scenario=Scenario(pressure="pity"), rules=("late", "ask"),
        tools=(), difficulty=Difficulty(score=score), lineage=Lineage(parent="p", operator="add_trap", revision=1),
    )  # fmt: skip
    return record.model_copy(update={"blueprint": blueprint, "status": status, "id": f"task{index}"})


def test_tells_what_is_covered_and_names_what_is_not(tmp_path: Path) -> None:
    records = [task(0, score=0.41), task(1, score=0.47), task(2, score=1.0), task(3, score=0.1, status="rejected")]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        found = coverage(store, RUN)
        assert store.query("SELECT DISTINCT parent, operator FROM records") == [{"parent": "p", "operator": "add_trap"}]
    assert found["unique_tool_sequences"] == 1
    assert found["edges"] == {"covered": 1, "total": 1, "holes": []}
    assert found["patterns"]["covered"] == 1
    assert "single" in found["patterns"]["holes"]
    assert found["tools"]["holes"] == ["cancel"]
    assert set(WAYS) - set(found["behaviours"]["holes"]) == {"vague", "pity", "evolved"}
    assert found["difficulty"] == {"0.4-0.5": 2, "0.9-1.0": 1}


def test_counts_no_edge_by_which_a_call_gives_back_what_it_was_given(tmp_path: Path) -> None:
    taking = {"type": "object", "properties": {"hotel_id": {"type": "string"}}, "required": ["hotel_id"]}
    names = ("get_hotel", "book_hotel", "get_guest")
    tools = tuple(
        Tool(name=name, original_name=name, effect="read", parameters=taking, source=Source(file="hotels.yaml"))
        for name in names
    )
    toolset = Toolset(name="hotels", tools=tools, user_resource="guest")
    links = [
        ("get_hotel", "/hotel_id", "book_hotel", "/hotel_id"),
        ("get_hotel", "/rooms/*/room_id", "book_hotel", "/room_id"),
        ("book_hotel", "/hotel_id", "get_hotel", "/hotel_id"),
        ("book_hotel", "/guest_id", "get_guest", "/guest_id"),
    ]
    edges = [
        Edge(producer=one, output=output, consumer=other, input=taken, score=1.0, verified=True, evidence=())
        for one, output, other, taken in links
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        store.load_run(RUN, "{}", 1, store.load_toolset(toolset, edges))
        assert coverage(store, RUN)["edges"]["holes"] == ["get_hotel > book_hotel"]


def test_an_empty_run_covers_nothing(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [task(0, score=0.4, status="rejected")]))
        found = coverage(store, RUN)
    assert (found["unique_tool_sequences"], found["mean_edit_distance"], found["difficulty"]) == (0, 0.0, {})
    assert found["tools"]["covered"] == found["edges"]["covered"] == 0


def test_what_a_user_was_to_do_is_covered_where_it_is_seen() -> None:
    planned = (
        PlannedBehaviour(kind="wanders_off", request=0),
        PlannedBehaviour(kind="impatient", request=0),
        PlannedBehaviour(kind="elliptical", request=0),
    )
    blueprint = task(0, score=0.4).blueprint
    assert blueprint is not None
    blueprint = blueprint.model_copy(update={"scenario": Scenario(behaviours=planned)})

    def found(confidence: float, *shown: Behaviour) -> set[str]:
        said = Message(role="user", content="Nice weather.", act="wander", behaviours=shown)
        said = said.model_copy(update={"state": DialogueState(confidence=confidence)})
        trajectory = Trajectory(
            blueprint_id="b", toolset="t", tools=(), system_prompt="", messages=(said,), final_digest="", termination="user_ended"
        )  # fmt: skip
        kinds = {done.kind for done in planned}
        return {name for kind, name in covered_by(blueprint, trajectory) if kind == "behaviour" and name in kinds}

    assert found(1.0, "wanders_off", "impatient", "elliptical") == {"wanders_off", "impatient", "elliptical"}
    assert found(0.8, "wanders_off", "elliptical") == {"wanders_off", "elliptical"}
    assert found(0.8) == set()


def test_every_way_in_which_tasks_are_hard_is_in_the_glossary() -> None:
    glossary = (Path(__file__).parents[3] / "docs/glossary.md").read_text(encoding="utf-8")
    assert [name for name in WAYS if f"`{name}`" not in glossary] == []
