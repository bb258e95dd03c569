"""What the player of the user did wrong: it ended too early, or never; kept a fact or its wish to itself; made one up."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import at_pointer, join_pointer, last_name, leaves, split_pointer
from interplay.schemas.records.blueprint import Action, Fact
from interplay.schemas.records.dialogue import Message
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import COMMON
from interplay.schemas.words.text import fold, normalised, words
from interplay.validators.findings.alignment import MadeCall
from interplay.validators.findings.confirmation import asks
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.labels.confirmation_answers import SURE, answers_to_confirm
from interplay.validators.labels.failed_attempt import NOT_KNOWING, FailedAttempt, Symptom
from interplay.validators.language.paraphrase import SaidBefore, content_words

_WISHING = ("inform_intent_vague", "inform_intent_clear", "inform_intent_clear_add", "negate")
"""Acts that are read in answers to what is wanted, or whether that is what was suggested."""

SILENT = ("fail_inform", "negate", "user_bye")
"""Acts that give no answer to a question, and are no question either."""


def user_faults(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield what can be told from the user's messages, whatever the assistant called."""
    yield from _kept_back(attempt)
    yield from _ended_early(attempt)
    yield from answers_to_confirm(attempt)
    yield from _never_ended(attempt)
    yield from _never_says(attempt)


def misleading_words(attempt: FailedAttempt, action: Action | None, made: MadeCall) -> Symptom | None:
    """Return the message in which the user said, against its scenario, what a call takes; none where it did not."""
    schema = attempt.tools[made.call.name].parameters if made.call.name in attempt.tools else {}
    wanted = dict(leaves(action.arguments)) if action is not None else {}
    for pointer, value in leaves(made.call.arguments):
        if value in (None, "", [], {}) or (pointer in wanted and same(wanted[pointer], value)):
            continue
        says = prescribed(schema, pointer).schema
        index = None
        if _telling(value, says, action is not None and action.tool == made.call.name):
            index = _said_by_user(attempt, value, says, pointer, made.index)
        if index is not None and not _allowed(attempt, value, says):
            heard = pointer in wanted and (
                _said_elsewhere(attempt, wanted[pointer], value, says, made.index)
                or (_common(value) and said([attempt.texts[index]], wanted[pointer], says))
            )
            if not heard and not _offered(attempt, value, says, pointer, index, action is None):
                return Symptom(index, "user_fault", f"The user says {value!r}, which its scenario does not."[:200])
        origin = action.origins.get(pointer) if action is not None else None
        if origin is not None and origin.fact:
            chose = _chose(attempt, attempt.blueprint.scenario.fact(origin.fact), value, made.index)
            if chose is not None:
                return Symptom(chose, "user_fault", "The user chooses another one than its scenario says.")
    return None


def _telling(value: Any, schema: Mapping[str, Any], asked: bool) -> bool:
    """Tell whether hearing a value means something: common words and small numbers do only where they were asked for."""
    if isinstance(value, bool):
        return False
    return asked or ("enum" not in schema and not _common(value))


def _common(value: Any) -> bool:
    """Tell whether a number is one of those that texts name without meaning it: "a second thing"."""
    return isinstance(value, (int, float)) and abs(value) < COMMON


def _said_by_user(
    attempt: FailedAttempt, value: Any, schema: Mapping[str, Any], pointer: str, before: int
) -> int | None:
    name = last_name(pointer)
    for index, message in enumerate(attempt.messages[:before]):
        if message.role == "user" and said([attempt.texts[index]], value, schema, name):
            return index
    return None


def _said_elsewhere(attempt: FailedAttempt, value: Any, other: Any, schema: Mapping[str, Any], before: int) -> bool:
    """Tell whether the user says a value in a message that does not say the other one."""
    texts = [attempt.texts[index] for index in range(before) if attempt.messages[index].role == "user"]
    return any(said([text], value, schema) and not said([text], other, schema) for text in texts)


