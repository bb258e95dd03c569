"""The form of a blueprint -> issues with tools, arguments, origins, references and its id, without running anything."""

from collections.abc import Iterator

from interplay.schemas.json.canonical import join_pointer, leaves
from interplay.schemas.records.blueprint import Action, Blueprint, Origin, ToolChange, with_identity
from interplay.schemas.records.tool import SEARCH_TOOL, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.conformance import violations


class FormatCheck:
    """Judges the form of a blueprint; needs no environment."""

    name = "format"
    codes = (
        "bad_dependency", "duplicate_action_id", "duplicate_fact_id", "duplicate_tool", "empty_goal",
        "incomplete_choice", "incomplete_origin", "invalid_arguments", "missing_origin", "no_goals", "stray_origin",
        "tool_not_offered", "unanswered_question", "unasked_output", "unknown_action", "unknown_fact", "unknown_goal",
        "unknown_request", "unknown_rule", "unknown_tool", "unusable_schema", "wrong_identity", "wrong_requests",
    )  # fmt: skip

    def __init__(self, toolset: Toolset) -> None:
        self._tools = toolset.by_name
        self._rules = frozenset(rule.id for rule in toolset.rules)

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return everything that is wrong with the form of `blueprint`."""
        issues = [
            *self._names(blueprint),
            *offer_issues(blueprint),
            *_goals(blueprint),
            *_references(blueprint),
            *_facts(blueprint),
            *_outputs(blueprint),
        ]
        facts = frozenset(fact.id for fact in blueprint.scenario.facts)
        earlier: set[str] = set()
        for index, action in enumerate(blueprint.actions):
            pointer = f"/actions/{index}"
            if action.tool in self._tools:
                schema = self._tools[action.tool].parameters
                issues += violations(action.arguments, schema, "invalid_arguments", f"{pointer}/arguments")
            issues += self._origins(action, facts, frozenset(earlier), f"{pointer}/origins")
            if action.withheld is not None and action.withheld.reason == "forbidden":
                issues += self._withheld(action, pointer)
            earlier.add(action.id)
        if with_identity(blueprint).id != blueprint.id:
            issues.append(Issue.of("wrong_identity", "The id is not the digest of the rest.", "/id"))
        return Verdict(check=self.name, issues=tuple(issues))

    def _names(self, blueprint: Blueprint) -> Iterator[Issue]:
        offered = frozenset(blueprint.tools)
        for number, change in enumerate(blueprint.changes):
            for name in (*change.added, *change.removed):
                if name not in self._tools:
                    yield Issue.of("unknown_tool", f"The toolset has no {name}.", f"/changes/{number}")
        for index, name in enumerate(blueprint.tools):
            if name not in self._tools:
                yield Issue.of("unknown_tool", f"The toolset has no {name}.", f"/tools/{index}")
        if len(offered) < len(blueprint.tools):
            yield Issue.of("duplicate_tool", "A tool is offered twice.", "/tools")
        for index, action in enumerate(blueprint.actions):
            if action.tool not in self._tools:
                yield Issue.of("unknown_tool", f"The toolset has no {action.tool}.", f"/actions/{index}/tool")
        for index, rule in enumerate(blueprint.rules):
            if rule not in self._rules:
                yield Issue.of("unknown_rule", f"The policy has no rule {rule}.", f"/rules/{index}")

    def _withheld(self, action: Action, pointer: str) -> Iterator[Issue]:
        if action.withheld is not None and action.withheld.rule not in self._rules:
            text = f"The policy has no rule {action.withheld.rule}."
            yield Issue.of("unknown_rule", text, f"{pointer}/withheld/rule")

    def _origins(self, action: Action, facts: frozenset[str], earlier: frozenset[str], pointer: str) -> Iterator[Issue]:
        places = {path for path, _ in leaves(action.arguments)} if action.arguments else set()
        for path in sorted(places - action.origins.keys()):
            yield Issue.of("missing_origin", f"Nothing says where {path} comes from.", pointer)
        for path in sorted(action.origins.keys() - places):
            yield Issue.of("stray_origin", f"There is no argument at {path}.", pointer + join_pointer(path))
        for path, origin in action.origins.items():
            yield from self._origin(origin, facts, earlier, pointer + join_pointer(path))

    def _origin(self, origin: Origin, facts: frozenset[str], earlier: frozenset[str], pointer: str) -> Iterator[Issue]:
        if origin.kind == "user" and origin.fact not in facts:
            yield Issue.of("unknown_fact", f"The user has no fact {origin.fact}.", pointer)
        elif origin.kind == "output" and origin.action not in earlier:
            yield Issue.of("unknown_action", f"No earlier action is {origin.action}.", pointer)
        elif origin.kind == "output" and origin.pointer is None:
            yield Issue.of("incomplete_origin", "The place in the result is missing.", pointer)
        elif origin.kind == "output" and origin.fact is not None and origin.fact not in facts:
            yield Issue.of("unknown_fact", f"The user has no fact {origin.fact}.", pointer)
        elif origin.kind == "policy" and origin.rule not in self._rules:
            yield Issue.of("unknown_rule", f"The policy has no rule {origin.rule}.", pointer)


def _goals(blueprint: Blueprint) -> Iterator[Issue]:
    served = {action.goal for action in blueprint.actions}
    if not blueprint.goals:
        yield Issue.of("no_goals", "There is no goal.", "/goals")
    for index in range(len(blueprint.goals)):
        if index not in served and blueprint.goals[index].tool:
            yield Issue.of("empty_goal", "No action serves this goal.", f"/goals/{index}")
    for index, action in enumerate(blueprint.actions):
        if not 0 <= action.goal < len(blueprint.goals):
            yield Issue.of("unknown_goal", f"There is no goal {action.goal}.", f"/actions/{index}/goal")
    brought_up = [goal for request in blueprint.scenario.requests for goal in request]
    if brought_up and sorted(brought_up) != list(range(len(blueprint.goals))):
        yield Issue.of("wrong_requests", "The requests do not bring up each goal once.", "/scenario/requests")


def _references(blueprint: Blueprint) -> Iterator[Issue]:
    actions = {action.id for action in blueprint.calls}
    for index, goal in enumerate(blueprint.goals):
        if goal.each and goal.each not in actions:
            yield Issue.of("unknown_action", f"No action is {goal.each}.", f"/goals/{index}/each")
        if goal.condition is not None and goal.condition.action not in actions:
            yield Issue.of(
                "unknown_action", f"No action is {goal.condition.action}.", f"/goals/{index}/condition/action"
            )
    earlier: set[str] = set()
    for index, action in enumerate(blueprint.actions):
        for place, needed in enumerate(action.depends_on):
            if needed not in earlier:
                text = f"{needed} is no earlier action."
                yield Issue.of("bad_dependency", text, f"/actions/{index}/depends_on/{place}")
        if action.id in earlier:
            yield Issue.of("duplicate_action_id", f"{action.id} is used twice.", f"/actions/{index}/id")
        earlier.add(action.id)


def _facts(blueprint: Blueprint) -> Iterator[Issue]:
    actions = {action.id for action in blueprint.actions}
    seen: set[str] = set()
    for index, fact in enumerate(blueprint.scenario.facts):
        pointer = f"/scenario/facts/{index}"
        if fact.id in seen:
            yield Issue.of("duplicate_fact_id", f"{fact.id} is used twice.", f"{pointer}/id")
        seen.add(fact.id)
        if not 0 <= fact.goal < len(blueprint.goals):
            yield Issue.of("unknown_goal", f"There is no goal {fact.goal}.", f"{pointer}/goal")
        if fact.reveal == "choice" and fact.choice is None:
            yield Issue.of("incomplete_choice", "The place of the chosen item is missing.", f"{pointer}/choice")
        elif fact.choice is not None and fact.action not in actions:
            yield Issue.of("unknown_action", f"No action is {fact.action}.", f"{pointer}/action")
        if fact.instead_of and fact.instead_of not in {other.id for other in blueprint.scenario.facts}:
            yield Issue.of("unknown_fact", f"The user has no fact {fact.instead_of}.", f"{pointer}/instead_of")


def _outputs(blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue for each expected output that no goal asks for, and each question without an expected output."""
    actions = {action.id for action in blueprint.actions}
    questions = [
        (f"/goals/{index}/asks_for/{number}", question)
        for index, goal in enumerate(blueprint.goals)
        for number, question in enumerate(goal.asks_for)
    ]
    asked = {(question.action, pointer) for _, question in questions for pointer in question.pointers}
    told = {(output.action, output.pointer) for output in blueprint.expected.outputs}
    for index, output in enumerate(blueprint.expected.outputs):
        if output.action not in actions:
            yield Issue.of("unknown_action", f"No action is {output.action}.", f"/expected/outputs/{index}/action")
        elif (output.action, output.pointer) not in asked:
            yield Issue.of("unasked_output", f"No goal asks for {output.label}.", f"/expected/outputs/{index}")
    answered = {action.id for action in blueprint.calls if not action.failed}
    for place, question in questions:
        if question.action in answered and any((question.action, pointer) not in told for pointer in question.pointers):
            yield Issue.of("unanswered_question", "No value is expected that answers it.", place)


