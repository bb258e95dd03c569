"""An author's rules -> an executable policy, joined with the rule to confirm grave actions and with policies given as code."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interplay.generators.environments.overrides.conditions import Facts, facts_of, holds, problems, suggestion
from interplay.generators.environments.overrides.override_file import Authored
from interplay.generators.environments.policy.caution import with_caution
from interplay.schemas.json.canonical import canonical_json, join_pointer, last_name, leaves
from interplay.schemas.json.fields import leaf_schemas
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.override import AuthoredRule
from interplay.schemas.records.tool import PolicyRule, ResourceModel, Tool, Toolset
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.lists import beside, table


@dataclass(frozen=True)
class _Moment:
    """A call about to be made, with the facts that conditions look at."""

    event: PolicyEvent
    facts: Mapping[str, Mapping[str, Any]]


def _keeps_condition(rule: AuthoredRule, moment: _Moment) -> bool:
    return holds(rule.when, moment.facts) and (not rule.after or _came_after(rule, moment))


def _is_within(rule: AuthoredRule, moment: _Moment) -> bool:
    """Tell whether fewer than `at_most` calls have succeeded; if `argument` is named, only calls with its value count."""
    if rule.at_most is None or not holds(rule.when, moment.facts):
        return True
    now = moment.event.call.arguments.get(rule.argument or "")
    made = [
        call
        for call, result in moment.event.history
        if call.name in rule.tools and result.error is None and call.arguments.get(rule.argument or "") == now
    ]
    return len(made) < rule.at_most


def _came_after(rule: AuthoredRule, moment: _Moment) -> bool:
    """Tell whether a tool in `after` has succeeded and, if the rule names an `argument`, its result showed the same value."""
    results = [
        result.value for call, result in moment.event.history if call.name in rule.after and result.error is None
    ]
    if rule.argument is None or rule.argument not in moment.event.call.arguments:
        return bool(results)
    wanted = str(moment.event.call.arguments[rule.argument])
    return any(str(leaf) == wanted for value in results for _, leaf in leaves(value))


_KEEPS: dict[str, Callable[[AuthoredRule, _Moment], bool]] = {
    "requires": _keeps_condition,
    "only_if": _keeps_condition,
    "forbids": lambda rule, moment: not holds(rule.when, moment.facts),
    "handover_when": lambda rule, moment: not holds(rule.when, moment.facts),
    "confirm_before": lambda rule, moment: moment.event.confirmed is not False or not holds(rule.when, moment.facts),
    "limit": _is_within,
    "identify_first": lambda rule, moment: _came_after(rule, moment) or not holds(rule.when, moment.facts),
}


class AuthoredPolicy:
    """An author's rules as a policy that runs."""

    def __init__(self, rules: Sequence[AuthoredRule], model: ResourceModel) -> None:
        self._rules = tuple(rules)
        self._roles = model.by_tool
        self._tables = {resource.name: resource.table for resource in model.resources}

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return an issue for each rule that the call would break; its pointer names the branch of the rule."""
        rules = [rule for rule in self._rules if event.call.name in rule.tools]
        if not rules:
            return ()
        moment = _Moment(event, self._facts(event))
        return tuple(
            Issue(code=rule.id, message=rule.text[:300], pointer=f"/branches/{branch_of(rule, moment.facts)}")
            for rule in rules
            if not _KEEPS[rule.kind](rule, moment)
        )

    def confirms(self, tool: str) -> bool:
        """Tell whether a call of `tool` may need the user's confirmation."""
        return any(rule.kind == "confirm_before" and tool in rule.tools for rule in self._rules)

    def _facts(self, event: PolicyEvent) -> dict[str, Mapping[str, Any]]:
        role = self._roles.get(event.call.name)

        def row(resource: str, key: str) -> Mapping[str, Any] | None:
            return event.state.get(self._tables.get(resource, resource), {}).get(key)

        if role is None:
            return {"argument": event.call.arguments}
        return facts_of(event.call.arguments, role.references, role.resource, None, row)


class JoinedPolicy:
    """Several policies of one toolset; a call must satisfy all."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies = tuple(policies)

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return the issues of all policies."""
        return tuple(issue for policy in self._policies for issue in policy.violations(event))

    def confirms(self, tool: str) -> bool:
        """Tell whether any policy needs a confirmation for calls of `tool`."""
        return any(policy.confirms(tool) for policy in self._policies)


