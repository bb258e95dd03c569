"""Functions behind dotted paths (`POST /conversations.invite`) -> the resources that they act on, by results and arguments.

conversations.create -> {"channel": {...}}, conversations.list -> {"channels": [...]}    a channel is a conversation
conversations.invite(channel, users)    adds to its members, which conversations.members(channel) shows
chat.postMessage(channel, text) -> {"ts": ..., "message": {...}}                         creates a message in a channel
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from interplay.generators.environments.inference.plans import Edit, Rows, ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import (
    JOINING,
    PEOPLE_ONLY,
    RemoteCall,
    call_parts,
    spoken_of,
)
from interplay.generators.environments.inference.roles.rule_table import Rule, always, first_rule
from interplay.generators.environments.inference.tool_words import is_plural, resource_name
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Operation

_MARKS = ("ts", "timestamp")
"""Names of arguments that identify rows without an id."""


def _joined(call: RemoteCall) -> ToolPlan:
    assert call.joining is not None
    argument, noun = call.joining
    edit = Edit(JOINING[call.verb], (f"{noun}s",), join_pointer(argument))
    return call.plan_of("action", call.own, call.holder, call.rows_of(call.own), edit)


def _list_of(call: RemoteCall, target: str | None, resource: str) -> ToolPlan:
    names = (call.listed[0],)
    return call.plan_of("read", resource, target, edit=Edit("show", names, None, names))


def _outer_set(call: RemoteCall) -> ToolPlan:
    assert call.outer is not None
    target, resource = call.outer
    edit = Edit("set", (call.parts[-2],), join_pointer(str(call.outer_argument)))
    return call.plan_of("update", resource, target, call.rows_of(resource), edit)


def _shown(call: RemoteCall) -> ToolPlan:
    """Return the plan of a function that shows rows: of the resource that their field names, else of its namespace's."""
    assert call.shown_rows is not None
    word, pointer, schema, many = call.shown_rows
    resource = call.words.get(word, call.own if not word or not call.nouns else word)
    target = None if many else call.naming(call.words_of(resource) or (resource,))
    return call.plan_of("list" if many else "read", resource, target, Rows(pointer, schema, many))


def _as(call: RemoteCall, operation: Operation) -> ToolPlan:
    plan = replace(call.plan, operation=operation, resource=call.named, rows=call.named_rows)
    return plan if operation == "create" else replace(plan, target=call.named_argument)


RPC_RULES = (
    Rule("a list of names that a row holds", when=lambda call: call.reads and call.outer and call.listed == [call.parts[-2]],
         then=lambda call: _list_of(call, *call.outer),
         example="GET /groups.users.list ?group -> {users[]} | GET /groups.list -> {groups: [group]}"),
    Rule("a list of names that a row holds, set",
         when=lambda call: not call.reads and call.outer and call.verb in ("update", "set", "replace") and call.outer_argument,
         then=_outer_set, example="POST /groups.users.update (group, users) | POST /groups.list -> {groups: [group]}"),
    Rule("rows that come to a row, or leave it", when=lambda call: call.joining, then=_joined,
         example="POST /channels.invite (channel, user) | POST /channels.list -> {channels: [channel]} | POST /users.list -> {users: [user]}"),
    Rule("the only list in the result", when=lambda call: call.reads and call.holder and not call.shown and len(call.listed) == 1,
         then=lambda call: _list_of(call, call.holder, call.own),
         example="GET /channels.members ?channel -> {members[]} | GET /channels.list -> {channels: [channel]}"),
    Rule("the rows in the result", when=lambda call: call.reads and call.shown_rows, then=_shown,
         example="GET /conversations.list -> {channels: [channel]}"),
    Rule("it names a row that is there", when=lambda call: call.plan.operation == "create" and call.named_argument and call.verb != "create",
         then=lambda call: _as(call, "action"), example="POST /calls.add (call) | POST /calls.info (call) -> {call: call}"),
    Rule("it shows no rows", when=lambda call: call.lists_nothing,
         then=lambda call: _as(call, "read" if call.named_argument else "compute"),
         example="GET /pins.list -> {channels: [channel], users: [user]} | GET /channels.list -> {channels: [channel]}"
                 " | GET /users.list -> {users: [user]}"),
    Rule("its noun or its namespace", when=always, then=lambda call: _as(call, call.plan.operation),
         example="POST /chat.delete (ts)"),
)  # fmt: skip
"""What a function behind a dotted path does: the first rule that holds decides; the last three start from its name."""


