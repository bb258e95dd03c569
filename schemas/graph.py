"""The tool graph as records: which output field can feed which input parameter, and the evidence for it."""

from typing import Literal

from pydantic import Field

from interplay.schemas.record import Record


class Evidence(Record):
    """One reason for an edge: what kind of agreement, how strong from 0 to 1, and what agreed."""

    kind: Literal["resource", "name", "type", "description", "link"]
    score: float
    detail: str = ""


class Edge(Record):
    """`output` (JSON pointer into the producer's result, `*` for any index) can feed `input` (pointer into arguments).

    `verified` is true when the consumer accepted a value that the producer returned, false when it did not, and none
    when the edge was not run.
    """

    producer: str
    output: str
    consumer: str
    input: str
    score: float
    evidence: tuple[Evidence, ...] = ()
    verified: bool | None = None
    note: str = Field("", description="Why the edge was not verified.")


class GraphReport(Record):
    """A tool graph flattened for reading: node names, edges best first, and tools without any edge."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    orphans: tuple[str, ...]