def with_rules(
    toolset: Toolset,
    model: ResourceModel,
    authored: Authored,
    fields: Mapping[str, Sequence[str]],
    given: Policy | None = None,
    careful: bool = True,
) -> tuple[Toolset, Policy | None]:
    """Return the toolset with the author's rules, and a policy joined from them, caution (if `careful`) and the `given` one.

    `fields` maps each resource to the known fields of its rows; an empty entry admits any field.

    Raises:
        ConfigError: a rule names a tool, argument, resource or field that does not exist.
    """
    said = authored.overrides
    rules = tuple(_checked(rule, index, toolset, model, authored, fields) for index, rule in enumerate(said.rules))
    policies: list[Policy] = [given] if given is not None else []
    if toolset.policy and given is None and not rules and not toolset.rules and not said.policy:
        toolset = toolset.model_copy(update={"unruled": (toolset.policy,)})
    if careful and said.caution:
        confirmed = {name for rule in rules if rule.kind == "confirm_before" and not rule.when for name in rule.tools}
        toolset, caution = with_caution(toolset, model, confirmed)
        policies.append(caution)
    if rules:
        rules = tuple(_with_evidence(rule, toolset, model, authored) for rule in rules)
        shared = {"id", "kind", "text", "tools", "reason", "after", "shown_by", "duty"}
        listed = tuple(PolicyRule(**rule.model_dump(include=shared), branches=branches(rule)) for rule in rules)
        prose = "\n".join([*([toolset.policy] if toolset.policy else []), *(f"- {rule.text}" for rule in rules)])
        toolset = toolset.model_copy(update={"rules": (*toolset.rules, *listed), "policy": prose})
        policies.append(AuthoredPolicy(rules, model))
    return toolset, JoinedPolicy(policies) if len(policies) > 1 else next(iter(policies), None)


def _checked(
    rule: AuthoredRule,
    index: int,
    toolset: Toolset,
    model: ResourceModel,
    authored: Authored,
    fields: Mapping[str, Sequence[str]],
) -> AuthoredRule:
    at = join_pointer("rules", index)
    names = {tool.original_name: tool.name for tool in toolset.tools} | {tool.name: tool.name for tool in toolset.tools}
    if rule.id in {other.id for other in authored.overrides.rules[:index]} | {other.id for other in toolset.rules}:
        raise authored.error(f"{at}/id", f"another rule is called {rule.id!r}")
    for key, listed in (("tools", rule.tools), ("after", rule.after), ("shown_by", rule.shown_by)):
        for number, name in enumerate(listed):
            if name not in names:
                raise authored.error(f"{at}/{key}/{number}", f"there is no such tool{suggestion(name, names)}")
    _check_shape(rule, at, authored)
    by_name = {key: tuple(names[name] for name in getattr(rule, key)) for key in ("tools", "after", "shown_by")}
    rule = rule.model_copy(update=by_name)
    tools, roles = toolset.by_name, model.by_tool
    for name in rule.tools:
        arguments = list(tools[name].properties)
        if rule.argument is not None and rule.argument not in arguments:
            raise authored.error(f"{at}/argument", f"{name} has no such argument{suggestion(rule.argument, arguments)}")
        role = roles[name]
        roots = {target: fields.get(target, ()) for target in role.references.values()}
        if role.resource in roots:
            roots = {"row": roots[role.resource], **roots}
        for place, text in problems(rule.when, arguments, roots, f"{at}/when"):
            raise authored.error(place, f"{text} (in a call of {name})")
    return rule


def _with_evidence(rule: AuthoredRule, toolset: Toolset, model: ResourceModel, authored: Authored) -> AuthoredRule:
    """Return the rule with `shown_by` set to the reads that show the fields in its condition, unless its author set it.

    Fields in the tool's own error cases need no evidence, since the tool refuses such calls itself.
    """
    if rule.shown_by:
        return rule
    given, roles = authored.overrides.tools, model.by_tool
    shown: list[str] = []
    for name in rule.tools:
        own = given.get(toolset.tool(name).original_name) or given.get(name)
        refused = {path for case in (own.errors if own is not None else ()) for path in _paths(case.when)}
        for path in [path for path in _paths(rule.when) if path not in refused]:
            root, _, field = path.partition(".")
            kind = roles[name].resource if root == "row" else root
            shown += [
                role.tool
                for role in model.roles
                if role.operation in ("list", "read") and role.resource == kind and root != "argument"
                if _may_show(toolset.tool(role.tool), field.split(".")[0])
            ]
    return rule.model_copy(update={"shown_by": tuple(dict.fromkeys(shown))})


