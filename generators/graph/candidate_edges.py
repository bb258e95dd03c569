"""A toolset -> candidate edges: output fields that could feed input parameters, each with named evidence."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from interplay.generators.graph.description_vectors import Descriptions
from interplay.generators.graph.name_likeness import Words, blocks, likeness, shared_words, stem_of_words
from interplay.generators.graph.ports import KEY, Port, Profile, find_ports
from interplay.schemas.json.canonical import split_pointer, starred
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import ResourceModel, Tool, ToolLink, Toolset
from interplay.schemas.records.tool_graph import Edge, Evidence, ValueFlow

PRODUCERS = 10
"""The most edges into one input; the best are kept."""

WEAK = 4
"""Number of edges into one input above which weak ones are left out; see `_is_weak`."""

CONSIDERED = 48
"""The most outputs under one word, resource or text that an input is compared with; its own source comes first."""

NAMES = 200
"""The most names that may share a word; under a word that more names share, only equal names are found."""

NAME_WEIGHT, DESCRIPTION_WEIGHT = 0.7, 0.3
MINIMUM = 0.5
"""Edges with a lower score are dropped."""

DESCRIBED_ALIKE, NAMED_ALIKE = 0.77, 0.5
"""Cosines of descriptions and of the words of names above which fields match despite different names (as in ToolDial)."""

SURE, BY_NAME, EMBEDDED, PREFIXED = 0.9, 0.8, 0.6, 0.6
"""Scores by evidence, in this order.

