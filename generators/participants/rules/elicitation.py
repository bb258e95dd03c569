"""What an assistant does not know yet -> its questions: for facts, for one of several rows, for the wish of a vague user."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from interplay.generators.participants.hearing.state_tracker import UNKNOWN
from interplay.generators.participants.rules.confirmation_request import is_about_one
from interplay.generators.participants.rules.request_progress import RequestProgress
from interplay.generators.participants.wording.deed_phrases import head_noun, wish_kind
from interplay.generators.participants.wording.fact_phrases import marked_fields, say_item
from interplay.generators.participants.wording.goal_phrases import Topics
from interplay.generators.participants.wording.languages import heard_as
from interplay.generators.participants.wording.result_phrases import (
    MOST_FIELDS,
    display,
    laid_out,
    particulars,
    told_apart,
)
from interplay.generators.participants.wording.value_phrases import capital, kinds_of, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.phrases.labels.field_labels import SEARCH_TERM, is_own_name
from interplay.generators.phrases.labels.identity_labels import ANYTHING, argument_label, identity_label, is_coded
from interplay.generators.phrases.speakable_values import is_moment
from interplay.generators.results.result_kinds import shows_part, total_in
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import at_pointer, value_at
from interplay.schemas.records.blueprint import Blueprint, Fact, Origin
from interplay.schemas.records.dialogue import DialogueAct, Message
from interplay.schemas.records.tool import READING, PolicyRule, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

LISTED = 4
"""Items that are named of a long list."""

MOST_LISTED, SHORT = 20, 60
"""Maximum length of a list that is named in full if its items are short, and maximum characters of such an item."""

_DAY = len("2026-03-02")

MOST = {"low": 4, "normal": 4, "high": 2}
"""Maximum number of facts asked for at once, by the user's patience."""

_TEXT = 4
"""Words up to which a value is a name rather than a text."""

_IDENTITY = {"id", "ids", "gid", "uuid", "guid", "key", "number", "no", "name", "exposed", "slug", "code", "body",
             "names", "username", "usernames", *ANYTHING}  # fmt: skip
"""Words of parameters that only say that they take an identity."""


class Question(NamedTuple):
    """A question: its act, its words, and the facts (or goals) that it is about."""

    act: DialogueAct
    text: str
    asked: Sequence[str]


_OPENLY = 0.85
"""Probability that a vague user is asked what it wants, rather than offered a guess."""


_ALIKE = 3
"""Maximum number of offered tools about a thing among which an assistant guesses."""


