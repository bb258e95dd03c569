"""The progress of an assistant by rules in a blueprint: what was told, called and asked, and what can be done next."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.schemas.records.blueprint import Action, Blueprint, Fact, ToolChange


@dataclass
class RequestProgress:
    """The state of one request; `level` holds the actions that can run now."""

    request: int = -1
    level: list[Action] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    results: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    confirmed: bool = False
    searches: list[ToolChange] = field(default_factory=list)
    searched: list[ToolChange] = field(default_factory=list)
    listed: set[tuple[str, str]] = field(default_factory=set)
    probed: bool = False
    clear: bool = False
    asked_before: bool = False
    acknowledged: bool = False
    unanswered: bool = False
    unknown: set[str] = field(default_factory=set)
    withheld: bool = False

    @property
    def called(self) -> list[Action]:
        """The next actions that the assistant calls."""
        return [action for action in self.level if action.withheld is None and action.requestor == "assistant"]

    @property
    def steps(self) -> list[Action]:
        """The next actions that the user makes on its own device."""
        return [action for action in self.level if action.withheld is None and action.requestor == "user"]

    def look_ahead(self, blueprint: Blueprint) -> None:
        """Set `level` to the actions of the request whose dependencies have all run."""
        goals = blueprint.scenario.requests[self.request]
        self.level = [
            action
            for action in blueprint.actions
            if action.goal in goals
            and action.id not in self.results
            and all(needed in self.results for needed in action.depends_on)
        ]

    def missing(self, blueprint: Blueprint, kind: str, actions: Sequence[Action] | None = None) -> list[Fact]:
        """Return the facts that some actions (by default the next ones) need: choices (`kind` "choice"), or others."""
        found: dict[str, Fact] = {}
        known = self.told | self.unknown
        for action in self.level if actions is None else actions:
            for origin in action.origins.values():
                if origin.fact is not None and origin.fact not in known:
                    fact = blueprint.scenario.fact(origin.fact)
                    if (fact.choice is not None) == (kind == "choice"):
                        found.setdefault(fact.id, fact)
        return list(found.values())

    def lacking(self, blueprint: Blueprint) -> Fact | None:
        """Return a fact that the next calls need and that the user cannot tell, if any."""
        told = (origin.fact for action in self.called for origin in action.origins.values())
        return next((blueprint.scenario.fact(name) for name in told if name in self.unknown - self.told and name), None)

    def is_stranded(self, blueprint: Blueprint) -> bool:
        """Tell whether an action of the request waits for one that was never made."""
        goals = blueprint.scenario.requests[self.request]
        return any(action.goal in goals and action.id not in self.results for action in blueprint.actions)

    def leave_undone(self, blueprint: Blueprint) -> None:
        """Mark withheld actions as settled, once everything that decides them is known."""
        settled = True
        while settled:
            settled = False
            for action in self.level:
                if action.withheld is not None and not self._waits(blueprint, action):
                    self.results[action.id] = None
                    settled = True
            self.look_ahead(blueprint)

    def _waits(self, blueprint: Blueprint, action: Action) -> bool:
        """Tell whether more must be known before an action is withheld; for a condition, which row it is about."""
        chosen, reason = self.missing(blueprint, "choice", [action]), action.withheld and action.withheld.reason
        if reason == "condition":
            condition = blueprint.goals[action.goal].condition
            return condition is not None and any(fact.action == condition.action for fact in chosen)
        hopeless = reason == "unknown" and any(origin.fact in self.unknown for origin in action.origins.values())
        if reason not in ("forbidden", "unknown") or hopeless:
            return False
        return bool(chosen or self.missing(blueprint, "told", [action]))
