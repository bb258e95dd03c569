"""Candidate edges and an embedding model -> the same edges with similarity as evidence, and new edges by it.

"flight date. Day of departure" ~ "travel day. The day on which the trip begins"  0.86
->  Evidence(kind="embedding", score=0.86, detail="flight date and travel day")
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from interplay.generators.graph.candidate_edges import MINIMUM, NAME_WEIGHT, PRODUCERS, compatible, in_order, may_differ
from interplay.generators.graph.name_likeness import stem_of_words
from interplay.generators.graph.ports import Port, Profile, find_ports
from interplay.schemas.errors import ModelError
from interplay.schemas.protocols import EmbeddingModel
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.tool_graph import Edge, Evidence

NEAR = 0.8
"""Cosine from which on two fields count as similar."""

NEIGHBOURS = 5
"""Output texts that are considered for one input text."""

BATCH, BLOCK = 256, 1_024
"""Texts in one request; rows of one matrix product, so that at most BLOCK squared cosines are held at once."""

Matrix = NDArray[np.float16]


async def with_embeddings(
    edges: Sequence[Edge], toolset: Toolset, resources: ResourceModel, model: EmbeddingModel
) -> list[Edge]:
    """Return the edges, best first, with similarity as evidence, and new edges between similar plain fields.

    Each distinct text is embedded once. Identities are left out: resources decide on these.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `EmbeddingModel.embed`.
    """
    ports = find_ports(toolset, resources)
    outputs, inputs = _by_text(ports.outputs), _by_text(ports.inputs)
    vectors = await _embedded(list(dict.fromkeys((*outputs, *inputs))), model)
    found = {(edge.producer, edge.output, edge.consumer, edge.input): edge for edge in edges}
    into = Counter((edge.consumer, edge.input) for edge in edges)
    for given, near, nearness in _neighbours(list(inputs), list(outputs), vectors):
        for output, port in _pairs(outputs[near], inputs[given]):
            ends = (output.tool, output.pointer, port.tool, port.pointer)
            if ends not in found and into[ends[2:]] >= PRODUCERS:
                continue
            into[ends[2:]] += ends not in found
            found[ends] = _raised(found.get(ends), ends, output.profile, port.profile, nearness)
    return in_order(found.values())


def text_of(profile: Profile) -> str:
    """Return the text of a field that is embedded."""
    return f"{' '.join(profile.words)}. {profile.described}".strip()


def _by_text(ports: Iterable[Port]) -> dict[str, list[Port]]:
    grouped: dict[str, list[Port]] = defaultdict(list)
    for port in sorted(ports, key=lambda port: port.rank):
        if port.profile.resource is None and stem_of_words(port.profile.words) is None:
            grouped[text_of(port.profile)].append(port)
    return grouped


async def _embedded(texts: list[str], model: EmbeddingModel) -> dict[str, Matrix]:
    """Return a vector of length 1 for each text."""
    vectors: dict[str, Matrix] = {}
    for start in range(0, len(texts), BATCH):
        batch = tuple(texts[start : start + BATCH])
        answered = await model.embed(batch)
        if len(answered) != len(batch) or len({len(vector) for vector in answered}) != 1:
            raise ModelError(f"the embedding model answered {len(batch)} texts with {len(answered)} vectors.")
        rows = np.asarray(answered, dtype=np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        vectors |= dict(zip(batch, rows.astype(np.float16), strict=True))
    return vectors


def _neighbours(inputs: list[str], outputs: list[str], vectors: dict[str, Matrix]) -> Iterator[tuple[str, str, float]]:
    """Yield (input text, output text, cosine) of similar texts, block by block."""
    for start in range(0, len(inputs), BLOCK):
        rows = inputs[start : start + BLOCK]
        best: list[list[tuple[float, str]]] = [[] for _ in rows]
        left = np.stack([vectors[text] for text in rows]).astype(np.float32)
        for other in range(0, len(outputs), BLOCK):
            columns = outputs[other : other + BLOCK]
            right = np.stack([vectors[text] for text in columns]).astype(np.float32)
            cosines = left @ right.T
            for row, column in np.argwhere(cosines >= NEAR):
                best[row].append((-float(cosines[row, column]), columns[column]))
            best = [sorted(found)[:NEIGHBOURS] for found in best]
        for text, found in zip(rows, best, strict=True):
            yield from ((text, near, round(min(1.0, -negative), 3)) for negative, near in found)


def _pairs(outputs: list[Port], inputs: list[Port]) -> Iterator[tuple[Port, Port]]:
    """Yield pairs that may be joined: one output for each producer, those of the input's own source first."""
    for port in inputs:
        producers: set[str] = {port.tool}
        own = [output for output in outputs[: 20 * PRODUCERS] if output.source == port.source]
        others = [output for output in outputs[:PRODUCERS] if output.source != port.source]
        for output in (*own, *others):
            fits = compatible(output.profile, port.profile) and may_differ(output.profile, port.profile)
            if fits and output.tool not in producers and len(producers) <= PRODUCERS:
                producers.add(output.tool)
                yield output, port


def _raised(
    edge: Edge | None, ends: tuple[str, str, str, str], output: Profile, port: Profile, nearness: float
) -> Edge:
    """Return an edge with similarity as evidence."""
    detail = f"{' '.join(output.words)} and {' '.join(port.words)}"
    evidence = Evidence(kind="embedding", score=nearness, detail=detail)
    score = max(MINIMUM, round(NAME_WEIGHT * nearness, 3))
    if edge is None:
        producer, pointer, consumer, argument = ends
        return Edge(
            producer=producer, output=pointer, consumer=consumer, input=argument, score=score, evidence=(evidence,)
        )
    return edge.model_copy(update={"score": max(edge.score, score), "evidence": (*edge.evidence, evidence)})
