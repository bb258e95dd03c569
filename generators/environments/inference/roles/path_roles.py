"""One tool with an HTTP binding -> what it does to which resource, by its path and method."""

import re

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.method_roles import (
    delete_at,
    get_at,
    named_before,
    post_at,
    put_at,
)
from interplay.generators.environments.inference.roles.paths import PathFacts, Place, fields_shown, nameless
from interplay.generators.environments.inference.roles.segments import is_param
from interplay.generators.environments.inference.tool_words import (
    known_resource,
    literal_verb,
    resource_name,
    same_noun,
    verb_of,
)
from interplay.schemas.json.fields import name_tokens
from interplay.schemas.records.tool import Operation, Tool


def from_path(tool: Tool, place: Place, facts: PathFacts) -> ToolPlan:
    """Return what a tool with an HTTP binding does to which resource."""
    assert tool.http is not None
    method = tool.http.method
    if place.at_row:
        return _on_row(tool, place, facts)
    plan = _on_every(tool, place, facts) or _of_children(tool, place) or _of_itself(tool, place, facts)
    if plan is not None:
        return plan
    maker = {"GET": get_at, "HEAD": get_at, "DELETE": delete_at, "PUT": put_at, "PATCH": put_at}.get(method, post_at)
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
    if method not in ("GET", "HEAD") and _only_related(tool, place, facts):
        why = f"{method} of what one does with a {resource}, not of the {resource} itself"
        return ToolPlan(tool, "action", resource, target, place.owners[:-1], why=why)
    operation: Operation = "update"
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
    r"(?:(?:un|re)?(?:like|favou?rite|star|follow|bookmark|subscrib|watch|mut|block|pin|vot|heart|recommend)|(?:un)?re(?:post|tweet))"
    r"e?s?\b",
    re.IGNORECASE,
)
"""The first word of what is said of a tool that changes how one stands to a thing, and not the thing."""


def _only_related(tool: Tool, place: Place, facts: PathFacts) -> bool:
    """Tell whether a call is about a thing among those that somebody likes or follows: `DELETE /likes/tracks/{id}`.

    Such a thing has a path of its own besides, `/tracks/{id}`; else it is one of theirs: `DELETE /posts/comments/{id}`.
    """
    *above, kind, thing, key = ["", *place.segments]
    elsewhere = (nameless([thing, key]), nameless([*above[1:], thing, key]))
    if is_param(kind) or facts.beginnings.isdisjoint(elsewhere):
        return False
    own, said = "".join(name_tokens(kind)[-1:]), tool.summary or tool.original_name
    return bool(_RELATING.match(own)) and bool(_RELATING.match(said) or own.rstrip("s") in said.lower())


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
        named = facts.resource("_".join(tokens[2:])) if tokens[2:] else named_before(place, facts)
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
