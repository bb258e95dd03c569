"""Functions behind dotted paths (`POST /conversations.invite`) -> the resources that they act on, by what they show and take.

conversations.create -> {"channel": {...}}, conversations.list -> {"channels": [...]}    a channel is a conversation
conversations.invite(channel, users)    adds to its members, which conversations.members(channel) shows
chat.postMessage(channel, text) -> {"ts": ..., "message": {...}}                         makes a message below it
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Edit, Rows, ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import RemoteCall, call_parts, spoken_of
from interplay.generators.environments.inference.tool_words import ENVELOPES, is_plural, resource_name
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.words.nouns import singular

_NO_NOUN = {
    "info",
    "detail",
    "match",
    "message_match",
    "error",
    "status",
    "option",
    "setting",
    "permission",
    *ENVELOPES,
}
"""Words of fields that say nothing of what their rows are."""
_JOINING = {"invite": "add", "add": "add", "kick": "remove", "remove": "remove"}
_PEOPLE_ONLY = ("invite", "kick")
_MARKS = ("ts", "timestamp")
"""Names of arguments by which rows are told apart that have no id."""


def with_remote(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools with the functions among them tied to the resources that they show and take."""
    calls = {
        name: RemoteCall(plan, parts)
        for name, plan in tools.items()
        if plan.tool.http is not None and (parts := call_parts(plan.tool.http.path)) is not None
    }
    if not calls:
        return dict(tools)
    words = _words(list(calls.values()))
    settled = {name: _settled(call, words) for name, call in calls.items()}
    settled = _with_parents(_with_fields(settled, calls), calls, words)
    return {**tools, **{name: _with_words(plan, calls[name], words, settled) for name, plan in settled.items()}}


def _words(calls: list[RemoteCall]) -> dict[str, str]:
    """Return word -> resource: what each namespace is called, and the words by which its own functions show its rows."""
    spaces: dict[str, Counter[str]] = defaultdict(Counter)
    plural: dict[str, bool] = {}
    for call in calls:
        counted = spaces[call.space]
        plural[call.space] = plural.get(call.space, False) or is_plural(call.parts[-2])
        if not call.nouns and len(call.shown) == 1 and call.shown[0][0] not in (*_NO_NOUN, ""):
            counted[call.shown[0][0]] += 1
    best: dict[str, tuple[int, str]] = {}
    for space, counted in spaces.items():
        for word, count in counted.items():
            if word != space and (count, space) > best.get(word, (0, "")) and not spaces.get(word):
                best[word] = (count, space)
    names = {}
    for space, counted in spaces.items():
        own = [word for word, (_, holder) in best.items() if holder == space]
        first = max(own, key=lambda word: counted[word], default=space)
        names[space] = space if plural[space] or space in counted else first
    return names | {word: names[holder] for word, (_, holder) in best.items()}