def with_functions(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools, with functions behind dotted paths assigned to resources by their results and arguments."""
    calls = {
        name: RemoteCall(plan, parts)
        for name, plan in tools.items()
        if (parts := call_parts(plan.tool.path)) is not None
    }
    if not calls:
        return dict(tools)
    words = _words(list(calls.values()))
    calls = {name: replace(call, words=words) for name, call in calls.items()}
    settled = {name: _settled(call) for name, call in calls.items()}
    settled = _with_parents(_with_fields(settled, calls), calls)
    return {**tools, **{name: _with_words(plan, calls[name], settled) for name, plan in settled.items()}}


def _settled(call: RemoteCall) -> ToolPlan:
    rule = first_rule(RPC_RULES, call)
    assert rule is not None
    plan: ToolPlan = rule.conclude(call)
    from_name = rule in RPC_RULES[-3:]
    return replace(plan, why=f"{call.plan.why}; {rule.name}" if from_name else rule.name)


def _words(calls: list[RemoteCall]) -> dict[str, str]:
    """Return word -> resource: for each namespace its name, and the words by which its own functions show its rows."""
    spaces: dict[str, Counter[str]] = defaultdict(Counter)
    plural: dict[str, bool] = {}
    for call in calls:
        plural[call.space] = plural.get(call.space, False) or is_plural(call.parts[-2])
        spaces[call.space].update([call.shown_noun] if call.shown_noun else ())
    best: dict[str, tuple[int, str]] = {}
    for space, counted in spaces.items():
        for word, count in counted.items():
            if word != space and (count, space) > best.get(word, (0, "")) and word not in spaces:
                best[word] = (count, space)
    names = {}
    for space, counted in spaces.items():
        own = [word for word, (_, holder) in best.items() if holder == space]
        first = max(own, key=lambda word: counted[word], default=space)
        names[space] = space if plural[space] or space in counted else first
    return names | {word: names[holder] for word, (_, holder) in best.items()}


def _with_fields(plans: Mapping[str, ToolPlan], calls: Mapping[str, RemoteCall]) -> dict[str, ToolPlan]:
    """Name the list that a function adds to or removes from like the list that another one shows: `members`, for users."""
    shown: dict[str, list[str]] = defaultdict(list)
    for plan in plans.values():
        if plan.edit is not None and plan.edit.does == "show" and plan.resource:
            shown[plan.resource].append(plan.edit.names[0])
    changed = dict(plans)
    for name, plan in plans.items():
        if plan.edit is None or plan.edit.does not in ("add", "remove"):
            continue
        fields = shown.get(str(plan.resource), [])
        field = next((item for item in fields if item == plan.edit.names[0]), None)
        if field is None and calls[name].verb in PEOPLE_ONLY:
            field = next((item for item in fields if resource_name(item) in ("member", "participant")), None)
        if field is not None:
            why = f"{plan.why}; in the list that another call shows"
            changed[name] = replace(plan, edit=replace(plan.edit, names=(field,)), why=why)
    return changed


def _with_parents(plans: Mapping[str, ToolPlan], calls: Mapping[str, RemoteCall]) -> dict[str, ToolPlan]:
    """Put rows below the resource that all functions which write them name: messages below their channel."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for name, plan in plans.items():
        if plan.resource is not None and plan.edit is None:
            grouped[plan.resource].append(name)
    changed = dict(plans)
    resources = list(dict.fromkeys(next(iter(calls.values())).words.values()))
    for resource, names in grouped.items():
        writing = [name for name in names if plans[name].operation in ("create", "update", "delete")]
        for owner in resources if len(writing) > 1 else ():
            taken = {name: calls[name].naming(calls[name].words_of(owner)) for name in names}
            if owner != resource and all(taken[name] for name in writing):
                for name in names:
                    argument = taken[name]
                    if argument is not None and argument != plans[name].target:
                        why = f"{plans[name].why}; below what all that write it name"
                        changed[name] = replace(changed[name], parents=((argument, owner),), why=why)
                break
    return changed


def _with_words(plan: ToolPlan, call: RemoteCall, plans: Mapping[str, ToolPlan]) -> ToolPlan:
    """Return the plan with the words for its resource, a timestamp as target if rows have no id, and repeated identities."""
    own = call.words_of(plan.resource)
    plan = replace(plan, words=own)
    marked = [mark for mark in _MARKS for other in plans.values() if other.resource == plan.resource
              and other.rows is not None and mark in object_properties(other.rows.schema)]  # fmt: skip
    if (
        plan.target is None
        and plan.edit is None
        and marked
        and plan.operation in ("update", "delete", "read", "action")
    ):
        plan = replace(plan, target=next((mark for mark in _MARKS if mark in call.arguments), None))
    if plan.rows is not None and not plan.rows.pointer:
        return plan
    fields = object_properties(plan.tool.returns or {})
    repeats = [
        name
        for name, schema in fields.items()
        if schema_type(schema) in ("string", "integer") and (spoken_of(name) in own or name in marked[:1])
    ]
    return replace(plan, repeats=tuple(repeats))
