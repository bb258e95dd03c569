"""The tools of a resource -> the field that identifies its rows, and the schema of that field."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan, schema_at
from interplay.generators.environments.inference.result_rows import is_silent
from interplay.generators.environments.inference.roles.rule_table import Rule, found
from interplay.generators.environments.inference.roles.segments import key_names
from interplay.generators.environments.inference.tool_words import HOLDERS, ID_WORDS, stem_of
from interplay.schemas.json.fields import CONSTRAINTS, IDENTIFYING, field_path, object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_HANDLES = ("username", "login", "handle", "slug", "screenname", "nickname")
"""Fields that identify people and their belongings in URLs."""

_LABELS = ("name", "title")
_NAMES = ("name", "id", "key", "path", "slug", "title")


def accepted(members: list[ToolPlan]) -> dict[str, Any]:
    """Return a schema with the type of identity that the first tool with a target takes; string if there is no such tool."""
    plan = next((plan for plan in members if plan.target), None)
    if plan is None:
        return {"type": "string"}
    declared = plan.tool.properties.get(str(plan.target), {})
    kind = schema_type(declared)
    return {"type": kind if kind in IDENTIFYING else "string"}


def key_field(plan: ToolPlan) -> str:
    """Return the name under which a tool takes the identity of a row: the field's name if its path states it."""
    target = str(plan.target)
    return key_names(plan.tool.path).get(plan.tool.wire_name(target), target)


