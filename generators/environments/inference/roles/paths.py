"""The paths of a toolset -> which resource each parameter identifies, and what a GET on each path shows."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from interplay.generators.environments.inference.result_rows import is_free, rows_in
from interplay.generators.environments.inference.roles.segments import is_param, key_names, path_segments
from interplay.generators.environments.inference.tool_words import (
    VAGUE,
    VARIANTS,
    is_plural,
    known_resource,
    literal_verb,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.generators.phrases.service_jargon import without_repetition
from interplay.generators.values.texts.names.named_texts import says_kind
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_verb_alone

Shape = Literal["many", "one", "free", "none"]
"""What a GET shows: a list of rows, one row, an object of unknown fields, or no row."""

Shown = tuple[str, frozenset[str]]
"""Title and fields of a row that a result shows; empty if unknown."""


@dataclass(frozen=True)
class PathFacts:
    """Facts about all paths together; keys of `shapes` are path segments with nameless parameters (`{}`)."""

    known: frozenset[str] = frozenset()
    shapes: Mapping[tuple[str, ...], Shape] = field(default_factory=dict)
    beginnings: frozenset[tuple[str, ...]] = frozenset()
    """All beginnings of paths, in segments, whole paths included."""
    names: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, Shown] = field(default_factory=dict)
    """Resource -> title and fields of its rows."""
    listed: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """Path segments with nameless parameters -> the title of the rows in the list that a GET shows there."""
    settable: frozenset[tuple[str, ...]] = frozenset()
    """Paths where a GET shows what a PUT, PATCH or DELETE changes; see `singletons`."""
    last_params: frozenset[tuple[str, ...]] = frozenset()
    """Paths that end in a parameter, in segments; all parameters but this one are nameless."""
    things: frozenset[str] = frozenset()
    """Nouns in paths that name functions, at least once in the plural: `domain` of `/add-domain`, `/list-domains`."""

    @cached_property
    def begun(self) -> frozenset[str]:
        """The resources named by the first segments of paths."""
        return frozenset(self.resource(each[0]) for each in self.beginnings if each)

    def shape(self, segments: list[str]) -> Shape | None:
        """Return what a GET on this path shows; none if there is no GET."""
        return self.shapes.get(nameless(segments))

    def row(self, resource: str) -> Shown:
        """Return title and fields of a row as a GET shows it; empty if none does."""
        return self.shown.get(resource, ("", frozenset()))

    def resource(self, literal: str) -> str:
        """Return the resource that a literal names, under the name of its parameter if that is more specific."""
        name = resource_name(literal)
        owned = name.removeprefix("my_")  # `/jobs/my-jobs` shows jobs
        return self.names.get(name, owned if owned in self.known else name)

    def goes_on(self, segments: list[str]) -> bool:
        """Tell whether there is a longer path that continues with a parameter."""
        return (*nameless(segments), "{}") in self.beginnings


@dataclass(frozen=True)
class Place:
    """Where the path of one operation leads: its segments, the rows named in it, and whether it ends at a row."""

    segments: list[str]
    owners: tuple[tuple[str, str], ...]
    """Pairs of argument and resource, outermost first; parameters that identify nothing known are left out."""
    at_row: bool
    under: bool
    """Whether the last literal is directly below a row."""
    last: str
    """The last literal."""
    many: bool = False
    """Whether a GET on the whole path shows a list; segments that narrow the list are left out of `segments`."""
    keys: tuple[tuple[str, str], ...] = ()
    """Pairs of argument and field for keys in parentheses besides the identity: `(Code='{code}',No={no})`."""


def path_facts(toolset: Toolset) -> PathFacts:
    """Return the facts about the paths of all tools."""
    segments = {tool.name: thing_segments(tool) for tool in toolset.tools if tool.http}
    paths = [parts for parts in segments.values() if parts]
    beginnings = frozenset(nameless(parts[:end]) for parts in paths for end in range(1, len(parts) + 1))
    facts = PathFacts(
        known=_known(paths),
        beginnings=beginnings,
        names=_names(paths) | _lists(paths),
        last_params=frozenset((*nameless(parts[:-1]), parts[-1]) for parts in paths if is_param(parts[-1])),
        things=_things(paths),
    )
    shapes: dict[tuple[str, ...], Shape] = {}
    listed: dict[tuple[str, ...], str] = {}
    for tool in toolset.tools:
        if tool.method == "GET" and segments[tool.name]:
            place = nameless(segments[tool.name])
            shapes[place] = _shape(tool, segments[tool.name], facts)
            rows = rows_in(tool.returns, True) if shapes[place] == "many" else None
            listed |= {place: str(rows.schema["title"])} if rows is not None and rows.schema.get("title") else {}
    facts = replace(facts, shapes=shapes, listed=listed)
    shown: dict[str, Shown] = {}
    for tool in sorted(toolset.tools, key=lambda tool: -len(segments.get(tool.name, ()))):  # the shortest path decides
        parts = segments.get(tool.name, [])
        if tool.method == "GET" and len(parts) > 1 and is_param(parts[-1]):
            name = facts.resource(parts[-2])
            rows = rows_in(tool.returns, False, (name, name.split("_")[-1]))
            fields = frozenset(object_properties(rows.schema)) if rows is not None else frozenset[str]()
            if rows is not None and (fields or name not in shown):
                shown[name] = (str(rows.schema.get("title", "")), fields)
    return replace(facts, shown=shown)


def _path_arguments(tool: Tool) -> dict[str, str]:
    """Return parameter name in the path -> argument name."""
    if tool.http is None:
        return {}
    names = (name for name, location in tool.http.locations.items() if location == "path")
    return {tool.wire_name(name): name for name in names}


_JOINING = {"to", "from", "since", "until", "till", "before", "after", "between", "on", "at"}
_MEASURES = {"lat", "latitude", "lon", "lng", "long", "longitude"}


def thing_segments(tool: Tool) -> list[str]:
    """Return the segments of a tool's path without what only narrows what is shown, and without how a row is looked at.

    /lines/{id}/status/{start}/to/{end}    ->  lines {id} status, without dates; the month in /months/{month} is kept
    GET /transaction/verify/{reference}    ->  transaction {reference}
    """
    known, local = tool.parameters.get("properties", {}), _path_arguments(tool)
    kept: list[str] = []
    for part in path_segments(without_repetition(tool)):
        name = local.get(part[1:-1], part[1:-1])
        dated = known.get(name, {}).get("format") in ("date", "date-time") and not _is_called_by(name, kept)
        if is_param(part) and (dated or {*name_tokens(name)[-1:]} & _MEASURES):
            kept = kept[:-1] if len(kept) > 1 and kept[-1].lower() in _JOINING else kept
        else:
            kept.append(part)
    return _without_look(kept) if tool.method == "GET" and tool.path.endswith("}") else kept


def _without_look(segments: list[str]) -> list[str]:
    """Return the segments of a path to a row without a verb before it, which other words may have moved behind it."""
    if [is_param(part) for part in segments[-3:]] == [False, False, True]:
        at = len(segments) - 2
    elif [is_param(part) for part in segments[-3:]] == [False, True, False] and not names_identity(segments[-2][1:-1]):
        at = len(segments) - 1
    else:
        return segments
    looks = literal_verb(segments[at]) is not None and is_verb_alone(segments[at])
    return [*segments[:at], *segments[at + 1 :]] if looks else segments


def _is_called_by(parameter: str, before: list[str]) -> bool:
    """Tell whether a parameter is named after the literal before it."""
    noun = "_".join(name_tokens(parameter))
    return bool(before) and not is_param(before[-1]) and same_noun(noun, resource_name(before[-1]))


def nameless(segments: list[str]) -> tuple[str, ...]:
    """Return path segments for comparisons: parameters become `{}`, literals lower-case."""
    return tuple("{}" if is_param(part) else part.lower() for part in segments)


def _known(paths: list[list[str]]) -> frozenset[str]:
    """Return the resources whose rows are identified by a parameter directly after them."""
    found = set()
    for parts in paths:
        for first, second in pairwise(parts):
            if not is_param(first) and is_param(second):
                stem = stem_of(second[1:-1])
                if stem is None or same_noun(stem, resource_name(first)):
                    found.add(resource_name(first))
    return frozenset(found)


def _things(paths: list[list[str]]) -> frozenset[str]:
    """Return the nouns at the ends of several paths that name functions, at least once in the plural."""
    ends = {(*nameless(parts),): verb_of(parts[-1])[1] for parts in paths if not any(map(is_param, parts))}
    spoken = Counter("_".join([*words[:-1], singular(words[-1])]) for words in ends.values() if words)
    many = {"_".join([*words[:-1], singular(words[-1])]) for words in ends.values() if words and is_plural(words[-1])}
    return frozenset(noun for noun, count in spoken.items() if count > 1 and noun in many)


def _names(paths: list[list[str]]) -> dict[str, str]:
    """Return literal -> more specific name from its parameter: `time` before `{timeEntryId}` is a time entry.

    A word that says nothing is that of its only named parameter: `objects` before `{dealId}` are deals.
    """
    stems: dict[str, set[str]] = defaultdict(set)
    vague: dict[str, set[str]] = defaultdict(set)
    for parts in paths:
        for first, second in pairwise(parts):
            if not is_param(first) and is_param(second):
                said = stem_of(second[1:-1]) or ""
                held = vague if resource_name(first) in VAGUE else stems
                if held is vague or not is_plural(first):
                    held[resource_name(first)].add(said)
    told = {name: found - {""} for name, found in vague.items() if name not in found}
    return {name: next(iter(found)) for name, found in told.items() if len(found) == 1 and not found & VAGUE} | {
        name: next(iter(found))
        for name, found in stems.items()
        if len(found) == 1
        and next(iter(found)).startswith(f"{name}_" if len(name) > 1 else name)
        and next(iter(found)) not in stems
    }


def _lists(paths: list[list[str]]) -> dict[str, str]:
    """Return literals ending in `list` -> the noun before it, if another path has that noun: `songList` beside `song`."""
    nouns = {resource_name(part) for parts in paths for part in parts if not is_param(part)}
    ends = {resource_name(parts[-1]) for parts in paths if not is_param(parts[-1]) and not is_plural(parts[-1])}
    begun = {resource_name(part) for parts in paths for part in parts[:-1] if not is_param(part)}
    named = ((name, name.removesuffix("_list")) for name in sorted(ends - begun) if name.endswith("_list"))
    return {name: noun for name, noun in named if noun in nouns}


def _shape(tool: Tool, segments: list[str], facts: PathFacts) -> Shape:
    last = segments[-1]
    if is_param(last):
        rows = rows_in(tool.returns, False)
    else:
        name = facts.resource(last)
        wants = (is_plural(last) or verb_of(tool.original_name)[0] == "list") and last.lower() not in (
            "status",
            "settings",
        )
        rows = rows_in(tool.returns, wants, (name, name.split("_")[-1]))
    if tool.returns is not None and is_free(tool.returns):
        return "free"
    if rows is None:
        return "many" if tool.returns is None and _tells_of_many(tool, segments, facts) else "none"
    return "many" if rows.many else "one"


def _tells_of_many(tool: Tool, segments: list[str], facts: PathFacts) -> bool:
    """Tell whether a summary speaks of many rows that belong to the row in the path: "Get animals", `/animals/{user_id}`."""
    if len(segments) < 2 or not is_param(segments[-1]) or not is_plural(segments[-2]):
        return False
    owner, rows = known_resource(segments[-1][1:-1], facts.known), resource_name(segments[-2])
    told, noun = name_tokens(tool.summary), name_tokens(segments[-2])[-1]
    many = noun in told and singular(noun) not in told
    return many and owner is not None and rows in facts.known and not same_noun(owner, rows)


def place_of(tool: Tool, facts: PathFacts) -> Place:
    """Return the place of a tool's path."""
    assert tool.http is not None
    segments, local = thing_segments(tool), _path_arguments(tool)
    many = facts.shape(segments) == "many"
    while many and len(segments) > 1 and _is_choice(tool, local, segments[-1]):
        segments = segments[:-1]
    if many and _is_narrowed(segments, facts):
        segments = segments[:-2]
    fields = key_names(tool.path)
    owners = tuple(
        (local.get(wire, wire), resource, own) for wire, resource, own in _owners(segments, facts, fields) if resource
    )
    named = {name for name, _, _ in owners}
    literals = [part for part in segments if not is_param(part)]
    ends = bool(segments) and is_param(segments[-1])
    return Place(
        segments=segments,
        owners=tuple((name, resource) for name, resource, _ in owners),
        at_row=ends and bool(owners) and owners[-1][2],
        under=len(segments) > 1 and is_param(segments[-2]) and not ends and bool(owners),
        last=literals[-1] if literals else "",
        many=many,
        keys=tuple(
            (local[wire], field) for wire, field in fields.items() if wire in local and local[wire] not in named
        ),
    )