class Elicitation:
    """Words the questions of one dialogue; `identities` holds the identity fields of resources."""

    def __init__(
        self, blueprint: Blueprint, words: Voice, roles: Mapping[str, ToolRole], identities: Mapping[str, str]
    ) -> None:
        self._blueprint = blueprint
        self._words = words
        self._roles = roles
        self._identities = identities
        self._topics = Topics(blueprint.goals, roles, words)

    def what_is_wanted(self, wanted: int, offered: Sequence[str]) -> Question:
        """Find out what a vague user wants: ask openly, or suggest a goal whose tool is offered."""
        tool = self._blueprint.goals[wanted].tool
        if self._words.rng.random() < _OPENLY or tool not in offered or not self._can_be_guessed(tool, offered):
            return Question("clarify", self._words.draw("clarify"), ())
        others = [
            index
            for index, goal in enumerate(self._blueprint.goals)
            if goal.tool != tool and goal.tool in offered
            if self._makes(goal.tool)
            == self._makes(tool)  # a user who hinted at a new row does not mean an existing one
        ]
        if others and self._words.rng.random() < 0.5:
            return self.suggestion(self._words.rng.choice(others))
        return self.suggestion(wanted)

    def _can_be_guessed(self, tool: str | None, offered: Sequence[str]) -> bool:
        """Tell whether what is meant by a hint at a thing can be guessed fairly: it is looked up, or few tools may be meant."""
        meant = self._roles.get(tool or "")
        alike = [
            name for name in offered if (role := self._roles.get(name)) and meant and role.resource == meant.resource
        ]
        return len(alike) <= _ALIKE or (meant is not None and meant.operation in READING)

    def _makes(self, tool: str) -> bool:
        role = self._roles.get(tool)
        return role is not None and role.operation == "create"

    def suggestion(self, goal: int, again: bool = False) -> Question:
        """Ask whether a goal is what the user wants."""
        intent = self._words.turned(self._blueprint.goals[goal].intent)
        text = self._words.draw("suggest_again" if again else "suggest_goal", intent=intent)
        return Question("suggest", text, (f"goal:{goal}",))

    def another_wish(self, wanted: int, refused: Sequence[str]) -> Question:
        """Ask what else a user wants after it declined a suggestion; no goal is suggested twice."""
        if f"goal:{wanted}" in refused:
            return Question("clarify", self._words.draw("clarify"), ())
        return self.suggestion(wanted, again=True)

    def facts(self, at: RequestProgress, missing: Sequence[Fact]) -> Question:
        """Ask for facts, as many at once as the user has patience for."""
        facts = missing[: MOST[self._blueprint.scenario.persona.patience]]
        frame = "request_one" if len(facts) == 1 else "request_more"
        if at.asked_before:
            frame = "request_else" if at.unanswered else "request_again"
        own = self._by_kind(facts[0]) if len(facts) == 1 and not at.unanswered else ""
        at.asked_before, at.unanswered = True, False
        flags = [] if own else [fact for fact in facts if isinstance(fact.value, bool)][:1]
        others = [fact for fact in facts if fact not in flags]
        anew = bool(others) and wish_kind(self._blueprint.goals[others[0].goal].intent) == "update"
        question = own or (self._words.draw(frame, labels=self._words.labels(others, anew)) if others else "")
        parts = [question, *(self._words.draw("request_flag", label=fact.label) for fact in flags)]
        return self._request(sentence(self.acknowledged(at), *map(capital, parts)), facts)

    def _by_kind(self, fact: Fact) -> str:
        """Return a question for the kind of a fact: its tool's own, or one for a flag, a date, a text or a name; else empty."""
        own = self._words.asking(fact.label)
        if own or fact.description is not None:
            return own
        tool = self._roles.get(self._blueprint.goals[fact.goal].tool)
        if is_own_name(fact.label) and tool is not None and tool.operation == "create":
            return self._words.draw("request_name")
        if fact.label == SEARCH_TERM:
            return self._words.draw("request_search")
        when = self._words.language.clause("asked_when", fact.label, kinds_of(fact.label, fact.value), {})
        if when:
            return when
        kind = "flag" if isinstance(fact.value, bool) else "when" if is_moment(fact.value) else ""
        if not kind and isinstance(fact.value, str) and len(fact.value.split()) > _TEXT:
            kind = "text"
        return self._words.draw(f"request_{kind}", label=fact.label) if kind else ""

    def acknowledged(self, at: RequestProgress) -> str:
        """Offer help once in a request, before any result."""
        return "" if at.results else self._acknowledge(at)

    def _acknowledge(self, at: RequestProgress) -> str:
        if at.acknowledged:
            return ""
        at.acknowledged = True
        wanted = self._blueprint.goals[self._blueprint.scenario.requests[at.request][0]]
        known = is_about_one(self._roles[wanted.tool]) if wanted.tool else False
        frame = "acknowledge_next" if at.request or at.results else "acknowledge"
        return self._words.draw(frame, intent=self._words.turned(wanted.intent, known)) if wanted.tool else ""

    def still(self, asked: Sequence[str], rule: PolicyRule | None) -> Question:
        """Ask again for what the user withholds, with the reason why it is needed."""
        facts = self._named(asked)
        text = self._words.draw("request_needed", labels=self._words.labels(facts))
        return self._request(sentence(self._words.reason(rule) if rule else "", text), facts)

    def who_it_is(self, asked: Sequence[str]) -> Question:
        """Say why the user has to identify itself, and ask again."""
        facts = self._named(asked)
        return self._request(self._words.draw("must_identify", labels=self._words.labels(facts)), facts)

    def which_value(self, fact: Fact, other: Fact) -> Question:
        """Ask which of two contradictory values is right."""
        first, second = (self._words.value(said.value, said.label) for said in (other, fact))
        return self._request(self._words.draw("which_holds", label=fact.label, first=first, second=second), [fact])

    def another(self, fact: Fact) -> Question:
        """Say that nothing was found for a value, and ask for it again."""
        wrong = self._blueprint.scenario.fact(fact.instead_of)
        said = self._words.value(wrong.value, wrong.label)
        frame = "not_found_then" if is_moment(wrong.value) else "not_found"
        return self._request(self._words.draw(frame, label=fact.label, value=said), [fact])

    def identity(self, at: RequestProgress) -> Question | None:
        """Ask for an identity that the user cannot know, before it is looked up; once in a request."""
        if at.probed or not self._blueprint.recipe.asks_unknown:
            return None
        at.probed = True
        goals = self._blueprint.scenario.requests[at.request]
        for action in self._blueprint.actions:
            role = self._roles.get(action.tool)
            if action.goal not in goals or role is None or action.id in at.results or action.withheld:
                continue
            for pointer, origin in action.origins.items():
                resource = referred(role, pointer)
                if origin.kind != "output" or origin.action in at.results or not resource:
                    continue
                identity = self._identities.get(resource)
                label = argument_label(pointer, resource, identity, self._words.names, role.references)
                names_thing = label != identity_label(resource, identity, self._words.names) and not is_coded(label)
                if not names_thing and not self._is_known(at, label, origin, at_pointer(action.arguments, pointer)):
                    return Question("request", self._words.draw("request_unknown", label=label), [UNKNOWN + label])
        return None

    def _is_known(self, at: RequestProgress, label: str, origin: Origin, value: Any) -> bool:
        """Tell whether the user has told or will choose by this identity, or knows a fact of the same label."""
        scenario, shown = self._blueprint.scenario, self._blueprint.action(str(origin.action))
        chosen = scenario.fact(origin.fact).value if origin.fact is not None else None
        goals = scenario.requests[at.request]
        told = [scenario.fact(own.fact) for own in shown.origins.values() if own.kind == "user" and own.fact in at.told]
        return (
            bool(told)
            or (isinstance(chosen, dict) and value in chosen.values())
            or any(fact.goal in goals and fact.label == label and fact.choice is None for fact in scenario.facts)
        )

    def choice(self, at: RequestProgress, fact: Fact) -> Question:
        """Name what was found and let the user choose; what it found itself is not named again."""
        made = self._blueprint.action(str(fact.action))
        if made.requestor == "user":
            return Question("suggest", self._words.draw("options_own"), [fact.id])
        resource = self._roles[made.tool].resource
        within = self._roles[made.tool].operation == "read" and bool(fact.label)  # a list within one row
        noun = singular(fact.label) if within else self._words.noun(resource)
        purpose, goals = self._purpose(fact, resource), self._blueprint.scenario.requests[at.request]
        topic = self._topic(fact, goals)
        listed = made.id, str(fact.choice).rpartition("/")[0]
        if listed in at.listed:
            frame = "options_again" + ("_for" if purpose else "") + ("_of" if topic else "")
            text = self._words.draw(frame, noun=noun, label=purpose, topic=topic)
            return Question("suggest", capital(text), [fact.id])
        at.listed.add(listed)
        lead = self._words.draw("options_of", topic=topic) if topic else self._first(at, fact, noun)
        options = self._options(at.results[made.id], fact, noun, purpose)
        return Question("suggest", sentence(lead, options), [fact.id])

    def _first(self, at: RequestProgress, fact: Fact, noun: str) -> str:
        """Offer help, and say which row has to be chosen first if it is of another kind than the wish."""
        wanted = self._blueprint.goals[fact.goal]
        other = head_noun(wanted.topic) != head_noun(noun) and not wanted.again
        first = self._words.draw("options_first", noun=noun) if other and not at.acknowledged else ""
        return sentence(self._acknowledge(at), first)

    def _options(self, result: Any, fact: Fact, noun: str, purpose: str) -> str:
        """Name the items of a list, or some of a long one, and ask which one is meant."""
        above, _, place = str(fact.choice).rpartition("/")
        items = at_pointer(result, above)
        taken = self._taken(fact)
        fields = dict.fromkeys(
            [*display(items, int(place), list(fact.value)), *(at for one in taken for at in one.value)]
        )
        shown = self._shown(taken, items, told_apart(items, len(items), list(fields)))
        offered = [items[index] for index in shown]
        pointers = told_apart(offered, len(offered), list(fields))
        if len(shown) == len(items):
            more = [at for at in particulars(items, noun, offered=True) if at not in pointers]
            more = more[: max(0, MOST_FIELDS - len(pointers))]
            pointers = [
                *pointers[:1],
                *sorted((*pointers[1:], *more), key=lambda at: is_moment(value_at(items[0], at))),
            ]
        marked = marked_fields(offered, pointers)
        with self._words.days_alike(value_at(item, at) for item in offered for at in pointers):
            named = [say_item(self._words, items[index], pointers, index, marked) for index in shown]
        listed_rows = self._roles[self._blueprint.action(str(fact.action)).tool].operation == "list"
        total = total_in(result, len(items)) if listed_rows else len(items)  # a list may be the first page of more
        whole = len(shown) == total and not (listed_rows and shows_part(result, total))
        frame = ("options" if whole else "options_many") + ("_for" if purpose else "")
        spread, listed = laid_out(self._words, named)
        text = self._words.draw(
            f"{frame}_lines" if spread else frame,
            count=str(total),
            nouns=noun if total == 1 else self._words.many(noun),
            items=listed,
            label=purpose,
        )
        self._words.spoken.append(str(total))
        return text

    def _topic(self, fact: Fact, goals: Sequence[int]) -> str:
        """Return the name of the wish that a choice belongs to, if there are several of the same topic; else empty."""
        several = fact.goal in goals and len(self._topics.alike(fact.goal, goals)) > 1
        return self._topics.name(fact.goal, goals) if several and not self._blueprint.goals[fact.goal].condition else ""

    def narrowing(self, asked: Sequence[str]) -> Fact | None:
        """Return the choice that a user wants to narrow when it asks back, unless that is a planned behaviour."""
        planned = {done.at for done in self._blueprint.scenario.behaviours if done.kind == "asks_back"}
        chosen = (fact for fact in self._named(asked) if fact.choice is not None and fact.id not in planned)
        return next((fact for fact in chosen if fact.value), None)

    def narrowed(self, at: RequestProgress, fact: Fact) -> Question:
        """Name the items of a list that the user has asked for: those of the day that it named, or the one that it named."""
        above, _, place = str(fact.choice).rpartition("/")
        items = at_pointer(at.results[str(fact.action)], above)
        when = next((at for at, value in fact.value.items() if is_moment(value)), None)
        same = [
            index
            for index, item in enumerate(items)
            if when is not None and str(value_at(item, when))[:_DAY] == fact.value[when][:_DAY]
        ]
        shown = same or [int(place)]
        fields = told_apart([items[index] for index in shown], len(shown), display(items, int(place), list(fact.value)))
        marked = marked_fields([items[index] for index in shown], fields)
        named = [say_item(self._words, items[index], fields, index, marked) for index in shown]
        text = self._words.draw(
            "narrowed" if len(shown) > 1 else "narrowed_one",
            count=str(len(shown)),
            items=self._words.enumerate(named),
        )
        if len(shown) > 1:
            self._words.spoken.append(str(len(shown)))
        return Question("suggest", sentence(text), [fact.id])

    def _taken(self, fact: Fact) -> list[Fact]:
        """Return all choices of the user from the same list."""
        above = str(fact.choice).rpartition("/")[0]
        return [
            other
            for other in self._blueprint.scenario.facts
            if (other.action, str(other.choice).rpartition("/")[0]) == (fact.action, above)
        ]

    def _shown(self, taken: Sequence[Fact], items: Sequence[Any], fields: Sequence[str]) -> list[int]:
        """Return the indices of the items to name: all of a short list, else some, including the chosen ones.

        Longer lists are named in full if their items are short by these `fields`.
        """
        short = len(items) <= MOST_LISTED and all(_is_short(item, fields) for item in items)
        if short or len(items) <= LISTED + 1:
            return list(range(len(items)))
        places = {int(str(fact.choice).rpartition("/")[2]): bool(fact.value) for fact in taken}
        placed = [place for place, named in places.items() if not named]
        if placed:  # what is chosen by its position needs all items before it
            return list(range(max([LISTED, *(place + 1 for place in placed)])))
        others = [place for place in range(len(items)) if place not in places]
        return sorted([*places, *self._words.rng.sample(others, min(len(others), max(LISTED - len(places), 1)))])

    def _purpose(self, fact: Fact, resource: str | None) -> str:
        """Return the role of a choice if its parameter's name says more than its kind: the origin, the destination."""
        for action in self._blueprint.actions:
            for pointer, origin in action.origins.items():
                if origin.fact == fact.id and referred(self._roles[action.tool], pointer) == resource:
                    own = pointer.rpartition("/")[2]
                    if name_tokens(own) == name_tokens((self._identities.get(str(resource)) or "").rpartition(".")[2]):
                        return ""
                    tokens = [token for token in name_tokens(own) if token not in _IDENTITY and len(token) > 1]
                    known = set(name_tokens(f"{resource} {self._words.noun(resource)} {action.tool}"))
                    known |= {singular(token) for token in known}
                    said = own.isdigit() or any(token in known or _shortens(token, known) for token in tokens)
                    return "" if said else singular(" ".join(tokens))
        return ""

    def _named(self, asked: Sequence[str]) -> list[Fact]:
        return [self._blueprint.scenario.fact(name) for name in asked if not name.startswith(UNKNOWN)]

    def _request(self, text: str, facts: Sequence[Fact]) -> Question:
        return Question("request", text, [fact.id for fact in facts])


