"""The path of a tool that leads to no row -> what its method does there."""

from dataclasses import replace

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.name_roles import from_name
from interplay.generators.environments.inference.roles.paths import PathFacts, Place, fields_shown
from interplay.generators.environments.inference.roles.singletons import own_of, single_name
from interplay.generators.environments.inference.roles.targets import WRITTEN_AS, find_target
from interplay.generators.environments.inference.tool_words import (
    ID_WORDS,
    PEOPLE,
    SELF,
    is_plural,
    literal_verb,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.schemas.json.fields import name_tokens, schema_type
from interplay.schemas.records.tool import Operation, Tool

_BULK = {"bulk", "batch"}


OVERLAP = 0.6
"""Share of a result's fields that must be fields of a row for the result to show that row."""


def _on_owner(tool: Tool, place: Place) -> ToolPlan:
    assert tool.http is not None
    target, resource = place.owners[-1]
    why = f"{tool.http.method} {place.last} of one {resource}"
    return ToolPlan(tool, "action", resource, target, place.owners[:-1], why=why)


def _single(tool: Tool, place: Place, facts: PathFacts, operation: Operation) -> ToolPlan | None:
    """Read a path that leads to the one thing of its kind below its owner (`/guilds/{id}/widget`), or of all."""
    name = single_name(place, facts)
    if name is None:
        return None
    owner = place.owners[-1][1] if place.owners else ""
    why = f"the one {place.last} of {'each ' + owner if owner else 'all'}"
    return ToolPlan(tool, operation, name, None, place.owners, single=True, why=why)


def named_before(place: Place, facts: PathFacts) -> str | None:
    """Return the resource that the literal before the last one names."""
    literals = [part for part in place.segments[:-1] if not part.startswith("{")]
    return facts.resource(literals[-1]) if literals else None


def get_at(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    """Return what a GET reads: a list, the one thing of its kind, the caller's own, or something worked out."""
    named, last = facts.resource(place.last), place.last
    shape = "many" if place.many else facts.shape(place.segments)
    before = named_before(place, facts)
    if last.strip("@").lower() in SELF:
        owner = before or ("user" if "user" in facts.known else named)
        above = place.owners if before else ()
        return ToolPlan(tool, "read", owner, None, above, single=bool(above), why="GET of the caller's own")
    if literal_verb(last) in ("list", "read") and before and not place.under:
        return ToolPlan(tool, "list", before, None, place.owners, why=f"GET {last}")
    if shape == "many" or (shape in ("free", "none") and is_plural(last) and (shape == "free" or tool.returns is None)):
        return ToolPlan(tool, "list", named, None, place.owners, why=f"GET of a collection ({last})")
    alone = _single(tool, place, facts, "read")
    if alone is not None:
        return alone
    asked = _asked_id(tool, named) if shape == "one" and not place.under else None
    if asked is not None:
        return ToolPlan(tool, "read", named, asked, place.owners, why=f"GET of one {named} by {asked}")
    own = own_of(place, facts)
    if own is not None:
        return ToolPlan(tool, "read", own, None, (), why=f"GET of the caller's own {own}")
    if place.under and named in facts.known and shape == "one":
        return ToolPlan(tool, "read", named, None, place.owners, why=f"GET of the {named} of one {place.owners[-1][1]}")
    shown = _spoken_of(last, facts) if place.under and tool.returns is None and not is_plural(last) else None
    if shown is not None:
        return ToolPlan(tool, "read", shown, None, place.owners, why=f"GET of the {named} of one {place.owners[-1][1]}")
    return ToolPlan(tool, "compute", named, None, place.owners, why=f"GET {last}")


def _asked_id(tool: Tool, named: str) -> str | None:
    """Return the one needed query parameter where it is the identity of what the path names: `/parcel?id=`."""
    needed = tool.parameters.get("required", ())
    if len(needed) != 1 or tool.http is None or tool.http.locations.get(needed[0]) != "query":
        return None
    stem = stem_of(needed[0])
    is_own = same_noun(stem, named) if stem is not None else needed[0].lower() in ID_WORDS - {"key", "slug"}
    return str(needed[0]) if is_own and schema_type(tool.parameters["properties"][needed[0]]) in WRITTEN_AS else None


def _spoken_of(literal: str, facts: PathFacts) -> str | None:
    """Return the known resource that a literal below a row names one of: `board`, `memberCreator`."""
    tokens = name_tokens(literal)
    named = ["_".join(tokens), tokens[-1], *(tokens[:1] if tokens[-1] in PEOPLE else ())]
    return next((name for name in named if name in facts.known), None)


def delete_at(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    """Return what a DELETE takes away: the one thing there is, all of a collection, or something of a row."""
    alone = _single(tool, place, facts, "delete")
    if alone is not None:
        return alone
    named = facts.resource(place.last)
    if place.under and _is_emptied(tool, place, facts):
        return ToolPlan(tool, "action", named, None, place.owners, every=True, why=f"DELETE of every {named}")
    if place.under:
        return _on_owner(tool, place)
    return ToolPlan(tool, "delete", named, None, place.owners, why=f"DELETE on {place.last}")


def _is_emptied(tool: Tool, place: Place, facts: PathFacts) -> bool:
    """Tell whether a DELETE on a whole collection takes all of it, rather than what a body or a list names."""
    given = tool.http.locations.items() if tool.http else ()
    properties = tool.parameters.get("properties", {})
    named = any(
        at in ("body", "form") or (at == "query" and schema_type(properties[name]) == "array") for name, at in given
    )
    return not named and facts.shape(place.segments) == "many" and literal_verb(place.last) is None


def put_at(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    """Return what a PUT or PATCH changes: the one thing there is, a collection, or something of a row."""
    assert tool.http is not None
    alone = _single(tool, place, facts, "update")
    if alone is not None:
        return alone
    if place.under and facts.shape(place.segments) == "many" and literal_verb(place.last) is None:
        why = f"{tool.http.method} of a whole collection ({place.last})"
        return ToolPlan(tool, "update", facts.resource(place.last), None, place.owners, why=why)
    if place.under:
        return _on_owner(tool, place)
    before = named_before(place, facts)
    if place.last.strip("@").lower() in SELF and before:
        why = f"{tool.http.method} of the caller's own"
        return ToolPlan(tool, "update", before, None, place.owners, single=before in facts.known, why=why)
    if literal_verb(place.last) is not None and before:
        return ToolPlan(tool, "update", before, None, place.owners, why=f"{tool.http.method} {place.last}")
    named = facts.resource(place.last)
    return ToolPlan(tool, "update", named, None, place.owners, why=f"{tool.http.method} on {place.last}")


def post_at(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    """Return what a POST does: search, make a row, or act on one."""
    assert tool.http is not None
    named, verb = facts.resource(place.last), literal_verb(place.last)
    spoken, nouns = verb_of(tool.original_name)
    before = named_before(place, facts)
    collection = facts.shape(place.segments) == "many" or facts.goes_on(place.segments) or is_plural(place.last)
    if verb == "list" or (spoken == "list" and tool.effect == "read"):
        owner = named if place.under or verb != "list" else before
        owner = owner or (resource_name("_".join(nouns)) if nouns else "result")
        listed = resource_name("_".join(verb_of(place.last)[1]))
        owner = listed if listed in facts.things and not place.under else owner
        why = f"{tool.http.method} that searches"
        return ToolPlan(tool, "list", owner, None, place.owners, why=why)
    alone = _single(tool, place, facts, "create")
    if alone is not None:
        return alone
    function = _function(tool, place, facts, before)
    if function is not None:
        return function
    if (
        place.under
        and not collection
        and (verb is not None or spoken == "action" or not _shows_new(tool, place, facts))
    ):
        return _on_owner(tool, place)
    if (verb == "create" or place.last.lower() in _BULK) and before and not place.under:
        return ToolPlan(tool, "create", before, None, place.owners, why=f"POST to a collection ({before})")
    if verb is not None and not place.under and before and not collection:
        return ToolPlan(tool, "action", before, None, place.owners, why=f"POST {place.last}")
    return ToolPlan(tool, "create", named, None, place.owners, why=f"POST to a collection ({place.last})")


def _function(tool: Tool, place: Place, facts: PathFacts, before: str | None) -> ToolPlan | None:
    """Read a POST whose path names a function and no row: `/webhooks/delete`, `/inbound/add-domain`, `/inbound/domains` that reads."""
    if place.owners or any(part.startswith("{") for part in place.segments):
        return None
    operation, nouns = verb_of(place.last)
    if operation is None:
        listed = tool.effect == "read" and is_plural(place.last) and schema_type(tool.returns or {}) == "array"
        return (
            ToolPlan(tool, "list", facts.resource(place.last), why=f"POST that lists {place.last}") if listed else None
        )
    if len(place.segments) == 1 and nouns:
        return from_name(tool)  # `/deleteMessage`
    noun = resource_name("_".join(nouns)) if nouns else ""
    thing = noun if noun in facts.things else before
    if thing is None or (operation == "list" and tool.effect != "read"):
        return None
    plan = ToolPlan(tool, operation, thing, why=f"POST {place.last}: a function")
    named = find_target(replace(plan, operation="action")).target
    if operation == "create" and noun and thing != noun and named is not None:
        return replace(plan, operation="action")  # `/ips/start-warmup` makes no IP
    if operation in ("read", "update", "delete") and named is None:
        return replace(plan, operation="action") if tool.effect == "write" else None
    return plan


def _shows_new(tool: Tool, place: Place, facts: PathFacts) -> bool:
    """Tell whether a POST below a row answers with a row of its own rather than with that row or a message."""
    owner = place.owners[-1][1]
    noun = resource_name(place.last)
    title, fields = fields_shown(tool.returns, (noun, noun.split("_")[-1]))
    held_title, held = (facts.shown or {}).get(owner, ("", frozenset()))
    names = {"_".join(name_tokens(field)) for field in fields}
    identified = bool(names & {"id", "uuid", "gid", "key", f"{noun}_id", f"{noun}_uuid"})
    same = (bool(title) and title == held_title) or len(fields & held) >= OVERLAP * max(1, len(fields))
    return identified and not same