Fields identify the same resource: as the roles of tools tell, by the field's name alone, inside of a written row;
identities have the same prefix.
"""

Key = TypeVar("Key", str, Words)
Match = tuple[float, tuple[Evidence, ...]]


def candidate_edges(toolset: Toolset, model: ResourceModel, flows: Iterable[ValueFlow] = ()) -> list[Edge]:
    """Return edges, best score first, found through inverted indexes rather than by comparing all pairs.

    Declared links are edges of the highest score; `flows` are values observed to go from a result into an argument.
    Scores and thresholds: see the constants above. Source: ToolDial (Shim et al. 2025), construction of the API graph.
    """
    ports = find_ports(toolset, model)
    matcher = _Matcher(ports.outputs, ports.inputs)
    found = [edge for port in ports.inputs for edge in matcher.edges_into(port)]
    return in_order(with_flows(with_links(found, toolset), flows))


def in_order(edges: Iterable[Edge]) -> list[Edge]:
    """Return edges in their canonical order: best score first, then by their ends."""
    return sorted(edges, key=lambda edge: (-edge.score, edge.producer, edge.output, edge.consumer, edge.input))


class Shelf:
    """Outputs under one key of an index, better producers first, in total and by source."""

    def __init__(self, ports: list[Port]) -> None:
        self._ports = sorted(ports, key=lambda port: port.rank)
        self._by_source: dict[str, list[Port]] = defaultdict(list)
        for port in self._ports:
            self._by_source[port.source].append(port)

    def first(self, source: str) -> Iterator[Port]:
        """Yield the ports to compare with an input of a tool from `source`."""
        own = self._by_source.get(source, [])
        yield from own[:CONSIDERED]
        others = (port for port in self._ports if port.source != source)
        yield from islice(others, max(0, PRODUCERS - len(own)))


class _Matcher:
    """Finds the outputs for an input; each pair of profiles is compared once."""

    def __init__(self, outputs: list[Port], inputs: list[Port]) -> None:
        plain = [port for port in outputs if port.profile.resource is None]
        self._by_resource = _shelves((port.profile.resource, port) for port in outputs if port.profile.resource)
        self._by_identity = _shelves((port.profile.words, port) for port in outputs if port.profile.resource)
        self._by_words = _shelves((port.profile.words, port) for port in plain)
        self._by_prefix = _shelves((prefix, port) for port in outputs for prefix in sorted(port.profile.prefixes))
        self._descriptions = Descriptions(port.profile.described for port in (*plain, *inputs))
        wanted = {port.profile.described for port in inputs if port.profile.resource is None}
        self._by_text = _shelves((port.profile.described, port) for port in plain if port.profile.described)
        self._descriptions.index(text for text in self._by_text if wanted)
        self._names: dict[str, list[Words]] = defaultdict(list)
        for words in self._by_words:
            for block in sorted(blocks(words)):
                self._names[block].append(words)
        self._alike: dict[Words, list[Words]] = {}
        self._near: dict[str, list[str]] = {}
        self._matches: dict[tuple[Profile, Profile], Match | None] = {}
        self._best: dict[tuple[Profile, str, bool], list[tuple[Port, Match]]] = {}

    def edges_into(self, port: Port) -> list[Edge]:
        """Return the best edges into one input: one for each producer, or two where it returns a map."""
        key = (port.profile, port.source, port.holding)
        if key not in self._best:
            self._best[key] = self._ranked(port)
        kept = [(output, match) for output, match in self._best[key] if output.tool != port.tool][:PRODUCERS]
        return [_edge(output, port, match) for output, match in kept]

    def _ranked(self, port: Port) -> list[tuple[Port, Match]]:
        """Return the best outputs for an input; two more than are kept, since two may be of the input's own tool."""
        found: dict[tuple[str, bool], tuple[tuple[object, ...], Port, Match]] = {}
        for output in self._candidates(port):
            key = (output.profile, port.profile)
            if key not in self._matches:
                self._matches[key] = self._compare(output.profile, port.profile)
            match = self._matches[key]
            if match is None or (output.fresh and port.holding):
                continue
            rank = (output.source != port.source, _is_weak(output), output.rank[0], -match[0], *output.rank[1:])
            producer = (output.tool, output.pointer.endswith(KEY))
            if producer not in found or rank < found[producer][0]:
                found[producer] = (rank, output, match)
        ranked = [(output, match) for _, output, match in sorted(found.values(), key=lambda item: item[0])]
        sure = sum(not _is_weak(output) for output, _ in ranked)
        return [item for number, item in enumerate(ranked) if number < max(sure, WEAK)][: PRODUCERS + 2]

    def _candidates(self, port: Port) -> Iterator[Port]:
        profile = port.profile
        shelves = [self._by_prefix[prefix] for prefix in sorted(profile.prefixes) if prefix in self._by_prefix]
        if profile.resource is not None:
            shelves += [self._by_resource[profile.resource]] if profile.resource in self._by_resource else []
        else:
            shelves += [self._by_words[words] for words in self._names_like(profile.words)]
            shelves += [self._by_identity[profile.words]] if profile.words in self._by_identity else []
            shelves += [self._by_text[text] for text in self._texts_like(profile.described)]
        for shelf in shelves:
            yield from shelf.first(port.source)

    def _names_like(self, words: Words) -> list[Words]:
        """Return the names of outputs that are similar to a name, an equal one first."""
        if words not in self._alike:
            near = {other for block in blocks(words) for other in self._names.get(block, ())[:NAMES]} - {words}
            scored = sorted((-likeness(words, other), other) for other in near)
            equal = [words] if words in self._by_words else []
            self._alike[words] = equal + [other for score, other in scored if score < 0][:PRODUCERS]
        return self._alike[words]

    def _texts_like(self, text: str) -> list[str]:
        if text not in self._near:
            self._near[text] = self._descriptions.neighbours(text, DESCRIBED_ALIKE) if text else []
        return self._near[text]

    def _compare(self, output: Profile, port: Profile) -> Match | None:
        """Return score and evidence for two fields; None if they do not match, or one is another resource's identity."""
        if not compatible(output, port):
            return None
        named, evidence = likeness(output.words, port.words), []
        prefixes = output.prefixes & port.prefixes
        if output.resource is not None and output.resource == port.resource:
            evidence.append(_resource_evidence(output))
        elif not prefixes and not may_differ(output, port):
            return None
        if named > 0:
            detail = " ".join(port.words) if named == 1 else f"{' '.join(output.words)} and {' '.join(port.words)}"
            evidence.append(Evidence(kind="name", score=round(named, 3), detail=detail))
        overlap = self._descriptions.cosine(output.described, port.described)
        if overlap > 0:
            shared = self._descriptions.shared(output.described, port.described)
            evidence.append(Evidence(kind="description", score=round(overlap, 3), detail=" ".join(shared[:5])))
        if prefixes:
            detail = f"identities begin with {', '.join(sorted(prefixes))}"
            evidence.append(Evidence(kind="identity", score=1.0, detail=detail))
        elif output.kind and output.kind == port.kind:
            evidence.append(Evidence(kind="type", score=1.0, detail=output.kind))
        score = _score(output, port, {item.kind: item.score for item in evidence}, bool(prefixes))
        return (score, tuple(evidence)) if score >= MINIMUM else None


def _shelves(pairs: Iterable[tuple[Key, Port]]) -> dict[Key, Shelf]:
    grouped: dict[Key, list[Port]] = defaultdict(list)
    for key, port in pairs:
        grouped[key].append(port)
    return {key: Shelf(ports) for key, ports in grouped.items()}


def _is_weak(output: Port) -> bool:
    """Tell whether a tool other than a list or read returns an identity that is embedded or recognised by its name alone."""
    return (output.profile.named or output.profile.embedded) and output.rank[1] > 1


def _resource_evidence(output: Profile) -> Evidence:
    how = "by its name" if output.named else "inside what was written" if output.embedded else ""
    score = BY_NAME if output.named else EMBEDDED if output.embedded else 1.0
    return Evidence(
        kind="resource", score=score, detail=f"both identify the same kind of row, {output.resource} {how}".rstrip()
    )


