"""The rules of a domain as code, bound by their ids to the prose of its `policy.md`."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.tool import Duty, PolicyRule, RuleKind
from interplay.schemas.records.verdict import Issue

_NUMBERED = re.compile(r"^\d+\. \*\*(\w+)\*\*: (.+?)(?=^\d+\. |\Z)", re.MULTILINE | re.DOTALL)


def rule_texts(prose: str) -> dict[str, str]:
    """Return the text of each rule in a policy's prose, on one line, by rule id."""
    return {name: " ".join(text.split()) for name, text in _NUMBERED.findall(prose)}


@dataclass(frozen=True)
class Rule:
    """A rule of `policy.md`, by its id there; `keeps` tells whether a call of one of its `tools` complies with it.

    `shown_by` names the reads any of which shows the facts that it decides by; `duty` is what it requires to be said.
    """

    id: str
    kind: RuleKind
    tools: tuple[str, ...]
    keeps: Callable[[PolicyEvent], bool]
    shown_by: tuple[str, ...] = ()
    duty: Duty | None = None


@dataclass(frozen=True)
class DomainPolicy:
    """The policy of a domain: `prose` lists its rules as `1. **id**: text`, `code` checks them; see `Policy`."""

    prose: str
    code: Sequence[Rule]

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of each rule in the prose, on one line, by rule id."""
        return rule_texts(self.prose)

    @cached_property
    def rules(self) -> tuple[PolicyRule, ...]:
        """The rules as records of a toolset, without their code.

        Raises:
            KeyError: a rule has no text in the prose.
        """
        return tuple(
            PolicyRule(
                id=rule.id,
                kind=rule.kind,
                text=self.texts[rule.id],
                tools=rule.tools,
                shown_by=rule.shown_by,
                duty=rule.duty,
            )
            for rule in self.code
        )

    @cached_property
    def _governing(self) -> dict[str, tuple[Rule, ...]]:
        """The rules that govern each tool."""
        tools = dict.fromkeys(name for rule in self.code for name in rule.tools)
        return {name: tuple(rule for rule in self.code if name in rule.tools) for name in tools}

    @cached_property
    def _issues(self) -> dict[str, Issue]:
        """The issue of a call that breaks a rule, by rule id."""
        return {rule.id: Issue(code=rule.id, message=self.texts[rule.id]) for rule in self.code}

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return an issue for each rule that the call would break."""
        return tuple(
            self._issues[rule.id] for rule in self._governing.get(event.call.name, ()) if not rule.keeps(event)
        )

    def confirms(self, tool: str) -> bool:
        """Tell whether a call of `tool` needs the user's confirmation first."""
        return any(rule.kind == "confirm_before" for rule in self._governing.get(tool, ()))


def row(event: PolicyEvent, table: str, argument: str) -> Mapping[str, Any]:
    """Return the row of `table` that an argument of the call identifies; empty if there is none."""
    found: Mapping[str, Any] = event.state[table].get(str(event.call.arguments.get(argument)), {})
    return found


def user_has_agreed(event: PolicyEvent) -> bool:
    """Tell whether the user agreed to this call; unknown counts as agreed."""
    return event.confirmed is not False
