"""A user's words, and the state of the dialogue -> the user's act."""

from dataclasses import replace

from interplay.generators.participants.hearing.assent import affirms, denies
from interplay.generators.participants.hearing.behaviour_reader import (
    at_confirmation,
    at_question,
    complains,
    mistaken,
    resumed,
    shown,
    taken_back,
    told_otherwise,
    weighed,
)
from interplay.generators.participants.hearing.fact_reader import MOSTLY, FactReader, is_of_others
from interplay.generators.participants.hearing.state_tracker import (
    SURE,
    Reading,
    Says,
    TrackedState,
    of_request,
    pending_steps,
    waiting,
)
from interplay.generators.participants.hearing.wish_reader import brought_up, once_more, says_wish, wants_something
from interplay.generators.participants.hearing.word_overlap import plain, sentences, share
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import STEP, Message
from interplay.schemas.words.text import normalised


class UserReader:
    """Reads what users say."""

    def __init__(self, says: Says) -> None:
        self._says = says
        self._facts = FactReader(says)

    def __call__(self, blueprint: Blueprint, at: TrackedState, message: Message) -> Reading:
        """Return the user's act."""
        text = plain(message.content)
        if message.tool_calls:
            return Reading("perform", 1.0)
        if message.act == "user_bye":
            return Reading("user_bye", 0.95)
        if at.steps or at.asking == "guide":
            return _tells_of_steps(blueprint, at, text)
        if at.asking is not None and weighed(text):
            return Reading("ask_again", 0.3)
        read = self._read(blueprint, at, message.content, text)
        begins = read.act in ("inform_intent_clear", "inform_intent_vague") and read.confidence >= SURE
        request = _brought_up(blueprint, at, read) if begins else at.request
        for_now = told_otherwise(blueprint, at, self._says, message.content, request)
        if for_now:
            sure = 0.9 if set(for_now) & set(at.asked) and read.confidence < SURE else read.confidence
            own = [name for name in read.told if not is_of_others(blueprint, at, name, for_now, message.content)]
            read = replace(read, told=tuple(dict.fromkeys((*own, *for_now))), otherwise=for_now, confidence=sure)
        both = {done.fact for done in blueprint.scenario.behaviours if done.kind == "contradicts"} & set(for_now)
        if any(self._holds(blueprint, name, message.content) for name in both):
            read = replace(read, behaviours=("contradicts",))
        taken = read.act == "affirm" and at.asking == "suggest"
        done = shown(blueprint, self._says, read, message.content, text)
        said_so = brought_up(blueprint, self._says, read, message.content, request, taken)
        read = replace(read, behaviours=(*done, *said_so))
        if read.act == "inform" and complains(blueprint, text):
            return replace(read, act="complain")
        wants = read.act == "inform_intent_clear" and not at.comes_early(blueprint.scenario, read.goal)
        late = wants and blueprint.scenario.behaves("changes_mind_late", request)
        return replace(read, act="change_mind", behaviours=("changes_mind_late", *read.behaviours)) if late else read

    def _holds(self, blueprint: Blueprint, name: str, content: str) -> bool:
        fact = blueprint.scenario.fact(name)
        return self._says(content, fact.value, fact.hint, fact.label)

    def _read(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        match at.asking:
            case None if at.request < 0 and not at.tried_early:
                return self._opens(blueprint, at, content, text)
            case "request":
                return self._answers(blueprint, at, content, text)
            case "clarify" if at.heard == "negate" and at.clear:
                return self._thinks_again(blueprint, at, content, text)
            case "clarify":
                return self._specifies(blueprint, at, content)
            case "suggest" if at.asked and not at.asked[0].startswith("goal:"):
                return self._chooses(blueprint, at, content, text)
            case "suggest":
                return self._judges(blueprint, at, content, text)
            case "confirm_request":
                return self._confirms(blueprint, at, content)
            case _:
                return self._goes_on(blueprint, at, content, text)

    def _opens(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        scenario = blueprint.scenario
        early = scenario.early
        if early is not None and early.before == 0:
            goal = scenario.requests[early.request][0]
            tried = share(blueprint.goals[goal].intent, text)
            named = says_wish(
                blueprint, goal, content, [fact.id for fact in scenario.facts if self._facts.tells_one(fact, content)]
            )
            if named and tried >= share(self._wishes(blueprint, 0), text):
                return Reading("inform_intent_clear", 0.8, goal=goal)
        goals = scenario.requests[0] if scenario.requests else ()
        if not goals:
            return Reading("inform_intent_clear", 0.6)
        told = self._facts.told(waiting(blueprint, at, 0), content, ())
        vague = heard_as("vague").search(text) is not None
        if says_wish(blueprint, goals[0], content, told, least=0.6 if vague and not told else 0.3):
            return Reading("inform_intent_clear", 0.9, goal=goals[0], told=told)
        return Reading("inform_intent_vague", 0.8 if vague else 0.6, goal=goals[0], told=told)

    def _specifies(self, blueprint: Blueprint, at: TrackedState, content: str) -> Reading:
        """Read the answer of a user who was asked for its wish; facts alone are no wish."""
        told = self._facts.told(waiting(blueprint, at), content, at.asked)
        requests = blueprint.scenario.requests
        if not 0 <= at.request < len(requests) or says_wish(blueprint, requests[at.request][0], content, told):
            return Reading("inform_intent_clear_add", 0.9, told=told)
        wants = wants_something(blueprint, content, told) and not affirms(content)
        return Reading("inform_intent_clear_add", 0.6 if wants else 0.3, told=told)

    def _answers(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        told = self._facts.told(waiting(blueprint, at), content, at.asked)
        ignorant = heard_as("ignorant").search(text) is not None
        anew = taken_back(blueprint, at, content, self._facts.tells_one)
        if anew is not None:
            return replace(anew, told=tuple(dict.fromkeys((*told, *anew.told))))
        instead = at_question(blueprint, at, text, bool(set(told) & set(at.asked)), ignorant)
        if instead is not None:
            return self._with_facts(blueprint, at, instead, content)
        if ignorant and not set(told) & set(at.asked):
            return Reading("fail_inform", 0.9)
        if set(told) & set(at.asked):
            return Reading("correct" if mistaken(blueprint, at, at.asked) else "inform", 0.95, told=told)
        if heard_as("unwilling").search(text):
            return Reading("insist", 0.8)
        facts = [fact for fact in blueprint.scenario.facts if fact.id in at.asked]
        again = self._facts.told(facts, content, at.asked)
        if again or told:
            return Reading("inform", 0.7, told=(*told, *again))
        return Reading("inform", 0.3)

    def _with_facts(self, blueprint: Blueprint, at: TrackedState, read: Reading, content: str) -> Reading:
        """Return a reading of a new request with the facts that are told for it; others are unchanged."""
        if read.act != "inform_intent_clear":
            return read
        return replace(read, told=self._facts.told(waiting(blueprint, at, at.latest + 1), content, ()))

    def _chooses(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        asked = [fact for fact in blueprint.scenario.facts if fact.id in at.asked]
        told = self._facts.told([*asked, *(f for f in waiting(blueprint, at) if f not in asked)], content, at.asked)
        anew = taken_back(blueprint, at, content, self._facts.tells_one)
        if anew is not None:
            return replace(anew, told=tuple(dict.fromkeys((*told, *anew.told))))
        instead = at_question(blueprint, at, text, bool(set(told) & set(at.asked)), ignorant=False)
        if instead is not None:
            return self._with_facts(blueprint, at, instead, content)
        if "?" in content and heard_as("narrowing").search(text):
            return Reading("ask_back", 0.8)
        if not set(told) & set(at.asked) and (affirms(content) or heard_as("pointing").search(text)):
            return Reading("choose", 0.7, told=(*at.asked[:1], *told))
        return Reading("choose", 0.9 if set(told) & set(at.asked) else 0.3, told=told)

    def _judges(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        told = self._facts.told(waiting(blueprint, at), content, ())
        wanted = blueprint.scenario.requests[at.request][0] if at.request >= 0 else None
        suggested = int(at.asked[0].removeprefix("goal:")) if at.asked else None
        if denies(content):
            return Reading("negate", 0.9, told=told)
        if affirms(content):
            return Reading("affirm", 0.9, told=told)
        if any(affirms(part) for part in sentences(content)[:1]):
            return Reading("affirm", 0.8, told=told)
        if told or (heard_as("agreeing").search(text) and not heard_as("ignorant").search(text)):
            return Reading("affirm" if suggested == wanted else "negate", 0.7, told=told)
        wished = share(self._wishes(blueprint, at.request), text)
        if suggested == wanted and wished >= MOSTLY:
            return Reading("affirm", 0.7)
        return Reading("negate", 0.6 if wished else 0.3)

    def _confirms(self, blueprint: Blueprint, at: TrackedState, content: str) -> Reading:
        anew = taken_back(blueprint, at, content, self._facts.tells_one)
        if anew is not None:
            return anew
        agrees = affirms(content) and not self._names_anew(at, content)
        refuses = denies(content)
        instead = at_confirmation(blueprint, at, plain(content), answered=agrees or refuses)
        if instead is not None:
            return instead
        if refuses:
            return Reading("negate", 0.8)
        if agrees:
            return Reading("affirm", 0.95)
        return Reading("ask_again" if "?" in content else "inform", 0.3)

    def _names_anew(self, at: TrackedState, content: str) -> bool:
        """Tell whether a text has a number or moment that was not mentioned before: a yes with another day is none."""
        named = normalised(content).figures - {1}  # "that's the one"
        return bool(named) and not named <= frozenset().union(*(normalised(text).figures for text in at.said))

    def _thinks_again(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        """Read what a user wants after it refused to go ahead: the same after all, something else, or nothing."""
        if not denies(content):
            told = self._facts.told(waiting(blueprint, at), content, ())
            if told or affirms(content) or share(self._wishes(blueprint, at.request), text) >= 0.5:
                return Reading("inform_intent_clear_add", 0.7, told=told)
        return self._goes_on(blueprint, at, content, text)

    def _goes_on(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        """Read what follows a settled request: the next wish, something out of scope, insistence, or the end."""
        scenario = blueprint.scenario
        back = resumed(blueprint, at, text, self._facts.tells_one, content)
        if back is not None:
            return back
        following = at.latest + 1
        wished = share(self._wishes(blueprint, following), text)
        early = scenario.early
        if early is not None and early.before == following and not at.tried_early:
            sooner = scenario.requests[early.request][0]
            tried = share(blueprint.goals[sooner].intent, text)
            if tried >= 0.5 and (tried > wished or early.request == following):
                return Reading("inform_intent_clear", 0.8, goal=sooner)
        strayed = share(scenario.out_of_scope, text) if scenario.out_of_scope and not at.strayed else 0.0
        if strayed >= 0.6 and strayed >= wished:
            return Reading("off_topic", 0.9)
        presses = any(heard_as(name).search(text) for name in ("pressing", "unwilling"))
        pressing = presses and at.asking == "refuse"
        insists = pressing and not heard_as("leaving").search(text)
        if following == len(scenario.requests):
            return Reading("insist", 0.8) if insists else self._ends(blueprint, at, content, text)
        goal = scenario.requests[following][0]
        told = self._facts.told(waiting(blueprint, at, following), content, ())
        says = says_wish(blueprint, goal, content, told) or once_more(blueprint, following, content, told)
        if says and (wished >= 0.5 or not pressing):
            return Reading("inform_intent_clear", 0.9, goal=goal, told=told)
        if insists:
            return Reading("insist", 0.8)
        if heard_as("leaving_only").fullmatch(text):
            return Reading("user_bye", 0.4)
        if told or wished > 0:
            return Reading("inform_intent_vague", 0.6, goal=goal, told=told)
        return Reading("inform_intent_clear", 0.3, goal=goal)

    def _ends(self, blueprint: Blueprint, at: TrackedState, content: str, text: str) -> Reading:
        """Read what follows the last request: the end, or more about that request."""
        if heard_as("leaving").search(text):
            return Reading("user_bye", 0.8)
        told = self._facts.told(of_request(blueprint, at.request), content, ())
        return Reading("inform", 0.5, told=told) if told else Reading("user_bye", 0.4 if "?" in text else 0.6)

    def _wishes(self, blueprint: Blueprint, request: int) -> str:
        """Return the wish of a request's first goal; empty if there is no such request."""
        if not 0 <= request < len(blueprint.scenario.requests):
            return ""
        return blueprint.goals[blueprint.scenario.requests[request][0]].intent


def _tells_of_steps(blueprint: Blueprint, at: TrackedState, text: str) -> Reading:
    """Read a user's report of steps that it has made, or claims to have made, on its own device."""
    left = pending_steps(blueprint, at)
    if at.steps:
        made = [next((action.id for action in left if action.tool == name), "") for name in at.steps]
        return Reading("report", 0.9, told=tuple(STEP + name for name in dict.fromkeys(made) if name))
    if heard_as("done").search(text) and not heard_as("ignorant").search(text) and not text.rstrip().endswith("?"):
        return Reading("report", 0.7, told=at.asked)
    return Reading("inform", 0.3)


def _brought_up(blueprint: Blueprint, at: TrackedState, read: Reading) -> int:
    """Return the request that a wish is for: the one with its goal, else the next one."""
    requests = blueprint.scenario.requests
    following = min(at.latest + 1, len(requests) - 1)
    return next((number for number, goals in enumerate(requests) if read.goal in goals), following)
