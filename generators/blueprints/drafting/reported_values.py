"""The result of a step -> the values that can be reported to the user."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.blueprints.drafting.result_labels import keyed, label_in_result, label_within
from interplay.generators.graph.sampling.argument_samples import is_fixed
from interplay.generators.phrases.derived_wishes import phrased_field
from interplay.generators.phrases.labels.field_labels import MONEY, is_amount, is_hollow, label_of, words_of
from interplay.generators.phrases.speakable_values import (
    LABELS,
    hint_of,
    is_holdable,
    is_moment,
    is_named_after,
    is_of_a_hand,
    is_of_a_record,
    is_said_beside,
    name_parts,
    speakable,
    speakable_leaves,
)
from interplay.generators.phrases.topic_nouns import noun_of, repeats_noun
from interplay.generators.results.acknowledgement import SAID, says_nothing
from interplay.generators.results.result_kinds import (
    is_page,
    list_in,
    says_how_it_went,
    says_only_that_it_went_well,
    tells_of_pages,
)
from interplay.generators.values.texts.ideas import is_message
from interplay.generators.values.texts.past_events import is_ahead
from interplay.schemas.json.canonical import at_pointer, last_name, leaves, starred
from interplay.schemas.json.fields import schema_at
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import RECORDED, last_word, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_participle, is_predicate

SPOKEN_OUTPUTS, SPOKEN_ITEMS = 3, 3
"""The most values of a result that are reported, and the most items of a list that are named."""


ASIDE = 2
"""The most values that are reported of a list's only item, beside its name."""


@dataclass(frozen=True)
class ItemNaming:
    """What decides which field names the items of a list.

    Fields of the item itself, and of nested objects that the tool's name mentions, come before those of other nested
    objects. Fields about who made or changed the item come last. Where the user asks `when` something is, times come
    first. Items without a name are named by their `identity`, if it is one that people have at hand. Things that are
    `written` are named by their text: a comment by what it says, rather than by its author.
    """

    identity: str
    tool: frozenset[str]
    when: bool
    written: bool = False

    def place(self, pointer: str, value: Any) -> tuple[bool, bool, bool, bool]:
        """Return the rank of a field among those that may name an item; the lowest comes first."""
        holders = (part for part in pointer.split("/")[-2:0:-1] if not part.isdigit() and not is_hollow(part))
        holder = name_tokens(next(holders, ""))
        return (
            not (self.when and is_moment(value)),
            is_of_a_hand(pointer),
            bool(holder) and not self.tool.issuperset(holder),
            not is_named_after(pointer, self.tool),
        )


