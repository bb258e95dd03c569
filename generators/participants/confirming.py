"""Calls that are about to be made -> the question whether to go ahead, with the values that the user gave or chose."""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.participants.languages import Filling
from interplay.generators.participants.reporting import display
from interplay.generators.participants.saying import say_flag, say_item
from interplay.generators.participants.speech import capital, sentence
from interplay.generators.participants.wording import Words
from interplay.generators.values.identity_labels import identity_label
from interplay.generators.values.speakable import LABELS, is_holdable, is_moment, label_of, speakable_leaves, words_of
from interplay.schemas.blueprint import Action, Blueprint, Fact, Origin
from interplay.schemas.canonical import at_pointer, leaves, split_pointer
from interplay.schemas.protocols import Policy
from interplay.schemas.tools import ToolRole

_OF_ONE = {"read", "update", "delete", "action"}


def is_about_one(role: ToolRole) -> bool:
    """Tell whether a tool does something to one thing, of which it is clear by then which one it is."""
    return role.operation in _OF_ONE


class Confirming:
    """Asks before what a policy wants to be asked for; `results` are those of all actions so far.

    `otherwise` holds the values that the user has told for now, by the facts that they are about; `identities` are the
    identity fields of resources.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        words: Words,
        policy: Policy | None,
        roles: Mapping[str, ToolRole],
        results: dict[str, Any],
        otherwise: Mapping[str, Any],
        identities: Mapping[str, str],
    ) -> None:
        self._blueprint = blueprint
        self._words = words
        self._policy = policy
        self._roles = roles
        self._results = results
        self._otherwise = otherwise
        self._identities = identities

    def is_needed(self, actions: Sequence[Action]) -> bool:
        """Tell whether some of the actions have to be confirmed."""
        return self._policy is not None and any(self._policy.confirms(action.tool) for action in actions)

    def question(self, actions: Sequence[Action]) -> str:
        """Ask whether to do what has to be confirmed."""
        assert self._policy is not None
        goals = dict.fromkeys(action.goal for action in actions if self._policy.confirms(action.tool))
        wishes = [self._wish(goal, [action for action in actions if action.goal == goal]) for goal in goals]
        intent, details = wishes[0]
        text = self._words.draw("confirm", intent=intent, details=details)
        if len(wishes) > 1:
            text = self._of_several(wishes, [self._blueprint.goals[goal].tool for goal in goals])
        pressed = self._blueprint.scenario.pressure == "no_questions"
        return sentence(self._words.draw("confirm_all_the_same") if pressed else "", capital(text))

    def _wish(self, goal: int, actions: Sequence[Action]) -> tuple[Filling, str]:
        """Return a wish in the words of the one who is asked, and its details."""
        wanted = self._blueprint.goals[goal]
        again = self._words.fixed("again", noun=wanted.again) if wanted.again else ""
        known = is_about_one(self._roles[wanted.tool])
        return self._words.turned(wanted.intent, known), self.details(actions) or again

    def _of_several(self, wishes: Sequence[tuple[Filling, str]], tools: Sequence[str]) -> str:
        """Ask for several wishes at once; the same one again is not said again."""
        each = [
            self._words.fixed("confirm_same", details=details)
            if place and tools[place] == tools[place - 1]
            else self._words.fixed("confirm_each", intent=intent, details=details)
            for place, (intent, details) in enumerate(wishes)
        ]
        joined = self._words.language.speech["comma_and"].join(each)
        return sentence(self._words.fixed("confirm_all", wishes=joined), self._words.fixed("shall"))

    def details(self, actions: Sequence[Action]) -> str:
        """Say the values that the user gave or chose for some actions."""
        said = []
        for action, pointer, origin in ((a, pointer, o) for a in actions for pointer, o in a.origins.items()):
            if origin.fact is None:
                continue
            fact = self.fact(origin.fact)
            if fact.choice is not None:
                if fact.value:
                    joint, now = self._words.language.speech["and"], self._now(fact.choice, origin, action, pointer)
                    said.append(
                        joint.join(self._part(part, now.get(part, value)) for part, value in fact.value.items())
                    )
            elif isinstance(fact.value, bool):
                said.append(say_flag(self._words, fact.label, fact.value))
            else:
                value = self._words.value(fact.value, fact.label)
                said.append(self._words.fixed("detail", label=fact.label, value=value))
        said = list(dict.fromkeys([*(name for name in self._found(actions) if name not in " ".join(said)), *said]))
        return self._words.fixed("details", details=", ".join(said)) if said else ""

    def _part(self, place: str, value: Any) -> str:
        """Say one of the values by which something was chosen; what is no text with what it is called."""
        if isinstance(value, str):
            return self._words.value(value)
        label = label_of(place)
        if isinstance(value, bool):
            return say_flag(self._words, label, value)
        return self._words.fixed("item_field", label=label, value=self._words.value(value, label))

    def _found(self, actions: Sequence[Action]) -> list[str]:
        """Name what was looked up for some actions, where the user has not named it."""
        said = []
        for action in actions:
            for pointer, origin in action.origins.items():
                looked_up = origin.kind == "output" and self._results.get(str(origin.action)) is not None
                if looked_up and "/" in str(origin.pointer) and not self._is_told(origin):
                    seen = self._seen(origin, action, pointer)
                    said += self._named(action, pointer, seen, self._telling(origin))
        return list(dict.fromkeys(said))

    def _telling(self, origin: Origin) -> list[str]:
        """Return the fields that tell what the user described, or took by its place, from the rest of its list."""
        fact = self.fact(origin.fact) if origin.fact is not None else None
        if fact is None or fact.choice is None or (fact.description is not None and fact.description.same):
            return []
        above, _, place = fact.choice.rpartition("/")
        if not place.isdigit() or not str(origin.pointer).startswith(f"{fact.choice}/"):
            return []
        items = at_pointer(self._results[str(origin.action)], above)
        return display(items, int(place), [fact.description.pointer] if fact.description is not None else [])

    def _now(self, chosen: str, origin: Origin, action: Action, pointer: str) -> Mapping[str, Any]:
        """Return what is now the case of a thing that the user chose, or the part of it that is used, by pointers below it."""
        part = str(origin.pointer).rpartition("/")[0].removeprefix(chosen)
        return dict(leaves(self._seen(origin, action, pointer), part))

    def _seen(self, origin: Origin, action: Action, pointer: str) -> Mapping[str, Any]:
        """Return what an argument was taken from, as it was seen last: what changed it since may have answered with it."""
        shown = self._results.get(str(origin.action))
        item = at_pointer(shown, str(origin.pointer).rsplit("/", 1)[0]) if shown is not None else None
        if not isinstance(item, Mapping):
            return {}
        field, value = split_pointer(str(origin.pointer))[-1], at_pointer(action.arguments, pointer)
        for result in reversed(self._results.values()):
            for row in result if isinstance(result, list) else [result]:
                if (
                    isinstance(row, Mapping)
                    and row.get(field) == value
                    and (row.keys() <= item.keys() or item.keys() <= row.keys())
                ):
                    return {**item, **row}
        return item

    def _is_told(self, origin: Origin) -> bool:
        """Tell whether the user has said which one is meant, by more than its place."""
        return origin.fact is not None and bool(self.fact(origin.fact).value)

    def _named(self, action: Action, pointer: str, item: Mapping[str, Any], telling: Sequence[str]) -> list[str]:
        """Name what an argument means: as people call it, else by what tells it from others, else by its number.

        The fields that are `telling` do so; of what was shown alone, the first text and the first moment.
        """
        fields = dict(leaves(item))
        told = [say_item(self._words, item, [place], 0) for place in telling if fields.get(place) not in (None, "")]
        texts = [found for found in speakable_leaves(item, naming=True) if isinstance(found[1], str)]
        if told or texts:
            return told or [self._words.value(value) for value in self._first(texts)]
        role, value = self._roles[action.tool], at_pointer(action.arguments, pointer)
        if not is_about_one(role) or role.references.get(pointer) != role.resource or not is_holdable(value):
            return []
        label = identity_label(str(role.resource), self._identities.get(str(role.resource)), self._words.names)
        return [self._words.fixed("detail", label=label, value=self._words.value(value, label))]

    def _first(self, texts: Sequence[tuple[str, str]]) -> Sequence[str]:
        """Return what a thing is called, or the first that is said of it and its first moment where it has no name."""
        place, first = texts[0]
        named = words_of(place.rpartition("/")[2]).rpartition(" ")[2] in LABELS
        moments = [value for _, value in texts[1:] if is_moment(value)]
        return [first] if named or is_moment(first) else [first, *moments[:1]]

    def fact(self, name: str) -> Fact:
        """Return a fact as the user has told it so far."""
        fact = self._blueprint.scenario.fact(name)
        return fact.model_copy(update={"value": self._otherwise[name]}) if name in self._otherwise else fact
