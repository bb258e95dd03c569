"""Tool schemas -> what the tools act on: resources, identities, and what each tool does to which of them."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from interplay.schemas.canonical import join_pointer
from interplay.schemas.fields import leaf_schemas, name_tokens, object_properties, schema_type, singular
from interplay.schemas.tools import Operation, Resource, ResourceModel, Tool, ToolRole, Toolset

VERBS: dict[str, Operation] = {
    **dict.fromkeys(("get", "read", "retrieve", "fetch", "show", "describe", "view", "load", "open"), "read"),
    **dict.fromkeys(("list", "search", "find", "query", "browse", "lookup", "all", "filter", "index"), "list"),
    **dict.fromkeys(("create", "add", "post", "new", "register", "place", "book", "buy", "make", "issue", "insert", "write",
                     "purchase", "order", "submit", "invite", "log", "record", "schedule", "start"), "create"),
    **dict.fromkeys(("update", "edit", "modify", "change", "patch", "put", "rename", "set", "replace"), "update"),
    **dict.fromkeys(("delete", "remove", "destroy", "drop", "erase"), "delete"),
    **dict.fromkeys(("cancel", "archive", "approve", "close", "move", "send", "upload", "activate", "enable", "disable", "pause",
                     "resume", "stop", "restart", "publish", "merge", "copy", "accept", "reject", "complete", "refund", "pay",
                     "confirm", "lock", "unlock", "share", "assign", "transfer", "deactivate", "suspend", "restore", "reset",
                     "void", "capture", "verify", "subscribe", "unsubscribe", "follow", "unfollow", "like", "star", "mark"), "action"),
}  # fmt: skip
"""What the first verb of a name says that a tool does."""

ENVELOPES = (
    "data",
    "items",
    "results",
    "records",
    "list",
    "values",
    "entries",
    "content",
    "rows",
    "hits",
    "objects",
    "result",
    "response",
)
_ID_SUFFIXES = {"id", "ids", "uuid", "uuids", "guid", "key", "slug", "identifier", "gid", "uid"}
_VERSION = re.compile(r"^(v\d+(\.\d+)*|api|rest|\d+(\.\d+)*)$", re.IGNORECASE)
_SELF = {"me", "self", "current", "profile", "whoami"}
_PAGING = {
    "page",
    "limit",
    "offset",
    "cursor",
    "size",
    "per",
    "skip",
    "take",
    "after",
    "before",
    "start_cursor",
    "pagesize",
    "top",
}
SCALARS = ("string", "integer")


@dataclass(frozen=True)
class Rows:
    """Where rows stand in a result: pointer of the row or of the array of rows, and the schema of one row."""

    pointer: str
    schema: Mapping[str, Any]
    many: bool


@dataclass(frozen=True)
class ToolPlan:
    """What one tool does: `target` names the argument that identifies the row, `parents` those that it lies under."""

    tool: Tool
    operation: Operation
    resource: str | None = None
    target: str | None = None
    parents: tuple[tuple[str, str], ...] = ()
    rows: Rows | None = None
    why: str = ""


@dataclass(frozen=True)
class ResourcePlan:
    """One resource: the schema that its rows satisfy, its identity field, its parent, and fields that refer."""

    name: str
    schema: Mapping[str, Any]
    identity: str | None = None
    parent: str | None = None
    references: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """All that the sandbox needs to know of a toolset."""

    tools: Mapping[str, ToolPlan]
    resources: Mapping[str, ResourcePlan]
    references: Mapping[str, Mapping[str, str]]
    """Tool -> pointer of an argument leaf -> resource."""


def infer_plan(toolset: Toolset) -> Plan:
    """Infer resources and roles from HTTP bindings where there are some, else from names and schemas."""
    tools = {tool.name: _classify(tool, toolset) for tool in toolset.tools}
    tools = _rename_by_title(tools)
    tools = {name: _find_target(plan) for name, plan in tools.items()}
    resources = _resources(tools)
    resources = {name: replace(plan, references=_row_references(plan, resources)) for name, plan in resources.items()}
    references = {name: _argument_references(plan, resources) for name, plan in tools.items()}
    return Plan(tools, resources, references)


def resource_model(plan: Plan) -> ResourceModel:
    """Return the plan as the record that users and other parts read."""
    resources = tuple(
        Resource(name=item.name, table=item.name, identity=item.identity, parent=item.parent)
        for item in plan.resources.values()
    )
    roles = tuple(
        ToolRole(
            tool=name,
            operation=item.operation,
            resource=item.resource,
            references=dict(plan.references[name]),
            yields=_yields(item, plan.resources),
            why=item.why,
        )
        for name, item in plan.tools.items()
    )
    return ResourceModel(resources=resources, roles=roles)


def _yields(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    if plan.rows is None or plan.resource is None or plan.operation == "delete":
        return {}
    resource = resources[plan.resource]
    prefix = plan.rows.pointer + ("/*" if plan.rows.many else "")
    shown = plan.rows.schema.get("properties", {}) or resource.schema.get("properties", {})
    found = (
        {prefix + join_pointer(resource.identity): resource.name}
        if resource.identity in shown and resource.identity
        else {}
    )
    for pointer, target in resource.references.items():
        key = pointer.split("/")[1]
        if key in shown and resources[target].identity:
            found.setdefault(prefix + pointer, target)
    return found


def verb_of(name: str) -> tuple[Operation | None, list[str]]:
    """Return what the verb in a tool's name says and the words after it: `get-user` -> ("read", ["user"])."""
    tokens = [token for token in name_tokens(name) if not _VERSION.match(token)]
    for position, token in enumerate(tokens[:3]):
        if token in VERBS:
            rest = tokens[position + 1 :] or tokens[:position]
            return VERBS[token], [
                word for word in rest if word not in ("by", "id", "a", "an", "the", "all", "with", "for")
            ]
    if tokens and tokens[-1] in VERBS and len(tokens) > 1:
        return VERBS[tokens[-1]], tokens[:-1]
    return None, tokens


