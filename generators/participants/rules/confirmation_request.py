"""Calls that are about to be made -> the question whether to go ahead, with the values that the user gave or chose."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from interplay.generators.participants.rules.seen_things import SeenThings
from interplay.generators.participants.wording.deed_phrases import head_noun, says_deed, wish_object
from interplay.generators.participants.wording.fact_phrases import (
    comes_later,
    is_command,
    own_fragment,
    say_amount,
    say_field,
    say_flag,
    say_item,
    say_quality,
    with_full_name,
)
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.named_wishes import Named, apposition, described_by, is_served, named
from interplay.generators.participants.wording.result_phrases import IN_LINES, display, particulars, told_beside
from interplay.generators.participants.wording.value_phrases import LINE, capital, in_lines, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import told_as
from interplay.generators.phrases.labels.field_labels import is_amount, is_own_name, label_of, words_of
from interplay.generators.phrases.labels.identity_labels import identity_label
from interplay.generators.phrases.speakable_values import (
    LABELS,
    is_holdable,
    is_moment,
    is_named_after,
    name_parts,
    speakable_leaves,
)
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import at_pointer, last_name, leaves
from interplay.schemas.protocols import Policy
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Goal, Origin
from interplay.schemas.records.tool import PolicyRule, ToolRole
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import normalised

_SEVERAL = re.compile(r", (?!\d{4}\b)")
"""Commas between the parts of a detail, except within a date."""

_TITLES = LABELS.index("summary")
"""Number of labels in `LABELS` that are names or titles."""

_OF_ONE = {"read", "update", "delete", "action"}


def is_about_one(role: ToolRole) -> bool:
    """Tell whether a tool acts on one row that was identified before."""
    return role.operation in _OF_ONE


def _names_itself(pointer: str, noun: str) -> bool:
    """Tell whether a field is the name of the row itself, not that of something in it."""
    label = words_of(pointer[1:])
    called = label in LABELS or is_own_name(label) or is_named_after(pointer, noun.split())
    return pointer.count("/") == 1 and called


def _tells_whose(pointer: str, value: Any) -> bool:
    """Tell whether a field is a date or the name of a person that describes a row."""
    return is_moment(value) or (label_of(pointer).endswith("name") and str(value).istitle() and " " in str(value))


class ConfirmationRequest:
    """Words the confirmation requests of one dialogue; `results` holds the results of all actions so far.

    `otherwise` holds the temporary values that the user has told, by fact; `identities` the identity fields of resources.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        words: Voice,
        policy: Policy | None,
        roles: Mapping[str, ToolRole],
        results: dict[str, Any],
        otherwise: Mapping[str, Any],
        identities: Mapping[str, str],
        rules: Sequence[PolicyRule] = (),
    ) -> None:
        self._blueprint = blueprint
        self._words = words
        self._policy = policy
        self._roles = roles
        self._results = results
        self._seen = SeenThings(blueprint, roles, results)
        self._otherwise = otherwise
        self._identities = identities
        self._asked = set[str]()
        self._rules = {rule.id: rule for rule in rules}

    def is_needed(self, actions: Sequence[Action]) -> bool:
        """Tell whether the policy requires some of the actions to be confirmed."""
        return self._policy is not None and any(self._policy.confirms(action.tool) for action in actions)

    def question(self, actions: Sequence[Action]) -> str:
        """Ask whether to make the actions that have to be confirmed."""
        assert self._policy is not None
        goals = dict.fromkeys(action.goal for action in actions if self._policy.confirms(action.tool))
        alone = len(goals) == 1
        wishes = [self._wish(goal, [action for action in actions if action.goal == goal], alone) for goal in goals]
        intent, details = wishes[0]
        frame = "confirm_lines" if details.startswith(LINE) else "confirm"
        text = self._words.draw(frame, intent=intent, details=details) if alone else ""
        if not alone:
            text = self._of_several(wishes, [self._blueprint.goals[goal].tool for goal in goals])
        again, self._asked = actions[0].id in self._asked, self._asked | {action.id for action in actions}
        pressed = self._blueprint.scenario.pressure == "no_questions"
        lead = self._words.draw("noted") if again else self._words.draw("confirm_all_the_same") if pressed else ""
        return sentence(lead, capital(text))

    def with_duties(self, text: str, actions: Sequence[Action]) -> tuple[str, tuple[str, ...]]:
        """Return a text with what rules require to be said before some actions, and the ids of these rules.

        Actions with a value that is still unsettled are skipped.
        """
        settled = [
            action for action in actions if not self._otherwise.keys() & {own.fact for own in action.origins.values()}
        ]
        due = [duty for action in settled for duty in action.duties if duty.rule in self._rules]
        reasons = [self._words.reason(self._rules[duty.rule]) for duty in due]
        values = {path: value for duty in due for path, value in duty.values.items()}
        said = normalised(" ".join([*reasons, text]))
        missing = [
            self._words.state(label, value, self._words.value(value, label))
            for path, value in values.items()
            if not mentions(said, value)
            for label in [words_of(path.rpartition(".")[2])]
        ]
        named = [capital(self._words.draw("duty_say", said=self._words.enumerate(missing)))] if missing else []
        return sentence(*dict.fromkeys([*reasons, *named]), text), tuple(dict.fromkeys(duty.rule for duty in due))

    def _wish(self, goal: int, actions: Sequence[Action], spread: bool) -> tuple[Filling, str]:
        """Return a wish from the assistant's view with the names of its rows, and its other details.

        If `spread`, many details get a line each.
        """
        wanted = self._blueprint.goals[goal]
        again = self._words.fixed("again", noun=wanted.again) if wanted.again else ""
        wish, left = self.wish(wanted, actions)
        left = [thing for thing in left if not self.is_the_user(thing)]
        said = [*(described_by(self._words, thing) for thing in left), *self._others(actions, wanted)]
        seen = self._seen_of(actions[0], wanted) if spread and len(actions) == 1 else {}
        known = " ".join([wish if isinstance(wish, str) else "", *said])
        days = [moment for moment in self._words.moments if moment in known]
        more = [text for text in seen if text not in known and not any(moment in text for moment in days)]
        said = [*dict.fromkeys([*said, *more])]
        joined = self._joined(said)
        plain = not isinstance(wish, str) or not wish.endswith(")")
        if spread and plain and len(set(filter(None, said))) >= IN_LINES:
            lines = [*map(self._entry, left), *self._others(actions, wanted, "entry"), *(seen[text] for text in more)]
            return wish, in_lines(map(capital, dict.fromkeys(filter(None, lines))))
        if isinstance(wish, str) and wish.endswith(")") and said:
            return f"{wish[:-1]}{', '.join(('', *said))})", ""
        return wish, joined or ("" if len(left) < len(self.things(actions)) else again)

    def _seen_of(self, action: Action, wanted: Goal) -> dict[str, str]:
        """Say the date and price, if shown, of the row that an action books or ends; each also as a line of a list."""
        role, about = self._roles[action.tool], wish_object(wanted.intent).split()
        for pointer, origin in action.origins.items() if role.operation != "update" else ():
            noun = self._words.noun(referred(role, pointer))
            meant = self._is_main(action, pointer) or head_noun(noun) in about
            if origin.kind == "output" and "/" in str(origin.pointer) and referred(role, pointer) and meant:
                row = self._seen.thing(origin, action, pointer)
                told = [at for at in particulars([row], noun) if is_moment(row[at[1:]]) or is_amount(label_of(at))]
                return {told_beside(self._words, at, row): self._line(row, at) for at in told}
        return {}

    def _line(self, row: Mapping[str, Any], at: str) -> str:
        """Say a field of a row as a line of a list: a moment, or an amount with its currency."""
        value = row[at[1:]]
        said = self._words.value(value) if is_moment(value) else told_beside(self._words, at, row)
        return say_field(self._words, label_of(at), value, said, "entry")

    def is_the_user(self, thing: Named) -> bool:
        """Tell whether a thing is the user, by the name that the user has told."""
        facts = self._blueprint.scenario.facts
        return any(fact.label == "name" and fact.value == thing.said and fact.choice is None for fact in facts)

    def wish(self, wanted: Goal, actions: Sequence[Action]) -> tuple[Filling, list[Named]]:
        """Return a wish with the names of its actions' rows, and the rows that it does not mention."""
        role = self._roles.get(wanted.tool)
        known = role is not None and (is_about_one(role) or role.operation in ("update", "delete"))
        return named(self._words, self._words.turned(wanted.intent, known), self.things(actions))

    def _of_several(self, wishes: Sequence[tuple[Filling, str]], tools: Sequence[str]) -> str:
        """Ask for several wishes at once; a repeated wish is not said again."""
        each = [
            self._words.fixed("confirm_same", details=details)
            if place and tools[place] == tools[place - 1]
            else self._words.fixed("confirm_each", intent=intent, details=details)
            for place, (intent, details) in enumerate(wishes)
        ]
        joined = self._words.language.speech["comma_and"].join(each)
        return sentence(self._words.draw("confirm_all", wishes=joined), self._words.draw("shall"))

    def details(self, actions: Sequence[Action]) -> str:
        """Say the values that the user gave or chose for some actions."""
        return self._joined(
            [*(described_by(self._words, thing) for thing in self.things(actions)), *self._others(actions)]
        )

    def _joined(self, said: Sequence[str]) -> str:
        said = [text for text in dict.fromkeys(said) if text]
        joint = "; " if len(said) > 1 and any(_SEVERAL.search(text) for text in said) else ", "
        return self._words.fixed("details", details=joint.join(said)) if said else ""

    def things(self, actions: Sequence[Action]) -> list[Named]:
        """Name the rows of some actions: what was looked up, what the user chose, and what is created with a name."""
        chosen = [
            thing
            for action in actions
            for pointer, origin in action.origins.items()
            if (thing := self._chosen(action, pointer, origin)) is not None
        ]
        found = [thing for thing in self._found(actions) if not any(thing.said in other.said for other in chosen)]
        several: dict[tuple[str, ...], list[Named]] = {}
        for thing in (*found, *chosen):
            several.setdefault(thing.nouns, []).append(thing)
        told = {
            self._words.value(fact.value, fact.label)
            for fact in self._blueprint.scenario.facts
            if fact.choice is None and isinstance(fact.value, str)
        }
        things = [self._together(things) for things in several.values()]
        return [replace(thing, main=thing.main and (thing.said not in told or thing in chosen)) for thing in things]

    def shown(self, action: Action) -> list[Named]:
        """Name the row of an action by the name in its result, if the user has told only its identity."""
        role, row = self._roles[action.tool], self._results[action.id]
        own = self._identities.get(str(role.resource), "")
        told = {at: at_pointer(action.arguments, at) for at, origin in action.origins.items() if origin.kind == "user"}
        targets = [str(value) for at, value in told.items() if self._is_main(action, at)]
        if not isinstance(row, Mapping) or own not in row or targets != [str(row[own])]:
            return []
        place, called = next(iter(speakable_leaves(row, naming=True)), ("", None))
        if (
            not isinstance(called, str)
            or not _names_itself(place, self._words.noun(role.resource))
            or called in told.values()
        ):
            return []
        return [Named((self._words.noun(role.resource),), self._words.value(called, label_of(place)), main=True)]

    def _together(self, things: Sequence[Named]) -> Named:
        """Name several things of one kind at once."""
        said = list(dict.fromkeys(thing.said for thing in things))
        return replace(things[0], said=self._words.enumerate(said), many=True) if len(said) > 1 else things[0]

    def _chosen(self, action: Action, pointer: str, origin: Origin) -> Named | None:
        """Name what the user chose, or what is created under the user's name for it; None for other arguments."""
        fact, role = self.fact(origin.fact) if origin.fact is not None else None, self._roles.get(action.tool)
        if fact is None or (fact.choice is not None and not fact.value):
            return None
        if fact.choice is None:
            if role is None or not self._is_own_name(action, fact):
                return None
            noun = self._words.noun(role.resource)
            topic = self._blueprint.goals[action.goal].topic
            return Named((noun, topic), self._words.value(fact.value, fact.label), main=True)
        joint, now = self._words.language.speech["and"], self._now(fact.choice, origin, action, pointer)
        told = dict(with_full_name(fact.value))
        parts = [self._part(part, now.get(part, value), now) for part, value in told.items()]
        kind = self._words.noun(referred(role, pointer)) if role is not None else ""
        by_name = any(_names_itself(part, kind) for part in list(told)[:1])
        if by_name and parts[1:]:
            name = apposition(self._words, Named((), parts[0]))
            said = self._words.fixed("item", first=name, rest=", ".join(parts[1:]))
        else:
            said = joint.join(parts)
        placed = self._placed(action, pointer, said, fact.label)
        own = placed == said and by_name
        whose = (
            placed == said
            and len(told) == 1
            and all(
                _tells_whose(part, value) and not comes_later(now, now.get(part, value)) for part, value in told.items()
            )
        )
        labels = [label_of(part) for part in told if part.count("/") == 1]
        met = len(labels) == len(told) and all(
            label.endswith(" name") and not is_served(label.removesuffix(" name")) for label in labels
        )
        nouns, main = self._nouns(action, pointer, fact.label), self._is_main(action, pointer)
        return Named(nouns, placed, own, main, whose="" if not whose else "with" if met else "of")

    def _is_own_name(self, action: Action, fact: Fact) -> bool:
        """Tell whether a fact is the name of a row to be created: its name, or its `article title`."""
        own = f"{self._words.noun(self._roles[action.tool].resource)} "
        return (
            self._roles[action.tool].operation == "create"
            and isinstance(fact.value, str)
            and words_of(fact.label.rpartition("'s ")[2]).removeprefix(own) in LABELS[:_TITLES]
        )

    def _nouns(self, action: Action, pointer: str, label: str) -> tuple[str, ...]:
        """Return the nouns for the kind of row that an argument means, best first."""
        role = self._roles.get(action.tool)
        kind = referred(role, pointer)
        if role is not None and role.operation == "create" and kind == role.resource:
            return ()  # the wish means the new row
        known = [self._words.noun(kind)] if kind else []
        named = label in self._words.askings or label in self._words.sayings  # named in the tool's phrases
        return tuple(dict.fromkeys([label, *known] if named else [*known, label]))

    def _is_main(self, action: Action, pointer: str) -> bool:
        """Tell whether an argument identifies the row that an action is done to."""
        role = self._roles.get(action.tool)
        return role is not None and is_about_one(role) and referred(role, pointer) == role.resource

    def _entry(self, thing: Named) -> str:
        """Say a thing as a line of a list, after its noun unless it is a moment."""
        noun = next((noun for noun in thing.nouns if noun), "")
        timed = not noun or any(moment in thing.said for moment in self._words.moments)
        return thing.said if timed else self._words.fixed("entry", label=noun, value=thing.said)

    def _others(self, actions: Sequence[Action], wanted: Goal | None = None, frame: str = "detail") -> list[str]:
        """Say the other values that the user told for some actions: all that name no row and are not in the wish."""
        said = []
        for action in actions:
            for pointer, origin in action.origins.items():
                fact = self.fact(origin.fact) if origin.fact is not None else None
                if fact is None or fact.choice is not None or self._chosen(action, pointer, origin) is not None:
                    continue
                if isinstance(fact.value, bool):
                    repeated = fact.value and wanted is not None and says_deed(wanted.intent, fact.label)
                    said += [] if repeated else [self._flag(fact)]
                else:
                    said.append(self._detail(fact, frame))
        return said

    def _detail(self, fact: Fact, frame: str) -> str:
        """Say a value with its label; a written text in its own wording, or all as lines of a list."""
        said = self._words.value(fact.value, fact.label)
        if frame == "entry":
            return say_field(self._words, fact.label, fact.value, said, frame)
        if own := own_fragment(self._words, fact):
            return fill(own, {"value": said})
        written = told_as(self._words, fact, said) if said.startswith(self._words.language.speech["quotes"][0]) else ""
        joint = self._words.language.speech["with"]
        plain = not written or written.startswith(joint)
        return say_field(self._words, fact.label, fact.value, said, "detail") if plain else written

    def _flag(self, fact: Fact) -> str:
        """Say a flag that the user has told; one that is an instruction as such."""
        if not is_command(fact.label):
            return say_flag(self._words, fact.label, fact.value)
        return self._words.fixed("detail_do" if fact.value else "detail_not", label=fact.label)

    def _placed(self, action: Action, pointer: str, said: str, noun: str) -> str:
        """Say a bare moment that something is moved to or created for with its label and owner: "Dr. Jansen, appointment 3 May".

        This applies to rows that an action takes besides its own; a moment alone would be ambiguous.
        """
        role, origin = self._roles.get(action.tool), action.origins[pointer]
        if role is None or said not in self._words.moments:
            return said
        if referred(role, pointer) in (None, role.resource) and role.operation != "create":
            return said
        moved = any(role.references.get(at) == role.resource for at in action.origins if at != pointer)
        said = self._words.fixed("detail", label=noun, value=said) if moved and noun else said
        return ", ".join([*self._whose(origin), said])

    def _whose(self, origin: Origin) -> list[str]:
        """Name the row through which something was found: the doctor of a time slot."""
        if origin.action is None:
            return []
        shown = self._blueprint.action(str(origin.action))
        for pointer, own in shown.origins.items():
            if own.kind == "output" and "/" in str(own.pointer) and self._results.get(str(own.action)) is not None:
                seen = self._seen.thing(own, shown, pointer)
                named = [value for place, value in speakable_leaves(seen, naming=True) if label_of(place) in LABELS]
                return [self._words.value(value) for value in named[:1]]
        return []

    def _part(self, place: str, value: Any, item: Mapping[str, Any]) -> str:
        """Say one of the values that describe a choice; values that are no text, and ends, with their label."""
        if isinstance(value, str) and not comes_later(item, value):
            return self._words.value(value)
        label = label_of(place)
        if isinstance(value, bool):
            return say_quality(self._words, label, value)
        said = self._words.value(value, label)
        return (
            say_field(self._words, label, value, said)
            if is_moment(value)
            else say_amount(self._words, item, place, label, said)
        )

    def _found(self, actions: Sequence[Action]) -> list[Named]:
        """Name the rows that were looked up for some actions and that the user has not named."""
        said: list[Named] = []
        for action in actions:
            for pointer, origin in action.origins.items():
                looked_up = origin.kind == "output" and self._results.get(str(origin.action)) is not None
                if (
                    looked_up
                    and "/" in str(origin.pointer)
                    and not (self._is_told(origin) or self._stays(action, pointer))
                ):
                    seen = self._seen.thing(origin, action, pointer)
                    telling = self._telling(origin)
                    parts = self._named(action, pointer, seen, telling)
                    noun = self._words.noun(referred(self._roles[action.tool], pointer))
                    if parts:
                        texts = [place for place, _ in speakable_leaves(seen, naming=True)]
                        alone = not telling and len(parts) == 1 and bool(texts)
                        own = alone and (_names_itself(texts[0], noun) or any(name_parts(seen, texts[0])))
                        first, *rest = parts
                        by_code = bool(rest) and first == str(at_pointer(action.arguments, pointer))
                        told = self._words.fixed("item", first=first, rest=", ".join(rest)) if by_code else ""
                        placed = self._placed(action, pointer, told or ", ".join(parts), noun)
                        said.append(Named((noun,), placed, own or by_code, self._is_main(action, pointer)))
        return list(dict.fromkeys(said))

    def _stays(self, action: Action, pointer: str) -> bool:
        """Tell whether an argument of a change repeats what its row holds already, as a look-up has shown."""
        origin = action.origins[pointer]
        item, _, field = str(origin.pointer).rpartition("/")
        own = [str(at_pointer(action.arguments, at)) for at in action.origins if self._is_main(action, at)]
        if (
            self._roles[action.tool].operation != "update"
            or field != last_name(pointer)
            or self._is_main(action, pointer)
        ):
            return False
        row = at_pointer(self._results[str(origin.action)], item)
        return isinstance(row, Mapping) and bool(own) and own[0] in map(str, row.values())

    def _telling(self, origin: Origin) -> list[str]:
        """Return the fields that distinguish a described row, or one chosen by position, in its list."""
        fact = self.fact(origin.fact) if origin.fact is not None else None
        if fact is None or fact.choice is None or (fact.description is not None and fact.description.same):
            return []
        above, _, place = fact.choice.rpartition("/")
        if not place.isdigit() or not str(origin.pointer).startswith(f"{fact.choice}/"):
            return []
        items = at_pointer(self._results[str(origin.action)], above)
        described = fact.description
        if described is None or not described.label:  # its first moment is the date that makes it the latest
            moments = [(value, at) for at, value in leaves(items[int(place)]) if is_moment(value)] if described else []
            return display(items, int(place), [at for _, at in sorted(moments)[:1]])
        return display(items, int(place), [described.pointer])

    def _now(self, chosen: str, origin: Origin, action: Action, pointer: str) -> Mapping[str, Any]:
        """Return the current values of a chosen row, or of its part that is used, by pointers below it."""
        part = str(origin.pointer).rpartition("/")[0].removeprefix(chosen)
        return dict(leaves(self._seen.thing(origin, action, pointer), part))

    def _is_told(self, origin: Origin) -> bool:
        """Tell whether the user has said which one is meant, by more than its position."""
        return origin.fact is not None and bool(self.fact(origin.fact).value)

    def _named(self, action: Action, pointer: str, item: Mapping[str, Any], telling: Sequence[str]) -> list[str]:
        """Name the row that an argument means: by its name, else by what distinguishes it, else by its number.

        The `telling` fields distinguish it; without these, its first text and first moment do.
        """
        fields = dict(leaves(item))
        told = [say_item(self._words, item, [place], 0) for place in telling if fields.get(place) not in (None, "")]
        texts = [found for found in speakable_leaves(item, naming=True) if isinstance(found[1], str)]
        if told or texts:
            return told or [say_item(self._words, item, [place], 0) for place in self._first(texts)]
        role, value = self._roles[action.tool], at_pointer(action.arguments, pointer)
        if not is_about_one(role) or referred(role, pointer) != role.resource or not is_holdable(value):
            return []
        label = identity_label(str(role.resource), self._identities.get(str(role.resource)), self._words.names)
        return [self._words.fixed("detail", label=label, value=self._words.value(value, label))]

    def _first(self, texts: Sequence[tuple[str, str]]) -> Sequence[str]:
        """Return the pointer of a row's name, or of its first text and first moment if it has no name."""
        place, first = texts[0]
        named = words_of(place.rpartition("/")[2]).rpartition(" ")[2] in LABELS
        moments = [at for at, value in texts[1:] if is_moment(value)]
        return [place] if named or is_moment(first) else [place, *moments[:1]]

    def fact(self, name: str) -> Fact:
        """Return a fact with the value that the user has told so far."""
        fact = self._blueprint.scenario.fact(name)
        return fact.model_copy(update={"value": self._otherwise[name]}) if name in self._otherwise else fact
