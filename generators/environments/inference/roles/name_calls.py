"""A tool whose path does not tell -> what rules ask of its name: its verb, its nouns, and the resources its arguments name."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.tool_words import (
    ALONE,
    VERBS,
    VERSION,
    is_plural,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.schemas.records.tool import Operation, Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import singular

_LISTS = beside(__file__)

_GENERIC = {"detail", "details", "info", "information", "profile", "data"}
"""Words after a noun that add nothing: `get_user_details`."""

_BEGINNING = {"start", "schedule", "queue", "enqueue", "submit"}
"""Verbs that create a thing, or act on one if an argument names it."""

_PREPOSITIONS = word_set("prepositions", "common") | {"and"}
_AFTER_THINGS = (*words("prepositions", "common", "other", "nearness"), *words(_LISTS, "after_things"))
_THING = re.compile(
    rf"(?:{alternatives(words(_LISTS, 'finding'))})(?: for| through| or \w+)? "
    rf"((?:[\w-]+ ){{0,4}}?[\w-]+)(?= (?:{alternatives(_AFTER_THINGS)})\b|[.,;:(]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class NameCall:
    """A tool, analysed by the words of its name."""

    tool: Tool

    @cached_property
    def parts(self) -> list[str]:
        """The parts of the name, split at dots: `chat.postMessage`."""
        return call_parts(self.tool.path) or self.tool.original_name.split(".")

    @cached_property
    def space(self) -> str | None:
        """The resource named by the part before the last dot; none if there is no dot."""
        return resource_name(self.parts[-2]) if len(self.parts) > 1 else None

    @cached_property
    def _read(self) -> tuple[Operation | None, list[str]]:
        """The operation of the verb, and the words beside it; a first word that also begins the description counts as a verb."""
        operation, words = verb_of(self.parts[-1])
        first = (self.tool.summary or self.tool.description).split(" ", 1)[0].lower()
        if operation is not None or self.tool.effect == "read" or self.tool.http is not None or len(words) < 2:
            return operation, words
        begins = first in (words[0], f"{words[0]}s", f"{words[0]}es")  # `disarm_alarm`, "Disarms the alarm system"
        return ("action", words[1:]) if begins else (None, words)

    @property
    def verb(self) -> Operation | None:
        """The operation of the verb; none if there is no known verb."""
        return self._read[0]

    @property
    def is_details(self) -> bool:
        """Whether a name without a verb asks for the whole of a thing: `user_profile`."""
        words = self._read[1]
        return self.verb is None and self.tool.effect == "read" and len(words) > 1 and words[-1] in _GENERIC

    @cached_property
    def _spoken(self) -> list[str]:
        return [] if self.space and self.verb is None and not self.is_details else self._read[1]

    @cached_property
    def _nouns_and_place(self) -> tuple[list[str], list[str]]:
        """The nouns of the name, and the words after its preposition: `get_tasks_for_tag` -> tasks, tag."""
        told = _described(self.tool) if self.space is None and self.tool.http is None else []
        nouns, place = _split(self.parts[-1], self._spoken or told)
        # a verb is a noun before "request" or "details": a merge request, order details
        asked = {word for word, after in pairwise(nouns) if singular(after) == "request" or after in _GENERIC}
        nouns = [word for word in nouns if word not in VERBS or word in asked] or ([] if self.space else nouns)
        untold = self.tool.effect == "read" and self.tool.returns is None
        is_state = untold and nouns[-1:] == ["state"] and {*nouns[-2:-1]} <= self.known
        return (nouns[:-1] if len(nouns) > 1 and (nouns[-1] in _GENERIC or is_state) else nouns), place

    @property
    def nouns(self) -> list[str]:
        """The nouns of the name."""
        return self._nouns_and_place[0]

    @cached_property
    def known(self) -> set[str]:
        """The resources that arguments name by identity."""
        return {stem for key in self.tool.parameters.get("properties", {}) for stem in [stem_of(key)] if stem}

    @cached_property
    def _own(self) -> str | None:
        return resource_name("_".join(self.nouns[-2:])) if self.nouns else self.space

    @cached_property
    def is_of_space(self) -> bool:
        """Whether the name changes a thing other than the namespace's resource; then the tool acts on the latter."""
        changes = self._operation in ("update", "action")
        return bool(self.space and self._own and changes and not same_noun(self._own, self.space))

    @cached_property
    def noun(self) -> str | None:
        """The resource that the name names."""
        return self.space if self.is_of_space else self._own

    @property
    def _operation(self) -> Operation:
        reading: Operation = "read" if self.is_details else "compute" if self.tool.effect == "read" else "action"
        return self.verb or reading

    @property
    def operation(self) -> Operation:
        """The operation, independent of the resource."""
        return "action" if self.is_of_space or self.begins else self._operation

    @cached_property
    def begins(self) -> bool:
        """Whether the name begins an existing thing that an argument identifies: `start_race(race_id)`."""
        begun = bool(_BEGINNING & set(name_tokens(self.parts[-1])[:2]))
        return self._operation == "create" and begun and self._own in self.known

    @cached_property
    def whole(self) -> str | None:
        """The resource that another is added to or removed from, if arguments name both: `add_tag_to_task`."""
        if self.tool.http or self.space or self.operation not in ("create", "delete", "update", "action"):
            return None
        thing, whole = (singular(words[-1]) if words else "" for words in self._nouns_and_place)
        held = [stem for stem in self.known if stem.split("_")[-1] == whole]
        there = any(stem.split("_")[-1] == thing for stem in self.known)
        return held[0] if len(held) == 1 and there and thing != whole else None

    @property
    def acts(self) -> bool:
        """Whether the call is about existing rows, which arguments may name."""
        return self.noun is not None and self.operation not in ("create", "list")

    @cached_property
    def alike(self) -> list[str]:
        """The resources named by arguments that have the noun of the name."""
        return [stem for stem in sorted(self.known) if self.noun and same_noun(stem, self.noun)]

    @property
    def beginning(self) -> str | None:
        """The resource named by an argument that the noun begins with: `reservation` for `update_reservation_passengers`."""
        if not self.acts or self.operation not in ("update", "action") or (self.tool.http and len(self.parts) > 1):
            return None
        return next((stem for stem in sorted(self.known) if f"{self.noun}".startswith(f"{stem}_")), None)

    @property
    def field_owner(self) -> str | None:
        """The only resource that arguments name, if the noun is one of its fields: `set_priority(ticket_id, priority)`."""
        is_field = self.operation == "update" and self.acts and not self.tool.http
        properties = self.tool.parameters.get("properties", {})
        return (
            next(iter(self.known)) if is_field and len(self.known) == 1 and {*self.nouns[-1:]} & {*properties} else None
        )

    @property
    def acted_on(self) -> str | None:
        """The resource that a required argument of an action names, preferably one that is in the name."""
        needed = self.known & {
            stem_of(key) for key in self.tool.parameters.get("required", self.tool.parameters.get("properties", {}))
        }
        if self.operation != "action" or not self.acts or self.space or not needed:
            return None
        return min([stem for stem in needed if stem.split("_")[-1] in self._spoken] or needed)

    @property
    def reads_many(self) -> bool:
        """Whether a reading name has a plural noun that no argument identifies: `get_board_labels(board_id)`."""
        if not self.nouns or not is_plural(self.nouns[-1]) or self.nouns[-1] in ALONE:
            return False
        named = any(singular(self.nouns[-1]) in stem.split("_") for stem in self.known)
        return not self.known or (not named and not self.tool.http and self.tool.returns is None)


def _described(tool: Tool) -> list[str]:
    """Return the noun for a tool whose name is only a verb, from its description: "Search for flats to rent" -> flats."""
    found = _THING.match(tool.summary or tool.description[:200])
    words = name_tokens(found[1].split()[-1]) if found else []
    return words[-1:] if words and words[-1] not in VERBS else []


def _split(name: str, nouns: list[str]) -> tuple[list[str], list[str]]:
    """Return the nouns before a preposition, and the words after it."""
    tokens = [token for token in name_tokens(name) if not VERSION.match(token)]
    first = next((number for number, token in enumerate(tokens) if token in nouns), len(tokens))
    after = (number for number, token in enumerate(tokens) if token in _PREPOSITIONS and number > first)
    cut = next(after, len(tokens))
    before = [word for word in tokens[:cut] if word in nouns and word not in _PREPOSITIONS]
    return before or nouns, tokens[cut + 1 :]
