"""Whole dialogues of APIs in styles of their own: all accepted, all tools covered, edges that hold."""

from pathlib import Path

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world

pytestmark = pytest.mark.anyio

STYLES = Path(__file__).parents[2] / "generators" / "environments" / "styles"
RECORDS = 60


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("style", "edge"),
    [
        ("invoicing_odata", ("Invoices_Invoice_ListInvoice", "Invoices_Invoice_Post", "/No")),
        ("forge", ("repos_list-for-org", "issues_list-for-repo", "/repo")),
        ("depots_fastapi", ("read_depots_depots_filter_post", "create_shipment_shipments__post", "/depot_name")),
        ("cluster", ("listCoreV1NamespacedPod", "replaceCoreV1NamespacedPod", "/name")),
    ],
)
async def test_dialogues_of_a_style_are_accepted(style: str, edge: tuple[str, str, str]) -> None:
    spec = f"openapi:{STYLES / style}.yaml"
    world = open_world([spec])
    graph = await open_graph(world)
    edges = graph.edges
    assert edge in {(item.producer, item.consumer, item.input) for item in edges}
    # the trials of some edges name rows that do not lie below each other, which the sandbox refuses
    assert sum(item.verified is True for item in edges) >= 0.94 * len(edges)
    made = Generator(RunConfig(toolset=(spec,), seed=1), world, graph, "styles")
    records = [await made.make_record(index) for index in range(RECORDS)]
    stages = [record.stage for record in records if record.stage is not None]
    assert len(stages) <= 0.05 * RECORDS, stages
    called = {call.name for record in records if record.trajectory for call in record.trajectory.calls()}
    aimed = set(made.tasks.targets) - made.workshop(0).left_out.keys()
    assert len(aimed - called) <= 0.13 * len(aimed), aimed - called