def _paths(condition: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths that a condition tests."""
    for key, wanted in condition.items():
        if key in ("any", "all"):
            yield from (path for item in wanted for path in _paths(item))
        elif key == "not":
            yield from _paths(wanted)
        else:
            yield key


def _may_show(tool: Tool, field: str) -> bool:
    """Tell whether a tool's result may contain a field: its schema names it, or names no fields."""
    named = {last_name(pointer) for pointer, _, _ in leaf_schemas(tool.returns)} if tool.returns else set()
    return not named or field in named


def _check_shape(rule: AuthoredRule, at: str, authored: Authored) -> None:
    """Check that a rule has the fields that its kind needs; without them it would forbid all calls or none."""
    if not rule.tools:
        raise authored.error(f"{at}/tools", "a rule needs the tools that it governs")
    if rule.kind == "limit" and rule.at_most is None:
        raise authored.error(f"{at}/at_most", "a limit needs the number of calls that are allowed")
    if rule.kind == "identify_first" and not rule.after:
        raise authored.error(f"{at}/after", "identify_first needs the tools of which one must have succeeded before")
    if rule.kind in ("requires", "only_if") and not rule.when and not rule.after and rule.duty is None:
        raise authored.error(
            f"{at}/when", f"{rule.kind} needs a condition (when), or tools to be called before (after)"
        )


_DOES = {"forbids": "refuse", "handover_when": "hand over", "only_if": "refuse", "requires": "refuse"}
_TESTS = table(beside(__file__), "tests")


def branches(rule: AuthoredRule) -> tuple[str, ...]:
    """Return each way to break a rule, in words; empty for kinds that are not broken by a condition.

    forbids {any: [{row.status: shipped}, {row.total: {min: 1000}}]}   refuse if row.status is shipped
                                                                       refuse if row.total is at least 1000

    Source: FABRIC, whose scenarios cover the branches of a policy in pseudo-code.
    """
    if rule.kind not in _DOES:
        return ()
    word = "if" if rule.kind in ("forbids", "handover_when") else "unless"
    said = [f"{_DOES[rule.kind]} {word} {in_words(part)}" for part in _parts(rule)]
    if rule.after and word == "unless":
        said.append(f"{_DOES[rule.kind]} unless after {' or '.join(rule.after)}")
    return tuple(said)


def branch_of(rule: AuthoredRule, facts: Facts) -> int:
    """Return the index of the first branch of a rule that a call breaks."""
    parts = _parts(rule)
    wanted = rule.kind in ("forbids", "handover_when")
    return next((place for place, part in enumerate(parts) if holds(part, facts) == wanted), len(parts))


def in_words(condition: Mapping[str, Any]) -> str:
    """Return a condition in words."""
    return " and ".join(_clause(key, wanted) for key, wanted in condition.items()) or "always"


def _parts(rule: AuthoredRule) -> list[Mapping[str, Any]]:
    """Return the conditions that break a rule on their own: the alternatives of a prohibition, the parts of a requirement."""
    if rule.kind in ("forbids", "handover_when"):
        rest = {key: wanted for key, wanted in rule.when.items() if key != "any"}
        return [{**item, **rest} for item in rule.when.get("any", [])] or [rule.when]
    return [item for key, wanted in rule.when.items() for item in (wanted if key == "all" else [{key: wanted}])]


def _clause(key: str, wanted: Any) -> str:
    if key in ("any", "all"):
        joined = f" {'or' if key == 'any' else 'and'} ".join(in_words(item) for item in wanted)
        return f"({joined})"
    if key == "not":
        return f"not ({in_words(wanted)})"
    tests = wanted if isinstance(wanted, Mapping) else {"is": wanted}
    return " and ".join(_test(key, test, bound) for test, bound in tests.items())


def _test(path: str, test: str, bound: Any) -> str:
    if test == "given":
        return f"{path} is {'' if bound else 'not '}given"
    said = ", ".join(_value(item) for item in bound) if isinstance(bound, list) else _value(bound)
    return f"{path} {_TESTS[test]} {said}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
