"""An assistant's words, and the state of the dialogue -> the assistant's act."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from interplay.generators.participants.hearing.assent import answered, declines, denies
from interplay.generators.participants.hearing.behaviour_reader import mistaken, weighed
from interplay.generators.participants.hearing.choice_reader import chosen, offers, shows, speaks_of
from interplay.generators.participants.hearing.question_reader import QuestionReader, is_named
from interplay.generators.participants.hearing.state_tracker import (
    SURE,
    UNKNOWN,
    Reading,
    Says,
    TrackedState,
    is_search,
    is_settled,
    of_request,
    pending_steps,
    waiting,
)
from interplay.generators.participants.hearing.word_overlap import content_stems, names, plain, sentences, share
from interplay.generators.participants.wording.deed_phrases import wish_kind
from interplay.generators.participants.wording.languages import heard_as
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import STEP, DialogueAct, Message
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.word_classes import can_be_noun

HALF = 0.5
"""Share of the content words of a step or wish from which on it is recognised."""
_FEW = 3
"""Number of open facts up to which a question that names none asks for all of them."""

_BRIEF = 12
"""Maximum words of a message that is only a goodbye."""


_PREPOSITIONS = word_set("prepositions", "common")

_FIRST = re.compile(r"[^,.;:!?–—]+")
"""The text before the first punctuation mark: the "Yes" of "Yes, it is no longer there"."""


def asks_to_confirm(message: Message) -> bool:
    """Tell whether an assistant's words ask whether to go ahead, even without a question mark."""
    text = plain(message.content)
    if message.tool_calls:
        return False
    closed = [part for part in sentences(text) if not (part.endswith("?") and _leaves_open(part))]
    rest = " ".join(closed)
    asked = bool(_questions(rest)) and heard_as("confirming").search(rest) is not None
    return asked or heard_as("told_to_confirm").search(text) is not None


def _leaves_open(question: str) -> bool:
    """Tell whether a question is open rather than for a yes: "Which one shall I take?"."""
    which, whether = heard_as("open_question").search(question), heard_as("confirming").search(question)
    return which is not None and whether is not None and which.start() < whether.start()


def _questions(text: str) -> list[str]:
    """Return the questions in a text, except those that only ask whether there is anything else to do."""
    return [
        part for part in sentences(text) if (part.endswith("?") or _asks_to_tell(part)) and not _asks_for_more(part)
    ]


def _asks_to_tell(sentence: str) -> bool:
    """Tell whether a sentence asks for something without being a question: "Please tell me which one it is." """
    said = sentence.lower()
    found = heard_as("asking").search(said)
    return found is not None and heard_as("open_question").search(said[found.end() :]) is not None


def _asks_for_more(question: str) -> bool:
    """Tell whether a question only asks for further wishes; one that ends a list, "or something else", does not."""
    found = heard_as("anything").search(question)
    return found is not None and heard_as("last_of_several").search(question[: found.start()]) is None