@dataclass(frozen=True)
class ReportedValues:
    """Finds the values of a result that a user may want to know."""

    environment: Environment

    @cached_property
    def _roles(self) -> Mapping[str, ToolRole]:
        return self.environment.resources.by_tool

    def tells(self, step: Step) -> bool:
        """Tell whether a step's result holds anything to report."""
        return bool(self._found(step))

    def outputs(self, step: Step) -> list[ExpectedOutput]:
        """Return what can be reported of a step's result, the most telling first."""
        return [self.output(step, step.id, pointer, step.value) for pointer in self._found(step)]

    def output(self, step: Step, name: str, pointer: str, value: Any) -> ExpectedOutput:
        """Return the value at a pointer in the result of a step, under the action id `name`, as an expected output."""
        tool = self.environment.toolset.tool(step.tool)
        return ExpectedOutput(
            action=name,
            pointer=pointer,
            label=keyed(label_in_result(value, pointer), pointer, tool) if pointer else "result",
            value=at_pointer(value, pointer),
            hint=hint_of(schema_at(tool.returns, pointer)),
        )

    def _found(self, step: Step) -> list[str]:
        """Return the pointers of what can be reported of a step's own result."""
        return list(step.asked) or self.named(step, step.value) or self.telling(step, step.value)[:SPOKEN_OUTPUTS]

    def listed(self, step: Step, value: Any) -> tuple[str, list[Any] | None]:
        """Return the pointer of the list in a result, and its items; ("", None) where the result is one thing."""
        role = self._roles.get(step.tool)
        listing = isinstance(value, list) or (role is not None and role.operation == "list") or is_page(value)
        pointer, items = list_in(value) if listing else ("", None)
        return ("", None) if items is not None and self._is_alone(step, items) else (pointer, items)

    def _is_alone(self, step: Step, items: list[Any]) -> bool:
        """Tell whether a list is only the wrapping of the one row that a step reads."""
        role = self._roles.get(step.tool)
        return role is not None and role.operation == "read" and len(items) == 1 and isinstance(items[0], Mapping)

    def named(self, step: Step, value: Any, when: bool = False) -> list[str]:
        """Return the pointers of the names of a list's first items; empty where there is no list.

        Where the user asks `when` something is, times come first.
        """
        pointer, items = self.listed(step, value)
        if not items:
            return []
        toolset, spoken = self.environment.toolset, self._noun(step).split()
        telling = ItemNaming(
            self._identity(step.tool, pointer),
            frozenset((*_tokens(toolset.tool(step.tool)), *spoken)),
            when,
            bool(spoken) and is_message(spoken[-1]),
        )
        found = [f"{pointer}/{index}{below}" for index, below in _named(items[:SPOKEN_ITEMS], telling)]
        returns = self.environment.toolset.tool(step.tool).returns
        return [
            place for place in found if not is_fixed(schema_at(returns, place))
        ]  # a fixed value is the same for all

    def beside(self, step: Step, value: Any, named: Sequence[str]) -> list[str]:
        """Return the pointers of the most telling values of a list's only item, apart from its name."""
        _, items = self.listed(step, value)
        if not items or len(items) > 1 or len(named) != 1:
            return []
        above, _, below = named[0].rpartition("/0/")
        given = {str(said).lower() for _, said in leaves(dict(step.arguments))}
        returns = self.environment.toolset.tool(step.tool).returns
        found = [
            f"{above}/0{place}"
            for place, said in speakable_leaves(items[0])
            if place.count("/") == 1 and place != f"/{below}" and str(said).lower() not in given
            if not isinstance(said, bool)
        ]
        told = [place for place in found if not is_fixed(schema_at(returns, place))][:ASIDE]
        return told if all(isinstance(at_pointer(value, place), str) for place in told) else told[:1]

    def telling(self, step: Step, value: Any) -> list[str]:
        """Return the pointers of what the result about one thing tells beyond its arguments, the most telling first."""
        tool = self.environment.toolset.tool(step.tool)
        pointer, items = list_in(value)
        if items is not None and self._is_alone(step, items):
            return [f"{pointer}/0{below}" for below in self.telling(step, items[0])]
        if self.listed(step, value)[1] is not None or (tool.effect == "write" and says_only_that_it_went_well(value)):
            return []
        text = next(iter(value.values())) if _is_one_text(value) else value
        if isinstance(text, str) and says_nothing(text, step.arguments, tool.original_name):
            return []
        given = {str(item).lower() for item in step.arguments.values()}
        role = self._roles.get(step.tool)
        referring = role.yields if role is not None else {}
        found = [
            below
            for below, said in speakable_leaves(value)
            if str(said).lower() not in given and not (starred(below) in referring and _PREFIXED.match(str(said)))
        ]
        found = [below for below in found if not says_how_it_went(value, below[1:])]
        found = [below for below in found if below.count("/") > 1 or not tells_of_pages(below[1:])] or found
        by_label = {label_of(below): below for below in reversed(found)}
        found = [below for below in found if by_label[label_of(below)] == below]
        noun = self._noun(step).split()
        found = [below for below in found if not repeats_noun(at_pointer(value, below), noun)] or found
        found = [below for below in found if label_within(below, noun) not in by_label]
        found = [below for below in found if not is_fixed(schema_at(tool.returns, below))] or found
        found = [below for below in found if phrased_field(tool.phrases, below) in tool.phrases.answers] or found
        if any(set(label_of(below).split()) & MONEY for below in found):
            found = [below for below in found if "currency" not in label_of(below)]
        named = {*_tokens(tool), *name_tokens(tool.summary)}
        found.sort(key=lambda below: not matters(below, at_pointer(value, below)))
        asked = [below for below in found if named.issuperset(label_of(below).split())]
        return asked or found

    def _noun(self, step: Step) -> str:
        role = self._roles.get(step.tool)
        return noun_of(role.resource, self.environment.toolset.spoken_nouns) if role and role.resource else ""

    def _identity(self, tool: str, pointer: str) -> str:
        """Return the pointer of the identity within each item of a list; empty if there is none."""
        role = self._roles.get(tool)
        yields = role.yields.items() if role is not None else ()
        start = f"{pointer}/*/"
        found = [at[len(start) - 1 :] for at, to in yields if role and to == role.resource and at.startswith(start)]
        return next((below for below in found if "*" not in below), "")