def _is_choice(tool: Tool, local: Mapping[str, str], segment: str) -> bool:
    """Tell whether a path segment takes an enum: it selects which rows are listed or how, and identifies no row."""
    wire = segment[1:-1]
    return is_param(segment) and "enum" in tool.parameters.get("properties", {}).get(local.get(wire, wire), {})


def _is_narrowed(segments: list[str], facts: PathFacts) -> bool:
    """Tell whether a path narrows a collection by the value of a field: `/events/type/{type}`."""
    if len(segments) < 3 or not is_param(segments[-1]) or any(map(is_param, segments[-3:-1])):
        return False
    collects = is_plural(segments[-3]) or facts.shape(segments[:-2]) == "many"
    return collects and name_tokens(segments[-2]) == name_tokens(segments[-1][1:-1])


def _owners(segments: list[str], facts: PathFacts, fields: Mapping[str, str]) -> Iterator[tuple[str, str | None, bool]]:
    """Yield name, resource, and whether it identifies a row of the literal before it, for each path parameter."""
    position = 0
    while position < len(segments):
        if not is_param(segments[position]):
            position += 1
            continue
        end = position
        while end < len(segments) and is_param(segments[end]):
            end += 1
        literal = facts.resource(segments[position - 1]) if position else None
        yield from _run(segments, position, end, literal, facts, fields)
        position = end


