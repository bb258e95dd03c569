"""An author's condition as plain values -> whether it holds for a call; nothing is evaluated as code.

{row.status: shipped, argument.quantity: {min: 1, max: 5}}      both must hold
{any: [{row.status: {in: [shipped, delivered]}}, {not: {argument.reason: {given: true}}}]}
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from interplay.schemas.json.canonical import at_pointer, join_pointer, leaves
from interplay.schemas.json.regex import compile_pattern

TESTS = ("is", "not", "in", "not_in", "min", "max", "matches", "given")
GROUPS = ("any", "all", "not")
DEEPEST = 8
_ABSENT = object()

Facts = Mapping[str, Mapping[str, Any]]
"""The values that a condition tests: `argument`, `row`, and a row for each resource that an argument refers to."""
GetRow = Callable[[str, str], Mapping[str, Any] | None]
"""Resource and key -> the row."""


def facts_of(
    arguments: Mapping[str, Any], references: Mapping[str, str], resource: str | None, target: str | None, get: GetRow
) -> dict[str, Mapping[str, Any]]:
    """Return the facts that conditions can test for a call; rows that do not exist are left out.

    `references` maps argument pointers to resources. Without `target`, `row` is that of the first argument that refers to
    `resource`.
    """
    facts: dict[str, Mapping[str, Any]] = {"argument": arguments}
    for pointer, value in leaves(dict(arguments)):
        name = references.get(pointer)
        row = get(name, str(value)) if name is not None and isinstance(value, (str, int)) else None
        if row is None:
            continue
        facts.setdefault(str(name), row)
        if name == resource and (target is None or pointer == join_pointer(target)):
            facts.setdefault("row", row)
    return facts


def holds(condition: Mapping[str, Any], facts: Facts) -> bool:
    """Tell whether a condition holds; of an absent value, only `not`, `not_in` and `given: false` hold."""
    return all(_holds(key, wanted, facts) for key, wanted in condition.items())


def _holds(key: str, wanted: Any, facts: Facts) -> bool:
    if key == "any":
        return any(holds(item, facts) for item in wanted)
    if key == "all":
        return all(holds(item, facts) for item in wanted)
    if key == "not":
        return not holds(wanted, facts)
    value = _value(key, facts)
    tests = wanted if isinstance(wanted, Mapping) else {"is": wanted}
    return all(_passes(test, value, bound) for test, bound in tests.items())


def _value(path: str, facts: Facts) -> Any:
    root, *steps = path.split(".")
    try:
        return at_pointer(facts[root], join_pointer(*steps)) if root in facts else _ABSENT
    except LookupError:
        return _ABSENT


def _passes(test: str, value: Any, bound: Any) -> bool:
    if test == "given":
        return bool((value is not _ABSENT and value not in (None, "")) == bound)
    if test in ("not", "not_in"):
        return not _passes("is" if test == "not" else "in", value, bound)
    if value is _ABSENT:
        return False
    if test == "is":
        return _same(value, bound)
    if test == "in":
        return any(_same(value, item) for item in bound)
    if test == "matches":
        compiled = compile_pattern(bound)
        return isinstance(value, str) and compiled is not None and compiled.search(value) is not None
    if isinstance(value, str) != isinstance(bound, str) or value is None or isinstance(value, (bool, list, dict)):
        return False
    return bool(value >= bound if test == "min" else value <= bound)


def _same(left: Any, right: Any) -> bool:
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def problems(
    condition: Any, arguments: Collection[str], fields: Mapping[str, Collection[str]], at: str = "", depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield pointer and message for each error in a condition.

    `fields` maps the roots besides `argument` to the known fields of their rows; an empty entry admits any field.
    """
    if not isinstance(condition, Mapping) or depth > DEEPEST:
        yield at, "expected a mapping of paths to values, nested 8 levels deep at most"
        return
    for key, wanted in condition.items():
        here = f"{at}{join_pointer(key)}"
        if key in ("any", "all"):
            for index, item in enumerate(wanted) if isinstance(wanted, list) else [(0, None)]:
                yield from problems(item, arguments, fields, f"{here}/{index}", depth + 1)
        elif key == "not":
            yield from problems(wanted, arguments, fields, here, depth + 1)
        else:
            yield from ((here, text) for text in _path_problems(key, arguments, fields))
            yield from _test_problems(wanted, here)


def _path_problems(path: str, arguments: Collection[str], fields: Mapping[str, Collection[str]]) -> Iterator[str]:
    root, _, rest = path.partition(".")
    known = arguments if root == "argument" else fields.get(root)
    if known is None or not rest:
        roots = ", ".join(f"{name}.FIELD" for name in ("argument", *fields))
        yield f"{path!r} is no path here; expected {roots}, or {', '.join(GROUPS)}"
    elif known and rest.split(".")[0] not in known:
        yield f"{root} has no {rest.split('.')[0]!r}{suggestion(rest.split('.')[0], known)}"


def _test_problems(wanted: Any, at: str) -> Iterator[tuple[str, str]]:
    for test, bound in wanted.items() if isinstance(wanted, Mapping) else ():
        here = f"{at}{join_pointer(test)}"
        if test not in TESTS:
            yield here, f"unknown test; expected one of {', '.join(TESTS)}"
        elif test in ("in", "not_in") and not isinstance(bound, list):
            yield here, "expected a list of values"
        elif test in ("min", "max") and (isinstance(bound, bool) or not isinstance(bound, (int, float, str))):
            yield here, "expected a number, or a date as text"
        elif test == "given" and not isinstance(bound, bool):
            yield here, "expected true or false"
        elif test == "matches" and (not isinstance(bound, str) or compile_pattern(bound) is None):
            yield here, "expected a regular expression without look-around and back-references"


def suggestion(name: str, known: Collection[str]) -> str:
    """Return a hint for an unknown name: the closest known names, or the first few if none is close."""
    close = get_close_matches(name, list(known), n=2, cutoff=0.5)
    shown = close or list(known)[:6]
    more = ", ..." if not close and len(known) > len(shown) else ""
    return f". {'Did you mean' if close else 'Known:'} {', '.join(shown)}{more}{'?' if close else ''}"