def rows_in(returns: Mapping[str, Any] | None, wants_list: bool, names: tuple[str, ...] = ()) -> Rows | None:
    """Find the row or the array of rows in a result schema, through one envelope; none where it holds no objects."""
    if not returns:
        return None
    kind = schema_type(returns)
    if kind == "array":
        items = returns.get("items", {})
        return Rows("", items, True) if isinstance(items, Mapping) and schema_type(items) == "object" else None
    if kind != "object":
        return None
    properties: Mapping[str, Any] = returns.get("properties", {})
    arrays = [
        key
        for key, item in properties.items()
        if schema_type(item) == "array"
        and isinstance(item.get("items"), Mapping)
        and schema_type(item["items"]) == "object"
    ]
    preferred = [
        key for key in arrays if key.lower() in ENVELOPES or singular(key.lower()) in names or key.lower() in names
    ]
    if arrays and (wants_list or (preferred and len(properties) <= 3 and "id" not in properties)):
        key = (preferred or arrays)[0]
        return Rows(join_pointer(key), properties[key]["items"], True)
    wrapped = [
        key
        for key, item in properties.items()
        if schema_type(item) == "object"
        and item.get("properties")
        and (key.lower() in ENVELOPES or key.lower() in names)
    ]
    if wrapped and len(properties) <= 4 and "id" not in properties:
        inner = rows_in(properties[wrapped[0]], wants_list, names)
        if inner is not None:
            return Rows(join_pointer(wrapped[0]) + inner.pointer, inner.schema, inner.many)
    return Rows("", returns, False)


def _classify(tool: Tool, toolset: Toolset) -> ToolPlan:
    plan = _from_http(tool, toolset) if tool.http else _from_name(tool)
    wants_list = plan.operation == "list"
    names = (plan.resource or "", plan.resource.split("_")[-1] if plan.resource else "")
    rows = rows_in(tool.returns, wants_list, names)
    if wants_list and (rows is None or not rows.many):
        plan = replace(plan, operation="list" if tool.returns is None else "read" if plan.target else "compute")
        plan = replace(plan, why=plan.why + ", but it returns no list") if tool.returns is not None else plan
    if plan.operation == "read" and plan.target is None and rows is not None and rows.many:
        plan = replace(plan, operation="list")
    return replace(plan, rows=rows)


