"""A completed action -> an assistant's report: what was done to what, and the outcome as far as the user needs it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interplay.generators.participants.rules.confirmation_request import ConfirmationRequest
from interplay.generators.participants.wording.deed_phrases import (
    changes_thing,
    done_frame,
    perfect,
    says_deed,
    wish_object,
)
from interplay.generators.participants.wording.fact_phrases import is_command, is_timed, say_field
from interplay.generators.participants.wording.inflection import Wish
from interplay.generators.participants.wording.languages import Filling
from interplay.generators.participants.wording.named_wishes import (
    Named,
    apposition,
    described_by,
    is_name_as_it_stands,
    name_in,
    named,
)
from interplay.generators.participants.wording.result_phrases import IN_LINES, clauses
from interplay.generators.participants.wording.value_phrases import capital, in_lines, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import changed, told_alone, weavable, with_whole_name
from interplay.generators.phrases.labels.field_labels import is_amount, is_own_name, label_of, words_of
from interplay.generators.phrases.labels.identity_labels import NUMBERED, is_coded
from interplay.generators.phrases.speakable_values import (
    is_holdable,
    is_moment,
    is_of_a_record,
    is_opaque,
    speakable_leaves,
)
from interplay.generators.phrases.topic_nouns import repeats_noun
from interplay.generators.phrases.wish_grammar import parsed
from interplay.generators.results.result_kinds import is_talk, payload_of
from interplay.generators.values.lifetimes import is_done, is_stayed_in, tells_state
from interplay.generators.values.schema_values import RARE
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import is_ahead
from interplay.schemas.json.canonical import last_name, leaves
from interplay.schemas.json.fields import is_number
from interplay.schemas.records.blueprint import Action, Blueprint, ExpectedOutput, Fact, Goal
from interplay.schemas.records.tool import ToolRole
from interplay.schemas.words.identifiers import last_word, name_tokens, names_identity
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_predicate


@dataclass
class DeedReport:
    """Reports the actions of one dialogue; `results` holds those of all actions so far, `naming` names the rows of actions."""

    blueprint: Blueprint
    words: Voice
    roles: Mapping[str, ToolRole]
    results: Mapping[str, Any]
    naming: ConfirmationRequest
    identities: Mapping[str, str]
    _deeds: int = field(default=0, init=False)
    _reported: set[str] = field(default_factory=set, init=False)

    def begin(self) -> None:
        """Start the report of another request."""
        self._deeds = 0
        self._reported.clear()

    def report(self, action: Action) -> str:
        """Report an action, in the words of the wish if possible, else by the operation of its tool."""
        role, goal = self.roles[action.tool], self.blueprint.goals[action.goal]
        frame, noun = done_frame(role.operation, goal.intent), self.words.noun(role.resource)
        if frame == "found":
            return self.words.draw(frame, noun=noun)
        if said := self.words.deed(action.tool):
            said = self._named_deed(action, said)
            said = self.words.draw("did_again") if said in self._reported else said
            self._reported.add(said)
            return sentence(said, self._result_of(action, said))
        wish, left = self._named_wish(action, goal)
        deed = perfect(wish) if isinstance(wish, str) else wish if self.words.is_said(goal.intent) else ""
        if deed and not self._contradicts(action, goal):
            also, self._deeds = "_also" if self._deeds else "", self._deeds + 1
            done = self._with_others(self.words.draw(f"did{also}", deed=deed), action)
            return sentence(done, self._result_of(action, done))
        things = self.naming.things([action])
        main = next((thing for thing in things if thing.main), things[0] if len(things) == 1 else None)
        if not self.words.names and noun not in wish_object(goal.intent):
            frame = "done"  # items removed from a library do not delete it
        name = f" {apposition(self.words, main)}" if main is not None and main.own and main not in left else ""
        done = self.words.draw(frame, noun=noun, name=name, details=self.naming.details([action]))
        return sentence(done, self._result_of(action, done))

    def _with_others(self, done: str, action: Action) -> str:
        """Return a report with the other chosen rows that it does not name yet: who was added to the project."""
        others = [thing for thing in self.naming.things([action]) if thing.said not in done and not thing.main]
        if not others or not done.endswith(".") or self.words.lexicon is not None:
            return done
        told = [described_by(self.words, thing) for thing in others]
        apart = [said for said in told if not any(said != other and said in other for other in told)]
        return self._behind(done, ", ".join(dict.fromkeys(apart)))

    def _behind(self, done: str, details: str) -> str:
        """Return a report with details in brackets before its full stop; they join brackets that are there."""
        more = self.words.fixed("details", details=details)
        return f"{done[:-2]}, {more[2:]}." if done.endswith(").") and more.startswith(" (") else f"{done[:-1]}{more}."

    def _named_deed(self, action: Action, said: str) -> str:
        """Return a tool's own report with the name of its row, or with what went into a new one."""
        things = self.naming.things([action])
        main = [thing for thing in things if thing.main][:1]
        if main and (placed := name_in(self.words, said, main[0])) != said:
            return placed
        told = main or (things if self.roles[action.tool].operation == "create" else [])
        told = [thing for thing in told if thing.said not in said]
        topic = self.blueprint.goals[action.goal].topic
        renamed = any(is_own_name(_own_label(fact.label, topic)) for fact in (self._told(action) if main else ()))
        if not told or renamed or not said.endswith("."):
            return said
        return self._behind(said, ", ".join(described_by(self.words, thing) for thing in told))

    def _named_wish(self, action: Action, goal: Goal) -> tuple[Filling, list[Named]]:
        """Return the wish of a goal with the names of its rows, or with the values that identify them."""
        wish, left = self.naming.wish(goal, [action])
        wish = self._with_values(wish, action, goal)
        operation, things = self.roles[action.tool].operation, self.naming.things([action])
        if not things and (shown := self.naming.shown(action)):
            return named(self.words, wish, shown)
        if changes_thing(operation, goal.intent):
            return wish, left
        for thing in () if things else self._by_told(action):
            with_name, unplaced = named(self.words, wish, [thing])
            again = isinstance(wish, str) and thing.said in wish
            wish = wish if unplaced or again else with_name
        return (wish if self.naming.is_needed([action]) else self._woven(wish, action)), left

    def _with_values(self, wish: Filling, action: Action, goal: Goal) -> Filling:
        """Return a wish with the values that were set, if the user told one or two of them."""
        told = weavable(self.words, self._told(action))
        own = any(is_own_name(_own_label(fact.label, goal.topic)) for fact in told)
        said = changed(self.words, goal.intent, goal.topic, told, wish) if isinstance(wish, str) and not own else ""
        return said or wish

    def _by_told(self, action: Action) -> list[Named]:
        """Return the values that the user told for an action as names of its rows: by their labels, else of the main one."""
        told = with_whole_name(self._told(action, referred=True))
        facts = [(fact, self.words.value(fact.value, fact.label)) for fact in told]
        facts = [(fact, said) for fact, said in facts if isinstance(fact.value, str) and said != fact.label]
        placed = [Named((fact.label, fact.label.rpartition(" ")[0]), said) for fact, said in facts]
        opening = self.words.language.speech["quotes"][0]
        known = [thing for thing in placed if is_name_as_it_stands(thing.said) and not thing.said[-1:].isdigit()]
        known = [thing for thing in known if not thing.said.startswith(opening)]
        known.sort(key=lambda thing: not is_own_name(thing.nouns[0]))
        goal = self.blueprint.goals[action.goal]
        nouns = (goal.topic, parsed(goal.intent).head)
        mine = ((thing, nouns if is_own_name(thing.nouns[0]) else ()) for thing in known[:1])
        return [*placed, *(replace(thing, nouns=own, main=True) for thing, own in mine)]

    def _woven(self, wish: Filling, action: Action) -> Filling:
        """Return a wish with one or two values that the user told for it, if it does not contain them."""
        text = wish if isinstance(wish, str) else wish.text if isinstance(wish, Wish) else ""
        told = [fact for fact in self._told(action) if not is_coded(fact.label)]
        told = [fact for fact in told if self.words.value(fact.value, fact.label) not in text]
        told = weavable(self.words, with_whole_name(told))
        if len(told) > _FEW_VALUES:  # then only its name
            told = [fact for fact in told if is_own_name(fact.label.rpartition("'s ")[2])][:1]
        if not 0 < len(told) <= _FEW_VALUES or self.words.language.speech["with"] in text:
            return wish
        phrase = told_alone(self.words, told)
        return f"{wish} {phrase}" if isinstance(wish, str) else wish.told(phrase) if isinstance(wish, Wish) else wish

    def _told(self, action: Action, referred: bool = False) -> list[Fact]:
        """Return the short values that the user told for an action; with `referred`, also identities of other rows."""
        role = self.roles[action.tool]
        facts = [
            self.naming.fact(origin.fact)
            for pointer, origin in action.origins.items()
            if origin.kind == "user" and origin.fact is not None and (referred or pointer not in role.references)
        ]
        said = [fact for fact in facts if fact.choice is None and not isinstance(fact.value, bool)]
        said = [fact for fact in said if not is_opaque(fact.value) or (referred and is_holdable(fact.value))]
        said = [fact for fact in said if str(fact.value).lower() not in ("true", "false")]
        return [
            fact for fact in said if isinstance(fact.value, (str, int, float)) and len(str(fact.value).split()) <= _LONG
        ]

    def _result_of(self, action: Action, deed: str) -> str:
        """Report the outcome of an action as far as the user needs it: a number, a link, or the values set."""
        known = self._reference(action) or self._link(action) or self._made(action)
        total = self._total(action)
        # how a new row stands tells less than what it costs
        stands = "" if total and self._new(action) else self._stands(action)
        known = sentence(known, total, stands)
        said = sentence(known, self._entered(action, deed)) or self._set_now(action, deed) or self._turned(action)
        return said or self._answered(action, deed)

    def _entered(self, action: Action, deed: str) -> str:
        """List the values entered, line by line, if they are many and were not all told at once."""
        if self.roles[action.tool].operation not in ("create", "update") or self.naming.is_needed([action]):
            return ""  # the user has just confirmed them
        told = [(fact, self.words.value(fact.value, fact.label)) for fact in self._told(action)]
        told = [(fact, said) for fact, said in told if said not in deed]
        if len(told) < IN_LINES or all(fact.reveal == "opening" for fact, _ in told):
            return ""
        lines = [say_field(self.words, fact.label, fact.value, said, "entry") for fact, said in told]
        return self.words.draw("entered", items=in_lines(map(capital, lines)))

    def _set_now(self, action: Action, deed: str) -> str:
        """Report one or two changed fields that the report `deed` does not contain."""
        goal = self.blueprint.goals[action.goal]
        told = [fact for fact in self._told(action) if self.words.value(fact.value, fact.label) not in deed]
        told += self._flags(action) if self.words.lexicon is None else []
        commands = [fact for fact in told if isinstance(fact.value, bool) and is_command(fact.label)]
        told = [fact for fact in told if fact not in commands]
        obeyed = [self.words.draw("obeys" if fact.value else "obeys_not", label=fact.label) for fact in commands]
        if commands and not told:
            return sentence(*map(capital, obeyed))
        operation, lexicon = self.roles[action.tool].operation, self.words.lexicon
        timed = operation in ("create", "action") and lexicon is None and all(is_timed(fact.label) for fact in told)
        timed = timed and not self.naming.is_needed([action])
        if not (timed or changes_thing(operation, goal.intent)) or not 0 < len(told) <= _FEW_VALUES:
            return ""
        own = [fact for fact in told if is_own_name(_own_label(fact.label, goal.topic))]
        if own and len(told) == 1:
            opening, name = self.words.language.speech["quotes"][0], self.words.value(own[0].value, own[0].label)
            return self.words.draw("set_name", value=name if name.startswith(opening) else self.words.quoted(name))
        outputs = [
            ExpectedOutput(action=action.id, pointer="", label=fact.label, value=fact.value, hint=fact.hint)
            for fact in told
        ]
        return clauses(self.words, outputs, None, goal.topic, action.tool)

    def _flags(self, action: Action) -> list[Fact]:
        """Return the flags that the user told for an action."""
        told = (origin.fact for origin in action.origins.values() if origin.kind == "user" and origin.fact is not None)
        return [fact for fact in map(self.naming.fact, told) if isinstance(fact.value, bool) and fact.choice is None]

    def _turned(self, action: Action) -> str:
        """Report the one flag that an action has toggled without being told its value: now it is active."""
        role, found = self.roles[action.tool], _rows(self.results[action.id])
        told = self._told(action) or self._flags(action) or self.words.lexicon is not None
        if told or role.operation in ("create", "delete") or len(found) != 1:
            return ""
        (row,) = found
        before = self._before(action, row)
        turned = [key for key, value in row.items() if isinstance(value, bool) and before.get(key) is (not value)]
        if not turned and before is row and len(row) <= _FEW_VALUES:  # the result shows little more than the new state
            turned = [key for key, value in row.items() if isinstance(value, bool) and _is_state(last_word(key))]
        if len(turned) != 1 or is_talk(turned[0]):
            return ""
        label, goal = label_of(f"/{turned[0]}"), self.blueprint.goals[action.goal]
        if row[turned[0]] and says_deed(goal.intent, label):
            return ""  # the report already says it: "blocked the user"
        output = ExpectedOutput(action=action.id, pointer="", label=label, value=row[turned[0]])
        return clauses(self.words, [output], None, goal.topic, action.tool)

    def _before(self, action: Action, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row as another result shows it; as it is if none does."""
        kind = self.identities.get(str(self.roles[action.tool].resource), "")
        own = kind if kind in row else next(filter(names_identity, row), "")
        seen = (other for name, result in self.results.items() if name != action.id for other in _rows(result))
        alike = [other for other in seen if own and own == next(filter(names_identity, other), "")]
        return next((other for other in reversed(alike) if other[own] == row[own]), row)

    def _link(self, action: Action) -> str:
        """Report the URL in a result that contains little else."""
        result = self.results[action.id]
        given = set(map(str, action.arguments.values()))
        shown = [value for _, value in leaves(result)] if isinstance(result, Mapping) else []
        links = [value for value in shown if isinstance(value, str) and _LINK.fullmatch(value) and value not in given]
        alone = len(links) == 1 and len(shown) <= _LITTLE
        return self.words.draw("link", value=self.words.value(links[0])) if alone else ""

    def _answered(self, action: Action, deed: str) -> str:
        """Report what a short answer holds that neither the report `deed` nor anybody says: the bill of "check out the car"."""
        result, role = self.results[action.id], self.roles[action.tool]
        found = [*leaves(dict(result))] if isinstance(result, Mapping) else []
        if role.operation not in ("create", "action") or len(found) > _LITTLE or self.words.lexicon is not None:
            return ""
        if len(found) == 1 and isinstance(found[0][1], str):  # a text alone says how the call went
            return ""
        known = {str(value).lower() for _, value in leaves(dict(action.arguments))}
        known |= {str(output.value).lower() for output in self.blueprint.expected.outputs if output.action == action.id}
        spoken = {pointer for pointer, _ in speakable_leaves(result)}
        outputs = [
            ExpectedOutput(action=action.id, pointer="", label=label_of(pointer), value=value)
            for pointer, value in found
            if pointer in spoken and not isinstance(value, bool) and str(value).lower() not in known
            if self.words.value(value) not in deed
            if not repeats_noun(value, self.blueprint.goals[action.goal].topic.split())
            if not names_identity(last_name(pointer))
            and not is_talk(last_name(pointer))
            and not is_of_a_record(pointer)
            and _is_another_day(str(value))
        ]
        return clauses(self.words, outputs[:_FEW_VALUES], None, self.blueprint.goals[action.goal].topic, action.tool)

    def _made(self, action: Action) -> str:
        """Report the new value that was the purpose of an action: the address of "make a payment address"."""
        result, goal = self.results[action.id], self.blueprint.goals[action.goal]
        wanted = {singular(word) for word in f"{wish_object(goal.intent)} {goal.topic}".split()}
        known = {str(value) for _, value in leaves(dict(action.arguments))}
        known |= {str(fact.value) for fact in self.blueprint.scenario.facts}
        found = list(leaves(result))
        for pointer, value in found:
            label = label_of(pointer) if pointer else goal.topic
            own = len(label.split()) > 1 and {singular(word) for word in label.split()} <= wanted
            own = own or (is_opaque(value) and label == wish_object(goal.intent).rpartition(" ")[2])
            own = own or (len(found) == 1 and is_opaque(value) and not names_identity(last_name(pointer)))
            own = own or self._is_noted(action, pointer, value)
            if own and isinstance(value, str) and value and " " not in value and value not in known:
                output = ExpectedOutput(action=action.id, pointer=pointer, label=label, value=value)
                return clauses(self.words, [output], None, goal.topic, action.tool)
        return ""

    def _is_noted(self, action: Action, pointer: str, value: Any) -> bool:
        """Tell whether people would note down a value of a new row: a confirmation code, no id."""
        name = last_name(pointer)
        row = self._new(action)  # what little else is in a short answer is told with it, see `_answered`
        own = (
            pointer == f"/{name}"
            and name in row
            and len(row) > _LITTLE
            and name not in self.roles[action.tool].leads_to
        )
        coded = (is_coded(label_of(pointer)) or last_word(name) == "code") and not names_identity(name)
        return own and coded and isinstance(value, str) and len(value) <= _CODE and any(map(str.isdigit, value))

    def _contradicts(self, action: Action, goal: Goal) -> bool:
        """Tell whether a flag of an action inverts its wish: locked=false for "lock a post"."""
        return any(
            value is False and says_deed(goal.intent, words_of(name)) for name, value in action.arguments.items()
        )

    def _reference(self, action: Action) -> str:
        """Report the number of a new row if people would note it down: DR-3144, or that of an order."""
        resource, own = str(self.roles[action.tool].resource), self._new(action)
        called = (
            self.identities.get(resource, ""),
            *(name for name in own if name_tokens(name) == [*name_tokens(resource), "id"]),
        )
        value = next((own[name] for name in called if name in own), None)
        given = value in action.arguments.values()
        numbered = isinstance(value, int) and last_word(resource) in NUMBERED
        noted = numbered or (isinstance(value, str) and _NOTED.fullmatch(value) is not None)
        return self.words.draw("reference", value=str(value)) if noted and not given else ""

    def _total(self, action: Action) -> str:
        """Report the total of a new row, or of one whose total the task has changed, if it was not given."""
        goal, given = self.blueprint.goals[action.goal], [value for _, value in leaves(dict(action.arguments))]
        given += [output.value for output in self.blueprint.expected.outputs if output.action == action.id]
        new = self._new(action)
        row = new or next(iter(_rows(self.results[action.id])), {})
        for name, value in (new or self._changed(action)).items():
            label = label_of(f"/{name}")
            if "total" in label.split() and is_amount(label) and is_number(value) and value and value not in given:
                output = ExpectedOutput(action=action.id, pointer=f"/{name}", label=label, value=value)
                return clauses(self.words, [output], row, goal.topic, action.tool)
        return ""

    def _stands(self, action: Action) -> str:
        """Report the status of a row after an action, and its deadline, if only the result gives them and they are not the usual.

        Values that the user asks for elsewhere in the dialogue are told there.
        """
        role, found = self.roles[action.tool], _rows(self.results[action.id])
        row = self._new(action) if role.operation == "create" else found[0] if len(found) == 1 else {}
        if role.operation == "action" and self.blueprint.expected.difference:  # of live servers, it is not known
            row = self._changed(action)
        if role.operation not in ("create", "action") or self.words.lexicon is not None:
            return ""
        given = {str(value).lower() for _, value in leaves(dict(action.arguments))}
        goal = self.blueprint.goals[action.goal]
        deeds = (goal.intent, words_of(action.tool))
        asked = {(last_name(output.pointer), str(output.value)) for output in self.blueprint.expected.outputs}
        before = self._before(action, row) if role.operation == "action" else {}
        known = {} if before is row else before  # what a look-up has shown has not changed
        states = [value for name, value in row.items() if tells_state(name) and isinstance(value, str)]
        over = any(is_done(state) or not RARE.isdisjoint(name_tokens(state)) for state in states)
        outputs = [
            ExpectedOutput(action=action.id, pointer="", label=label_of(f"/{name}"), value=value)
            for name, value in row.items()
            if (name, str(value)) not in asked and known.get(name) != value
            if isinstance(value, str) and value.lower() not in given and name not in role.leads_to
            if (
                tells_state(name)
                and not (is_stayed_in(value) or is_done(value) or any(says_deed(deed, value) for deed in deeds))
            )
            or (not over and is_moment(value) and _is_another_day(value) and any(map(is_ahead, name_tokens(name))))
        ]
        return clauses(self.words, outputs[:_FEW_VALUES], None, goal.topic, action.tool)

    def _changed(self, action: Action) -> Mapping[str, Any]:
        """Return the fields of the row in a result that the task changes, or an earlier result shows otherwise; none of a new row."""
        found = _rows(self.results[action.id])
        row = found[0] if len(found) == 1 and self.roles[action.tool].operation != "create" else {}
        whose = {str(value) for value in row.values() if isinstance(value, (str, int))}
        ends = [
            (last_name(change.path), change.after)
            for change in self.blueprint.expected.difference
            if not whose.isdisjoint(change.path.split("/")[1:-1])
        ]
        changed = {name for name, after in ends if row.get(name) == after}  # else a later request changes it again
        before = self._before(action, row)
        changed |= {name for name, value in before.items() if row.get(name, value) != value}
        return {name: value for name, value in row.items() if name in changed}

    def _new(self, action: Action) -> Mapping[str, Any]:
        """Return the row in the result of a create; empty for other operations."""
        found = _rows(self.results[action.id]) if self.roles[action.tool].operation == "create" else []
        row = found[0] if len(found) == 1 else {}
        inner = next(iter(row.values())) if len(row) == 1 else row
        return inner if isinstance(inner, Mapping) else row


def _is_another_day(moment: str) -> bool:
    """Tell whether a moment is on another day than that of the dialogue: that it was done today tells nothing."""
    return not moment.startswith(TODAY.isoformat())


def _is_state(word: str) -> bool:
    """Tell whether a word describes a state; unknown words do by their ending: favorited."""
    return is_predicate(word) or word.endswith("ed")


def _rows(result: Any) -> list[Mapping[str, Any]]:
    """Return the rows in a result: the items of its list or the result itself, without an envelope."""
    held = payload_of(result)
    shown = result if held is None else result[held]
    return [row for row in (shown if isinstance(shown, list) else [shown]) if isinstance(row, Mapping)]


def _own_label(label: str, topic: str) -> str:
    """Return a label without what says whose field it is, and that its value is new: "new account name" -> "name"."""
    return label.rpartition("'s ")[2].removeprefix("new ").removeprefix(f"{topic} ")


_LONG = 7
"""Maximum words of a value in a report: a date with its time has that many."""

_FEW_VALUES = 2
"""Maximum number of the user's values in a report."""

_LITTLE = 4
"""Maximum number of values of a result whose URL is reported."""

_LINK = re.compile(r"https?://\S{4,300}")

_CODE = 30
"""Characters of a code that people would write down, at most."""

_NOTED = re.compile(r"[A-Z]{1,4}-?\d{3,8}")
"""Identities that people note down: short, and written like a ticket number."""
