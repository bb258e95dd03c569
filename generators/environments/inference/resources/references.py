"""Rows and tools -> which of their fields and arguments hold identities, and of which resources."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interplay.generators.environments.inference.plans import (
    ResourcePlan,
    ToolPlan,
    is_technical,
    schema_within,
    spelt_out,
    wrapper_of,
)
from interplay.generators.environments.inference.resources.field_reference import Field
from interplay.generators.environments.inference.resources.resource_index import SPOKEN_BY, ResourceIndex, is_joined
from interplay.generators.environments.inference.roles.rule_table import Rule, first_rule, found
from interplay.generators.environments.inference.tool_words import bare_name, resource_name
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens

DEEPEST = 5
"""Levels of nested objects that are searched for references."""


def every_leaf(schema: Mapping[str, Any], pointer: str = "", depth: int = 0) -> Iterator[tuple[str, str, Any]]:
    """Yield the leaves of a schema as `leaf_schemas` does, but those of all branches if values can have several types."""
    for key, item in object_properties(schema).items() if depth <= DEEPEST else ():
        yield from _leaves(pointer + join_pointer(key), key, item, depth)


def _leaves(here: str, name: str, item: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str, Any]]:
    kind, items, branches = schema_type(item), item.get("items"), _of_several_types(item)
    for branch in branches:
        yield from _leaves(here, name, {**branch, "description": item.get("description", "")}, depth + 1)
    if branches:
        return
    if kind == "object":
        yield from every_leaf(item, here, depth + 1)
    elif kind == "array" and isinstance(items, Mapping) and _of_several_types(items):
        for branch in _of_several_types(items):
            yield from _leaves(here, name, {**item, "items": branch}, depth + 1)
    elif kind == "array" and isinstance(items, Mapping) and schema_type(items) == "object":
        yield from every_leaf(items, f"{here}/*", depth + 1)
    else:
        yield here, name, item


def _of_several_types(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the branches of a schema whose values can have several types; empty for other schemas."""
    if "oneOf" not in schema and "anyOf" not in schema:  # most schemas
        return []
    branches = [branch for key in ("oneOf", "anyOf") for branch in schema.get(key, ()) if isinstance(branch, Mapping)]
    kinds = {schema_type(branch) for branch in branches} - {"null"}
    return branches if len(kinds) > 1 else []


def argument_schema(tool: Tool, pointer: str | None) -> Mapping[str, Any]:
    """Return the schema of the argument at a pointer; empty if there is none."""
    return schema_within(tool.parameters, split_pointer(pointer)) if pointer else {}