def _segments(path: str) -> list[str]:
    parts = [part for part in re.split(r"/", path.split("?")[0]) if part]
    while parts and _VERSION.match(parts[0]):
        parts = parts[1:]
    return parts


def _is_param(segment: str) -> bool:
    return segment.startswith("{") and segment.endswith("}")


def resource_name(literal: str) -> str:
    """Return the name of the resource that a path literal or noun stands for: `museum-hours` -> `museum_hour`."""
    tokens = name_tokens(literal)
    if not tokens:
        return "thing"
    return "_".join([*tokens[:-1], singular(tokens[-1])])


def _from_http(tool: Tool, toolset: Toolset) -> ToolPlan:
    assert tool.http is not None
    segments = _segments(tool.http.path)
    method = tool.http.method
    wire = {wire: local for local, wire in tool.http.original_names.items()}
    owners: list[tuple[str, str]] = []
    for position, segment in enumerate(segments):
        if _is_param(segment):
            literal = next((item for item in reversed(segments[:position]) if not _is_param(item)), segment.strip("{}"))
            owners.append((wire.get(segment[1:-1], segment[1:-1]), resource_name(literal)))
    if not segments:
        return _from_name(tool)
    last = segments[-1]
    spoken, nouns = verb_of(tool.original_name)
    if _is_param(last):
        operation: Operation = {"GET": "read", "HEAD": "read", "DELETE": "delete"}.get(method, "update")  # type: ignore[assignment]
        target, resource = owners[-1]
        return ToolPlan(tool, operation, resource, target, tuple(owners[:-1]), why=f"{method} on one {resource}")
    literal_verb = verb_of(last)[0] if name_tokens(last)[:1] and name_tokens(last)[0] in VERBS else None
    named = resource_name(last)
    parents = tuple(owners)
    under = bool(owners) and len(segments) > 1 and _is_param(segments[-2])
    if method in ("GET", "HEAD"):
        if last.lower() in _SELF and len(segments) > 1:
            owner = resource_name(segments[-2].strip("{}"))
            return ToolPlan(tool, "read", owner, None, parents, why="GET of the caller's own")
        if literal_verb in ("list", "read") and len(segments) > 1 and not under:
            return ToolPlan(tool, "list", resource_name(segments[-2].strip("{}")), None, parents, why=f"GET {last}")
        return ToolPlan(tool, "list", named, None, parents, why=f"GET of a collection ({last})")
    if method == "DELETE":
        if under:
            return ToolPlan(
                tool,
                "action",
                owners[-1][1],
                owners[-1][0],
                tuple(owners[:-1]),
                why=f"DELETE {last} of one {owners[-1][1]}",
            )
        return ToolPlan(tool, "delete", named, None, parents, why=f"DELETE on {last}")
    if literal_verb == "list" or (spoken == "list" and tool.effect == "read"):
        owner = (
            owners[-1][1]
            if under
            else next((resource_name(part) for part in reversed(segments[:-1]) if not _is_param(part)), None)
        )
        owner = owner or (resource_name("_".join(nouns)) if nouns else "result")
        return ToolPlan(
            tool, "list", owner, None, () if under and method == "POST" else parents, why=f"{method} that searches"
        )
    if under and (
        literal_verb is not None or (spoken == "action" and name_tokens(last)[-1] not in _collections(toolset))
    ):
        return ToolPlan(
            tool,
            "action",
            owners[-1][1],
            owners[-1][0],
            tuple(owners[:-1]),
            why=f"{method} {last} of one {owners[-1][1]}",
        )
    if method in ("PUT", "PATCH"):
        if under:
            return ToolPlan(
                tool,
                "action",
                owners[-1][1],
                owners[-1][0],
                tuple(owners[:-1]),
                why=f"{method} {last} of one {owners[-1][1]}",
            )
        return ToolPlan(tool, "update", named, None, parents, why=f"{method} on a collection ({last})")
    if literal_verb == "create" and len(segments) > 1 and not under:
        named = resource_name(segments[-2].strip("{}"))
    return ToolPlan(tool, "create", named, None, parents, why=f"POST to a collection ({last})")


