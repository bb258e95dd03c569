"""The tool graph as records: which output field can feed which input parameter, and the evidence for it."""

from typing import Literal

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import Effect, Operation

EvidenceKind = Literal[
    "link", "resource", "identity", "name", "type", "description", "embedding", "observation", "model"
]
"""The kinds, in order: a declared link; the identity of one resource; the form of identities; agreement of names, types or
descriptions; near embeddings; a value seen in an output and later in an argument; the answer of a model."""


SURE = 0.75
"""Score from which on an edge is not doubtful, whatever its evidence."""

PROVING: frozenset[EvidenceKind] = frozenset({"link", "resource", "identity", "observation", "model"})
"""Evidence strong enough on its own: the edge was declared, seen or judged, or leads to rows of the same resource."""


class Evidence(Record):
    """One reason for an edge: what kind of agreement, how strong from 0 to 1, and what agreed."""

    kind: EvidenceKind
    score: float
    detail: str = ""


class Edge(Record):
    """`output` (JSON pointer into the producer's result, `*` for any index) can feed `input` (pointer into arguments).

    In `output`, `*` also stands for any key of a map, and `{key}` for the key itself. `verified` is true when the
    consumer accepted a value that the producer returned, false when it did not, and none when the edge was not run.
    """

    producer: str
    output: str
    consumer: str
    input: str
    score: float
    evidence: tuple[Evidence, ...] = ()
    verified: bool | None = None
    note: str = Field("", description="Why the edge was not verified, or not judged by a model.")

    @property
    def ends(self) -> tuple[str, str, str, str]:
        """Producer, output, consumer and input, which identify the edge."""
        return self.producer, self.output, self.consumer, self.input

    @property
    def doubtful(self) -> bool:
        """Whether the edge is weak: a score below `SURE`, and no evidence but similar names, types or descriptions."""
        return self.score < SURE and not any(item.kind in PROVING for item in self.evidence)


class ValueFlow(Record):
    """Values that were seen in an output and, later in the same recording, in an argument; pointers as in `Edge`."""

    producer: str
    output: str
    consumer: str
    input: str
    count: int
    example: str = ""


class GraphNode(Record):
    """One tool as a reader of the graph wants it named: what it does, to which resource, and where it came from."""

    name: str
    summary: str = ""
    effect: Effect = "read"
    resource: str | None = None
    operation: Operation | None = None
    source: str = Field("", description="The file, URL or module that the tool was read from.")


class GraphReport(Record):
    """A tool graph flattened for reading: its tools, edges best first, and the names of tools without any edge."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]
    orphans: tuple[str, ...]

    @property
    def verified(self) -> int:
        """The number of edges that worked when they were run."""
        return sum(edge.verified is True for edge in self.edges)

    @property
    def failed(self) -> int:
        """The number of edges that failed when they were run."""
        return sum(edge.verified is False for edge in self.edges)

    @property
    def not_run(self) -> int:
        """The number of edges that were not run."""
        return sum(edge.verified is None for edge in self.edges)

    def best(self, number: int) -> tuple[Edge, ...]:
        """Return the `number` most trustworthy edges: verified ones by score, then those that were not run."""
        trusted = [edge for edge in self.edges if edge.verified is not False]
        return tuple(sorted(trusted, key=lambda edge: (edge.verified is None, -edge.score)))[:number]

    def doubtful(self, number: int) -> tuple[Edge, ...]:
        """Return the `number` edges to inspect first: failed ones, then those not run, then verified ones, weakest first."""
        order = {False: 0, None: 1, True: 2}
        return tuple(sorted(self.edges, key=lambda edge: (order[edge.verified], edge.score)))[:number]
