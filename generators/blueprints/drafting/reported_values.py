"""What a step returned -> the values that must be said of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.graph.sampling.argument_samples import is_fixed
from interplay.generators.phrases.speakable_values import (
    MONEY,
    hint_of,
    is_holdable,
    is_moment,
    is_of_a_hand,
    label_of,
    schema_at,
    speakable,
    speakable_leaves,
    words_of,
)
from interplay.generators.phrases.topic_nouns import topic_of
from interplay.generators.results.acknowledgement import SAID, says_nothing
from interplay.generators.results.result_kinds import is_page, list_in, says_only_that_it_went_well
from interplay.schemas.json.canonical import at_pointer, leaves
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular

SPOKEN_OUTPUTS, SPOKEN_ITEMS = 3, 3
"""Values that must be said of a result; items that must be named of a list."""


@dataclass(frozen=True)
class ItemNaming:
    """What decides by which field the items of a list are told.

    That is the `identity` where they have no name and people may hold it in hand; what the `tool` names comes first of
    what stands in an item, and whoever made or changed it last; when somebody asks `when` something is, its time.
    """

    identity: str
    tool: frozenset[str]
    when: bool

    def place(self, pointer: str, value: Any) -> tuple[bool, bool, bool]:
        """Return the rank of a field among those that name an item; the lowest comes first."""
        holder = name_tokens(pointer.split("/")[-2])
        return (
            not (self.when and is_moment(value)),
            is_of_a_hand(pointer),
            bool(holder) and not self.tool.issuperset(holder),
        )


@dataclass(frozen=True)
class ReportedValues:
    """Decides what the user must hear of a result."""

    environment: Environment

    @cached_property
    def _roles(self) -> Mapping[str, ToolRole]:
        return self.environment.resources.by_tool

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.environment.toolset.tools}

    def tells(self, step: Step) -> bool:
        """Tell whether anything must be said of a result."""
        return bool(self._found(step, step.value))

    def outputs(
        self, step: Step, name: str, value: Any = None, brief: bool = False, when: bool = False
    ) -> list[ExpectedOutput]:
        """Return what must be said of a result, of a step renamed `name`: one value where it is `brief`.

        Where somebody asks `when` something is, times come first.
        """
        value = step.value if value is None else value
        tool = self._tools[step.tool]
        found = self._found(step, value, when)
        return [
            ExpectedOutput(
                action=name,
                pointer=below,
                label=_keyed(label_of(below), below, tool) if below else "result",
                value=at_pointer(value, below),
                hint=hint_of(schema_at(tool.returns, below)),
            )
            for below in found[: 1 if brief else len(found)]
        ]

    def _identity(self, tool: str, pointer: str) -> str:
        """Return where the identity stands in each item of a list at a pointer; empty where none does."""
        role = self._roles.get(tool)
        yields = role.yields.items() if role is not None else ()
        start = f"{pointer}/*/"
        found = [at[len(start) - 1 :] for at, to in yields if role and to == role.resource and at.startswith(start)]
        return next((below for below in found if "*" not in below), "")

    def _found(self, step: Step, value: Any, when: bool = False) -> list[str]:
        """Return the pointers of the values that must be said; of the step's own value, they are looked for once."""
        if step.asked:
            return list(step.asked)
        if value is not step.value:
            return self._looked_for(step, value, when)
        if when not in step.found:
            step.found[when] = self._looked_for(step, value, when)
        return step.found[when]

    def _looked_for(self, step: Step, value: Any, when: bool) -> list[str]:
        tool, role = self._tools[step.tool], self._roles.get(step.tool)
        operation = role.operation if role is not None else ""
        if tool.effect == "write" and says_only_that_it_went_well(value):
            return []
        text = next(iter(value.values())) if _is_one_text(value) else value
        if isinstance(text, str) and says_nothing(text, step.arguments, tool.original_name):
            return []
        pointer, items = (
            list_in(value) if isinstance(value, list) or operation == "list" or is_page(value) else ("", None)
        )
        if items is not None:
            own = self._identity(step.tool, pointer)
            telling = ItemNaming(own, frozenset(_tokens(tool)), when)
            named = [f"{pointer}/{index}{below}" for index, below in _named(items[:SPOKEN_ITEMS], telling)]
            return [*named, *self._beside(named, items[0], step)] if len(items) == len(named) == 1 else named
        given = {str(item).lower() for item in step.arguments.values()}
        spoken = [(below, str(said).lower() in given) for below, said in speakable_leaves(value)]
        fresh = [below for below, known in spoken if not known]
        told = [below for below, known in spoken if known]
        found = fresh
        if tool.effect == "write" and told:
            states = [below for below in fresh if {"status", "state"} & set(label_of(below).split())]
            found = [*dict.fromkeys([*states[:1], *told[:1], *fresh])]
        by_label = {label_of(below): below for below in reversed(found)}
        found = [below for below in found if by_label[label_of(below)] == below]
        if when:
            found.sort(key=lambda below: not is_moment(at_pointer(value, below)))
        free = (below for below in found if not is_fixed(schema_at(tool.returns, below)))
        found = list(islice(free, SPOKEN_OUTPUTS)) or found[:SPOKEN_OUTPUTS]
        if any(set(label_of(below).split()) & MONEY for below in found):
            found = [below for below in found if "currency" not in label_of(below)]
        return found

    def _beside(self, named: Sequence[str], item: Any, step: Step) -> list[str]:
        """Return what is said of the only item of a list beside what it is called: what else tells most of it."""
        above, _, below = named[0].rpartition("/0/")
        given = {str(value).lower() for _, value in leaves(dict(step.arguments))}
        found = [
            f"{above}/0{place}"
            for place, said in speakable_leaves(item)
            if place != f"/{below}" and str(said).lower() not in given and place.count("/") == 1
        ]
        returns = self._tools[step.tool].returns
        free = (place for place in found if not is_fixed(schema_at(returns, place)))
        found = list(islice(free, SPOKEN_OUTPUTS - 1))
        money = any(set(label_of(place).split()) & MONEY for place in found)
        return [place for place in found if not (money and "currency" in label_of(place))]