def may_differ(output: Profile, port: Profile) -> bool:
    """Tell whether fields may match without identifying the same resource: plain fields, or an identity and its namesake."""
    return port.resource is None and (output.resource is None or (output.words == port.words and not output.embedded))


def _score(output: Profile, port: Profile, scores: dict[str, float], prefixed: bool) -> float:
    name, described = scores.get("name", 0.0), scores.get("description", 0.0)
    if "resource" in scores:
        least = SURE if scores["resource"] == 1 else scores["resource"]
        return round(least + 0.05 * name + 0.05 * described, 3)
    if prefixed:
        return round(PREFIXED + 0.2 * name + 0.1 * described, 3)
    score = NAME_WEIGHT * name + DESCRIPTION_WEIGHT * described
    identities = stem_of_words(output.words) is not None or stem_of_words(port.words) is not None
    alike = described >= DESCRIBED_ALIKE and shared_words(output.words, port.words) > NAMED_ALIKE
    return round(max(score, MINIMUM if alike and not identities else 0.0), 3)


def compatible(output: Profile, port: Profile) -> bool:
    """Tell whether values of one field can be values of the other, by type, format and enumeration.

    An integer identity also fits a string argument that names a row of the same resource, as in paths.
    """
    if port.choices and not port.choices & output.choices:
        return False
    if port.form and output.form != port.form and (output.form or output.named):
        return False
    kinds, numbers = {output.kind, port.kind}, {"integer", "number"}
    written = (output.kind, port.kind) == ("integer", "string") and output.resource is not None
    written = written and output.resource == port.resource
    return "" in kinds or len(kinds) == 1 or port.kind == "array" or kinds == numbers or written


def _edge(output: Port, port: Port, match: Match) -> Edge:
    score, evidence = match
    return Edge(
        producer=output.tool,
        output=output.pointer,
        consumer=port.tool,
        input=port.pointer,
        score=score,
        evidence=evidence,
    )


OBSERVED = 0.5
"""Base score of an edge that is only observed; it is raised by the number of observations."""

SEEN = 2
"""Number of observations that make an edge without other evidence."""

SHOWN = 40
"""Characters of an example that are kept."""

Ends = tuple[str, str, str, str]


def with_links(edges: Iterable[Edge], toolset: Toolset) -> list[Edge]:
    """Return the edges with those of declared links; links to missing tools or arguments are left out."""
    found = {edge.ends: edge for edge in edges}
    tools = toolset.by_name
    for tool in toolset.tools:
        for link in tool.links:
            if link.output and link.consumer != tool.name and _is_argument(tools.get(link.consumer), link.input):
                ends = (tool.name, _in_result(tool, link), link.consumer, link.input)
                found[ends] = _linked(found.get(ends), ends, link)
    return list(found.values())


def with_flows(edges: Iterable[Edge], flows: Iterable[ValueFlow]) -> list[Edge]:
    """Return the edges, with observed flows as evidence, and new edges for other flows that were observed often."""
    found = {edge.ends: edge for edge in edges}
    for flow in flows:
        ends = (flow.producer, flow.output, flow.consumer, flow.input)
        if flow.producer != flow.consumer and (ends in found or flow.count >= SEEN):
            found[ends] = _observed(found.get(ends), ends, flow)
    return list(found.values())


def _declared(ends: Ends) -> Edge:
    producer, output, consumer, pointer = ends
    return Edge(producer=producer, output=output, consumer=consumer, input=pointer, score=0.0)


def _is_argument(tool: Tool | None, pointer: str) -> bool:
    if tool is None or not pointer:
        return False
    return split_pointer(pointer)[0] in object_properties(tool.parameters)


def _in_result(tool: Tool, link: ToolLink) -> str:
    """Return a link's pointer with `*` for indices; where the result is a list, it refers to each of its items."""
    output = starred(link.output)
    listed = tool.returns is not None and schema_type(tool.returns) == "array"
    return f"/*{output}" if listed and not output.startswith("/*") else output


def _linked(edge: Edge | None, ends: Ends, link: ToolLink) -> Edge:
    detail = link.description.split("\n")[0][:SHOWN] or "its source declares the link"
    evidence = Evidence(kind="link", score=1.0, detail=detail)
    known = edge or _declared(ends)
    return known.model_copy(update={"score": 1.0, "evidence": (evidence, *known.evidence)})


def _observed(edge: Edge | None, ends: Ends, flow: ValueFlow) -> Edge:
    """Return an edge with a flow as evidence, which is stronger the more often it was observed."""
    times = "once" if flow.count == 1 else f"{flow.count} times"
    detail = f"seen {times}, as with {flow.example[:SHOWN]!r}"
    evidence = Evidence(kind="observation", score=round(1 - 0.5**flow.count, 3), detail=detail)
    known = edge or _declared(ends)
    score = round(max(known.score, OBSERVED + (1 - OBSERVED) * evidence.score), 3)
    return known.model_copy(update={"score": min(1.0, score), "evidence": (*known.evidence, evidence)})
