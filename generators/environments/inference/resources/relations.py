"""The paths and arguments of tools -> the parents of rows, the rows whose identity they share, the lists that contain them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from interplay.generators.environments.inference.plans import (
    ORDER,
    Membership,
    Plan,
    ResourcePlan,
    ToolPlan,
)
from interplay.generators.environments.inference.tool_words import HOLDERS, known_resource, same_noun, stem_of
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.nouns import PERSON_NOUNS
from interplay.schemas.words.word_classes import is_participle


def parent_of(name: str, members: list[ToolPlan]) -> str | None:
    """Return the parent resource of rows; none if some tool reaches them without it."""
    keeping = [plan for plan in members if plan.operation in (*ORDER, "delete") and not plan.own]
    reaching = [plan for plan in keeping if plan.target or plan.operation == "create" or plan.single]
    deciding = reaching or keeping
    if not deciding or any(not plan.parents for plan in deciding):
        return None
    parents = Counter(plan.parents[-1][1] for plan in deciding)
    best = parents.most_common(1)[0][0]
    return best if best != name else None


def path_owners(tools: Mapping[str, ToolPlan]) -> dict[str, set[str]]:
    """Return resource -> the resources above it in the paths of its tools."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in tools.values():
        if item.operation == "read" and item.target is None and item.parents and not item.single:
            found[item.parents[-1][1]].add(str(item.resource))
        elif item.resource is not None and not item.single:
            found[item.resource] |= {owner for _, owner in item.parents}
    return found


def aimed_at(tools: Mapping[str, ToolPlan]) -> dict[str | None, list[tuple[str, ToolPlan]]]:
    """Return resource -> (argument, tool) for the tools that name one of its rows."""
    found: dict[str | None, list[tuple[str, ToolPlan]]] = defaultdict(list)
    for item in tools.values():
        if item.target is not None:
            found[item.resource].append((item.target, item))
    return found


def titles_of(tools: Mapping[str, ToolPlan]) -> dict[str | None, set[str]]:
    """Return resource -> the titles of the rows that its tools show."""
    found: dict[str | None, set[str]] = defaultdict(set)
    for item in tools.values():
        if item.rows is not None and item.rows.schema.get("title"):
            found[item.resource].add(str(item.rows.schema["title"]))
    return found


def mirrored_by(
    plan: ResourcePlan, aimed: list[tuple[str, ToolPlan]], roots: set[str], titles: Mapping[str | None, set[str]]
) -> str | None:
    """Return the resource whose identities the tools of another one take: `/projects/{id}/members/{userId}`.

    A resource without a parent must also show the same kind of rows: `/favorites/{recipeId}`.
    """
    for target, item in aimed:
        wire = item.tool.wire_name(target)
        spoken = known_resource(wire, roots)
        if spoken is None or same_noun(spoken, plan.name) or spoken == plan.parent:
            continue
        if plan.parent is not None or titles.get(plan.name, set()) & titles.get(spoken, set()):
            return spoken
    return None


def with_relations(plan: ResourcePlan, above: set[str], listed: set[str]) -> ResourcePlan:
    """Return a resource with the resources by which its lists are narrowed although no field of a row refers to them."""
    referred = {target for pointer, target in plan.references.items() if is_link(pointer, target)}
    return replace(plan, relations=tuple(sorted(above - referred - listed - {plan.parent})))