class AssistantReader:
    """Reads what assistants say and do; `own` holds the user's tools by name, `askings` known questions by label."""

    def __init__(
        self, says: Says, own: Mapping[str, Tool] | None = None, askings: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._says = says
        self._own = own or {}
        self._lacks = QuestionReader(says, askings or {})

    def __call__(self, blueprint: Blueprint, at: TrackedState, message: Message) -> Reading:
        """Return the assistant's act."""
        if message.tool_calls:
            return Reading("retriever_call" if is_search(message) else "call", 1.0)
        if message.act == "system_bye" or at.heard == "user_bye":
            return Reading("system_bye", 0.95)
        text = plain(message.content)
        questions = _questions(text)
        steps = self._steps(blueprint, at, text)
        if steps:
            return Reading("guide", 0.8, asked=steps)
        if heard_as("goodbye").search(text) and not text.endswith("?") and len(text.split()) <= _BRIEF:
            return Reading("system_bye", 0.7)
        if not at.clear and at.heard in ("inform_intent_vague", "negate"):
            found = self._finds_out(blueprint, text, questions)
            if found is not None and found.act == "clarify":
                beside = self._lacks.asked(waiting(blueprint, at, max(at.request, 0)), text)
                return replace(found, asked=tuple(fact.id for fact in beside))
            if found is not None:
                return found
        early = blueprint.scenario.early
        missing = waiting(blueprint, at, early.request if early is not None and at.in_vain else None)
        asked = self._lacks.asked(missing, text)
        own = _without_values(blueprint, message.content)
        if not _is_held(blueprint, at) and questions:
            own = questions[-1]  # the part to answer: "That one can't be cancelled. Is it the other one?"
        unable = heard_as("unable").search(plain(own)) is not None
        gives_up = declines(own) and not questions and not asked
        other = bool(asked) and not {fact.id for fact in asked} & set(at.asked)
        if at.asking is not None and (
            (at.heard == "wander" and not gives_up)
            or (at.heard in ("ask_back", "withhold") and text.endswith("?") and not other)
        ):
            narrowed = at.heard == "ask_back" and at.asking == "suggest"
            return Reading(at.asking if narrowed or at.heard == "wander" else "request", 0.8, asked=at.asked)
        doubts = self._doubts(blueprint, at, message, questions, missing)
        if doubts is not None:
            return doubts
        listed = any(shows(self._says, fact, " ".join(questions)) for fact in missing if fact.choice is not None)
        which = None if listed else self._alternatives(blueprint, at, questions, asked)
        if which is not None:
            return which
        if not unable and self._confirms(at, message, questions, missing, asked):
            return Reading("response" if is_settled(blueprint, at) else "confirm_request", 0.9)
        if at.failed and not questions:
            if declines(own) or heard_as("gone_wrong").search(plain(own)):
                return Reading("report_error", 0.8)
            served = any(self._said(blueprint, text))
            return Reading("response", 0.8) if served else self._whether(at, own, "report_error")
        if at.doubted and denies(own):
            return self._declines(blueprint, at, text)
        if at.heard == "fail_inform" and asked and not questions and {fact.id for fact in asked} <= set(at.asked):
            # an unknown fact is not asked for again: "That takes the date."
            return self._declines(blueprint, at, text)
        if declines(own) and not (asked and (questions or self._lacks.asked(missing, _without_failing(text)))):
            told = at.called or not questions or not missing or heard_as("unable").search(plain(own))
            return self._declines(blueprint, at, text) if told else Reading("request", 0.3)
        return self._asks(blueprint, at, message, questions, missing, asked)

    def _asks(
        self,
        blueprint: Blueprint,
        at: TrackedState,
        message: Message,
        questions: list[str],
        missing: list[Fact],
        asked: list[Fact],
    ) -> Reading:
        """Read what is asked for: a confirmation, a choice, a fact, or nothing, if a result is reported."""
        text = plain(message.content)
        if at.heard == "insist" and asked and at.asking == "request":
            return Reading("request", 0.8, asked=tuple(fact.id for fact in asked))
        if self._confirms(at, message, questions, missing, asked):
            return Reading("response" if is_settled(blueprint, at) else "confirm_request", 0.9)
        choices = [fact for fact in missing if fact.choice is not None]
        named = at.shown and speaks_of(self._says, choices, message.content)
        offering = heard_as("offering").search(text) and not (asked and not named)
        if choices and questions and (offering or shows(self._says, choices[0], message.content)):
            choice = chosen(self._says, blueprint, choices, message.content).id
            return Reading("suggest", 0.9, asked=(choice, *(fact.id for fact in asked)))
        if asked:
            return Reading("request", 0.9, asked=tuple(fact.id for fact in asked))
        again = self._told(blueprint, at, " ".join(questions))
        if again:
            return Reading("request", 0.8, asked=again)
        waits = [fact for fact in missing if fact.choice is None and fact.reveal != "never"] if questions else []
        offered = tuple(fact.id for fact in waits if self._says(text, fact.value, fact.hint, fact.label))
        opens = any(heard_as("open_question").search(question) for question in questions)
        if offered and opens and not named:  # "What should it be: pending, succeeded or failed?"
            return Reading("request", 0.7, asked=offered[:1])
        unknown = self._unknown(blueprint, questions, tuple(fact.id for fact in waits if names(text, fact.label)))
        if unknown:
            return Reading("request", 0.8, asked=(UNKNOWN + unknown,))
        return self._tells(blueprint, at, text, missing, asks=bool(questions))

    def _doubts(
        self, blueprint: Blueprint, at: TrackedState, message: Message, questions: list[str], missing: list[Fact]
    ) -> Reading | None:
        """Read a question about something that the user has told already, with two values or a wrong one."""
        text = plain(message.content)
        wrong = {*at.otherwise, *mistaken(blueprint, at, [fact.id for fact in missing])}
        doubted = [fact for fact in missing if fact.id in wrong and names(text, fact.label)]
        said_both = [fact for fact in missing if fact.id in at.otherwise]
        offered = offers(self._says, blueprint, [fact for fact in missing if fact.choice is not None], message.content)
        if not doubted and len(said_both) == 1 and self._weighs(at, said_both[0], message.content):
            doubted = said_both
        if not doubted and len(said_both) == 1 and not offered and heard_as("doubting").search(text):
            doubted = said_both  # "You said May 2 and then May 3. Which is it?"
        two = weighed(text)
        if two and not doubted and not offered:
            doubted = self._spoken_of(of_request(blueprint, at.request), two)
            if not doubted:
                return Reading("request", 0.3)
        if not questions:
            sought = (blueprint.scenario.fact(each) for each in mistaken(blueprint, at, [fact.id for fact in missing]))
            for fact in sought:  # "There are no consumed ones."
                told = blueprint.scenario.fact(str(fact.instead_of))
                if self._says(message.content, told.value, told.hint, told.label):
                    return Reading("request", 0.7, asked=(fact.id,))
        if doubted and questions and not (asks_to_confirm(message) and not heard_as("doubting").search(text)):
            return Reading("request", 0.8, asked=(doubted[0].id,))
        if questions and heard_as("checking").search(" ".join(questions)) and heard_as("doubting").search(text):
            named = [fact.id for fact in of_request(blueprint, at.request) if names(text, fact.label)]
            if named:
                return Reading("request", 0.7, asked=(named[0],))
        return None

    def _alternatives(
        self, blueprint: Blueprint, at: TrackedState, questions: list[str], asked: list[Fact]
    ) -> Reading | None:
        """Read a question with alternatives about what the user has said or wants: "Shall I show, pay or delete it?" """
        if not questions or not heard_as("alternatives").search(questions[-1]):
            return None
        plain = [fact for fact in of_request(blueprint, at.request) if fact.choice is None and fact.reveal != "never"]
        said = [fact.id for fact in plain if self._says(questions[-1], fact.value, fact.hint, fact.label)]
        if said:
            named = [fact.id for fact in asked if fact.id not in said]
            return Reading("request", 0.8, asked=(*named, said[0]))
        goals = blueprint.scenario.requests[at.request] if at.request >= 0 and not asked else ()
        meant = any(share(blueprint.goals[goal].intent, questions[-1]) >= HALF for goal in goals)
        return Reading("clarify", 0.8) if meant else None

    def _weighs(self, at: TrackedState, fact: Fact, content: str) -> bool:
        """Tell whether a text contains both values that the user gave for a fact."""
        return all(self._says(content, each, fact.hint, fact.label) for each in (at.otherwise[fact.id], fact.value))

    def _spoken_of(self, facts: list[Fact], text: str) -> list[Fact]:
        """Return the facts that a text names, else those whose values it contains."""
        plain = [fact for fact in facts if fact.choice is None]
        named = [fact for fact in plain if names(text, fact.label)]
        return named or [fact for fact in plain if self._says(text, fact.value, fact.hint, fact.label)]

    def _steps(self, blueprint: Blueprint, at: TrackedState, text: str) -> tuple[str, ...]:
        """Return the steps on the user's device that a text asks for, recognised by half of the content words of their tools."""
        found: dict[str, str] = {}
        asking = " ".join(part for part in sentences(text) if heard_as("guiding").search(part))
        for action in pending_steps(blueprint, at) if asking else ():
            tool = self._own.get(action.tool)
            told = (*intents_of(tool), tool.description.split("\n")[0]) if tool else ()
            if any(share(phrase, asking) >= HALF for phrase in (*told, action.tool.replace("_", " "))):
                found.setdefault(action.tool, STEP + action.id)
        return tuple(found.values())

    def _finds_out(self, blueprint: Blueprint, text: str, questions: list[str]) -> Reading | None:
        """Read a question for what a vague user wants."""
        asked = " ".join(questions) or text
        goals = enumerate(blueprint.goals)
        near = [(share(goal.intent, asked), len(content_stems(goal.intent)), -place) for place, goal in goals]
        best, _, place = max(near, default=(0.0, 0, 0))
        if questions and best >= 0.6 and heard_as("suggesting").search(asked):
            return Reading("suggest", 0.9, asked=(f"goal:{-place}",))
        if heard_as("clarifying").search(text):
            return Reading("clarify", 0.9)
        return Reading("clarify", 0.6) if questions else None

    def _confirms(
        self, at: TrackedState, message: Message, questions: list[str], missing: list[Fact], asked: list[Fact]
    ) -> bool:
        """Tell whether a text asks whether to go ahead, and not for a missing fact: "What reason may I put down?" """
        untold = [fact for fact in missing if fact.id not in at.otherwise]
        opens = any(
            is_named(fact, untold, " ".join(questions)) for fact in untold if fact.reveal == "asked" and fact in asked
        )
        return asks_to_confirm(message) and not opens and not self._needs_first(untold, plain(message.content))

    def _needs_first(self, missing: list[Fact], text: str) -> bool:
        """Tell whether a text asks for facts besides a confirmation: "I need your name for that. Shall we?" """
        apart = [part for part in sentences(text) if not part.endswith("?") and not heard_as("confirming").search(part)]
        return bool(self._lacks.asked(missing, " ".join(apart)))

    def _declines(self, blueprint: Blueprint, at: TrackedState, text: str) -> Reading:
        if at.heard == "off_topic" or at.in_vain or at.request < 0:
            return Reading("response_fail", 0.9)
        if at.heard == "insist":
            return Reading("refuse", 0.9)
        goals = blueprint.scenario.requests[at.request]
        held = [action.withheld for action in blueprint.actions if action.goal in goals and action.withheld]
        reasons = {withheld.reason for withheld in held}
        if reasons & {"forbidden", "harmful"}:
            return Reading("response" if at.called and len(goals) > 1 else "refuse", 0.9)
        elsewhere = is_settled(blueprint, at) and not declines(sentences(text)[0])
        if not reasons and elsewhere:  # something else cannot be done
            return Reading("response", 0.8)
        served = at.called and not reasons and any(blueprint.goals[goal].tool for goal in goals)
        if reasons == {"condition"} or (served and not heard_as("unable").search(text)):
            return Reading("response", 0.7)
        return Reading("response_fail", 0.8)

    def _told(self, blueprint: Blueprint, at: TrackedState, asked: str) -> tuple[str, ...]:
        """Return the facts that were told already and are asked for again, by label."""
        known = _known(blueprint, at)
        open_still = [fact for fact in known if not self._says(asked, fact.value, fact.hint, fact.label)]
        named = self._lacks.named(open_still, asked)
        return tuple(fact.id for fact in named)

    def _said_again(self, blueprint: Blueprint, at: TrackedState, text: str) -> tuple[str, ...]:
        """Return the first fact told already whose value a text contains, as one of several alternatives."""
        said = (fact.id for fact in _known(blueprint, at) if self._says(text, fact.value, fact.hint, fact.label))
        return tuple(said)[:1]

    def _unknown(self, blueprint: Blueprint, questions: list[str], spoken_of: Sequence[str]) -> str:
        """Return the identity that a question asks for and that is no fact; facts that are `spoken_of` may be meant instead."""
        asked = " ".join(questions)
        found = heard_as("identity").search(asked)
        said = str(found[found.lastindex or 0]).split() if found else []
        label = " ".join(takewhile(lambda word: word not in _PREPOSITIONS, said))  # "the item's id by any chance"
        if found and label and not heard_as("anything").search(found[0]) and can_be_noun(label.split()[-1]):
            return label
        named = (words_of(label) for label in blueprint.scenario.unknown if not spoken_of)
        return next((label for label in named if names(asked, label)), "")

    def _tells(self, blueprint: Blueprint, at: TrackedState, text: str, missing: list[Fact], asks: bool) -> Reading:
        """Read words that ask for no known fact: a report, or a question that cannot be interpreted."""
        if asks:
            told = tuple(fact.id for fact in missing if fact.reveal != "never" and fact.choice is None)
            if at.clear and _questions(text) and self._proposes(blueprint, at, missing, text):
                return Reading("response" if is_settled(blueprint, at) else "confirm_request", 0.7)
            if at.looked and any(self._said(blueprint, text)) and (not told or is_settled(blueprint, at)):
                return Reading("response", 0.6)
            choices = [fact for fact in missing if fact.choice is not None]
            if choices and not told and _questions(text):  # nothing else can be asked for
                return Reading("suggest", SURE, asked=(chosen(self._says, blueprint, choices, text).id,))
            again = self._said_again(blueprint, at, text)
            if again and not told:
                return Reading("request", 0.6, asked=again)
            if not told and at.clear and any(heard_as("open_question").search(asked) for asked in _questions(text)):
                return Reading("request", 0.5, asked=(UNKNOWN,))  # the user does not know that
            counted = heard_as("asks_how_many").search(" ".join(_questions(text))) is not None
            if counted and at.clear and not any(isinstance(fact.value, (int, float)) for fact in missing):
                return Reading("request", 0.5, asked=(UNKNOWN,))
            few = 0 < len(told) <= _FEW and _questions(text)
            return Reading("request", SURE if few else 0.3, asked=told) if told else Reading("clarify", 0.3)
        if at.in_vain:
            return Reading("response_fail", 0.8)  # its tools are not offered yet
        spoken = [] if at.called else [fact for fact in self._lacks.spoken_of(missing, text) if fact.reveal != "never"]
        if spoken and at.clear and not any(self._says(text, fact.value, fact.hint, fact.label) for fact in spoken):
            return Reading("request", 0.6, asked=tuple(fact.id for fact in spoken))  # "I only lack your name."
        if at.heard == "insist":
            return Reading("refuse", 0.7)
        if at.request >= 0 and self._held_back(blueprint, at):
            return self._whether(at, text, "refuse")
        waits = (
            at.request >= 0
            and not is_settled(blueprint, at)
            and self._needs_calls(blueprint, at)
            and not any(self._said(blueprint, text))
        )
        goals = blueprint.scenario.requests[at.request] if at.request >= 0 else ()
        looks = bool(goals) and all(wish_kind(blueprint.goals[goal].intent) == "look" for goal in goals)
        if waits and looks and at.called and not declines(text):
            return Reading("response", 0.6)  # it was found in another way
        return self._whether(at, text, "response_fail") if waits else Reading("response", 0.9)

    def _whether(self, at: TrackedState, text: str, declining: DialogueAct) -> Reading:
        """Read words about something that did not happen: if they do not show whether it did, the user has to ask."""
        first = _FIRST.match(text)
        told = next((said for said in (answered(first[0] if first else ""), answered(text)) if said != "unclear"), "")
        if not at.doubted or not told:
            return Reading("response", 0.4)
        return Reading("response" if told == "yes" else declining, 0.8)

    def _held_back(self, blueprint: Blueprint, at: TrackedState) -> bool:
        """Tell whether the request has a single goal, which is withheld by a rule or as harmful."""
        goals = blueprint.scenario.requests[at.request]
        held = [action.withheld for action in blueprint.actions if action.goal in goals and action.withheld]
        return len(goals) == 1 and any(withheld.reason in ("forbidden", "harmful", "unauthorised") for withheld in held)

    def _proposes(self, blueprint: Blueprint, at: TrackedState, missing: list[Fact], text: str) -> bool:
        """Tell whether a question leaves only the confirmation open: all facts for the remaining calls are known."""
        goals = blueprint.scenario.requests[at.request] if at.request >= 0 else ()
        calls = (action for action in blueprint.calls if action.goal in goals)
        needed = {origin.fact for action in calls for origin in action.origins.values()}
        asked = _questions(text)[-1]
        leaves_open = any(heard_as(kind).search(asked) for kind in ("offering", "clarifying", "open_question"))
        speaks = any(share(blueprint.goals[goal].intent, text) >= HALF for goal in goals) or any(
            self._says(text, fact.value, fact.hint, fact.label) for fact in _known(blueprint, at)
        )
        ready = needed.isdisjoint(fact.id for fact in missing) and self._needs_calls(blueprint, at)
        return speaks and ready and not leaves_open

    def _said(self, blueprint: Blueprint, text: str) -> list[bool]:
        return [self._says(text, out.value, out.hint, out.label) for out in blueprint.expected.outputs]

    def _needs_calls(self, blueprint: Blueprint, at: TrackedState) -> bool:
        """Tell whether a call or a step of the user is needed before the request can be settled."""
        goals = blueprint.scenario.requests[at.request]
        own = [action for action in blueprint.calls if action.goal in goals and action.requestor == "assistant"]
        return bool(own or pending_steps(blueprint, at))


def _known(blueprint: Blueprint, at: TrackedState) -> list[Fact]:
    """Return the facts, except choices, that the user has told for the current request."""
    return [fact for fact in of_request(blueprint, at.request) if fact.id in at.known and fact.choice is None]


def _is_held(blueprint: Blueprint, at: TrackedState) -> bool:
    """Tell whether it is right to decline what the user wants now."""
    goals = blueprint.scenario.requests[at.request] if at.request >= 0 else ()
    withheld = any(action.withheld is not None and action.goal in goals for action in blueprint.actions)
    return (
        withheld
        or not any(blueprint.goals[goal].tool for goal in goals)
        or at.heard in ("off_topic", "insist")
        or at.in_vain
        or at.request < 0
    )


def _without_failing(text: str) -> str:
    """Return the sentences of a text that do not say what cannot be done."""
    return " ".join(part for part in sentences(text) if not heard_as("failing").search(part))


def _without_values(blueprint: Blueprint, text: str) -> str:
    """Return a text without the user's phrases, which could be mistaken for words of the assistant."""
    scenario = blueprint.scenario
    for value in [*(fact.value for fact in scenario.facts), *(done.value for done in scenario.behaviours)]:
        if isinstance(value, str) and " " in value:
            text = text.replace(value, " ")
    return text
