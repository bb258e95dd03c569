"""The replayed actions of a blueprint -> those that the policy forbids, and withheld ones that it allows."""

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.replay import Replays, action_pointer, broken


class BlueprintPolicyCheck:
    """Finds actions that the policy forbids even if confirmed, and actions withheld as forbidden that it allows."""

    name = "policy"
    codes = ("environment_failure", "not_forbidden")

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the violations in order of the actions; their codes are the ids of the rules."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = broken(replay)
        for index, step in enumerate(replay.steps):
            pointer = action_pointer(blueprint, index)
            issues += [issue.model_copy(update={"pointer": pointer}) for issue in step.violations]
        for index, action in enumerate(blueprint.actions):
            if action.withheld is not None and action.withheld.reason == "forbidden":
                broken_rules = [issue.code for issue in replay.withheld.get(action.id, ())]
                if action.withheld.rule not in broken_rules:
                    text = f"{action.tool} is withheld by {action.withheld.rule}, which allows it."
                    issues.append(Issue.of("not_forbidden", text, f"/actions/{index}/withheld"))
        return Verdict(check=self.name, issues=tuple(issues))