def with_choices(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[str, ToolPlan]:
    """Return the tools, with those that only mark rows as chosen, and take the mark away, as actions on these rows.

    POST /saved-recipes (recipeId)  |  DELETE /saved-recipes (recipeId)  |  GET /recipes/{id}

    No tool shows what is chosen, which has the name of the rows behind a participle.
    """
    members, found = defaultdict[str, dict[str, str | None]](dict), dict(tools)
    for name, plan in tools.items():
        if plan.resource is not None:
            members[plan.resource][name] = _chosen_kind(plan)
    for kinds in members.values():
        kind = next(iter(kinds.values()))
        if kind is None or set(kinds.values()) != {kind} or kind not in resources or resources[kind].identity is None:
            continue
        for name in kinds:
            plan, (target,) = tools[name], tools[name].tool.properties
            why = f"{plan.why}; it only marks a {kind}"
            found[name] = replace(plan, operation="action", resource=kind, target=target, why=why)
    return found


def _chosen_kind(plan: ToolPlan) -> str | None:
    """Return the kind of row that a tool's only argument names, if its resource has that name behind a participle; else None."""
    argument = next(iter(plan.tool.properties), "")
    kind = stem_of(argument) if len(plan.tool.properties) == 1 and plan.operation in ("create", "delete") else None
    chosen, _, noun = str(plan.resource).partition("_")
    return kind if kind is not None and noun == kind and is_participle(chosen) else None


def with_memberships(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[str, ToolPlan]:
    """Return the tools, with those that only add existing rows to another row, or remove them from it, marked as memberships.

    POST /contacts/{contact_id}/tags (id)  |  DELETE /contacts/{contact_id}/tags/{id}  |  GET /tags/{id}

    Such rows are reached without the other row, and have no field that names it. A removal requires that there is an addition.
    """
    joined, related = dict[str, str](), dict[str, tuple[str, str]]()
    for name, plan in tools.items():
        resource = resources.get(plan.resource or "")
        apart = resource is not None and resource.identity is not None and resource.mirrors is None
        if resource is not None and apart and plan.parents and plan.parents[-1][1] in resource.relations:
            related[name] = (resource.name, plan.parents[-1][1])
            target = (plan.target or _given_identity(plan, resource)) if plan.operation == "create" else None
            joined |= {name: target} if target is not None else {}
    pairs = {related[name] for name in joined}
    left = [name for name, pair in related.items() if pair in pairs and tools[name].operation == "delete"]
    found = dict(tools)
    for name in (*joined, *left):
        plan, owner = tools[name], related[name][1]
        why = f"{plan.why}; among the rows of a {owner}, where it stays as it is"
        does: Membership = "join" if name in joined else "leave"
        if plan.target is not None or does == "join":
            target = joined.get(name, plan.target)
            found[name] = replace(plan, operation="action", target=target, membership=does, why=why)
    return found


def _given_identity(plan: ToolPlan, resource: ResourcePlan) -> str | None:
    """Return the argument with the identity of the row that a creating call names, if it is required or the only one."""
    above = {name for name, _ in plan.parents}
    free = [name for name in plan.tool.properties if name not in above]
    named = [name for name in free if (plan.tool.wire_name(name),) == resource.identity_path]
    named += [name for name in free if stem_of(name) == resource.name]
    told = (name for name in named if names_identity(plan.tool.wire_name(name)))  # a name would be that of a new row
    return next((name for name in told if len(free) == 1 or name in plan.tool.required), None)


def listing_fields(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[tuple[str, str], str]:
    """Return (resource in the list, resource of the row) -> pointer, for lists in rows that tools add to and remove from."""
    found: dict[tuple[str, str], str] = {}
    for item in tools.values():
        if item.edit is not None and item.edit.does in ("add", "remove") and item.edit.path and item.resource:
            field = join_pointer(*item.edit.path)
            for pointer, target in resources[item.resource].references.items():
                if pointer == field or (pointer.startswith(f"{field}/*/") and pointer.count("/") == 3):
                    found[target, item.resource] = pointer
    return found


@lru_cache(maxsize=16_384)
def is_link(pointer: str, target: str) -> bool:
    """Tell whether a reference means that a row belongs to another: `/projectId`, `/project/gid`, `/metadata/project`."""
    parts = [part for part in pointer.split("/")[1:] if part != "*"]
    parts = parts[1:] if len(parts) > 1 and "_".join(name_tokens(parts[0])) in HOLDERS else parts
    names = {stem_of(parts[0]) or "_".join(name_tokens(parts[0]))} if len(parts) <= 2 else set()
    spoken = known_resource(parts[0], {target}) if len(parts) == 1 else None
    names |= {spoken} if spoken else set()
    nouns = {target, target.split("_")[-1]}
    return bool(names & (nouns | {f"{noun}s" for noun in nouns}))


_HANDLES = ("login", "username", "handle", "slug")
"""Identities that accounts of different kinds share."""


def scope_owners(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    """Return scope -> resource, for scopes whose names are identities of rows that tools show.

    /orgs/{org}/repos and /repos/{owner}/{repo}, which shows {"owner": {"login": ...}}  ->  owner: org
    """
    above, found = path_owners(tools), dict[str, str]()
    for resource in resources.values():
        scope = resources.get(resource.parent or "")
        if scope is None or not scope.scope or scope.name in found:
            continue
        shown = _shown(resource, scope)
        fitting = [
            other.name
            for other in resources.values()
            if not other.scope
            and other.name != resource.name
            and other.identity in shown
            and schema_type(other.identity_schema) == schema_type(scope.identity_schema)
        ]
        made_in = {owner for plan in tools.values() if plan.operation == "create" for owner in _owners(plan, resource)}
        near = [name for name in fitting if name in above[resource.name]] or [
            name for name in fitting if resources[name].identity in _HANDLES and resources[name].parent is None
        ]
        if near:
            found[scope.name] = min(near, key=lambda name: (name not in made_in, near.index(name)))
    return found


def _owners(plan: ToolPlan, resource: ResourcePlan) -> list[str]:
    return [owner for _, owner in plan.parents] if plan.resource == resource.name else []


def _shown(resource: ResourcePlan, scope: ResourcePlan) -> set[str]:
    """Return the fields that a row shows of its scope."""
    for key, schema in resource.schema["properties"].items():
        if "_".join(name_tokens(key)) in (scope.name, scope.identity):
            return set(object_properties(schema))
    return set()


def with_owners(tools: Mapping[str, ToolPlan], owners: Mapping[str, str]) -> dict[str, ToolPlan]:
    """Return the tools with the scopes in their paths replaced by the resources they stand for."""
    return {
        name: replace(plan, parents=tuple((argument, owners.get(owner, owner)) for argument, owner in plan.parents))
        for name, plan in tools.items()
    }


_PEOPLE = PERSON_NOUNS | word_set("people", "mailed")
_MINE = word_set(beside(__file__), "mine")
_SIGNED_IN = {tuple(pair.split()) for pair in words(beside(__file__), "signed_in")}


_READ = 400
_OF_CALLER = re.compile(
    rf"\b(?:of|for|by) the (?:{'|'.join(' '.join(pair) for pair in sorted(_SIGNED_IN))})\b", re.IGNORECASE
)
"""Phrases that describe rows as the caller's, searched for in the first `_READ` characters of a description."""


def owner_fields(plan: Plan, resource: ResourcePlan) -> tuple[str, ...]:
    """Return the fields that hold the caller's identity in all rows of a resource; empty if callers see other people's rows.

    GET /orders/my -> [{id, user_id, status}]     each `user_id` is the caller's, the `id` that /users/me shows

    Fields by which a tool selects rows do not count.
    """
    tools = [item for item in plan.tools.values() if item.resource == resource.name]
    if not any(item.operation == "list" and _is_own(item.tool) for item in tools):
        return ()
    told = {tuple(name_tokens(name)) for item in tools for name in _choosing(item.tool)}
    return tuple(
        name
        for name in resource.schema.get("properties", {})
        if _names_person(name) and tuple(name_tokens(name)) not in told
    )


def _is_own(tool: Tool) -> bool:
    """Tell whether a tool describes itself as showing what belongs to the caller."""
    named = any(not _MINE.isdisjoint(said) or not _SIGNED_IN.isdisjoint(pairwise(said)) for said in _said(tool))
    return named or _OF_CALLER.search(tool.description[:_READ]) is not None


def _choosing(tool: Tool) -> Iterator[str]:
    """Yield the arguments outside of the body, which may select rows."""
    yield from (name for name in tool.properties if tool.location(name) != "body")


def _said(tool: Tool) -> Iterator[list[str]]:
    yield from (name_tokens(tool.original_name), name_tokens(tool.summary))
    yield from (name_tokens(part) for part in tool.path.split("/") if "{" not in part)


def _names_person(field: str) -> bool:
    *whose, last = name_tokens(field) or [""]
    return last in ("id", "uuid") and bool(whose) and whose[-1] in _PEOPLE