def parted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return the values in a comma-separated text, if its schema describes it as one; else the value unchanged."""
    if not isinstance(value, str) or "," not in value or not is_joined(schema):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def nested_reference(plan: ResourcePlan, pointer: str) -> str | None:
    """Return the pointer of the identity in a field that embeds rows (`/assignee/gid`, `/projects/*/gid`); else none."""
    for inner in plan.references:
        start, _, last = inner.rpartition("/")
        if start.removesuffix("/*") == pointer and last in ("id", "gid", "uuid", *SPOKEN_BY):
            return inner
    return None


NAMED_ROW = "the row that the call names"
"""The rule for arguments that identify the row or rows that a call is about, or those above it."""

Found = dict[str, tuple[str, str]]
"""Pointer -> the resource that is referred to, and the name of the rule."""

FIELD_RULES = (
    found("the word by which calls name a resource", lambda field: field.by_word,
          "POST /chat.post (channel, text) | GET /channels.list -> {channels: [channel]}"),
    found("the name in an object", lambda field: field.by_shown_name,
          "GET /repos/{id} -> {id, user: {login}} | GET /users/{login} -> {login, email}"),
    found("the noun of an identifier", lambda field: field.by_stem,
          "POST /orders (customer_id) | GET /customers/{id} -> customer"),
    found("what an identifier is described as", lambda field: field.by_description,
          "POST /orders (buyer_id 'Identifier of the customer') | GET /customers/{id} -> customer"),
    found("the name of a row", lambda field: field.by_name,
          "POST /nodes (pool_name) | GET /pools/{name} -> {name, size}"),
    found("the pattern of an identity", lambda field: field.by_pattern,
          "POST /letters (to~^adr_[a-z]+$) | GET /addresses/{id} -> {id~^adr_[a-z]+$, city}"),
)  # fmt: skip

"""What a field refers to, by its name, its position and its description."""


def _of_field(rule: Rule) -> Callable[[Any], Any]:
    """Return a condition on fields as a condition on arguments."""
    return lambda argument: rule.when(argument.field)


ROW_RULES = (
    *FIELD_RULES,
    found("examples that are those of an identity", lambda field: field.by_example,
          "GET /trips/{id} -> {id, origin=efdbb9d1-02c2} | GET /stations/{id} -> {id=efdbb9d1-02c2, name}"),
    found("the resource that a list is called after, by its examples", lambda field: field.by_listed_noun,
          "GET /users/{id} -> {id, orders[]=W9KX2B} | GET /orders/{id} -> {id=4TQ7PA, total}"),
)  # fmt: skip
"""What a field of a row refers to: the first rule that holds decides; the field of the owner is found before."""

ARGUMENT_RULES = (
    found(NAMED_ROW, lambda argument: argument.owner, "GET /orders/{id} -> order"),
    found("what the edited field refers to", lambda argument: argument.by_edit,
          "POST /tasks/{task_id}/addFan (fan!) | GET /tasks/{task_id} -> {id, fans: [{id, user_id}]} | GET /fans/{id} -> fan"),
    Rule("the identity that a new row is given", lambda argument: argument.is_new_identity, None,
         "POST /orders (id) | GET /orders/{id} -> order"),
    found("the identity of the row that is changed", lambda argument: argument.changed,
          "PUT /pods/{name} (metadata: {name}) | GET /pods/{name} -> {metadata: {name, uid}}"),
    found("the type beside an id", lambda argument: argument.by_type,
          "POST /notes (data: {relationships: {author: {data: {type=people, id}}}}) | GET /people/{id} -> {type=people, id, attributes: {name}}"),
    *(replace(rule, when=_of_field(rule), then=_of_field(rule)) for rule in FIELD_RULES),
    found("the row whose identity it is described as", lambda argument: argument.field.by_told,
          "POST /teams/{id}/add (who! 'The gid of a user') | GET /users/{gid} -> {gid, name}"),
    found("the resource that it is called after, by its examples", lambda argument: argument.field.by_noun,
          "POST /projects/{id}/sort (section=321654) | GET /sections/{gid} -> {gid=12345, name}"),
    found("the relationship that a filter names", lambda argument: argument.by_relationship,
          "GET /notes ?filter[author] -> [{id, relationships: {author: {data: {type=people, id}}}}]"
          " | GET /people/{id} -> {type=people, id, attributes: {name}}"),
    found("the field of that name", lambda argument: argument.by_field,
          "POST /trips (origin) | GET /trips/{id} -> {id, origin=efdbb9d1-02c2} | GET /stations/{id} -> {id=efdbb9d1-02c2, name}"),
    found("what lists show in a field of that name", lambda argument: argument.by_holder,
          "GET /issues ?assignee -> [{id, assignees: [{login}]}] | GET /users/{login} -> {login, email}"),
)  # fmt: skip
"""What an argument refers to: the first rule that holds decides."""


@dataclass(frozen=True)
class Argument:
    """One leaf of a call's arguments; `field` is the same leaf under its name and pointer in the request."""

    plan: ToolPlan
    resources: Mapping[str, ResourcePlan]
    pointer: str
    field: Field
    owner: str | None
    typed: str | None

    @property
    def own(self) -> ResourcePlan | None:
        """The resource that the call acts on."""
        return self.resources[self.plan.resource] if self.plan.resource else None

    @property
    def is_edit(self) -> bool:
        """Whether it is the value for the field that the call edits."""
        return self.plan.edit is not None and self.pointer == self.plan.edit.argument

    @property
    def by_edit(self) -> str | None:
        """What the edited field refers to."""
        own, edit = self.own, self.plan.edit
        if own is None or edit is None or not self.is_edit or not edit.path:
            return None
        pointer = join_pointer(*edit.path, *(("*", edit.item[0][1]) if edit.item else ()))
        return own.references.get(pointer) or own.references.get(nested_reference(own, pointer) or "")

    @property
    def is_identity(self) -> bool:
        """Whether it is the identity of the row that is written."""
        written = self.plan.operation in ("create", "update") and not self.is_edit
        if not written or self.own is None:
            return False
        if self.field.pointer == self.own.identity_pointer or self._of_one_of_several:
            return True
        in_body = self.plan.tool.location(self.pointer[1:]) in ("body", "form")
        return in_body and bool(spelt_out([self.field.pointer[1:]], self.own))

    @property
    def _of_one_of_several(self) -> bool:
        """Whether it is the identity of one of the rows that a call makes: `/inputs/*/id`."""
        path = split_pointer(self.field.pointer)
        if self.own is None or self.plan.operation != "create" or tuple(path[1:]) != ("*", *self.own.identity_path):
            return False
        return path[0] not in self.own.schema["properties"] and self.plan.tool.location(path[0]) == "body"

    @property
    def changed(self) -> str | None:
        """The resource of the updated row, if the argument repeats its identity inside an object: `/metadata/name`."""
        nested = self.own is not None and len(self.own.identity_path) > 1
        return self.own.name if self.own and self.is_identity and nested and self.plan.operation == "update" else None

    @property
    def is_new_identity(self) -> bool:
        """Whether it is the identity of a new row, and so refers to no existing one."""
        return self.is_identity and self.changed is None

    @property
    def by_type(self) -> str | None:
        """The resource of the `type` beside it."""
        return None if self.is_edit else self.typed

    @property
    def _referring(self) -> Mapping[str, str]:
        return self.own.references if self.own is not None and not self.is_edit else {}

    @property
    def by_relationship(self) -> str | None:
        """What the relationship in a JSON:API filter refers to: `filter[author]`."""
        bare = bare_name(self.field.name)
        return self._referring.get(f"/relationships/{bare}/data/id") if bare != self.field.name else None

    @property
    def by_field(self) -> str | None:
        """What the field of the row at the same place refers to."""
        inner, held = self.field.pointer, self._referring
        return held.get(inner) or (held.get(nested_reference(self.own, inner) or "") if self.own and held else None)

    @property
    def by_holder(self) -> str | None:
        """What the field of that name embeds in listed rows: `assignee` for `/assignee/login`."""
        for pointer, target in self._referring.items() if self.plan.operation == "list" else ():
            holder = [part for part in split_pointer(pointer) if part != "*"][-2:-1]
            spoken = self.resources[target].identity_path[-1:]
            if (
                holder
                and spoken
                and spoken[0] in SPOKEN_BY
                and resource_name(holder[0]) == resource_name(self.field.name)
            ):
                same = schema_type(self.field.declared) == schema_type(self.resources[target].identity_schema)
                return target if same else None
        return None