def _collections(toolset: Toolset) -> set[str]:
    found = set()
    for tool in toolset.tools:
        if tool.http:
            segments = _segments(tool.http.path)
            found |= {first.lower() for first, second in pairwise(segments) if _is_param(second)}
    return found


def _from_name(tool: Tool) -> ToolPlan:
    operation, nouns = verb_of(tool.original_name.split(".")[-1])
    properties = tool.parameters.get("properties", {})
    if operation is None:
        operation = "compute" if tool.effect == "read" else "action"
    cut = next(
        (index for index, word in enumerate(nouns) if word in ("by", "from", "to", "in", "on", "of", "of", "and")),
        len(nouns),
    )
    nouns = nouns[:cut] or nouns
    resource = resource_name("_".join(nouns[-2:] if len(nouns) > 1 else nouns)) if nouns else None
    known = {stem for key in properties for stem in [_stem(key)] if stem}
    if resource and operation in ("action", "compute", "read", "update", "delete"):
        owner = next((stem for stem in sorted(known) if stem.split("_")[-1] == resource.split("_")[-1]), None)
        resource = owner or (sorted(known)[0] if operation == "action" and known else resource)
    if operation == "read" and any(word.endswith("s") and singular(word) != word for word in nouns[-1:]) and not known:
        operation = "list"
    if operation == "compute" and tool.effect == "write":
        operation = "action"
    return ToolPlan(tool, operation, resource, why="its name" if resource else "no resource recognised")


def _stem(name: str) -> str | None:
    """Return the resource that an identifier-like field name speaks of: `owner_id` -> "owner"; none for others."""
    tokens = name_tokens(name)
    if len(tokens) > 1 and tokens[-1] in _ID_SUFFIXES:
        return "_".join([*tokens[:-2], singular(tokens[-2])])
    return None


