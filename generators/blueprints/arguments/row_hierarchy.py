"""Arguments of a call of which one now names another row -> the same with the other rows chosen below that row.

getStatus(organization=o1, import=i7), and the look-up shows only o2  ->  getStatus(organization=o2, import=i3)
"""

from collections.abc import Collection, Mapping
from itertools import permutations
from typing import Any

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.graph.sampling.row_values import fit_identity
from interplay.schemas.json.canonical import leaves, set_leaf
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set


def realigned(
    chooser: Chooser, tool: str, arguments: dict[str, Any], pointer: str, before: Any, settled: Collection[str]
) -> dict[str, Any]:
    """Return arguments with rows below the former row at `pointer` replaced by rows below the new one.

    Raises:
        DeadEnd: no row lies below the new one, or the argument to be replaced is `settled`.
    """
    world, inputs = chooser.world, chooser.inputs(tool)
    held = dict(leaves(arguments))
    resource = inputs.resource(pointer) or ""
    if resource not in world.resources or not isinstance(held.get(pointer), (str, int)):
        return arguments
    old, new = world.subject(resource, before), world.subject(resource, held[pointer])
    if old is None or new is None or old.key == new.key:
        return arguments
    for other, value in held.items():
        kind = inputs.resource(other) or ""
        if kind not in world.resources or kind == resource or isinstance(value, (list, dict)):
            continue
        row = world.subject(kind, value)
        above = world.linked(row, resource) if row is not None else None
        if above is None or above.key != old.key:
            continue
        if other in settled:
            raise DeadEnd(f"that {kind} lies below another {resource}")
        chosen = fit_identity(world.identity(chooser.rows.referring(kind, new)), inputs.schema(other))
        arguments = set_leaf(arguments, other, chosen)
    return arguments


_MOVING = word_set(beside(__file__), "moving")
"""Verbs of tools that bring together rows which do not belong together yet."""


def check_one_lineage(chooser: Chooser, tool: str, arguments: Mapping[str, Any]) -> None:
    """Check that the rows which a call without a path names belong together: the event is in the calendar.

    For creations, this is checked in every call: a time entry is for a project and for one of its tasks.

    Raises:
        DeadEnd: one row belongs to another parent than the one that is named.
    """
    world, inputs, role = chooser.world, chooser.inputs(tool), chooser.world.roles[tool]
    given = world.tools[tool]
    if not _MOVING.isdisjoint(name_tokens(given.original_name)):
        return
    made = role.operation == "create"
    if not made and (given.http is not None or role.operation not in ("read", "delete", "action")):
        return
    needed = set(given.required)
    named = [(inputs.resource(pointer) or "", key) for pointer, key in leaves(dict(arguments)) if pointer[1:] in needed]
    named = [(kind, key) for kind, key in named if kind in world.resources]
    for (kind, key), (other, above) in permutations(named, 2):
        if kind == other or (made and world.resources[kind].parent != other):
            continue
        row = world.subject(kind, key)
        holder = world.linked(row, other) if row is not None else None
        if holder is not None and holder.key != str(above):
            raise DeadEnd(f"that {kind} lies below another {other}")


def check_apart(chooser: Chooser, tool: str, arguments: Mapping[str, Any]) -> None:
    """Check that a change which names several rows of a resource names different ones: a role and its replacement.

    Raises:
        DeadEnd: one row, other than the user's, is named twice.
    """
    if chooser.world.tools[tool].effect == "read":
        return
    me = chooser.rows.me.resource if chooser.rows.me is not None else None
    named: dict[str, set[str]] = {}
    for pointer, value in leaves(dict(arguments)):
        kind = chooser.inputs(tool).resource(pointer)
        if kind in (None, me) or pointer.count("/") > 1:
            continue
        if str(value) in named.setdefault(str(kind), set()):
            raise DeadEnd(f"{tool} would name one {kind} twice")
        named[str(kind)].add(str(value))


def still_below(
    chooser: Chooser, tool: str, arguments: Mapping[str, Any], pointer: str, settled: Collection[str], other: Any
) -> bool:
    """Tell whether another row at `pointer` lies below the same `settled` rows as the chosen one.

    A row that the call names in another argument already does not qualify.
    """
    world, inputs = chooser.world, chooser.inputs(tool)
    held = dict(leaves(arguments))
    resource, meant = inputs.resource(pointer) or "", held[pointer]
    meant = meant[0] if isinstance(meant, list) and meant else meant
    old, new = (world.subject(resource, key) if resource in world.resources else None for key in (meant, other))
    if old is None or new is None or old.key == new.key:
        return True
    beside = (key for where, key in held.items() if where != pointer and inputs.resource(where) == resource)
    if any(isinstance(key, (str, int)) and str(key) == new.key for key in beside):
        return False
    for known in settled:
        kind = inputs.resource(known) or ""
        if kind in world.resources and kind != resource and known in held:
            was, now = world.linked(old, kind), world.linked(new, kind)
            if was is not None and now is not None and was.key == str(held[known]) != now.key:
                return False
    return True