def _run(
    segments: list[str], start: int, end: int, literal: str | None, facts: PathFacts, fields: Mapping[str, str]
) -> Iterator[tuple[str, str | None, bool]]:
    """Assign consecutive parameters to the literal before them, or to the resources that they name."""
    wires = [segment[1:-1] for segment in segments[start:end]]
    speaks = [_spoken(fields.get(wire, wire), literal or "", facts.known) for wire in wires]
    if literal is None:
        yield from ((wire, name, False) for wire, name in zip(wires, speaks, strict=True))
        return
    own = [name is not None and same_noun(name, literal) for name in speaks]
    named = [number for number, is_own in enumerate(own) if is_own]
    plain = next(
        (number for number, wire in enumerate(wires) if wire.lower() in ("id", "uuid", "guid")), len(wires) - 1
    )
    holder = next((number for number in named if stem_of(wires[number])), named[0]) if named else plain
    if not any(own) and speaks[-1] is not None and _is_foreign(segments[:end], facts):
        holder = -1
    if holder and speaks[0] is not None and literal in facts.known and says_kind(wires[holder]):
        holder = -1  # `/animals/{user_id}/{animal_type}`: those of a kind
    for number, (wire, name) in enumerate(zip(wires, speaks, strict=True)):
        if number == holder:
            yield wire, literal, True
        elif name is None and number < holder and (speaks[holder] is None or same_noun(str(speaks[holder]), literal)):
            yield wire, None if wire in fields else _scope(wire, literal), False
        elif name is None or not same_noun(name, literal):
            yield wire, facts.resource(name) if name else None, False


