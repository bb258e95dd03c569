"""One tool -> what it does to which resource, by its HTTP binding where it has one, else by its name."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from interplay.generators.environments.nouns import (
    ALONE,
    ENVELOPES,
    ID_WORDS,
    PEOPLE,
    SELF,
    VERBS,
    VERSION,
    is_plural,
    known_resource,
    literal_verb,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.generators.environments.paths import PathFacts, Place, fields_shown, place_of
from interplay.generators.environments.plans import ToolPlan
from interplay.generators.environments.remote import call_parts
from interplay.generators.environments.rows import rows_in
from interplay.generators.environments.singles import own_of, single_name
from interplay.generators.environments.targets import WRITTEN_AS
from interplay.schemas.fields import name_tokens, object_properties, schema_type, singular
from interplay.schemas.tools import Operation, Tool

_GENERIC = {"detail", "details", "info", "information", "profile", "data", "by"}
"""Words after a noun that only say that all of it is meant: `get_user_details`."""

_BULK = {"bulk", "batch"}
OVERLAP = 0.6
"""Share of a result's fields that must be fields of a row for the result to show that row."""


def classify(tool: Tool, facts: PathFacts) -> ToolPlan:
    """Return what a tool does, and where its rows stand in its result."""
    place = place_of(tool, facts) if tool.http else None
    if place is not None and tool.http and place.segments and call_parts(tool.http.path) is None:
        plan = _from_path(tool, place, facts)
        plan = replace(plan, keys=place.keys or plan.keys)
    else:
        plan = _from_name(tool)
    names = (plan.resource or "", plan.resource.split("_")[-1] if plan.resource else "")
    rows = rows_in(tool.returns, plan.operation == "list", names)
    if tool.http is None and plan.operation == "list" and rows is not None and rows.many:
        plan = replace(plan, resource=_row_noun(rows.pointer) or plan.resource)
    if plan.operation == "list" and tool.returns is not None and (rows is None or not rows.many):
        plan = replace(plan, operation="read" if plan.target else "compute", why=plan.why + ", but it returns no list")
    if plan.operation == "read" and plan.target is None and not plan.single and rows is not None and rows.many:
        plan = replace(plan, operation="list")
    if tool.effect == "read" and plan.operation in ("create", "update", "delete", "action"):
        plan = replace(plan, operation="compute", why=plan.why + ", but it only reads")
    counted = _counted(tool, place, facts)
    if counted is not None and place is not None:
        return ToolPlan(tool, "compute", counted, None, place.owners, counts=True, why=f"counts {counted}")
    return replace(plan, rows=rows)


def _counted(tool: Tool, place: Place | None, facts: PathFacts) -> str | None:
    """Return the resource whose rows a tool counts: `GET /pets/count`, `POST /flows/count` with a number as the result."""
    if (
        place is None
        or tool.effect != "read"
        or name_tokens(place.last)[-1:] != ["count"]
        or not _is_number(tool.returns)
    ):
        return None
    named = _before(place, facts)
    return named if named in facts.known else None


def _is_number(returns: Mapping[str, Any] | None) -> bool:
    """Tell whether a result is a whole number, bare or as its only field."""
    if returns is None:
        return False
    fields = list(object_properties(returns).values())
    return schema_type(fields[0] if len(fields) == 1 else returns) == "integer"


def _row_noun(pointer: str) -> str | None:
    """Return the resource that the field names in which the rows stand: `/entities` of `search_nodes`."""
    last = pointer.split("/")[-1]
    return resource_name(last) if last and last.lower() not in ENVELOPES and is_plural(last) else None


