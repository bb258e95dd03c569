"""A rule that an author wrote -> the ways in which a call can break it, and the rule in words that a programmer would use.

forbids {any: [{row.status: shipped}, {row.total: {min: 1000}}]}   refuse if row.status is shipped
                                                                   refuse if row.total is at least 1000

Source: FABRIC, whose scenarios cover the branches of a policy in pseudo-code.
"""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.overrides.conditions import Facts, holds
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.override import AuthoredRule
from interplay.schemas.words.lists import beside, table

_DOES = {"forbids": "refuse", "handover_when": "hand over", "only_if": "refuse", "requires": "refuse"}
_TESTS = table(beside(__file__), "tests")


def branches(rule: AuthoredRule) -> tuple[str, ...]:
    """Return each way to break a rule, in words; for rules that a call breaks by what it is or comes after."""
    if rule.kind not in _DOES:
        return ()
    word = "if" if rule.kind in ("forbids", "handover_when") else "unless"
    said = [f"{_DOES[rule.kind]} {word} {in_words(part)}" for part in _parts(rule)]
    if rule.after and word == "unless":
        said.append(f"{_DOES[rule.kind]} unless after {' or '.join(rule.after)}")
    return tuple(said)


def branch_of(rule: AuthoredRule, facts: Facts) -> int:
    """Return the number of the first branch of a rule that a breaking call takes."""
    parts = _parts(rule)
    wanted = rule.kind in ("forbids", "handover_when")
    return next((place for place, part in enumerate(parts) if holds(part, facts) == wanted), len(parts))


def in_words(condition: Mapping[str, Any]) -> str:
    """Return a condition in words."""
    return " and ".join(_clause(key, wanted) for key, wanted in condition.items()) or "always"


def _parts(rule: AuthoredRule) -> list[Mapping[str, Any]]:
    """Return the conditions that each break a rule alone: alternatives of a prohibition, parts of a requirement."""
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