def _is_other(pointer: str) -> bool:
    """Tell whether a field that looks like the row's own identity is that of another row: `/parent/gid`."""
    words = {token for part in pointer.split("/")[1:] for token in name_tokens(part)[:1]}
    return bool(words & {"parent", "previous", "next"})


def without_noun(noun: list[str], said: list[str]) -> tuple[str, ...]:
    """Return the words of a name without a noun inside it; empty if it is not inside: `shop_customer_id` -> shop, id."""
    at = next((at for at in range(1, len(said) - len(noun)) if said[at : at + len(noun)] == noun), 0)
    return (*said[:at], *said[at + len(noun) :]) if at else ()


def _is_other_id(pointer: str, held: Found, index: ResourceIndex) -> bool:
    """Tell whether a field beside the identity of another row holds a different id of that row, such as its `shop_id`."""
    target, _ = held[pointer]
    holder, _, name = pointer.rpartition("/")
    own = without_noun(name_tokens(target), name_tokens(name))
    beside = [other for other, (kind, _) in held.items() if kind == target and other.rpartition("/")[0] == holder]
    return bool(own) and len(beside) > 1 and index.is_other_id(target, own)


def row_references(plan: ResourcePlan, index: ResourceIndex) -> Found:
    """Return the fields of a row that hold identities of other resources, with the names of the rules."""
    of_owner = {
        "what rows lie in, by paths": index.scope_field(plan), "the owner, beside the identity": index.parent_field(plan),
        "the type beside an id": index.typed(plan.schema),
    }  # fmt: skip
    held: Found = {pointer: (target, why) for why, found in of_owner.items() for pointer, target in found.items()}
    for pointer, name, schema in every_leaf(plan.schema):
        if pointer == plan.identity_pointer or pointer in held:
            continue
        field = Field(index, name, pointer, schema, plan.name, plan.schema)
        if not field.may_refer and "examples" not in schema:  # no rule would hold
            continue
        rule = first_rule(ROW_RULES, field)
        if rule is None:
            continue
        target = rule.conclude(field)
        if target != plan.name or _is_other(pointer):
            held[pointer] = (target, rule.name)
    held = {pointer: said for pointer, said in held.items() if not _is_other_id(pointer, held, index)}
    held = {pointer: (target, "the kind beside an id") for pointer, target in index.of_kind(plan).items()} | held
    return {pointer: said for pointer, said in held.items() if not index.is_other_kind(plan, pointer, said[0])}


