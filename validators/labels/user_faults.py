"""Faults of the user's player: it ended too early or never, kept back a fact or a wish, or made something up."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import at_pointer, join_pointer, last_name, leaves, split_pointer
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.blueprint import Action, Fact
from interplay.schemas.records.tool import is_write
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import COMMON
from interplay.schemas.words.text import normalised
from interplay.validators.findings.alignment import MadeCall
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.labels.failed_attempt import FailedAttempt, Symptom

SILENT = ("fail_inform", "negate", "user_bye")
"""Acts that neither answer a question nor ask one."""


def user_faults(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the faults that acts show, whatever the assistant called."""
    yield from _kept_back(attempt)
    yield from _ended_early(attempt)
    yield from _took_back(attempt)
    yield from _never_ended(attempt)


def misleading_words(attempt: FailedAttempt, action: Action | None, made: MadeCall) -> Symptom | None:
    """Return the message in which the user said an argument of a call against its scenario; None if it did not."""
    if not attempt.blueprint.scenario.facts:
        return None  # it is unknown what the user should have said
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
    """Tell whether hearing a value is evidence that it was meant; common words and small numbers are so only if asked for."""
    if isinstance(value, bool):
        return False
    return asked or ("enum" not in schema and not _common(value))


def _common(value: Any) -> bool:
    """Tell whether a value is a small number, which texts often contain without meaning it: "a second thing"."""
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
    """Tell whether the user says `value` in a message that does not say `other`."""
    texts = [attempt.texts[index] for index in range(before) if attempt.messages[index].role == "user"]
    return any(said([text], value, schema) and not said([text], other, schema) for text in texts)


def _allowed(attempt: FailedAttempt, value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether a value occurs in the scenario, as a fact or in the words of a goal."""
    blueprint = attempt.blueprint
    scenario = blueprint.scenario
    told = [fact.value for fact in scenario.facts] + [done.value for done in scenario.behaviours]
    told += [sight.value for sight in scenario.sights]
    known = [leaf for item in told for _, leaf in leaves(item)]
    if any(same(value, leaf) or (isinstance(value, str) and value in str(leaf)) for leaf in known):
        return True
    texts = [goal.intent + " " + goal.purpose for goal in blueprint.goals]
    if not isinstance(value, (int, float)):
        texts += [leaf for leaf in known if isinstance(leaf, str)]  # a name may be heard in another spelling
    return not isinstance(value, bool) and said([normalised(text) for text in texts], value, schema)


def _offered(
    attempt: FailedAttempt, value: Any, schema: Mapping[str, Any], pointer: str, index: int, unwanted: bool
) -> bool:
    """Tell whether the user only repeated what it had heard; only for a call that replaces no other (`unwanted`)."""
    if not unwanted:
        return False
    heard = [attempt.texts[place] for place in range(index) if attempt.messages[place].role != "user"]
    return isinstance(value, bool) or said(heard, value, schema, pointer)


def _chose(attempt: FailedAttempt, fact: Fact, value: Any, before: int) -> int | None:
    """Return the message in which the user chooses another item of a list than the one it should; None if there is none."""
    place = attempt.matching.places.get(fact.action or "")
    if fact.choice is None or place is None:
        return None
    answer = next((m.content for m in attempt.messages if m.role == "tool" and m.tool_call_id == place.call.id), "")
    keys = split_pointer(fact.choice)
    try:
        items = at_pointer(json_value(answer), join_pointer(*keys[:-1]))
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
        if message.role != "user" or message.certain_act not in ("choose", None):
            continue
        if question.role != "assistant" or question.certain_act not in ("suggest", None):
            continue
        text = [attempt.texts[index]]
        if any(said(text, leaf, name=pointer) for pointer, leaf in apart):
            return None
        if chosen is None and any(said(text, leaf, name=pointer) for pointer, leaf in other):
            chosen = index
    return chosen


def _apart(item: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the (pointer, value) pairs by which an item differs from another, without booleans and small numbers."""
    return [
        (pointer, leaf)
        for pointer, leaf in item.items()
        if not isinstance(leaf, bool) and not _common(leaf) and not (pointer in other and same(other[pointer], leaf))
    ]


def _kept_back(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the user is asked for a fact that it knows, and never tells it."""
    for action in attempt.missing:
        facts = [origin.fact for origin in action.origins.values() if origin.kind == "user" and origin.fact]
        for fact in map(attempt.blueprint.scenario.fact, dict.fromkeys(facts)):
            if fact.reveal == "never" or fact.choice is not None or isinstance(fact.value, bool):
                continue
            for index, message in enumerate(attempt.messages[1:], start=1):
                if message.role == "user" and message.certain_act in SILENT and _asks_for(attempt, index - 1, fact):
                    later = [
                        attempt.texts[place]
                        for place in range(index, len(attempt.messages))
                        if attempt.messages[place].role == "user"
                    ]
                    if not said(later, fact.value, fact.hint, fact.label):
                        why = f"The user is asked for {fact.label}, knows it, and does not tell."
                        yield Symptom(index, "user_fault", why)
                    break


def _asks_for(attempt: FailedAttempt, index: int, fact: Fact) -> bool:
    state = attempt.messages[index].state
    return attempt.asking(index) and state is not None and fact.id in state.asked


def _took_back(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the user says no to exactly the step that it wants."""
    for action in attempt.missing:
        if not is_write(attempt.tools, action.tool) or any(
            made.call.name == action.tool for made in attempt.matching.added
        ):
            continue
        for index in range(attempt.begin(action) + 1, len(attempt.messages)):
            asked = attempt.messages[index - 1].certain_act == "confirm_request"
            refused = asked and attempt.messages[index].certain_act == "negate"
            if refused and attempt.goal_of(index - 1) == action.goal:
                yield Symptom(index, "user_fault", "The user refuses what it wants.")


def _ended_early(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield a goodbye that answers a question the task needs answered, or comes before all wishes were brought up."""
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
    elif not attempt.unread("user") and any(not attempt.brought_up(goal) for goal in wanted):
        yield Symptom(byes[0], "user_fault", "The user ends the dialogue before it brought up all that it wants.")


def _never_ended(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the second message with which the user goes on after everything is done, if a limit ended the dialogue.

    If a model worded what the assistant says, it may have asked for more, so nothing is yielded.
    """
    if (
        attempt.trajectory.termination in ("user_ended", "repeated_calls")
        or attempt.matching.missing
        or attempt.unread("assistant")
    ):
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