def _spoken(name: str, literal: str, known: Collection[str]) -> str | None:
    """Return the known resource in a parameter's name, or the only one that ends with it: `id_event` -> artistic_event.

    The latter is not done if the literal before the parameter ends with the same word.
    """
    found, stem = known_resource(name, known), stem_of(name)
    longer = [] if found or stem is None else [one for one in known if one.endswith(f"_{stem}")]
    return longer[0] if len(longer) == 1 and not literal.endswith(str(stem)) else found


def _scope(wire: str, literal: str) -> str | None:
    """Return the scope named by a parameter before that of a row, such as the owner of a repository; none for variants."""
    tokens = name_tokens(wire)
    if not tokens or set(tokens) & VARIANTS or tokens[-1].isdigit():
        return None
    name = resource_name(stem_of(wire) or "_".join(tokens[:-1] if tokens[-1] in ("name", "slug") else tokens))
    return None if same_noun(name, literal) else name


def _is_foreign(segments: list[str], facts: PathFacts) -> bool:
    """Tell whether a parameter named after another resource narrows a collection, rather than naming one of its rows."""
    shape = facts.shape(segments)
    return shape == "many" or (shape is None and facts.goes_on(segments))


def fields_shown(returns: Mapping[str, Any] | None, names: tuple[str, ...]) -> Shown:
    """Return title and fields of the row that a result shows; empty if it shows none."""
    rows = rows_in(returns, False, names)
    return (str(rows.schema.get("title", "")), frozenset(object_properties(rows.schema))) if rows else ("", frozenset())