def with_identity_schema(identity: str, properties: dict[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of rows, with the identity restricted to what the tools accept for it, and can show of it."""
    path = field_path(identity, properties)
    held = schema_at(properties, path)
    return properties if held is None else _replaced(properties, path, _strict(held, members, path))


def _replaced(properties: Mapping[str, Any], path: tuple[str, ...], schema: Mapping[str, Any]) -> dict[str, Any]:
    if not path[1:]:
        return {**properties, path[0]: schema}
    holder = properties[path[0]]
    return {**properties, path[0]: {**holder, "properties": _replaced(object_properties(holder), path[1:], schema)}}


def _strict(schema: Mapping[str, Any], members: list[ToolPlan], path: tuple[str, ...]) -> dict[str, Any]:
    merged = dict(schema)
    for plan in members:
        shown = schema_at(object_properties(plan.rows.schema), path) if plan.rows is not None else None
        if shown is not None and schema_type(shown) == "integer":
            merged = _digits(merged)
        if plan.target:
            declared = plan.tool.properties.get(str(plan.target), {})
            if schema_type(declared) == schema_type(merged):
                stricter = merged | {key: value for key, value in declared.items() if key in CONSTRAINTS}
                merged = stricter if _is_open(stricter) else merged
            elif schema_type(declared) in ("integer", "number"):
                merged = _digits(merged)
    return merged


def numbered(properties: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the fields of rows with an identity restricted to digits, if it is an unrestricted string."""
    held = schema_at(properties, path)
    return properties if held is None or _digits(held) == held else _replaced(properties, path, _digits(held))


def _digits(schema: Mapping[str, Any]) -> dict[str, Any]:
    is_free = schema_type(schema) == "string" and not set(schema) & set(CONSTRAINTS)
    return {**schema, "pattern": "^[1-9][0-9]{4}$"} if is_free else dict(schema)


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits at least one of its options; a path may accept options as identity."""
    return "enum" not in schema or any(is_valid(option, schema) for option in schema["enum"])


WORN = 6
"""Schemas of referring fields at most that an identity is made to satisfy."""


def worn_schemas(own: Mapping[str, Any], held: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the constraints that referring fields put on an identity in addition to its own schema, without duplicates."""
    stated = {key: own[key] for key in CONSTRAINTS if key in own}
    found: list[dict[str, Any]] = []
    for schema in held:
        wanted = {key: schema[key] for key in CONSTRAINTS if key in schema and key != "enum"}
        if schema_type(schema) == schema_type(own) and wanted and wanted != stated and wanted not in found:
            found.append(wanted)
    return tuple(found[:WORN])


def handle_of(argument: str, resource: ResourcePlan) -> str | None:
    """Return the field besides the identity by which an argument names a row: `code` of a wallet for `wallet_code`.

    An argument named like the field alone counts if the field is a usual name in URLs (`slug`). Labels (`name`, `title`) are no
    handles, nor are fields that may be unable to hold the identity.
    """
    *held, last = name_tokens(argument) or [""]
    own = resource.schema["properties"].get(last)
    if own is None or last in (*_LABELS, resource.identity) or set(own) & set(CONSTRAINTS):
        return None
    if schema_type(own) != schema_type(resource.identity_schema):
        return None
    called = held == name_tokens(resource.name)[-len(held) :] if held else last in _HANDLES
    return last if called else None


def best_identity(name: str, asked: Mapping[str, Mapping[str, Any]], properties: Mapping[str, Any]) -> str | None:
    """Return the field that identifies rows, by the names of arguments that take it (`asked`) and usual names of identities."""
    short = name.split("_")[-1]
    by_tokens: dict[str, str] = {}
    for key in properties:
        if schema_type(properties[key]) in IDENTIFYING:
            by_tokens.setdefault("_".join(name_tokens(key)), key)
    wanted: list[str] = []
    targets = [target for target in asked if name_tokens(target)]
    if targets and (targets[0] in _LABELS or stem_of(targets[0]) or targets[0] in ID_WORDS):
        targets = [target for target in targets if stem_of(target) or target in ID_WORDS] or targets
    for target in targets:
        tokens = name_tokens(target)
        joined = "_".join(tokens)
        wanted += ["id", joined] if "or" in tokens and "id" in tokens else [joined]
        if "".join(tokens) in _HANDLES:
            wanted += _HANDLES
        if joined.startswith((f"{short}_", f"{name}_")):
            wanted.append(joined.split(f"{short}_", 1)[-1])
        elif joined.startswith(short):
            wanted.append(joined[len(short) :])
        if joined in ID_WORDS:
            wanted += [f"{name}_{joined}", f"{short}_{joined}"]
        if tokens[-1] in ID_WORDS:
            wanted += [tokens[-1], "id"]
        elif tokens[0] == "id":
            wanted.append("id")
        elif tokens[-1] in ("name", "number", "code"):
            wanted.append(tokens[-1])
    wanted += ["id", f"{name}_id", f"{short}_id", "uuid", "guid", "gid", "uid"]
    wanted += [f"id_{name}", f"id_{short}"] if targets else []
    within = (name_tokens(target) for target in targets)  # `external_customer_id` is the `external_id` of a customer
    wanted += ["_".join(token for token in tokens if token != short) for tokens in within if short in tokens[1:-1]]
    wanted += [f"{short}_uuid", f"{short}_key", f"{short}_number", "key", "slug"]
    found = next((by_tokens[candidate] for candidate in wanted if candidate in by_tokens), None)
    if found is not None and targets and schema_type(properties[found]) == "integer":
        texts = [by_tokens[word] for word in _spoken(targets[0], asked[targets[0]]) if word in by_tokens]
        return next((key for key in texts if schema_type(properties[key]) == "string"), found)
    return found


def _spoken(target: str, taken: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the text fields that a path parameter named by a plain noun may hold: `{repo}` is not a number."""
    if schema_type(taken) != "string" or stem_of(target) or target in ID_WORDS or {"format", "pattern"} & taken.keys():
        return ()
    says_name = "name" in name_tokens(f"{target} {taken.get('description', '')}")
    return (*_HANDLES, "key", *(("name",) if says_name else ()))


@dataclass(frozen=True)
class RowsOfTools:
    """The rows that some tools act on, as the rules for identities see them."""

    name: str
    members: list[ToolPlan]
    properties: Mapping[str, Any]

    @cached_property
    def asked(self) -> dict[str, Mapping[str, Any]]:
        """Names under which tools take the identity, the most common first -> schemas of these arguments."""
        taken: dict[str, Mapping[str, Any]] = {}
        counted: Counter[str] = Counter()
        for plan in self.members:
            if plan.target:
                counted[key_field(plan)] += 1
                taken.setdefault(key_field(plan), plan.tool.properties.get(str(plan.target), {}))
        return {name: taken[name] for name, _ in counted.most_common()}

    @cached_property
    def read(self) -> dict[str, Any]:
        """The fields shown by a tool that reads a row by its identity."""
        reading = (
            plan for plan in self.members if plan.operation == "read" and plan.target and plan.rows and not plan.edit
        )
        shown = next((fields for plan in reading if plan.rows and (fields := object_properties(plan.rows.schema))), {})
        return {key: item for key, item in self.properties.items() if key in shown}

    @cached_property
    def listed(self) -> dict[str, Any]:
        """The fields that lists show; an identity is chosen from these, whatever an acknowledgement calls it."""
        shown = {key for plan in self.members if plan.operation == "list" and plan.rows and not plan.edit
                 for key in object_properties(plan.rows.schema)}  # fmt: skip
        return {key: item for key, item in self.properties.items() if key in shown}

    @property
    def is_single(self) -> bool:
        """Whether there is one row per owner, or only one."""
        return any(plan.single for plan in self.members) and not self.asked

    @cached_property
    def silent(self) -> Tool | None:
        """The first tool that shows such rows without a described result; none if there is none."""
        showing = (plan.tool for plan in self.members if plan.operation in ("read", "list"))
        return next((tool for tool in showing if is_silent(tool.returns)), None)

    def best(self, properties: Mapping[str, Any]) -> str | None:
        """Return the field in `properties` that identifies rows; none if there is none."""
        return best_identity(self.name, self.asked, properties)

    def within(self, properties: Mapping[str, Any]) -> str | None:
        """Return the identity inside a field with the row's own data (`metadata`, `attributes`); none if there is none."""
        own = {self.name, self.name.split("_")[-1]}
        for key, schema in properties.items() if self.asked else ():
            if "_".join(name_tokens(key)) in HOLDERS | own and schema_type(schema) == "object":
                best = self.best(object_properties(schema))
                if best is not None:
                    return f"{key}.{best}"
        return None

    @cached_property
    def listed_by(self) -> str | None:
        """The field by which functions name lists of rows: `name` for `entityNames`."""
        by_name = all(plan.tool.http is None for plan in self.members)
        for plan in self.members if by_name else ():
            for argument, schema in plan.tool.properties.items():
                last = singular((name_tokens(argument) or [""])[-1])
                named = last in _NAMES and last in self.properties and schema_type(self.properties[last]) == "string"
                if named and schema_type(schema) == "array":
                    return last
        return None

    @cached_property
    def is_unshown(self) -> bool:
        """Whether tools take an identity of rows that is not a name, and no tool shows their fields."""
        reading = [plan for plan in self.members if plan.operation in ("read", "list")]
        silent = all(plan.rows is None or not object_properties(plan.rows.schema) for plan in reading)
        return bool(self.asked) and silent and name_tokens(next(iter(self.asked)))[-1:] not in (["name"], ["path"])


IDENTITY_RULES = (
    Rule("one row for each owner", lambda rows: rows.is_single, None,
         "GET /guilds/{id}/widget -> {enabled} | GET /guilds/{id} -> guild"),
    found("a field of the row that a read shows", lambda rows: rows.best(rows.read),
          "GET /users/{user_id} -> {id, name} | GET /users -> [{user_id, user: {id}}]"),
    found("a field of the rows that a list shows", lambda rows: rows.best(rows.listed),
          "get_tasks -> {tasks: [{id, title}]} | create_task -> {success, task_id} | update_task(task_id)"),
    found("a field of its rows", lambda rows: rows.best(rows.properties), "POST /orders -> {id, status} | DELETE /orders/{order_id}"),
    found("a field of what the row is", lambda rows: rows.within(rows.properties),
          "GET /pods/{name} -> {metadata: {name, uid}}"),
    found("what lists of rows are called by", lambda rows: rows.listed_by,
          "delete_entities(entityNames[]) | search_entities(query) -> {entities: [{name, kind}]}"),
    Rule("an id that nothing shows", lambda rows: rows.is_unshown, "id", "GET /boards/{idBoard}"),
    found("what calls name it by", lambda rows: next(iter(rows.asked), None), "GET /exports/{token} -> {size, state}"),
    Rule("an id, as nothing is said of its rows",
         lambda rows: not rows.properties and rows.silent and not rows.silent.http, "id", "search_flats(place) | book_visit(flat_id)"),
)  # fmt: skip
"""The field that identifies the rows of a resource: the first rule that holds decides; if none holds, there is no identity."""

INVENTED = frozenset(rule.name for rule in IDENTITY_RULES[-3:])
"""The rules that name a field which no result shows."""
