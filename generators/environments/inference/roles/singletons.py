"""A path -> the single resource that it leads to, one per owner or only one: settings, a widget, the registry."""

from collections.abc import Iterable, Mapping

from interplay.generators.environments.inference.roles.paths import PathFacts, Place, fields_shown, nameless
from interplay.generators.environments.inference.roles.segments import is_param, path_segments
from interplay.generators.environments.inference.tool_words import SELF, literal_verb, resource_name, stem_of
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import names_identity


def settable_paths(tools: Iterable[Tool]) -> frozenset[tuple[str, ...]]:
    """Return the paths where a GET shows what a PUT, PATCH or DELETE changes: fields in common, or a DELETE that names nothing.

    A GET that requires an identity shows one of many, and does not count.
    """
    shown: dict[tuple[str, ...], frozenset[str]] = {}
    writing: list[tuple[tuple[str, ...], Tool]] = []
    many = set[tuple[str, ...]]()
    for tool in tools:
        parts = path_segments(tool.path)
        if not parts or is_param(parts[-1]):
            continue
        if tool.method == "GET":
            noun = resource_name(parts[-1])
            asked = (stem_of(name) or noun for name in tool.parameters.get("required", ()) if names_identity(name))
            many |= {nameless(parts)} if noun in asked and "{" not in tool.path else set()
            _, fields = fields_shown(tool.returns, (noun, noun.split("_")[-1]))
            shown[nameless(parts)] = fields | object_properties(tool.returns or {}).keys()
        elif tool.method in ("PUT", "PATCH", "DELETE"):
            writing.append((nameless(parts), tool))
    return frozenset(path for path, tool in writing if path not in many and _sets(tool, shown.get(path, frozenset())))


def _sets(tool: Tool, shown: frozenset[str]) -> bool:
    assert tool.http is not None
    places: Mapping[str, str] = tool.http.locations
    given = {tool.wire_name(name) for name, place in places.items() if place in ("body", "form")}
    if tool.method == "DELETE":
        return not given and "query" not in places.values()
    return bool(given & shown)


def single_name(place: Place, facts: PathFacts) -> str | None:
    """Return the name of the single resource that a path leads to; none if it leads to something else."""
    if facts.shape(place.segments) != "one" or literal_verb(place.last) == "list" or place.last.lower() in _OWN:
        return None
    named = facts.resource(place.last)
    if place.under and named not in facts.known and not facts.goes_on(place.segments):
        owner = place.owners[-1][1]
        return named if named.startswith(owner) else f"{owner}_{named}"
    if nameless(place.segments) not in facts.settable or (place.under and facts.goes_on(place.segments)):
        return None
    if not place.owners and named in facts.known:
        return None
    words = [part.lstrip("@") for part in _after(place)]
    above = [place.owners[-1][1]] if place.owners else []
    return "_".join([*above, *(resource_name(word) for word in words)])


_OWN = {*SELF, *(f"@{word}" for word in SELF)}


def _after(place: Place) -> list[str]:
    """Return the literals after the last row in a path."""
    ends = [number for number, part in enumerate(place.segments) if is_param(part)]
    return place.segments[ends[-1] + 1 :] if ends else place.segments


def own_of(place: Place, facts: PathFacts) -> str | None:
    """Return the resource whose row is the caller's own at a path without identity: `/account`, `/registry`; else none."""
    named = facts.resource(place.last)
    alone = not place.owners and named in facts.known and place.last.lower() not in _OWN
    return (
        named if alone and facts.shape(place.segments) == "one" and nameless(place.segments) in facts.settable else None
    )