def _allowed(attempt: FailedAttempt, value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether the scenario knows a value: as a fact, or in the words of a wish."""
    blueprint = attempt.blueprint
    scenario = blueprint.scenario
    told = [fact.value for fact in scenario.facts] + [done.value for done in scenario.behaviours]
    told += [sight.value for sight in scenario.sights]
    known = [leaf for item in told for _, leaf in leaves(item)]
    if any(same(value, leaf) or (isinstance(value, str) and value in str(leaf)) for leaf in known):
        return True
    texts = [goal.intent + " " + goal.purpose for goal in blueprint.goals]
    if not isinstance(value, (int, float)):
        texts += [leaf for leaf in known if isinstance(leaf, str)]  # a name is heard in words that are spelt otherwise
    return not isinstance(value, bool) and said([normalised(text) for text in texts], value, schema)


def _offered(
    attempt: FailedAttempt, value: Any, schema: Mapping[str, Any], pointer: str, index: int, unwanted: bool
) -> bool:
    """Tell whether the user only took up what it had heard, for a call that is in nobody's place."""
    if not unwanted:
        return False
    heard = [attempt.texts[place] for place in range(index) if attempt.messages[place].role != "user"]
    return isinstance(value, bool) or said(heard, value, schema, pointer)


def _chose(attempt: FailedAttempt, fact: Fact, value: Any, before: int) -> int | None:
    """Return the message in which the user tells another item of a list from the rest than the one that it means."""
    place = attempt.matching.places.get(fact.action or "")
    if fact.choice is None or place is None:
        return None
    answer = next((m.content for m in attempt.messages if m.role == "tool" and m.tool_call_id == place.call.id), "")
    keys = split_pointer(fact.choice)
    try:
        items = at_pointer(json.loads(answer), join_pointer(*keys[:-1]))
        meant = dict(leaves(items[int(keys[-1])]))
    except (ValueError, LookupError, TypeError):
        return None
    taken = [dict(leaves(item)) for item in items if any(same(leaf, value) for _, leaf in leaves(item))]
    if not taken:
        return None
    apart, other = _apart(meant, taken[0]), _apart(taken[0], meant)
    chosen: int | None = None
    for index in range(place.index + 1, before):
        message, question = attempt.messages[index], attempt.messages[index - 1]
        if message.role != "user" or message.act not in ("choose", None) or not attempt.asking(index - 1):
            continue
        if question.act not in ("suggest", None):
            continue
        text = [attempt.texts[index]]
        if any(said(text, leaf, name=pointer) for pointer, leaf in apart):
            return None
        if chosen is None and any(said(text, leaf, name=pointer) for pointer, leaf in other):
            chosen = index
    return chosen


def _apart(item: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the values of an item by which it is told from another one: no truths, and no numbers that stand in any text."""
    return [
        (pointer, leaf)
        for pointer, leaf in item.items()
        if not isinstance(leaf, bool) and not _common(leaf) and not (pointer in other and same(other[pointer], leaf))
    ]


def _kept_back(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the user is asked for a fact that it knows, does not tell it, and never does."""
    for action in attempt.missing:
        facts = [origin.fact for origin in action.origins.values() if origin.kind == "user" and origin.fact]
        for fact in map(attempt.blueprint.scenario.fact, dict.fromkeys(facts)):
            if fact.reveal == "never" or fact.choice is not None or isinstance(fact.value, bool):
                continue
            for index, message in enumerate(attempt.messages[1:], start=1):
                strange = _strange(message)
                if (
                    message.role == "user"
                    and (strange or _silent(attempt, index))
                    and _asks_for(attempt, index - 1, fact)
                ):
                    later = [
                        attempt.texts[place]
                        for place in range(0 if strange else index, len(attempt.messages))
                        if (attempt.messages[place].role == "user")
                    ]
                    if not said(later, fact.value, fact.hint, fact.label):
                        yield Symptom(
                            index, "user_fault", f"The user is asked for {fact.label}, knows it, and does not tell."
                        )
                    break


def _strange(message: Message) -> bool:
    """Tell whether a message is an answer in which nothing was heard that its scenario has."""
    return message.act == "inform" and message.state is not None and message.state.confidence < SURE


def _silent(attempt: FailedAttempt, index: int) -> bool:
    """Tell whether a message neither answers a question nor asks one; refusing at first is something else."""
    message = attempt.messages[index]
    if message.act is not None:
        return message.act in SILENT
    return NOT_KNOWING.search(message.content) is not None and not asks(message.content)


def _asks_for(attempt: FailedAttempt, index: int, fact: Fact) -> bool:
    message = attempt.messages[index]
    if not attempt.asking(index):
        return False
    if message.state is not None:
        return fact.id in message.state.asked
    wanted = set(words(fold(fact.label)))
    while index > 0:
        if wanted <= set(attempt.texts[index].words):
            return True
        if attempt.messages[index - 1].role != "user" or not asks(attempt.messages[index - 1].content):
            return False
        index -= 2  # the user asked back: which ones there are, or what it is for
        if not attempt.asking(index):
            return False
    return False


def _ended_early(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield a goodbye in answer to a question that its wish needs, or before all wishes were brought up."""
    byes = [
        index for index, message in enumerate(attempt.messages) if message.role == "user" and message.act == "user_bye"
    ]
    if not byes:
        return
    wanted = {action.goal for action in attempt.missing}
    if not wanted and any(topic is not None for topic in attempt.topics):
        wanted = {goal for goal in range(len(attempt.blueprint.goals)) if not attempt.brought_up(goal)}
    if attempt.missing and attempt.cut_short is not None:
        yield Symptom(attempt.cut_short, "user_fault", "The user ends the dialogue instead of answering.")
    elif any(attempt.never_offered(action) for action in attempt.missing):
        yield Symptom(
            byes[0], "user_fault", "The user ends the dialogue and does not ask again, when the tools are there."
        )
    elif any(not attempt.brought_up(goal) for goal in wanted):
        yield Symptom(byes[0], "user_fault", "The user ends the dialogue before it brought up all that it wants.")


def _never_ended(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the second message that the user goes on with after all is done, in a dialogue that a limit ended."""
    if attempt.trajectory.termination in ("user_ended", "repeated_calls") or attempt.matching.missing:
        return
    done = max((made.index for made in attempt.matching.places.values()), default=0)
    later = [
        index
        for index, message in enumerate(attempt.messages)
        if index > done and message.role == "user" and not attempt.asking(index - 1)
    ]
    acts = [attempt.messages[index].act for index in later]
    if len(later) > 1 and "user_bye" not in acts:
        yield Symptom(later[1], "user_fault", "All is done, and the user never ends the dialogue.")


def _never_says(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the first of the last answers that have no word of what the user wants, where it was asked for that again."""
    unclear: list[int] = []
    for index in range(len(attempt.messages) - 1, -1, -1):
        message = attempt.messages[index]
        if message.role == "user":
            if message.act not in _WISHING or message.state is None or message.state.confidence >= SURE:
                break
            unclear.append(index)
    if len(unclear) > 1 and not any(_wishes(attempt, index) for index in unclear):
        yield Symptom(unclear[-1], "user_fault", "The user is asked what it wants, and does not tell.")


def _wishes(attempt: FailedAttempt, index: int) -> bool:
    """Tell whether a message has a word of a wish, beside what that is about; not knowing is none."""
    state = attempt.messages[index].state
    goals = () if state is None or state.goal is None else attempt.request(state.goal)
    heard = SaidBefore((normalised(NOT_KNOWING.sub(" ", attempt.messages[index].content)),))
    for goal in (attempt.blueprint.goals[place] for place in goals):
        about = SaidBefore((normalised(goal.topic),))
        wish = content_words(goal.intent)
        if any(heard.has(word) for word in [word for word in wish if not about.has(word)] or wish):
            return True
    return False
