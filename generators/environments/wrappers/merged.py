"""Several environments -> one: tools, resources and tables side by side; clashing names get a prefix."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from interplay.schemas.json.canonical import Change, digest
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Tool, Toolset, joint_licence
from interplay.schemas.records.translation import Translation
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

NAME_LENGTH = 64


class MergedEnvironment:
    """Passes each call to the environment that its tool came from."""

    def __init__(self, environments: Sequence[Environment]) -> None:
        self._parts = tuple(environments)
        names = Counter(tool.name for part in self._parts for tool in part.toolset.tools)
        resources = Counter(item.name for part in self._parts for item in part.resources.resources)
        self._owners: dict[str, tuple[int, str]] = {}
        tools: list[Tool] = []
        merged = ResourceModel()
        renamings: list[Mapping[str, str]] = []
        nouns: dict[str, str] = {}
        for number, part in enumerate(self._parts):
            renamed = {
                tool.name: _free(tool.name, part.toolset.name, names, self._owners) for tool in part.toolset.tools
            }
            for tool in part.toolset.tools:
                self._owners[renamed[tool.name]] = (number, tool.name)
                tools.append(_called(tool, renamed))
            taken = {item.name: number for item in merged.resources}
            things: dict[str, str] = {}
            for item in part.resources.resources:
                things[item.name] = _free(
                    item.name, part.toolset.name, resources, {**taken, **{new: old for old, new in things.items()}}
                )
            merged = _joined(merged, part.resources, renamed, things, number)
            renamings.append(things)
            nouns |= _nouns(part.toolset, things)
        self._resources = merged
        whole = _merged_toolset([part.toolset for part in self._parts], tools, self._owners, renamings)
        self._toolset = whole.model_copy(update={"nouns": nouns})

    @property
    def toolset(self) -> Toolset:
        """All tools, with every policy and licence."""
        return self._toolset

    @property
    def resources(self) -> ResourceModel:
        """All resources and roles."""
        return self._resources

    def owner(self, tool: str) -> tuple[int, str] | None:
        """Return the part a tool came from and its name there; none for a tool of no part, such as the tool search."""
        return self._owners.get(tool)

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute a call in the part its tool came from."""
        if call.name not in self._owners:
            return ToolResult.failed(call, f"Error: unknown tool {call.name!r}.")
        number, name = self._owners[call.name]
        return await self._parts[number].call(call.model_copy(update={"name": name}))

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables of all parts, each prefixed by the number of its part: `0.orders`."""
        return {
            f"{number}.{table}": rows for number, part in enumerate(self._parts) for table, rows in part.state().items()
        }

    def snapshot(self) -> tuple[Any, ...]:
        """Return the snapshots of all parts."""
        return tuple(part.snapshot() for part in self._parts)

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Restore the states of all parts."""
        for part, token in zip(self._parts, snapshot, strict=True):
            part.restore(token)

    def digest(self) -> str:
        """Return the digest of all parts."""
        return digest([part.digest() for part in self._parts])

    def changes(self) -> tuple[Change, ...]:
        """Return the changes of all parts."""
        return tuple(
            change.model_copy(update={"path": f"/{number}.{change.path[1:]}"})
            for number, part in enumerate(self._parts)
            for change in part.changes()
        )


class MergedPolicy:
    """Asks the policy of the part that a tool came from."""

    def __init__(self, environment: MergedEnvironment, policies: Sequence[Policy | None]) -> None:
        self._environment = environment
        self._policies = tuple(policies)

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return what the call would break in its part's policy, which sees only that part's calls and tables."""
        owner = self._environment.owner(event.call.name)
        policy = self._policies[owner[0]] if owner is not None else None
        if owner is None or policy is None:
            return ()
        number, name = owner
        owned = ((self._environment.owner(call.name), call, result) for call, result in event.history)
        history = tuple(
            (call.model_copy(update={"name": own[1]}), result)
            for own, call, result in owned
            if own is not None and own[0] == number
        )
        state = {table.split(".", 1)[1]: rows for table, rows in event.state.items() if table.startswith(f"{number}.")}
        return policy.violations(
            PolicyEvent(event.call.model_copy(update={"name": name}), history, state, event.confirmed)
        )

    def confirms(self, tool: str) -> bool:
        """Tell whether the policy of the tool's part needs a confirmation."""
        owner = self._environment.owner(tool)
        policy = self._policies[owner[0]] if owner is not None else None
        return owner is not None and policy is not None and policy.confirms(owner[1])