def _is_short(item: Any, fields: Sequence[str]) -> bool:
    """Tell whether an item is short when said by some of its fields."""
    said = [value_at(item, at) for at in fields] if isinstance(item, Mapping) else [item]
    return sum(len(str(value)) for value in said) <= SHORT


def _shortens(token: str, known: Collection[str]) -> bool:
    """Tell whether a token abbreviates one of some words: `tmpl` for "template"."""
    return any(
        token[0] == word[0] and all(letter in rest for rest in [iter(word)] for letter in token) for word in known
    )


def explained(words: Voice, blueprint: Blueprint, asked: Sequence[str]) -> str:
    """Say which options there are, or what a fact is needed for."""
    done = next(done for done in blueprint.scenario.behaviours if done.kind == "asks_back" and done.at in asked)
    fact = blueprint.scenario.fact(done.fact)
    if done.options:
        speech = words.language.speech
        options = words.enumerate([words.value(option, fact.label) for option in done.options])
        return words.draw("options_are", label=fact.label, options=speech["or"].join(options.rsplit(speech["and"], 1)))
    return words.draw("why", label=fact.label, intent=words.turned(blueprint.goals[fact.goal].intent, known=True))


def steered(words: Voice, blueprint: Blueprint, before: Message, heard: Message) -> str:
    """Return to the open question after the user digressed or asked about it."""
    asked = [blueprint.scenario.fact(name) for name in (before.state.asked if before.state else ())]
    again = words.draw("shall")
    if asked:
        chosen = asked[0].choice is not None
        again = (
            words.draw("which_again", noun=asked[0].label) if chosen else words.draw("back", labels=words.labels(asked))
        )
    frame = "steer"
    if re.search(r"\?\W*$", heard.content):
        frame = "steer_machine" if heard_as("machine").search(heard.content.lower()) else "steer_question"
    return sentence(words.draw(frame), again)
