"""A request of a scenario -> the words with which the user brings it up, with the facts that it tells at once."""

import re
from collections.abc import Mapping, Sequence

from interplay.generators.participants.hearing.word_overlap import names
from interplay.generators.participants.rules.conduct import Conduct
from interplay.generators.participants.wording.deed_phrases import asked_plural, wish_kind
from interplay.generators.participants.wording.fact_phrases import has_own_saying
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.named_wishes import (
    is_name_of_thing,
    is_named,
    name_alone,
    put_name,
    thing_named,
)
from interplay.generators.participants.wording.value_phrases import capital, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.wish_phrases import (
    can_be_elliptical,
    is_pronominal,
    name_again,
    pointed_out,
    say_conditional,
    say_elliptical_wish,
    say_question,
    say_what_is_amiss,
    say_wish,
)
from interplay.generators.participants.wording.woven_facts import (
    changed,
    has_object,
    told_alone,
    weavable,
    weave,
    with_whole_address,
    with_whole_name,
)
from interplay.generators.phrases.derived_wishes import ANYBODY
from interplay.generators.phrases.labels.field_labels import OWN_NAMES, WHOLE_NAMES
from interplay.generators.phrases.plain_wishes import without_details
from interplay.generators.phrases.wish_grammar import parsed
from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Fact, Goal, Scenario
from interplay.schemas.records.recipe import Pressure
from interplay.schemas.words.nouns import PERSON_NOUNS, is_plural, plural
from interplay.schemas.words.word_classes import is_predicate

BEFOREHAND = ("no_questions", "no_identity", "no_steps")
"""Pressures that come with the request, before anything is refused."""

_REASONED, _REASONED_LATER = 0.45, 0.15
"""Probabilities that a user gives a reason for its first request, and for a later one."""

_GENERAL = 0.15
"""Probability of a general reason for an action of this kind if the tool has none of its own."""

_WRITTEN = re.compile(r"[a-zäöü]+ \S|.*[.!?]$")
"""A text written by a person, which explains itself."""

SHOWN: tuple[Behaviour, ...] = ("several_at_once", "elliptical", "long_memory", "changes_mind_late")
"""Behaviours that show in the wording of a request."""


_QUOTED, _PLAIN = re.compile(r'"[^"]*"'), re.compile(r"[^.!?,;:]+\??")
"""Quotations in a sentence, and a single sentence without clauses."""

_FEW_OWNERS = 3

QUESTIONED = ("request", "second", "again", "again_alone")
"""Frames of wishes that may be replaced by a question."""

WEAVING = ("request", "specify", "second", "again", "try_again", "come_back")
"""Frames of wishes that may contain facts."""

REWORDED: tuple[Behaviour, ...] = ("elliptical", "changes_mind_late")
"""Behaviours that replace the sentence of a wish."""

NAMING = ("request", "specify", "second")
"""Frames of wishes that name their row."""


