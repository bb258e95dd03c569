"""Edges of the tool graph: what they join, what they never join, and that they were run."""

import asyncio
from random import Random
from time import process_time

import pytest
from tests.generators.environments import inline
from tests.generators.environments.inline import TEXT, operation, row
from tests.generators.environments.specs import SMALL, spec
from tests.generators.graph.counted_edges import counted_edges

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.candidate_edges import PRODUCERS, candidate_edges, in_order
from interplay.generators.graph.multigraph import (
    VERIFIED,
    ToolGraph,
    edges_into,
    graph_nodes,
    graph_of,
    graph_report,
    settled,
    verified,
    verified_later,
)
from interplay.generators.graph.ports import NEVER
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens


@pytest.fixture(params=SMALL)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return Sandbox(spec(request.param), seed=7)


def built(sandbox: Sandbox, bound: int = VERIFIED) -> ToolGraph:
    """Return the graph of a sandbox, so many of its edges run at most."""
    found = candidate_edges(sandbox.toolset, sandbox.resources)
    return graph_of(graph_nodes(sandbox.toolset, sandbox.resources), asyncio.run(verified(found, sandbox, bound=bound)))


def edges(sandbox: Sandbox) -> list[Edge]:
    return built(sandbox).edges


def test_nine_of_ten_edges_are_verified_and_the_state_stays(sandbox: Sandbox) -> None:
    before = sandbox.digest()
    found = edges(sandbox)
    assert sandbox.digest() == before
    assert sum(edge.verified is True for edge in found) >= 0.9 * len(found)
    assert all(edge.note for edge in found if not edge.verified)


def test_no_edge_leads_to_its_own_tool_or_from_a_status_or_page(sandbox: Sandbox) -> None:
    for edge in edges(sandbox):
        assert edge.producer != edge.consumer
        assert not is_paging(edge.input.split("/")[-1])
        if all(item.kind != "resource" for item in edge.evidence):
            assert not set(name_tokens(edge.output.split("/")[-1])) & NEVER


def test_the_same_seed_gives_the_same_graph(sandbox: Sandbox) -> None:
    assert edges(sandbox) == edges(sandbox)


def test_an_input_is_fed_by_few_producers(sandbox: Sandbox) -> None:
    graph = built(sandbox, 0)
    for edge in graph.edges:
        assert len(edges_into(graph, edge.consumer, edge.input)) <= PRODUCERS


@pytest.mark.parametrize(
    ("name", "producer", "consumer", "argument"),
    [
        ("petstore_v3.yaml", "findPetsByStatus", "getPetById", "/petId"),
        ("petstore_v3.yaml", "getUserByName", "updateUser", "/username"),
        ("train_travel.yaml", "get-stations", "get-trips", "/origin"),
        ("train_travel.yaml", "get-trips", "create-booking", "/trip_id"),
        ("museum.yaml", "listSpecialEvents", "buyMuseumTickets", "/eventId"),
        ("xero_projects.yaml", "getTasks", "createTimeEntry", "/taskId"),
    ],
)
def test_identities_feed_what_refers_to_them(name: str, producer: str, consumer: str, argument: str) -> None:
    graph = built(Sandbox(spec(name)))
    assert producer in {edge.producer for edge in edges_into(graph, consumer, argument)}


def test_plain_fields_of_one_row_do_not_feed_another(sandbox: Sandbox) -> None:
    writes = {role.tool for role in sandbox.resources.roles if role.operation in ("create", "update")}
    for edge in edges(sandbox):
        assert edge.consumer not in writes or any(item.kind == "resource" for item in edge.evidence)


def test_a_report_names_tools_without_edges() -> None:
    graph = built(Sandbox(spec("petstore_v3.yaml")))
    report = graph_report(graph)
    assert "logoutUser" in report.orphans
    assert len(report.nodes) == 19


def test_the_graph_of_a_small_description_is_built_at_once() -> None:
    sandbox = Sandbox(spec("petstore_v3.yaml"))
    start = process_time()
    built(sandbox)
    assert process_time() - start < 2


def test_rows_named_in_one_call_belong_together() -> None:
    world = World(Sandbox(spec("xero_projects.yaml")))
    tasks = world.environment.state()["task"]
    for number in range(20):
        arguments = sample_arguments(world, world.tools["getTask"], Random(number))
        assert tasks[arguments["taskId"]]["projectId"] == arguments["projectId"]
        arguments = sample_arguments(world, world.tools["createTimeEntry"], Random(number))
        assert tasks[arguments["taskId"]]["projectId"] == arguments["projectId"]


def test_a_bound_runs_best_and_doubtful_edges_of_many_consumers_and_leaves_the_rest() -> None:
    sandbox = Sandbox(spec("xero_projects.yaml"))
    consumers = {edge.consumer for edge in built(sandbox, 0).edges}
    report = graph_report(built(sandbox, 2 * len(consumers)))
    run = [edge for edge in report.edges if edge.verified is not None]
    assert {edge.consumer for edge in run} == consumers
    assert (report.verified + report.failed, report.not_run) == (len(run), len(report.edges) - len(run))
    assert len(run) == 2 * len(consumers)
    best = {edge.consumer: edge for edge in reversed(report.edges)}
    assert set(best.values()) <= set(run)