def _rename_by_title(plans: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Give a lone path resource the name of another whose rows carry the same schema title (`/pet/findByTags` -> pet)."""
    titles: dict[str, Counter[str]] = defaultdict(Counter)
    owners: set[str] = set()
    for plan in plans.values():
        if plan.target is not None and plan.resource:
            owners.add(plan.resource)
        if plan.rows is not None and plan.resource and plan.rows.schema.get("title"):
            titles[str(plan.rows.schema["title"])][plan.resource] += 2 if plan.target else 1
    renamed = {}
    for name, plan in plans.items():
        title = str(plan.rows.schema.get("title", "")) if plan.rows else ""
        if plan.resource and title and plan.resource not in owners and not plan.parents:
            best = next((owner for owner, _ in titles[title].most_common() if owner in owners), None)
            plan = replace(plan, resource=best or plan.resource)
        renamed[name] = plan
    return renamed


def _find_target(plan: ToolPlan) -> ToolPlan:
    """Name the argument that identifies the row, for tools whose path does not say it."""
    if plan.target is not None or plan.resource is None or plan.operation in ("create", "list", "compute"):
        return plan
    properties = plan.tool.parameters.get("properties", {})
    short = plan.resource.split("_")[-1]
    wanted = [
        f"{plan.resource}_id",
        f"{short}_id",
        plan.resource,
        short,
        f"{short}_name",
        f"{short}_key",
        f"{short}_number",
        "id",
        "uuid",
        "name",
    ]
    by_tokens = {"_".join(name_tokens(key)): key for key in properties if schema_type(properties[key]) in SCALARS}
    found = next((by_tokens[name] for name in wanted if name in by_tokens), None)
    return replace(plan, target=found)


def _resources(plans: Mapping[str, ToolPlan]) -> dict[str, ResourcePlan]:
    grouped: dict[str, list[ToolPlan]] = defaultdict(list)
    for plan in plans.values():
        if plan.resource is not None:
            grouped[plan.resource].append(plan)
        for _, parent in plan.parents:
            grouped.setdefault(parent, [])
    return {name: _resource(name, members) for name, members in grouped.items()}


def _resource(name: str, members: list[ToolPlan]) -> ResourcePlan:
    order = {"read": 0, "list": 1, "create": 2, "update": 3}
    properties: dict[str, Any] = {}
    shown: set[str] = set()
    for plan in sorted(members, key=lambda item: order.get(item.operation, 9)):
        if plan.operation in order and plan.rows is not None:
            for key, schema in object_properties(plan.rows.schema).items():
                properties.setdefault(key, schema)
                shown.add(key)
    for plan in members:
        if plan.operation in ("create", "update"):
            for key, schema in body_properties(plan).items():
                properties.setdefault(key, schema)
    targets = Counter(plan.target for plan in members if plan.target)
    identity = _identity(name, [target for target, _ in targets.most_common()], properties)
    if identity is None and targets:
        identity = _invented_identity(targets, members)
        properties[identity] = {"type": "string"}
    parents = Counter(plan.parents[-1][1] for plan in members if plan.parents and plan.operation in (*order, "delete"))
    parent = parents.most_common(1)[0][0] if parents and parents.most_common(1)[0][0] != name else None
    if identity is not None and identity in properties:
        properties[identity] = _identity_schema(properties[identity], members)
    schema = {"type": "object", "title": name, "properties": properties}
    return ResourcePlan(name, schema, identity, parent)


def _invented_identity(targets: Counter[str | None], members: list[ToolPlan]) -> str:
    """Name the identity of rows whose schemas show none: a schemaless answer then still carries an `id`."""
    silent = all(
        plan.rows is None or not plan.rows.schema.get("properties")
        for plan in members
        if plan.operation in ("read", "list")
    )
    return "id" if silent else str(targets.most_common(1)[0][0])


def _identity_schema(schema: Mapping[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the identity's schema, made as strict as what the tools' target arguments accept."""
    merged = dict(schema)
    for plan in members:
        if plan.target:
            declared = plan.tool.parameters.get("properties", {}).get(plan.target, {})
            if schema_type(declared) == schema_type(merged):
                merged |= {
                    key: value
                    for key, value in declared.items()
                    if key in ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")
                }
    return merged


def body_properties(plan: ToolPlan) -> dict[str, Any]:
    """Return the arguments that describe the row itself: neither target, parents nor paging."""
    locations = plan.tool.http.locations if plan.tool.http else {}
    owners = {plan.target, *(name for name, _ in plan.parents)}
    properties = plan.tool.parameters.get("properties", {})
    return {
        key: schema
        for key, schema in properties.items()
        if key not in owners and locations.get(key, "body") in ("body", "form", "query") and not is_paging(key)
    }


def is_paging(name: str) -> bool:
    """Tell whether a parameter only says which part of a list is wanted."""
    tokens = name_tokens(name)
    return bool(tokens) and all(token in _PAGING | {"number", "token", "starting", "ending", "num"} for token in tokens)


def _identity(name: str, targets: list[str], properties: Mapping[str, Any]) -> str | None:
    short = name.split("_")[-1]
    by_tokens = {"_".join(name_tokens(key)): key for key in properties if schema_type(properties[key]) in SCALARS}
    wanted: list[str] = []
    for target in targets:
        joined = "_".join(name_tokens(target))
        wanted.append(joined)
        if joined.startswith(f"{short}_") or joined.startswith(f"{name}_"):
            wanted.append(joined.split(f"{short}_", 1)[-1])
        if name_tokens(target)[-1] in _ID_SUFFIXES:
            wanted.append("id")
    wanted += [
        "id",
        f"{name}_id",
        f"{short}_id",
        "uuid",
        "guid",
        "gid",
        f"{short}_uuid",
        f"{short}_key",
        f"{short}_number",
        "key",
        "slug",
    ]
    return next((by_tokens[candidate] for candidate in wanted if candidate in by_tokens), None)


def _refers_to(name: str, pointer: str, schema: Mapping[str, Any], resources: Mapping[str, ResourcePlan]) -> str | None:
    """Return the resource whose identity a field holds, by its name, its parent's name or its description."""
    if schema_type(schema) == "array":
        items = schema.get("items")
        schema = {**items, "description": schema.get("description", "")} if isinstance(items, Mapping) else {}
    if (
        schema_type(schema) not in SCALARS
        or "enum" in schema
        or schema.get("format") in ("date", "date-time", "email", "binary")
    ):
        return None
    by_name: dict[str, str] = {}
    for resource in resources.values():
        if resource.identity is not None and _same_type(schema, resource):
            by_name.setdefault(resource.name, resource.name)
            by_name.setdefault(resource.name.split("_")[-1], resource.name)
    stem = _stem(name)
    if stem is None and "_".join(name_tokens(name)) in ("id", "uuid", "gid") and pointer.count("/") > 1:
        owner = next((part for part in reversed(pointer.split("/")[1:-1]) if part != "*"), "")
        stem = resource_name(owner) if owner else None
    if stem is not None:
        if stem in by_name:
            return by_name[stem]
        tail = stem.split("_")[-1]
        if tail in by_name:
            return by_name[tail]
    described = str(schema.get("description", "")).lower()
    found = re.search(
        r"\b(?:id|ids|identifier|uuid|key) (?:of|for) (?:the |an? |this )?((?:[a-z]+ ){0,3}[a-z]+)", described
    )
    if found and (stem is not None or schema.get("format") == "uuid" or name_tokens(name)[-1:] == ["id"]):
        for word in found[1].split():
            if resource_name(word) in by_name:
                return by_name[resource_name(word)]
    return None


def _same_type(schema: Mapping[str, Any], resource: ResourcePlan) -> bool:
    identity = resource.schema.get("properties", {}).get(resource.identity, {"type": "string"})
    if schema_type(schema) != schema_type(identity):
        return False
    formats = {item.get("format") for item in (schema, identity)} - {None, "int32", "int64"}
    return len(formats) < 2 or (len(formats) == 1)


def _row_references(plan: ResourcePlan, resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    found = {}
    for pointer, name, schema in leaf_schemas(plan.schema):
        if pointer == join_pointer(plan.identity or ""):
            continue
        target = _refers_to(name, pointer, schema, resources) or _shared_example(name, schema, plan, resources)
        if target is not None and (target != plan.name or name_tokens(name)[0] in ("parent", "previous", "next")):
            found[pointer] = target
    return found


def _shared_example(
    name: str, schema: Mapping[str, Any], plan: ResourcePlan, resources: Mapping[str, ResourcePlan]
) -> str | None:
    """Return the resource whose identity examples stand as this field's examples too (`origin` of a trip)."""
    samples = {item for item in schema.get("examples", ()) if isinstance(item, str) and len(item) >= 8}
    for resource in resources.values():
        if samples and resource.identity and resource.name != plan.name:
            theirs = resource.schema["properties"].get(resource.identity, {}).get("examples", ())
            if samples & {item for item in theirs if isinstance(item, str)}:
                return resource.name
    return None


def _argument_references(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    owners = {join_pointer(name): resource for name, resource in plan.parents}
    if plan.target is not None and plan.resource is not None:
        owners[join_pointer(plan.target)] = plan.resource
    found = {}
    own = resources[plan.resource] if plan.resource else None
    for pointer, name, schema in leaf_schemas(plan.tool.parameters):
        if pointer in owners:
            target: str | None = owners[pointer]
        elif own is not None and plan.operation in ("create", "update") and pointer == join_pointer(own.identity or ""):
            target = None
        else:
            target = _refers_to(name, pointer, schema, resources)
            if target is None and own is not None:
                target = own.references.get(pointer)
        if target is not None and resources[target].identity is not None:
            found[pointer] = target
    return found