def _is_one_text(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)).lower() in SAID


def _keyed(label: str, pointer: str, tool: Tool) -> str:
    """Return the label of a value; one that stands in a map is called by its key and by what the map holds."""
    holder, _, key = pointer.rpartition("/")
    schema = schema_at(tool.returns, holder)
    mapped = isinstance(schema.get("additionalProperties"), dict) and key not in schema.get("properties", {})
    held = words_of(holder.rpartition("/")[2]) if holder else topic_of(tool.original_name)
    return f"{held} for {label}" if mapped and held else label


def _tokens(tool: Tool) -> Iterator[str]:
    """Yield the words of a tool's name, and what one of each is called."""
    for token in name_tokens(tool.original_name):
        yield from (token, singular(token))


_MEASURES = MONEY | word_set(beside(__file__), "measures")
"""Words of fields that say how a thing is or how much, and by which nobody calls it."""


def _named(items: Sequence[Any], told: ItemNaming) -> list[tuple[int, str]]:
    """Return, for each item, the pointer of the field that names it: one that tells the items apart, if any does."""
    if not all(isinstance(item, dict) for item in items):
        return [(index, "") for index, item in enumerate(items) if speakable("", item)]
    options = [
        {below: said for below, said in speakable_leaves(item, naming=True) if not isinstance(said, bool)}
        for item in items
    ]
    shared = [pointer for pointer in (options[0] if options else ()) if all(pointer in option for option in options)]
    shared.sort(
        key=lambda pointer: (*told.place(pointer, options[0][pointer]), not isinstance(options[0][pointer], str))
    )
    distinct = [pointer for pointer in shared if len({str(option[pointer]) for option in options}) == len(options)]
    naming = [pointer for pointer in (*distinct, *shared) if _names(pointer, options[0][pointer])]
    alike = bool(naming) and len({str(option[naming[0]]) for option in options}) < len(options)
    if not naming or alike or is_of_a_hand(naming[0]):
        own = told.identity
        if own and items and all(is_holdable(at_pointer(item, own)) for item in items):
            return [(index, own) for index in range(len(items))]
    chosen = next(iter([*naming, *distinct, *shared]), None)
    if chosen is not None:
        return [(index, chosen) for index in range(len(items))]
    texts = [[below for below, said in option.items() if _is_text(said)] for option in options]
    return [(index, found[0]) for index, found in enumerate(texts) if found]


def _names(pointer: str, value: Any) -> bool:
    """Tell whether people may call a thing by a field: by a text that says neither how it is nor how much."""
    return isinstance(value, str) and not _MEASURES & set(words_of(pointer.rpartition("/")[2]).split())


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not value[:1].isdigit()