def test_a_report_gives_trusted_edges_first_and_doubtful_ones_apart() -> None:
    ends = {"producer": "a", "output": "/x", "consumer": "b"}
    states = {"/works": (0.6, True), "/fails": (0.9, False), "/waits": (0.8, None), "/fails_too": (0.7, False)}
    made = [Edge(**ends, input=name, score=score, verified=state) for name, (score, state) in states.items()]
    report = graph_report(graph_of(["a", "b", "c"], made))
    assert [edge.input for edge in report.best(9)] == ["/works", "/waits"]
    assert [edge.input for edge in report.doubtful(3)] == ["/fails_too", "/fails", "/waits"]
    assert (report.orphans, [node.name for node in report.nodes]) == (("c",), ["a", "b", "c"])


def test_nothing_under_a_row_just_made_is_asked_of_it() -> None:
    found = edges(Sandbox(spec("xero_projects.yaml")))
    pairs = {(edge.producer, edge.consumer) for edge in found if edge.input == "/projectId"}
    assert ("createProject", "createTask") in pairs
    assert ("createProject", "getTask") not in pairs


def test_runs_an_edge_along_which_a_list_goes() -> None:
    tags = {"type": "array", "items": TEXT}
    described = operation("get_labels", "GET", "/labels", {"type": "object", "properties": {"labels": tags}})
    used = operation("set_labels", "POST", "/shelves", row(labels=tags), labels=tags)
    listed = Edge(producer="get_labels", output="/labels", consumer="set_labels", input="/labels", score=1, evidence=())
    opened = inline.sandbox(described, used)
    found = asyncio.run(verified([listed, listed.model_copy(update={"score": 0.5})], opened))
    assert [edge.verified for edge in found] == [True, True]


@pytest.mark.parametrize("seed", [1, 2])
def test_edges_that_are_run_when_asked_for_are_told_the_same_in_any_order(seed: int) -> None:
    opened = Sandbox(spec("petstore_v3.yaml"))
    found = candidate_edges(opened.toolset, opened.resources)
    whole = graph_of([], asyncio.run(verified(found, opened)))
    later, before = verified_later([], found, opened), opened.digest()
    single = verified_later([], found, opened)
    shuffled = Random(seed).sample(found, len(found))
    told = [next(iter(single.feeding(one.consumer, lambda edge, one=one: edge.ends == one.ends))) for one in shuffled]
    assert in_order(told) == in_order(whole.edges)
    names = [tool.name for tool in opened.toolset.tools]
    Random(seed).shuffle(names)
    for name in names:
        assert list(later.out_of.get(name, ())) == list(whole.out_of.get(name, ()))
        assert list(later.into.get(name, ())) == list(whole.into.get(name, ()))
    assert later.edges == whole.edges
    assert opened.digest() == before
    assert {edge.verified for edge in later.found} == {None}


def test_the_edges_that_are_reported_are_bounded_and_not_those_that_tasks_asked_for() -> None:
    opened = Sandbox(spec("petstore_v3.yaml"))
    found = candidate_edges(opened.toolset, opened.resources)
    fresh, used = (verified_later([], found, opened) for _ in range(2))
    assert len(used.edges) > 5
    reported = list(settled(fresh, 5))
    assert reported == list(settled(used, 5))
    assert [edge.ends for edge in reported] == [edge.ends for edge in found]
    assert sum(edge.verified is not None for edge in reported) == 5


def test_only_the_edges_that_are_asked_for_are_run() -> None:
    opened = Sandbox(spec("petstore_v3.yaml"))
    later, called = counted_edges(opened)
    assert not called
    consumer = min(later.into, key=lambda name: len(later.found_into[name]))  # type: ignore[index]
    assert all(edge.verified is not None for edge in later.into[consumer])
    ends = {edge.producer for edge in later.into[consumer]} | {consumer}
    assert set(called) <= ends


def test_of_a_tool_only_the_edges_into_what_is_asked_about_are_run() -> None:
    opened = Sandbox(spec("train_travel.yaml"))
    later, called = counted_edges(opened)
    inputs = {name: sorted({edge.input for edge in later.found_for(name)}) for name in later.into}
    consumer = next(name for name, several in inputs.items() if len(several) > 1)
    first = list(later.feeding(consumer, lambda edge: edge.input == inputs[consumer][0]))
    before = len(called)
    assert [edge for edge in later.into[consumer] if edge.input == inputs[consumer][0]] == first
    assert len(called) > before > 0


def test_edges_from_tools_that_write_wait_while_those_from_tools_that_read_are_run() -> None:
    opened = Sandbox(spec("train_travel.yaml"))
    later, called = counted_edges(opened)
    assert "create-booking" in {edge.producer for edge in later.found_for("delete-booking")}
    read = list(later.feeding("delete-booking", lambda edge: edge.producer == "get-bookings"))
    assert [edge.verified for edge in read] == [True]
    assert "create-booking" not in called
    list(later.feeding("delete-booking", lambda edge: edge.producer == "create-booking"))
    assert "create-booking" in called


def test_an_environment_that_waits_is_told_at_once() -> None:
    opened = Sandbox(spec("petstore_v3.yaml"))

    class Slow(Sandbox):
        async def call(self, call: ToolCall) -> ToolResult:
            await asyncio.sleep(0)
            return await super().call(call)

    later = verified_later([], candidate_edges(opened.toolset, opened.resources), Slow(opened.toolset))
    with pytest.raises(RuntimeError, match="never waits"):
        _ = later.edges