def argument_references(plan: ToolPlan, resources: Mapping[str, ResourcePlan], index: ResourceIndex) -> Found:
    """Return the arguments of a tool that must be identities of existing rows, with the names of the rules."""
    held: Found = {}
    for argument, rule in decided_arguments(plan, resources, index):
        target = rule.conclude(argument)
        new = target == plan.resource and plan.operation == "create" and argument.owner is None
        if target is None or (new and argument.field.name in SPOKEN_BY):
            continue
        if resources[target].identity is not None:
            held[argument.pointer] = (target, rule.name)
    return held


def decided_arguments(
    plan: ToolPlan, resources: Mapping[str, ResourcePlan], index: ResourceIndex
) -> Iterator[tuple[Argument, Rule]]:
    """Yield the arguments for which a rule holds, with that rule."""
    for argument in _arguments(plan, resources, index):
        rule = first_rule(ARGUMENT_RULES, argument)
        if rule is not None:
            yield argument, rule


def _arguments(plan: ToolPlan, resources: Mapping[str, ResourcePlan], index: ResourceIndex) -> Iterator[Argument]:
    owners = {join_pointer(name): resource for name, resource in plan.parents}
    if plan.target is not None and plan.resource is not None and plan.operation != "create":
        owners[join_pointer(plan.target)] = plan.resource
    if plan.batch is not None and plan.resource is not None:
        owners[join_pointer(plan.batch.argument, "*", plan.batch.key)] = plan.resource
    if plan.several is not None and plan.resource is not None:
        owners[plan.several] = plan.resource
    wrapper = wrapper_of(plan)
    prefix = join_pointer(wrapper) if wrapper else ""
    typed = index.typed(plan.tool.parameters)
    for pointer, name, schema in every_leaf(plan.tool.parameters):
        if is_technical(pointer.split("/")[1], plan.tool):
            continue
        inner = pointer.removeprefix(prefix)
        if pointer == join_pointer(name):
            name = plan.tool.wire_name(name)
            inner = join_pointer(name)
        field = Field(index, name, inner, schema)
        yield Argument(plan, resources, pointer, field, owners.get(pointer), typed.get(pointer))