def matters(pointer: str, value: Any) -> bool:
    """Tell whether a value means something to a person: no flag, no bookkeeping, no part of an item in a list."""
    label = set(label_of(pointer).split())
    inside = any(part.isdigit() for part in pointer.split("/")[:-1])
    if inside or isinstance(value, (bool, list)) or not label.isdisjoint(_KEPT):
        return False
    return isinstance(value, str) or not label.isdisjoint(_AMOUNTS)


_PREFIXED = re.compile(r"[a-z]{2,5}_[A-Za-z0-9]+$")
"""Identities that begin with their kind, which nobody reads out: `adr_Xv`."""


def _is_one_text(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)).lower() in SAID


def _tokens(tool: Tool) -> Iterator[str]:
    """Yield the words of a tool's name, each also in the singular."""
    for token in name_tokens(tool.original_name):
        yield from (token, singular(token))


_KEPT = RECORDED | word_set(beside(__file__), "bookkeeping")
"""Words of fields that say when or how a service has recorded a thing."""

_AMOUNTS = MONEY | word_set("measures", "compared", "counted", "units")
"""Words of numbers that people ask for, and of their units."""

_UNCALLED = MONEY | word_set(beside(__file__), "uncalled")
"""Words of fields by which nobody calls a thing: its condition, its amounts."""


def _named(items: Sequence[Any], told: ItemNaming) -> list[tuple[int, str]]:
    """Return, for each item, the pointer of the field that names it; one that tells the items apart, if there is one."""
    if not all(isinstance(item, dict) for item in items):
        return [(index, "") for index, item in enumerate(items) if speakable("", item)]
    options = [
        {below: said for below, said in speakable_leaves(item, naming=True) if not isinstance(said, bool)}
        for item in items
    ]
    shared = [pointer for pointer in (options[0] if options else ()) if all(pointer in option for option in options)]
    texts_own = [at for at in shared if at.count("/") == 1 and is_message(last_word(at))] if told.written else []
    if texts_own and all(isinstance(option[texts_own[0]], str) for option in options):
        return [(index, texts_own[0]) for index in range(len(items))]
    spoken = any(_is_content(pointer, options[0][pointer]) for pointer in shared)
    others = [pointer for pointer in shared if spoken and _is_of_another(pointer, items[0])]
    shared.sort(
        key=lambda pointer: (
            *told.place(pointer, options[0][pointer]),
            pointer in others,
            not _says_which(pointer, options[0][pointer]),
        )
    )
    told_by = {pointer: len({_whole(item, pointer) for item in items}) for pointer in shared}
    distinct = [pointer for pointer in shared if told_by[pointer] == len(items)]
    naming = [pointer for pointer in (*distinct, *shared) if names_it(pointer, options[0][pointer])]
    people = [at for at in naming if items and any(name_parts(items[0], at))]  # by both of their names
    called = people or [at for at in naming if words_of(last_name(at)) in LABELS and at not in others]
    most = [pointer for pointer in called if 2 * told_by[pointer] > len(items)]
    # Copies of a book share a name; other values tell them apart.
    if most and naming[0] not in called and not is_named_after(naming[0], told.tool):
        return [(index, most[0]) for index in range(len(items))]
    noted = [pointer for pointer in naming if is_when_recorded(pointer, options[0][pointer])]
    naming.sort(key=noted.__contains__)  # nobody calls a thing by when it was recorded
    alike = bool(naming) and told_by[naming[0]] < len(items)
    partly = bool(naming) and any(part.isdigit() for part in naming[0].split("/"))  # one of several parts is called so
    if not naming or alike or partly or naming[0] in noted or _is_beside(naming[0], options[0][naming[0]]):
        own = "" if all(map(_only_links, items)) else told.identity
        if own and items and all(is_holdable(at_pointer(item, own)) for item in items):
            return [(index, own) for index in range(len(items))]
        if address := _address(items):
            return [(index, address) for index in range(len(items))]
        dated = [pointer for pointer in naming if pointer in noted and not is_of_a_record(pointer)]
        if dated and naming[0] not in dated:  # a text that several items share says less than the date
            return [(index, dated[0]) for index in range(len(items))]
    telling = [pointer for pointer in (*distinct, *shared) if not is_bare_number(pointer, options[0][pointer])]
    chosen = next(iter([*naming, *telling]), None)
    if chosen is not None:
        return [(index, chosen) for index in range(len(items))]
    texts = [[below for below, said in option.items() if _is_text(said)] for option in options]
    if not any(texts) and (sums := [pointer for pointer in shared if is_amount(label_of(pointer))]):
        return [(index, sums[0]) for index in range(len(items))]
    return [(index, found[0]) for index, found in enumerate(texts) if found]