def _from_path(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    assert tool.http is not None
    method = tool.http.method
    if place.at_row:
        return _on_row(tool, place, facts)
    plan = _on_every(tool, place, facts) or _of_children(tool, place) or _of_itself(tool, place, facts)
    if plan is not None:
        return plan
    maker = {"GET": _get, "HEAD": _get, "DELETE": _delete, "PUT": _put, "PATCH": _put}.get(method, _post)
    return maker(tool, place, facts)


def _on_row(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    assert tool.http is not None
    target, resource = place.owners[-1]
    method = tool.http.method
    other = _other_key(place, facts) if method == "GET" else None
    if other is not None:
        resource, held = other
        why = f"GET of one {resource} by its {held}"
        return ToolPlan(tool, "read", resource, None, place.owners[:-1], keys=((target, held),), why=why)
    spoken, _ = verb_of(tool.original_name)
    operation: Operation = "update"
    if method not in ("GET", "HEAD") and _only_related(tool, place):
        why = f"{method} of what one does with a {resource}, not of the {resource} itself"
        return ToolPlan(tool, "action", resource, target, place.owners[:-1], why=why)
    if method in ("GET", "HEAD"):
        operation = "read"
    elif method == "DELETE":
        operation = "delete"
    elif method in ("PUT", "POST") and (spoken == "create" or (len(place.owners) > 1 and _is_link(place, facts))):
        operation = "create"
    elif method == "POST" and spoken == "action":
        operation = "action"
    return ToolPlan(tool, operation, resource, target, place.owners[:-1], why=f"{method} on one {resource}")


_RELATING = re.compile(
    r"(?:un|re)?(?:like|favou?rite|star|follow|post|bookmark|subscrib|watch|mut|block|pin|vot|tweet|heart|recommend)e?s?\b",
    re.IGNORECASE,
)
"""The first word of what is said of a tool that changes how one stands to a thing, and not the thing."""


def _only_related(tool: Tool, place: Place) -> bool:
    """Tell whether a call is about a thing among those that somebody likes or follows: `DELETE /likes/tracks/{id}`."""
    kind = name_tokens(place.segments[-3])[-1:] if len(place.segments) >= _BELOW else []
    own = [token for token in kind if not place.segments[-3].startswith("{") and token not in SELF]
    said = tool.summary or tool.original_name
    return (
        bool(own)
        and bool(_RELATING.match(own[0]))
        and bool(_RELATING.match(said) or own[0].rstrip("s") in said.lower())
    )


_BELOW = 3


def _other_key(place: Place, facts: PathFacts) -> tuple[str, str] | None:
    """Return resource and field where a path says by which field it finds a row: `/parcels/reference/{reference}`."""
    if len(place.segments) <= _KEYED or any(part.startswith("{") for part in place.segments[-3:-1]):
        return None
    resource, said = facts.resource(place.segments[-3]), name_tokens(place.segments[-2])
    wire = name_tokens(place.segments[-1][1:-1])
    if resource not in facts.known or (said[1:] if said[:1] == ["by"] else said) != wire or wire in (["id"], ["uuid"]):
        return None
    _, fields = (facts.shown or {}).get(resource, ("", frozenset()))
    held = next((field for field in sorted(fields) if name_tokens(field) == wire), None)
    return (resource, held) if held is not None else None


_KEYED = 2


def _is_link(place: Place, facts: PathFacts) -> bool:
    """Tell whether a path ends at a row that bears the identity of another one: `/projects/{id}/members/{userId}`."""
    spoken = known_resource(place.segments[-1][1:-1], facts.known)
    return spoken is not None and not same_noun(spoken, place.owners[-1][1])


def _on_every(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan | None:
    """Read a write that acts on all rows of a kind: `POST /lists/{id}/archiveAllCards`, `/notifications/all/read`."""
    tokens = name_tokens(place.last)
    literals = [part for part in place.segments if not part.startswith("{")]
    if tokens[:1] != ["read"] and literal_verb(place.last) in (None, "list", "create"):
        return None
    if tool.effect == "read":
        return None
    if tokens[1:2] == ["all"]:
        named = facts.resource("_".join(tokens[2:])) if tokens[2:] else _before(place, facts)
    elif literals[-2:-1] == ["all"] and len(literals) > 2:
        named = facts.resource(literals[-3])
    else:
        return None
    if named not in facts.known:
        return None
    return ToolPlan(tool, "action", named, None, place.owners, every=True, why=f"{place.last} of every {named}")


def _of_children(tool: Tool, place: Place) -> ToolPlan | None:
    """Read `/blocks/{id}/children`: rows of the same kind below a row."""
    if not place.under or place.last.lower() not in ("children", "descendants") or not tool.http:
        return None
    resource, method = place.owners[-1][1], tool.http.method
    if method not in ("GET", "POST", "PATCH", "PUT"):
        return None
    operation: Operation = "list" if method == "GET" else "create"
    return ToolPlan(
        tool, operation, resource, None, place.owners, why=f"{method} of the {place.last} of one {resource}"
    )


_ASPECTS = {"status", "detail", "info", "summary"}


def _of_itself(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan | None:
    """Read `/pods/{name}/status` where it shows the whole pod, be it that only its status can be written there."""
    if not place.under or not tool.http or resource_name(place.last) not in _ASPECTS:
        return None
    target, resource = place.owners[-1]
    title, _ = fields_shown(tool.returns, (resource, resource.split("_")[-1]))
    if not title or title != (facts.shown or {}).get(resource, ("", None))[0]:
        return None
    operation: Operation = "read" if tool.http.method == "GET" else "update"
    why = f"{tool.http.method} of the {place.last} of one {resource}"
    return ToolPlan(tool, operation, resource, target, place.owners[:-1], why=why)


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


def _before(place: Place, facts: PathFacts) -> str | None:
    """Return the resource that the literal before the last one names."""
    literals = [part for part in place.segments[:-1] if not part.startswith("{")]
    return facts.resource(literals[-1]) if literals else None


def _get(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    named, last = facts.resource(place.last), place.last
    shape = "many" if place.many else facts.shape(place.segments)
    before = _before(place, facts)
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


def _delete(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
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


def _put(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    assert tool.http is not None
    alone = _single(tool, place, facts, "update")
    if alone is not None:
        return alone
    if place.under and facts.shape(place.segments) == "many" and literal_verb(place.last) is None:
        why = f"{tool.http.method} of a whole collection ({place.last})"
        return ToolPlan(tool, "update", facts.resource(place.last), None, place.owners, why=why)
    if place.under:
        return _on_owner(tool, place)
    before = _before(place, facts)
    if place.last.strip("@").lower() in SELF and before:
        why = f"{tool.http.method} of the caller's own"
        return ToolPlan(tool, "update", before, None, place.owners, single=before in facts.known, why=why)
    if literal_verb(place.last) is not None and before:
        return ToolPlan(tool, "update", before, None, place.owners, why=f"{tool.http.method} {place.last}")
    named = facts.resource(place.last)
    return ToolPlan(tool, "update", named, None, place.owners, why=f"{tool.http.method} on {place.last}")


def _post(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    assert tool.http is not None
    named, verb = facts.resource(place.last), literal_verb(place.last)
    spoken, nouns = verb_of(tool.original_name)
    before = _before(place, facts)
    collection = facts.shape(place.segments) == "many" or facts.goes_on(place.segments) or is_plural(place.last)
    if verb == "list" or (spoken == "list" and tool.effect == "read"):
        owner = named if place.under or verb != "list" else before
        owner = owner or (resource_name("_".join(nouns)) if nouns else "result")
        why = f"{tool.http.method} that searches"
        return ToolPlan(tool, "list", owner, None, place.owners, why=why)
    alone = _single(tool, place, facts, "create")
    if alone is not None:
        return alone
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


def _acted_on(nouns: list[str], known: Collection[str]) -> str:
    """Return the one of the resources that an action names by an argument which it is about: that in its name, if any."""
    spoken = [stem for stem in known if stem.split("_")[-1] in nouns]
    return min(spoken or known)


_PREPOSITIONS = ("by", "from", "to", "in", "on", "of", "and", "for", "with", "into")


def _split(name: str, nouns: list[str]) -> tuple[list[str], list[str]]:
    """Return what a name speaks of, and what it says of where: `get_tasks_for_tag` -> tasks, tag."""
    tokens = [token for token in name_tokens(name) if not VERSION.match(token)]
    first = next((number for number, token in enumerate(tokens) if token in nouns), len(tokens))
    cut = next(
        (number for number, token in enumerate(tokens) if token in _PREPOSITIONS and number > first), len(tokens)
    )
    before = [word for word in tokens[:cut] if word in nouns and word not in _PREPOSITIONS]
    return before or nouns, tokens[cut + 1 :]


def _joined_to(nouns: list[str], place: list[str], known: Collection[str]) -> str | None:
    """Return the resource that another one is added to or removed from, where arguments name both: `add_tag_to_task`."""
    thing, whole = (singular(words[-1]) if words else "" for words in (nouns, place))
    held = [stem for stem in known if stem.split("_")[-1] == whole]
    there = any(stem.split("_")[-1] == thing for stem in known)
    return held[0] if len(held) == 1 and there and thing != whole else None


def _from_name(tool: Tool) -> ToolPlan:
    parts = (call_parts(tool.http.path) if tool.http else None) or tool.original_name.split(".")
    operation, nouns = verb_of(parts[-1])
    space = resource_name(parts[-2]) if len(parts) > 1 else None
    properties = tool.parameters.get("properties", {})
    if operation is None:
        operation = "compute" if tool.effect == "read" else "action"
        nouns = nouns if space is None else []
    spoken = nouns
    nouns, place = _split(parts[-1], nouns)
    asked = {word for word, after in pairwise(nouns) if singular(after) == "request"}  # a merge request is a thing
    nouns = [word for word in nouns if word not in VERBS or word in asked] or ([] if space else nouns)
    nouns = nouns[:-1] if len(nouns) > 1 and nouns[-1] in _GENERIC else nouns
    resource = resource_name("_".join(nouns[-2:])) if nouns else space
    if space and resource and operation in ("update", "action") and not same_noun(resource, space):
        resource, operation = space, "action"
    known = {stem for key in properties for stem in [stem_of(key)] if stem}
    joined = _joined_to(nouns, place, known) if operation in ("create", "delete", "update", "action") else None
    if joined is not None and not tool.http and not space:
        return ToolPlan(
            tool, "action", joined, why=f"its name: what is there already comes to a {joined}, or leaves it"
        )
    if resource and operation in ("action", "compute", "read", "update", "delete"):
        owner = next((stem for stem in sorted(known) if same_noun(stem, resource)), None)
        if owner is None and operation in ("update", "action") and not tool.http:
            owner = next((stem for stem in sorted(known) if resource.startswith(f"{stem}_")), None)
        needed = known & {stem_of(key) for key in tool.parameters.get("required", properties)}
        resource = owner or (_acted_on(spoken, needed) if operation == "action" and needed and not space else resource)
    several = bool(nouns) and is_plural(nouns[-1]) and nouns[-1] not in ALONE
    if operation == "read" and several and not known:
        operation = "list"
    named = any(singular(nouns[-1]) in stem.split("_") for stem in known) if nouns else False
    if operation == "read" and several and not named and not tool.http and tool.returns is None:
        operation = "list"  # of what belongs to something else: `get_board_labels(boardId)`
    if operation == "compute" and tool.effect == "write":
        operation = "action"
    return ToolPlan(tool, operation, resource, why="its name" if resource else "no resource recognised")
