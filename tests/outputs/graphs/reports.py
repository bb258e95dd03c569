"""Reports to draw and write: small ones, hostile ones, and ones of any size."""

from functools import cache
from random import Random

from interplay.schemas.records.tool import Operation
from interplay.schemas.records.tool_graph import Edge, Evidence, GraphNode, GraphReport

OPERATIONS: tuple[Operation, ...] = ("list", "create", "read", "update", "delete")
HOSTILE = "</script><script>alert(1)</script><!-- ]]> & \" ' \u2028 \u2029 \x00 \x08 \x1b[31m \uffff \U0001f600"


@cache
def _reasons(field: str) -> tuple[Evidence, ...]:
    return Evidence(kind="resource", score=1.0, detail=field), Evidence(kind="name", score=0.5, detail=field)


def edge(producer: str, consumer: str, field: str = "id", score: float = 0.9, verified: bool | None = True) -> Edge:
    return Edge(
        producer=producer,
        output=f"/*/{field}",
        consumer=consumer,
        input=f"/{field}",
        score=score,
        evidence=_reasons(field),
        verified=verified,
        note="" if verified is not False else "the consumer failed: not found",
    )


def small_report() -> GraphReport:
    nodes = (
        GraphNode(name="list_pets", summary="List pets", resource="pet", operation="list", source="pets.yaml"),
        GraphNode(name="get_pet", summary="Get one pet", resource="pet", operation="read"),
        GraphNode(name="buy_pet", summary="Buy it", effect="write", resource="order", operation="create"),
        GraphNode(name="ping"),
    )
    edges = (
        edge("list_pets", "get_pet", "id", 0.95),
        edge("list_pets", "buy_pet", "id", 0.9, None),
        edge("list_pets", "buy_pet", "price", 0.6, False),
        edge("get_pet", "buy_pet", "id", 0.55, False),
    )
    return GraphReport(nodes=nodes, edges=edges, orphans=("ping",))


def hostile_report() -> GraphReport:
    """Return a report with texts that mean something to a browser, a parser or a terminal, a lone surrogate among them."""
    broken = HOSTILE + "\ud800"
    nodes = (
        GraphNode.model_construct(name="evil", summary=broken, resource=broken, source=broken, effect="read"),
        GraphNode(name="good", summary=HOSTILE, resource="</script>"),
    )
    reason = Evidence.model_construct(kind="name", score=1.0, detail=broken)
    told = {"producer": "evil", "consumer": "good", "output": broken, "input": "/x", "note": broken}
    bad = Edge.model_construct(**told, score=0.5, verified=False, evidence=(reason,))
    return GraphReport.model_construct(nodes=nodes, edges=(bad,), orphans=())


def report_of(tools: int, edges: int, per_resource: int = 6) -> GraphReport:
    """Return a random graph, always the same one."""
    rng = Random(0)
    nodes = tuple(
        GraphNode(
            name=f"{OPERATIONS[number % 5]}_things_of_kind_number_{number}",
            summary=f"What can be done to things of kind {number} that the user may see, newest first",
            effect="write" if number % 2 else "read",
            resource=f"thing_{number // per_resource}",
            operation=OPERATIONS[number % 5],
            source=f"specs/{number % 97}.json",
        )
        for number in range(tools)
    )
    found: list[Edge] = []
    while len(found) < edges:
        producer, consumer = rng.randrange(tools), rng.randrange(tools)
        if producer != consumer:
            state = rng.choice((True, False, None))
            names = nodes[producer].name, nodes[consumer].name
            found.append(edge(*names, f"thing_{consumer // per_resource}_id", round(rng.random(), 3), state))
    tied = {end for one in found for end in (one.producer, one.consumer)}
    ordered = tuple(sorted(found, key=lambda one: -one.score))
    return GraphReport(nodes=nodes, edges=ordered, orphans=tuple(n.name for n in nodes if n.name not in tied))