def _free(name: str, toolset: str, names: Counter[str], taken: Mapping[str, object]) -> str:
    wanted = (
        name
        if names[name] == 1
        else f"{''.join(letter if letter.isalnum() else '_' for letter in toolset.lower()).strip('_') or 'tools'}_{name}"[
            :NAME_LENGTH
        ]
    )
    free, number = wanted, 2
    while free in taken:
        free = f"{wanted[: NAME_LENGTH - 4]}_{number}"
        number += 1
    return free


def _nouns(toolset: Toolset, things: Mapping[str, str]) -> dict[str, str]:
    """Return resource -> noun for a part; a renamed resource keeps the noun of its old name."""
    called = {
        name: " ".join([*(singular(word) for word in name_tokens(name)[:-1]), *name_tokens(name)[-1:]])
        for name, renamed in things.items()
        if renamed != name
    }
    return {things[name]: noun for name, noun in {**called, **toolset.nouns}.items() if name in things}


def _joined(
    merged: ResourceModel, model: ResourceModel, tools: Mapping[str, str], things: Mapping[str, str], number: int
) -> ResourceModel:
    resources = tuple(
        item.model_copy(
            update={
                "name": things[item.name],
                "table": f"{number}.{item.table}",
                "parent": things.get(item.parent or ""),
            }
        )
        for item in model.resources
    )
    roles = tuple(
        role.model_copy(
            update={
                "tool": tools[role.tool],
                "resource": things.get(role.resource or ""),
                "references": {pointer: things[target] for pointer, target in role.references.items()},
                "yields": {pointer: things[target] for pointer, target in role.yields.items()},
            }
        )
        for role in model.roles
    )
    return ResourceModel(resources=(*merged.resources, *resources), roles=(*merged.roles, *roles))


def _called(tool: Tool, names: Mapping[str, str]) -> Tool:
    """Return the tool under its new name, with its links renamed too."""
    links = tuple(link.model_copy(update={"consumer": names.get(link.consumer, link.consumer)}) for link in tool.links)
    return tool.model_copy(update={"name": names[tool.name], "links": links})


def _by_label(parts: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, tuple[str, ...]]:
    """Return label -> the texts of all parts."""
    labels = dict.fromkeys(label for part in parts for label in part)
    return {label: tuple(dict.fromkeys(text for part in parts for text in part.get(label, ()))) for label in labels}


def _merged_toolset(
    parts: Sequence[Toolset],
    tools: Sequence[Tool],
    owners: Mapping[str, tuple[int, str]],
    things: Sequence[Mapping[str, str]],
) -> Toolset:
    """Join the metadata of the parts; `things` maps the names of each part's resources to the merged names."""
    renamed = {owner: name for name, owner in owners.items()}
    rules = tuple(
        rule.model_copy(
            update={
                "tools": tuple(renamed[number, name] for name in rule.tools),
                "after": tuple(renamed[number, name] for name in rule.after),
                "shown_by": tuple(renamed[number, name] for name in rule.shown_by),
                "duty": rule.duty and rule.duty.model_copy(update={"tool": renamed.get((number, rule.duty.tool), "")}),
            }
        )
        for number, part in enumerate(parts)
        for rule in part.rules
    )
    languages = dict.fromkeys(code for part in parts for code in part.translations)
    return Toolset(
        name="+".join(part.name for part in parts),
        tools=tuple(tools),
        policy="\n\n".join(dict.fromkeys(part.policy for part in parts if part.policy)),
        unruled=tuple(dict.fromkeys(text for part in parts for text in part.unruled)),
        rules=rules,
        provenance=tuple(item for part in parts for item in part.provenance),
        licence=joint_licence(parts),
        sayings=_by_label([part.sayings for part in parts]),
        askings=_by_label([part.askings for part in parts]),
        asks_for={phrase: fields for part in parts for phrase, fields in part.asks_for.items()},
        translations={code: _translated(parts, code) for code in languages},
        user_resource=next(
            (names.get(part.user_resource) for part, names in zip(parts, things, strict=True) if part.user_resource),
            None,
        ),
    )


def _translated(parts: Sequence[Toolset], code: str) -> Translation:
    """Return the joint translation of all parts; the first part wins on conflicts, and policies are concatenated."""
    told = [part.translation(code) for part in parts]
    both = reduce(lambda first, other: first.over(other), told)
    policies = dict.fromkeys(
        own.policy or part.policy for own, part in zip(told, parts, strict=True) if own.policy or part.policy
    )
    return both.model_copy(update={"title": "", "policy": "\n\n".join(policies)})
