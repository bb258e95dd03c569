"""The default policy of a toolset: ask before deleting, cancelling or paying."""

from collections.abc import Collection

from interplay.generators.phrases.escalation import hands_over
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.tool import PolicyRule, ResourceModel, Tool, ToolRole, Toolset
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

RULE = "confirm_before_removing"
TEXT = (
    "Before you delete, remove, cancel, close, archive, book, order, buy, pay, refund or transfer something, or do anything "
    "else that moves money or cannot be undone, tell the user what exactly you are about to do and wait for a clear yes."
)
_GRAVE, _FINAL, _DEEDS = (word_set(beside(__file__), name) for name in ("grave", "final", "deeds"))
_SUMS = word_set("money", "moved")


def _is_grave(tool: Tool, role: ToolRole) -> bool:
    """Tell whether a tool pays, cancels or cannot be undone, by its name and description (`order_book`, not `update_order`)."""
    if hands_over(tool):
        return False
    things = set() if role.operation == "create" else set(name_tokens(role.resource or ""))
    named = bool(_GRAVE & set(name_tokens(tool.original_name)) - things)
    named = named or (role.operation == "create" and not _DEEDS.isdisjoint(name_tokens(role.resource or "")[-1:]))
    told = name_tokens(f"{tool.summary} {tool.description[:_READ]}")
    return named or _moves_money(tool, role) or not _FINAL.isdisjoint(told)


def _moves_money(tool: Tool, role: ToolRole) -> bool:
    """Tell whether an action requires a sum of money as an argument: withdraw, deposit."""
    needed = (name_tokens(str(name))[-1:] for name in tool.required)
    return role.operation == "action" and any(not _SUMS.isdisjoint(last) for last in needed)


_READ = 300
"""Characters of a description that are searched for words such as "irreversible"."""


class CautionPolicy:
    """One rule: calls of `tools` need the user's confirmation."""

    def __init__(self, tools: Collection[str]) -> None:
        self._tools = frozenset(tools)

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return an issue if the call needs a confirmation and the user did not give one."""
        if event.call.name in self._tools and event.confirmed is False:
            return (Issue(code=RULE, message=f"{event.call.name} was called without the user's confirmation."),)
        return ()

    def confirms(self, tool: str) -> bool:
        """Tell whether a call of `tool` needs the user's confirmation."""
        return tool in self._tools


def with_caution(
    toolset: Toolset, model: ResourceModel, confirmed: Collection[str] = ()
) -> tuple[Toolset, CautionPolicy]:
    """Return the toolset with the confirmation rule, and the rule as a policy; the toolset unchanged if no tool is grave.

    `confirmed` are tools that another rule already requires to be confirmed.
    """
    tools = toolset.by_name
    grave = tuple(
        role.tool
        for role in model.roles
        if role.tool not in confirmed
        and tools[role.tool].effect == "write"
        and (role.operation == "delete" or _is_grave(tools[role.tool], role))
    )
    if not grave:
        return toolset, CautionPolicy(())
    rule = PolicyRule(id=RULE, kind="confirm_before", text=TEXT, tools=grave)
    policy = f"{toolset.policy}\n\n{TEXT}" if toolset.policy else TEXT
    return toolset.model_copy(update={"policy": policy, "rules": (*toolset.rules, rule)}), CautionPolicy(grave)