def _words_of(resource: str | None, words: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(word for word, name in words.items() if name == resource)


def _settled(call: RemoteCall, words: Mapping[str, str]) -> ToolPlan:
    plan, own = call.plan, words[call.space]
    holder = call.naming(_words_of(own, words))
    nested = _nested(call, words) if holder is None else None
    if nested is not None:
        return nested
    if holder is not None and plan.tool.effect == "write" and call.verb in _JOINING:
        joined = _joined(call, own, holder, words)
        if joined is not None:
            return joined
    if holder is not None and plan.tool.effect == "read" and not call.shown and len(call.listed) == 1:
        edit = Edit("show", (call.listed[0],), None, (call.listed[0],))
        return _as(plan, "read", own, holder, edit=edit, why=f"{call.listed[0]} of one {own}")
    spoken = [call.shown[0]] if len(call.shown) == 1 else [item for item in call.shown if words.get(item[0]) == own]
    if spoken and plan.tool.effect == "read":
        return _reading(call, own, spoken[0], words)
    named = _named(call, own, words)
    target = call.naming(_words_of(named, words) or (named,)) if named else None
    operation = plan.operation
    if operation == "create" and target is not None and call.verb != "create":
        operation = "action"
    rows = _rows_of(call, named, words)
    if operation == "list" and plan.tool.returns is not None and (rows is None or not rows.many):
        operation = "read" if target else "compute"
    changed = replace(plan, operation=operation, resource=named, rows=rows)
    return replace(changed, target=target) if operation != "create" else changed


def _rows_of(call: RemoteCall, resource: str | None, words: Mapping[str, str]) -> Rows | None:
    """Return where a result shows rows of a resource."""
    own = words[call.space]
    found = (Rows(at, item, many) for word, at, item, many in call.shown if words.get(word, own) == resource)
    return next(found, None)


def _named(call: RemoteCall, own: str, words: Mapping[str, str]) -> str | None:
    """Return the resource that a function acts on: what its last part names, if that is one, else its namespace's."""
    joined = resource_name("_".join(call.nouns)) if call.nouns else ""
    for noun in (joined, resource_name(call.nouns[-1]) if call.nouns else ""):
        if noun in words and (words[noun] != own):
            holder = call.naming(_words_of(own, words))
            return own if holder is not None and call.plan.operation in ("action", "update") else words[noun]
    if call.plan.resource is not None and call.plan.resource not in (call.space, joined):
        return words.get(call.plan.resource, call.plan.resource)
    return own if not call.nouns or call.plan.resource == call.space else call.plan.resource


def _reading(
    call: RemoteCall, own: str, spoken: tuple[str, str, Mapping[str, Any], bool], words: Mapping[str, str]
) -> ToolPlan:
    """Settle a function that shows rows: of what their field names, else of its namespace."""
    word, pointer, schema, many = spoken
    resource = words.get(word, own if not word or not call.nouns else word)
    why = f"{'rows' if many else 'a row'} in {pointer.rsplit('/', 1)[-1]!r}"
    target = None if many else call.naming(_words_of(resource, words) or (resource,))
    rows = Rows(pointer, schema, many)
    return _as(call.plan, "list" if many else "read", resource, target, rows=rows, why=why)


def _joined(call: RemoteCall, own: str, holder: str, words: Mapping[str, str]) -> ToolPlan | None:
    """Settle what adds rows of another resource to one, or removes them: `invite`, `kick`, `addUsers`."""
    nouns = resource_name("_".join(call.nouns)) if call.nouns else ""
    for name in call.arguments:
        other = words.get(spoken_of(name))
        if name == holder or other is None or other == own:
            continue
        if call.verb in _PEOPLE_ONLY or words.get(nouns) == other:
            kind = "add" if _JOINING[call.verb] == "add" else "remove"
            edit = Edit("add" if kind == "add" else "remove", (f"{spoken_of(name)}s",), join_pointer(name))
            rows = _rows_of(call, own, words)
            return _as(call.plan, "action", own, holder, rows, edit, f"it {kind}s a {other}")
    return None


def _nested(call: RemoteCall, words: Mapping[str, str]) -> ToolPlan | None:
    """Settle what shows or sets the identities that one row holds: `usergroups.users.list(usergroup)`."""
    outer = words.get(resource_name(call.parts[-3])) if len(call.parts) > 2 else None
    holder = call.naming(_words_of(outer, words)) if outer else None
    if outer is None or holder is None or call.nouns or not is_plural(call.parts[-2]):
        return None
    field = call.parts[-2]
    if call.plan.tool.effect == "read" and call.listed == [field]:
        edit = Edit("show", (field,), None, (field,))
        return _as(call.plan, "read", outer, holder, edit=edit, why=f"{field} of one {outer}")
    given = next((name for name in call.arguments if name == field or name == f"{singular(field)}_ids"), None)
    if call.plan.tool.effect == "write" and call.verb in ("update", "set", "replace") and given:
        edit = Edit("set", (field,), join_pointer(given))
        rows = _rows_of(call, outer, words)
        return _as(call.plan, "update", outer, holder, rows, edit, f"it sets the {field} of one {outer}")
    return None


def _as(
    plan: ToolPlan,
    operation: Any,
    resource: str,
    target: str | None,
    rows: Rows | None = None,
    edit: Edit | None = None,
    why: str = "",
) -> ToolPlan:
    return replace(plan, operation=operation, resource=resource, target=target, rows=rows, edit=edit, why=why)


def _with_fields(plans: Mapping[str, ToolPlan], calls: Mapping[str, RemoteCall]) -> dict[str, ToolPlan]:
    """Give what adds and removes the name of the list that another function shows: the members that users are."""
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
        if field is None and calls[name].verb in _PEOPLE_ONLY:
            field = next((item for item in fields if resource_name(item) in ("member", "participant")), None)
        if field is not None:
            changed[name] = replace(plan, edit=replace(plan.edit, names=(field,)))
    return changed


def _with_parents(
    plans: Mapping[str, ToolPlan], calls: Mapping[str, RemoteCall], words: Mapping[str, str]
) -> dict[str, ToolPlan]:
    """Put rows below what all functions take that make, change or delete them: messages below their channel."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for name, plan in plans.items():
        if plan.resource is not None and plan.edit is None:
            grouped[plan.resource].append(name)
    changed = dict(plans)
    resources = list(dict.fromkeys(words.values()))
    for resource, names in grouped.items():
        writing = [name for name in names if plans[name].operation in ("create", "update", "delete")]
        for owner in resources if len(writing) > 1 else ():
            taken = {name: calls[name].naming(_words_of(owner, words)) for name in names}
            if owner != resource and all(taken[name] for name in writing):
                for name in names:
                    argument = taken[name]
                    if argument is not None and argument != plans[name].target:
                        changed[name] = replace(changed[name], parents=((argument, owner),))
                break
    return changed


def _with_words(plan: ToolPlan, call: RemoteCall, words: Mapping[str, str], plans: Mapping[str, ToolPlan]) -> ToolPlan:
    """Return the plan with the words for its resource, a mark as its target, and where its result repeats the identity."""
    own = _words_of(plan.resource, words)
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