def _whole(item: Mapping[str, Any], pointer: str) -> str:
    """Return the text of a field of an item; of a first or family name, both."""
    parts = [part for part in name_parts(item, pointer) if part]
    return " ".join(str(at_pointer(item, part)) for part in parts or [pointer])


def _is_of_another(pointer: str, item: Mapping[str, Any]) -> bool:
    """Tell whether a field names another thing to which the item refers: `username` beside `userID`."""
    called = "".join(name_tokens(last_name(pointer)))
    referred = (
        "".join(tokens[:-1]) for tokens in map(name_tokens, item) if len(tokens) > 1 and tokens[-1] in _IDENTITIES
    )
    return any(called.startswith(thing) and called != thing for thing in referred)


def _is_content(pointer: str, value: Any) -> bool:
    """Tell whether a field holds the text that the thing consists of: the `content` of a comment, but no note."""
    return (
        isinstance(value, str) and value.endswith((".", "!", "?")) and " " in value and not _is_beside(pointer, value)
    )


def _is_beside(pointer: str, value: Any) -> bool:
    """Tell whether a field says something about a thing, or who dealt with it, but not which one it is."""
    return is_of_a_hand(pointer) or is_said_beside(pointer, value)


def _only_links(item: Mapping[str, Any]) -> bool:
    """Tell whether an item holds only identities, which nobody wants to hear: a row that links others."""
    return len(item) > 1 and all(last_word(name) in _IDENTITIES for name in item)


_IDENTITIES = word_set("identities")


def _address(items: Sequence[Mapping[str, Any]]) -> str:
    """Return the pointer of the web address by which items without a name are told apart; empty if there is none."""
    for name, value in items[0].items() if items else ():
        if isinstance(value, str) and _IN_THE_NET.match(value) and name_tokens(name)[-1:] in _ADDRESSES:
            held = {str(item.get(name)) for item in items}
            if len(held) == len(items) and all(map(_IN_THE_NET.match, held)):
                return f"/{name}"
    return ""


_IN_THE_NET, _ADDRESSES = re.compile(r"https?://"), (["url"], ["uri"], ["endpoint"], ["link"], ["target"])


def names_it(pointer: str, value: Any) -> bool:
    """Tell whether people may call a thing by a field: by a text other than a condition or amount, or by its number."""
    return _says_which(pointer, value) and not _UNCALLED & set(
        words_of(pointer.rpartition("/")[2]).removesuffix("number").split()
    )


def _says_which(pointer: str, value: Any) -> bool:
    return isinstance(value, str) or (type(value) is int and not is_bare_number(pointer, value))


def is_when_recorded(pointer: str, value: Any) -> bool:
    """Tell whether a value only says when something was done to a thing, by which nobody calls it."""
    first, *rest = name_tokens(last_name(pointer)) or [""]
    reached = rest == ["at"] and is_predicate(first) and not is_ahead(first)  # `ready_at`
    noted = is_participle(first) and first not in _AGREED
    return is_moment(value) and (is_of_a_record(pointer) or noted or reached)


_AGREED = word_set(beside(__file__), "agreed")
"""Participles in the names of times at which a thing takes place, which do identify it."""


def is_bare_number(pointer: str, value: Any) -> bool:
    """Tell whether a value consists of digits alone, and its field is not called a number of the thing."""
    digits = str(value).replace(".", "", 1).isdigit() and not isinstance(value, bool)
    return digits and not label_of(pointer).endswith("number")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not value[:1].isdigit()
