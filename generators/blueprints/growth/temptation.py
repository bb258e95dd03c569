"""A policy rule -> a wish that it forbids, found by trying rows, values and earlier requests."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall
from interplay.generators.blueprints.growth.growth import Growth, branch_at
from interplay.generators.blueprints.growth.trial_calls import choices, trials, varied
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.json.validation import is_valid
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.blueprint import Withheld
from interplay.schemas.records.dialogue import ToolCall

WEIGHED = 3_000
WEIGHED_OF_MINE = 200
"""Bounds on the calls that are held against a rule: about anybody's rows, and about one user's."""

KEPT = 40
"""Temptations that are kept for a tool and a rule, at most."""

ALIKE = 4
"""Of these, how many are kept for the same row and user, at most."""

VARIED = 16
"""Samples whose arguments are tried with other values too."""

PEOPLE = 8
"""Users who are tried in search of an earlier request after which a wish is forbidden."""

AGAIN = 6
"""Wishes that are tried about the row of an earlier request."""

FIRST = ("confirm_before", "identify_first")
"""Kinds of rules that require something before a call; every call breaks them as long as that has not been done."""


@dataclass(frozen=True)
class Temptation:
    """A row and arguments with which a call would break a rule, and the user whom this needs.

    Rows are given by resource and key, so that it outlives the state in which it was found.
    """

    subject: tuple[str, str] | None
    arguments: dict[str, Any]
    me: tuple[str, str] | None
    branch: str = ""


async def forbidden(growth: Growth, name: str, rule: str, before: Sequence[str] = (), mine: bool = False) -> None:
    """Grow a request that a rule forbids, and withhold its call; where it is `mine`, about the user's own rows.

    If need be, earlier requests make it forbidden: by the tools `before`, the same tool, or tools that create its rows.

    Raises:
        DeadEnd: nothing was found that the rule forbids.
    """
    arguments = next(breaking(growth, name, rule, mine), None)
    if arguments is None and not mine:
        arguments = await _after_another(growth, name, rule, before)
    if arguments is None:
        raise DeadEnd(f"nothing was found that {rule} forbids")
    goal, request = growth.begin(name)
    mark = growth.draft.mark()
    wanted = await growth.resolver.prepare(name, goal, request, arguments)
    if rule not in growth.forbidden_by(wanted):  # look-ups led elsewhere: the user gives the identifier
        growth.draft.rewind(mark)
        wanted = await replace(growth.resolver, exact=True).prepare(name, goal, request, arguments)
    await withhold_forbidden(growth, wanted, rule)


async def withhold_forbidden(growth: Growth, wanted: PlannedCall, rule: str) -> None:
    """Withhold a call that a rule forbids, after the look-ups that show this; its facts are told in the opening.

    Raises:
        DeadEnd: the rule allows the call, or no look-up shows that it does not.
    """
    if rule not in growth.forbidden_by(wanted):
        raise DeadEnd(f"{rule} does not forbid it in the end")
    shown = await growth.evidence.for_refusal(wanted, growth.rule(rule)) if growth.evidence else []
    for origin in wanted.origins.values():
        if origin.kind == "user" and origin.fact is not None:
            growth.draft.revise_fact(origin.fact, reveal="opening")
    withheld = Withheld(reason="forbidden", rule=rule, branch=growth.branch(wanted, rule))
    growth.draft.withhold(wanted, withheld, after=shown)


def breaking(growth: Growth, name: str, rule: str, mine: bool = False) -> Iterator[dict[str, Any]]:
    """Yield, in random order, arguments with which a call would break a rule.

    Against a `confirm_before` rule, the call counts as not confirmed.
    """
    if mine:  # few rows, and used once: not cached
        with closing(_search(growth, name, rule, mine)) as found:
            known = tuple(islice(found, 1))
    else:
        known = _in_opening(growth, name, rule)
    chooser, breaks = growth.resolver.chooser, _Breaks(growth, rule)
    for tempting in _in_turn(known, growth.rng):
        chooser.rows.came_as = tempting.me and growth.world.subject(*tempting.me)
        subject = tempting.subject and growth.world.subject(*tempting.subject)
        again = next(choices(growth, name, [subject]), None)
        alone = again is not None and breaks.alone(breaks.all_by(name, again))
        yield again if again is not None and alone else deepcopy(tempting.arguments)


def _in_opening(growth: Growth, name: str, rule: str) -> tuple[Temptation, ...]:
    """Return the temptations of a tool and rule in the opening state, from a cache that no draft affects."""
    if (name, rule) not in growth.temptations:
        with growth.opening(f"{name}/{rule}") as nobody:
            growth.temptations[name, rule] = tuple(_search(nobody, name, rule, mine=False))
    return growth.temptations[name, rule]


def _in_turn(known: Sequence[Temptation], rng: Random) -> list[Temptation]:
    """Return temptations in random order, with the branches of their rule taking turns."""
    by_branch: dict[str, list[Temptation]] = {}
    for tempting in rng.sample(known, len(known)):
        by_branch.setdefault(tempting.branch, []).append(tempting)
    rounds = max((len(group) for group in by_branch.values()), default=0)
    return [group[turn] for turn in range(rounds) for group in by_branch.values() if turn < len(group)]


def _search(growth: Growth, name: str, rule: str, mine: bool) -> Generator[Temptation]:
    """Yield temptations to break a rule in the present draft and state.

    Calls that break other rules too are used only for branches without any others.
    """
    chooser = growth.resolver.chooser
    mixed: list[Temptation] = []
    own, drawn = chooser.rows.me, chooser.rng
    found: Counter[str] = Counter()
    several = max(1, len(growth.rule(rule).branches))
    chooser.rows.rng = Random(f"{name}/{rule}")
    breaks = _Breaks(growth, rule)
    try:
        samples = varied(growth, name, trials(growth, name, mine), VARIED)
        alike: Counter[tuple[tuple[str, str] | None, tuple[str, str] | None]] = Counter()
        for subject, arguments in islice(samples, WEIGHED_OF_MINE if mine else WEIGHED):
            me = chooser.rows.me
            who = _named(subject), _named(me)
            broken = breaks.all_by(name, arguments) if alike[who] < ALIKE else {}
            if not breaks.too(broken, name, arguments):
                continue
            alike[who] += 1
            tempting = Temptation(who[0], arguments, who[1], breaks.branch(broken))
            if found[tempting.branch] * several >= KEPT:
                continue
            if breaks.alone(broken):
                yield tempting
                found[tempting.branch] += 1
            elif len(mixed) < KEPT:
                mixed.append(tempting)
            if found.total() >= KEPT:
                return
        yield from (tempting for tempting in mixed if not found[tempting.branch])
    finally:
        chooser.rows.came_as, chooser.rows.rng = own, drawn


def _named(subject: Subject | None) -> tuple[str, str] | None:
    return None if subject is None else (subject.resource, subject.key)


def _breaking_about(growth: Growth, name: str, rule: str, subject: Subject | None) -> dict[str, Any] | None:
    """Return arguments with which a call about a row breaks a rule, or None; if possible no other rule."""
    breaks, found = _Breaks(growth, rule), None
    samples = ((subject, arguments) for arguments in choices(growth, name, [subject] * AGAIN))
    for _, arguments in varied(growth, name, samples, 1):
        broken = breaks.all_by(name, arguments)
        if breaks.too(broken, name, arguments):
            if breaks.alone(broken):
                return arguments
            found = found or arguments
    return found


class _Breaks:
    """Judges which rules calls would break at the present point of a draft."""

    def __init__(self, growth: Growth, rule: str) -> None:
        assert growth.policy is not None
        self._policy, self._rule, self._of = growth.policy, rule, growth.rule(rule)
        self._tools, self._confirmed = growth.world.tools, growth.rule(rule).kind != "confirm_before"
        self._environment, self._history = growth.world.environment, growth.draft.history()
        rules = growth.world.environment.toolset.rules
        self._always = {other.id for other in rules if other.kind in FIRST} | {rule}

    def all_by(self, name: str, arguments: dict[str, Any]) -> dict[str, str]:
        """Return the rules that a call would break, each with the pointer of its branch."""
        call = ToolCall(id="compose01", name=name, arguments=arguments)
        event = PolicyEvent(call, self._history, self._environment.state(), self._confirmed)
        return {issue.code: issue.pointer for issue in self._policy.violations(event)}

    def too(self, broken: Mapping[str, str], name: str, arguments: dict[str, Any]) -> bool:
        """Tell whether the rule is among the broken ones, and the arguments are valid."""
        return self._rule in broken and is_valid(arguments, self._tools[name].parameters)

    def alone(self, broken: Mapping[str, str]) -> bool:
        """Tell whether the rule is broken, and no other but those of the kinds in `FIRST`."""
        return self._rule in broken and broken.keys() <= self._always

    def branch(self, broken: Mapping[str, str]) -> str:
        """Return the branch of the rule that a call breaks."""
        return branch_at(self._of, broken.get(self._rule, ""))


async def _after_another(growth: Growth, name: str, rule: str, before: Sequence[str]) -> dict[str, Any]:
    """Grow requests after which the rule forbids a call, and return the arguments of that call.

    Raises:
        DeadEnd: none were found.
    """
    chooser, counts = growth.resolver.chooser, growth.rule(rule).kind == "limit"
    for _ in range(PEOPLE):
        if chooser.rows.me is not None and not growth.draft.requests:
            chooser.rows.came_as = growth.rng.choice(growth.world.subjects(chooser.rows.me.resource))
        first = growth.rng.choice([*before, name, *_makers(growth, name)])
        for arguments in _openings(growth, first):
            mark = growth.draft.mark()
            try:
                goal, request = growth.begin(first)
                step = await growth.do(await growth.resolver.prepare(first, goal, request, arguments))
            except DeadEnd:
                growth.draft.rewind(mark)
                continue
            found = _breaking_about(growth, name, rule, growth.row_shown(step))
            if found is not None:
                return found
            if counts and first == name:
                break  # the next such call may exceed the limit
            growth.draft.rewind(mark)
    raise DeadEnd(f"nothing was found that {rule} forbids")


def _makers(growth: Growth, name: str) -> list[str]:
    """Return the tools that create rows which a tool refers to."""
    needed = set(growth.role(name).references.values())
    return [
        tool.name
        for tool in growth.callable()
        if growth.role(tool.name).operation == "create" and growth.role(tool.name).resource in needed
    ]


def _openings(growth: Growth, name: str) -> Iterator[dict[str, Any]]:
    """Yield arguments for an earlier request: one choice, then the same with every other option of its enumerations."""
    try:
        arguments = growth.resolver.choose(name, growth.subject(name))
    except DeadEnd:
        return
    yield arguments
    for key, schema in growth.world.tools[name].properties.items():
        if key in arguments and "enum" in schema:
            yield from ({**arguments, key: option} for option in schema["enum"] if option != arguments[key])