def offer_issues(blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue for each action whose tool is never offered during its request, and for impossible tool changes."""
    offered = set(blueprint.tools)
    for request, goals in enumerate(blueprint.scenario.requests or [tuple(range(len(blueprint.goals)))]):
        for number, change in enumerate(blueprint.changes):
            if change.request == request:
                yield from _impossible(change, offered, f"/changes/{number}")
        changes = [change for change in blueprint.changes if change.request == request]
        for change in (change for change in changes if not change.query):
            offered = (offered - set(change.removed)) | set(change.added)
        meanwhile = set(offered)
        for change in (change for change in changes if change.query):
            offered = (offered - set(change.removed)) | set(change.added)
            meanwhile |= offered
        for index, action in enumerate(blueprint.actions):
            if action.goal in goals and action.requestor == "assistant" and action.tool not in meanwhile:
                text = f"{action.tool} is not offered during request {request}."
                yield Issue.of("tool_not_offered", text, f"/actions/{index}/tool")
    for number, change in enumerate(blueprint.changes):
        if not 0 <= change.request < max(1, len(blueprint.scenario.requests)):
            yield Issue.of("unknown_request", f"There is no request {change.request}.", f"/changes/{number}/request")


def _impossible(change: ToolChange, offered: set[str], pointer: str) -> Iterator[Issue]:
    if change.query and SEARCH_TOOL not in offered:
        yield Issue.of("tool_not_offered", "There is a search, but nothing to search with.", pointer)