class RequestPhrases:
    """Words the requests of a scenario and the facts of each."""

    def __init__(self, scenario: Scenario, goals: Sequence[Goal], words: Voice, conduct: Conduct) -> None:
        self._scenario = scenario
        self._goals = goals
        self._words = words
        self._conduct = conduct
        self.reasoned = False

    def topic(self, request: int) -> str:
        """Return the noun by which a request is hinted at."""
        return self._goals[self._scenario.requests[request][0]].topic

    def request(
        self, request: int, *lead: str, frame: str = "request", pressure: Pressure | None = None
    ) -> tuple[str, list[str]]:
        """Return the words of a request and the facts told with it; an empty `frame` leaves out its first wish."""
        parts, told = list(lead), list[str]()
        indices = self._scenario.requests[request]
        for kind in SHOWN:
            if kind != "elliptical" or can_be_elliptical(self._words, self._goals[indices[0]]):
                self._conduct.note_shown(kind, request)
        for position, index in enumerate(indices):
            facts = [fact for fact in self._facts(index) if fact.reveal == "opening"]
            told += [fact.id for fact in facts]
            facts = _each_thing_once(facts)
            if self._words.lexicon is None and not any(map(self._is_touched, facts)):
                facts = list(with_whole_address(facts))
            again = self._goals[index].tool in [self._goals[other].tool for other in indices[:position]]
            alike = "again" if facts else "again_alone"
            own = frame if position == 0 else alike if again else "second"
            woven = self._woven(request, position, own, facts)
            wish = self._wish(request, position, own, woven)
            rest = [fact for fact in facts if fact not in woven]
            named = [fact for fact in rest if self._name_in(wish, fact)]
            rest = [fact for fact in rest if fact not in named]
            if not (woven and wish_kind(self._goals[index].intent) == "update"):
                rest = self._with_owners(self._goals[index], wish, rest, of=bool(named))
            only = [fact for fact in rest if self._narrows(fact)]
            said = self.said([fact for fact in rest if fact not in only])
            parts += [*wish, said, *map(self._only, only), self._conduct.contradiction(facts)]
            if own and position == len(indices) - 1:
                parts.append(self._reason(request, self._goals[index]))
        parts.append(self._beforehand(request, pressure))
        if request == 0:
            parts += self._conduct.opening()
        return sentence(*(capital(part) for part in parts if part)), told

    def _narrows(self, fact: Fact) -> bool:
        """Tell whether a fact filters a requested list: those that are archived."""
        intent = self._goals[fact.goal].intent
        listed = wish_kind(intent) == "look" and bool(asked_plural(intent))
        return isinstance(fact.value, bool) and is_predicate(fact.label) and listed and not self._is_touched(fact)

    def _is_touched(self, fact: Fact) -> bool:
        """Tell whether a planned behaviour or an alternative changes how a fact is told."""
        return any(fact.id in (done.fact, done.at) for done in self._scenario.behaviours) or bool(fact.instead_of)

    def _only(self, fact: Fact) -> str:
        """Say the filter of a requested list."""
        return self._words.draw("only_yes" if fact.value else "only_no", label=fact.label.removeprefix("is "))

    def _name_in(self, wish: list[str], fact: Fact) -> bool:
        """Put the name of a row into the first sentence that mentions it; tell whether there is one."""
        if not is_named(fact) and (not is_name_of_thing(fact) or self._is_touched(fact)):
            return False
        said = fact.value.values() if isinstance(fact.value, dict) else [fact.value]
        spoken = wish[1].casefold()
        if said and all(isinstance(value, str) and f'"{value}"'.casefold() in spoken for value in said):
            return True  # the search term is its name
        for place, text in enumerate(wish):
            if named := put_name(self._words, text, fact):
                wish[place] = named
                return True
        return False

    def _with_owners(self, goal: Goal, wish: list[str], facts: Sequence[Fact], of: bool) -> list[Fact]:
        """Append rows that a wish does not mention, if it is one plain sentence; return the remaining facts.

        With `of`, they own the row that is named already: "delete the epic Payments of the project Website".
        """
        owners = [fact for fact in facts if is_named(fact) or is_name_of_thing(fact)]
        owners = [fact for fact in owners if not self._is_touched(fact)]
        text = wish[1]
        again = pointed_out(self._words, goal.again) if wish[3] else ""
        joint = self._words.language.speech["of_thing" if of else "for_thing"]
        bare = _QUOTED.sub("", text)
        plain = _PLAIN.fullmatch(bare) is not None and f" {fill(joint, {'thing': ''})}" not in bare
        each = next((fact for fact in owners if goal.each and is_name_of_thing(fact)), None)
        kind = each.label.rpartition("'s ")[0] if each is not None else ""
        if each is not None and self._words.lexicon is None and f" each {kind}" in text:
            name = thing_named(self._words, each).removeprefix(f"the {kind} ")
            bare = text.rstrip("?")
            wish[1] = f"{bare} {fill(self._words.language.speech['told_name'], {'value': name})}{text[len(bare) :]}"
            return self._with_owners(goal, wish, [fact for fact in facts if fact is not each], of)
        named = [fact for fact in facts if _is_somebody(fact) and not self._is_touched(fact)]
        somebody = next(iter(named), None) if ANYBODY.search(text) else None
        if somebody is not None and self._words.lexicon is None:
            own = is_named(somebody) or is_name_of_thing(somebody)
            said = thing_named(self._words, somebody) if own else self._words.value(somebody.value, somebody.label)
            wish[1] = ANYBODY.sub(lambda _: said, text, count=1)
            return self._with_owners(goal, wish, [fact for fact in facts if fact is not somebody], of)
        things = [again] * bool(again) + [thing_named(self._words, fact) for fact in owners]
        if self._words.lexicon is not None or not plain or not 0 < len(things) <= _FEW_OWNERS:
            return list(facts)
        bare = text.rstrip("?")
        wish[1] = f"{bare} {fill(joint, {'thing': self._words.enumerate(things)})}{text[len(bare) :]}"
        wish[3] = ""
        return [fact for fact in facts if fact not in owners]

    def _woven(self, request: int, position: int, own: str, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts that are said within the sentence of a goal, in the frame `own`: those that no behaviour affects."""
        goal, scenario = self._goals[self._scenario.requests[request][position]], self._scenario
        touched = {done.fact for done in scenario.behaviours} | {fact.instead_of for fact in facts}
        short = any(scenario.behaves(kind, request) for kind in REWORDED)
        plain = (
            own in WEAVING and goal.tool and goal.condition is None and not goal.each and not (short and own != "again")
        )
        which = self._words.lexicon is None and _WHICH.match(goal.intent) is not None
        asks = goal.intent.startswith("know ") and not which
        if not plain or asks or not has_object(self._words, goal.intent):
            return []
        anybody = ANYBODY.search(goal.intent) is not None
        free = [fact for fact in facts if fact.id not in touched and not (anybody and _is_somebody(fact))]
        held = weavable(self._words, [fact for fact in free if not is_name_of_thing(fact)])
        if wish_kind(goal.intent) == "update":
            set_here = all(fact.sets for fact in held)
            return held if set_here and changed(self._words, goal.intent, goal.topic, held) else []
        return [] if any(map(is_named, facts)) else weavable(self._words, free)

    def _wish(self, request: int, position: int, own: str, woven: Sequence[Fact]) -> list[str]:
        """Word one goal of a request in the frame `own`: wish, condition, purpose, and reference to an earlier row.

        Facts that are `woven` are part of the wish's sentence.
        """
        indices = self._scenario.requests[request]
        goal, once_more = self._ones_own(indices[position]), ""
        same = self._words.draw("same" if position == 0 else "same_here", noun=goal.again) if goal.again else ""
        plain = (
            own in QUESTIONED
            and not goal.each
            and not any(done.request == request for done in self._scenario.behaviours)
        )
        asked = self._words.question(goal) if plain and not woven else ""
        of_one = _question_of_one(goal) if plain and not woven and not asked and self._words.lexicon is None else ""
        goal = goal.model_copy(update={"intent": of_one, "asks_for": ()}) if of_one else goal
        again = self._again(goal, request, own) if not asked else ""
        again = "" if woven and not isinstance(again, str) else again
        wish = asked or (self._said_wish(own, goal, woven, again) if own else "")
        same = "" if again and own else same
        if same and asked and self._words.lexicon is None and f" the {goal.again}" in wish:
            wish, same = wish.replace(f" the {goal.again}", f" {pointed_out(self._words, goal.again)}", 1), ""
        if own and not goal.tool:
            wish = self._words.draw("wants_done", intent=goal.intent)
        if own and self._scenario.behaves("elliptical", request):
            wish, same = say_elliptical_wish(self._words, own, goal, same)
        if own and self._scenario.behaves("changes_mind_late", request):
            earlier = [self._goals[other].tool for other in self._scenario.requests[request - 1]]
            frame = "second_thoughts_same" if goal.tool in earlier else "second_thoughts"
            wish, same = say_elliptical_wish(self._words, frame, goal, same)
        if goal.condition is not None:
            once_more = self._words.draw("once_more") if own in ("try_again", "come_back") else ""
            others = map(self._goals.__getitem__, indices)
            either = any(other.condition and other.condition.otherwise for other in others)
            wish = say_conditional(self._words, goal, either)
            same = "" if goal.condition.otherwise and is_pronominal(self._words, goal) else same
        amiss = say_what_is_amiss(self._words, goal.amiss) if goal.amiss else ""
        return [once_more, wish, amiss, same, *self._questions(goal, wish), self._words.purpose(goal)]

    def _ones_own(self, goal: int) -> Goal:
        """Return a goal with "my" if the user tells who it is: "see schedules" -> "see my schedules"."""
        wanted = self._goals[goal]
        if self._words.lexicon is not None:
            return wanted
        unsaid = next((fact.label for fact in self._facts(goal) if fact.choice and fact.reveal == "choice"), "")
        if unsaid and wish_kind(wanted.intent) in ("update", "delete", "other"):
            said = re.sub(rf"\ban? {re.escape(unsaid)}\b", f"one of the {plural(unsaid)}", wanted.intent, count=1)
            return wanted.model_copy(update={"intent": said})  # the assistant will ask which one
        if not any(fact.label in self._words.own for fact in self._facts(goal)):
            return wanted
        wish = parsed(wanted.intent)
        if wish.determiner not in ("", "all") or not is_plural(wish.head) or wish.rest:
            return wanted
        return wanted.model_copy(update={"intent": f"{wish.verb} my {' '.join(wish.thing)}"})

    def _reason(self, request: int, goal: Goal) -> str:
        """Give a reason for a goal, now and then; not if the goal or its facts already do."""
        persona, chance = self._words.persona, _REASONED if request == 0 else _REASONED_LATER
        told = any(isinstance(fact.value, str) and _WRITTEN.match(fact.value) for fact in self._facts_of(request))
        plain = goal.tool and not goal.purpose and goal.condition is None and goal.amiss is None and not told
        plain = plain and not self._words.candid
        if not plain or persona.tone == "terse" or persona.verbosity == "brief" or self._scenario.pressure:
            return ""
        kind, drawn = wish_kind(goal.intent), self._words.rng.random() < chance
        said = self._words.why(goal.tool) if drawn else ""
        if drawn and not said and kind in ("create", "update", "delete") and self._words.rng.random() < _GENERAL:
            said = self._words.draw(f"reason_{kind}")
        self.reasoned = bool(said)
        return said

    def _facts_of(self, request: int) -> list[Fact]:
        return [fact for goal in self._scenario.requests[request] for fact in self._facts(goal)]

    def _again(self, goal: Goal, request: int, own: str) -> Filling:
        """Return the wish of a goal about a row mentioned before, if the frame `own` can say it so; else empty."""
        plain = own in NAMING and goal.tool and goal.condition is None and not goal.each
        if not plain or not goal.again or any(self._scenario.behaves(kind, request) for kind in REWORDED):
            return ""
        return name_again(self._words, goal.intent, goal.again)

    def _said_wish(self, own: str, goal: Goal, woven: Sequence[Fact], again: Filling) -> str:
        """Word a goal in the frame `own`, with facts in the same sentence; `again` is the wish about a row mentioned before."""
        shown = any(question.pointers for question in goal.asks_for)
        if not woven:
            return say_wish(self._words, own, again or goal.intent, shown)
        if own == "again":
            return f"{self._words.draw('again_with')} {told_alone(self._words, woven)}"
        wish = str(again) or goal.intent
        told = changed(self._words, wish, goal.topic, woven) if wish_kind(wish) == "update" else ""
        if which := _WHICH.match(wish):
            told = f"{weave(self._words, which[1], goal.topic, woven)} {which[2]}"
        return say_wish(self._words, own, told or weave(self._words, wish, goal.topic, woven), shown)

    def _questions(self, goal: Goal, said: str) -> list[str]:
        """Word what the user wants to know, if the wish alone does not ask it; a row named in `said` becomes a pronoun."""
        asked = [question.words for question in goal.asks_for if question.words]
        if said and self._words.lexicon is None:
            asked = [_without(words, goal.topic) for words in asked]
        return [say_question(self._words, words, further=place > 0) for place, words in enumerate(asked)]

    def _beforehand(self, request: int, pressure: Pressure | None) -> str:
        """Say, with the last request, what the user wants to avoid."""
        last = request == len(self._scenario.requests) - 1
        return self._words.draw(f"before_{pressure}") if pressure in BEFOREHAND and last else ""

    def _facts(self, goal: int) -> list[Fact]:
        return [fact for fact in self._scenario.facts if fact.goal == goal]

    def said(self, facts: Sequence[Fact], alone: bool = False) -> str:
        """Word facts that are told together; `alone` if they answer a question."""
        if self._words.lexicon is None and not any(map(self._is_touched, facts)):
            facts = with_whole_address(with_whole_name(facts))
        frame = self._words.rng.choice(self._words.grammar["facts_listed"]) if alone and self._are_plain(facts) else ""
        if frame:
            values = [(fact.label, self._words.value(fact.value, fact.label)) for fact in facts]
            listed = [self._words.filled(frame, {"label": label, "value": value}) for label, value in values]
            both: str = self._words.language.speech["and"]
            return both.join([", ".join(listed[:-1]), listed[-1]])
        said_here = {fact.id for fact in facts}
        instead = {fact.instead_of: fact for fact in facts if fact.instead_of in said_here}
        said = list[str]()
        for place, fact in enumerate(facts):
            called = self._words.lexicon is None and is_name_of_thing(fact) and not self._is_touched(fact)
            if (is_named(fact) or called) and not alone:
                said.append(name_alone(self._words, fact))
            elif fact.instead_of not in said_here:
                further = place > 0 and self._is_plain(facts[place - 1])
                told = self._conduct.fact(fact, alone and len(facts) == 1, further)
                said.append(told + self._otherwise(instead.get(fact.id)))
        joint = self._words.language.speech["comma_and"]
        return joint.join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)

    def _are_plain(self, facts: Sequence[Fact]) -> bool:
        """Tell whether several facts can be told as a mere list of values and labels."""
        plain = (self._is_plain(fact) and not self._is_touched(fact) and "'s " not in fact.label for fact in facts)
        return len(facts) > 1 and all(plain) and not any(fact.label in self._words.own for fact in facts)

    def _is_plain(self, fact: Fact) -> bool:
        """Tell whether a fact is said as label, "is" and value, so that the next one needs no verb."""
        plain = isinstance(fact.value, (str, int, float)) and not isinstance(fact.value, bool) and fact.choice is None
        return plain and not has_own_saying(self._words, fact) and fact.value not in ("yes", "no")

    def _otherwise(self, fact: Fact | None) -> str:
        return "" if fact is None else self._words.draw("otherwise", value=self._words.value(fact.value, fact.label))

    def late(self, request: int, told: Sequence[str]) -> tuple[str, list[str]]:
        """Word the facts that the user remembers only now, and has not told yet."""
        indices = self._scenario.requests[request]
        facts = [
            fact for index in indices for fact in self._facts(index) if fact.reveal == "late" and fact.id not in told
        ]
        return (self._words.draw("also_now", said=self.said(facts)), [fact.id for fact in facts]) if facts else ("", [])

    def known_by(self, request: int, label: str) -> list[str]:
        """Return the facts of a request that a label asks for: the origin's name for the origin."""
        goals = self._scenario.requests[request] if request >= 0 else ()
        told = [fact for fact in self._scenario.facts if fact.goal in goals and fact.reveal != "never"]
        plain = [fact for fact in told if fact.choice is None and not fact.description and names(fact.label, label)]
        owned = f"{label}'s "
        return [fact.id for fact in plain if fact.label.removeprefix(owned) in (fact.label, *OWN_NAMES)]


_WHICH = re.compile(r"(know which .+?) ((?:is|are|has|have|can) .+)")
"""A wish to know which of several rows match: the rows, and the predicate."""


def _question_of_one(goal: Goal) -> str:
    """Return the wish to see one row and to know fields of it as one: "see a pet", "know the age" -> "know the age of a pet"."""
    asked = [question.words for question in goal.asks_for]
    verb = parsed(goal.intent).verb
    thing = without_details(goal.intent.removeprefix(verb).strip())
    looks = wish_kind(goal.intent) == "look" and not asked_plural(f"{verb} {thing}")
    if not asked or not looks or goal.again or goal.condition is not None:
        return ""
    fields = [_without(words, goal.topic) for words in asked]
    plain = all(field.startswith("know the ") for field in fields) and _DETERMINED.match(thing) is not None
    said = " and ".join([fields[0], *(field.removeprefix("know ") for field in fields[1:])])
    return f"{said} of {thing}" if plain and " of " not in f"{said} {thing}" else ""


_DETERMINED = re.compile(r"(?:an?|the|my) ")


def _is_somebody(fact: Fact) -> bool:
    """Tell whether a fact names a person."""
    told = fact.value.values() if isinstance(fact.value, Mapping) else (fact.value,)
    return (
        fact.label in WHOLE_NAMES
        or fact.label.rpartition("'s ")[0].rpartition(" ")[2] in PERSON_NOUNS
        or (fact.label.rpartition(" ")[2] in PERSON_NOUNS and all(isinstance(said, str) for said in told))
    )


def _each_thing_once(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts without those that repeat the name of a row.

    A row may be in two lists, or be named like one that belongs to it: a policy and its assignment.
    """
    named = [fact for fact in facts if is_named(fact)]
    said = {fact.id: {str(value).casefold() for _, value in leaves(fact.value)} for fact in named}
    again = {
        fact.id
        for place, fact in enumerate(named)
        for other in (*named[:place], *(longer for longer in named if longer.label != fact.label))
        if said[other.id] == said[fact.id] and other.label.startswith(fact.label)
    }
    return [fact for fact in facts if fact.id not in again]


def _without(question: str, topic: str) -> str:
    """Return a question without the noun just named: "know the price", "know when it starts"."""
    thing = f"the {topic}"
    short = question.removesuffix(f" of {thing}")
    if short.startswith(f"know {thing} ") and " " not in (own := short.removeprefix(f"know {thing} ")):
        return f"know the {own}"
    return short if short.startswith("know the ") else short.replace(f"{thing} ", "it ")
