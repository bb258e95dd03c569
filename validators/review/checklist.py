"""A dialogue with its policy and task -> its checklist: items, each with the fault that a no means.

    deeds    false_claim    each deed that the assistant reports was done by a call that succeeded
    w9       missing_confirmation    the write at that message was told of and agreed to first, where the policy asks for that
    g0       missed_goal    done or openly refused: cancel the appointment

The items of every dialogue are in `ASKED_ALWAYS`, with fixed wording, so that all prompts begin alike.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.review import ReviewItem
from interplay.schemas.records.tool import PolicyRule, Toolset

TASK = "task"
"""The id of the item about the task itself rather than either player."""

AGREED = "the write at that message was told of and agreed to first, where the policy asks for that"
KEPT = "that rule of the policy is kept"
"""Texts of items whose id names the write or rule: w9, r.no_refunds."""

RULES, WRITES, TEXT = 40, 40, 240
"""Maximum number of rules and of writes with an item of their own, and maximum length of a wish or an answer."""

_NUMBERED = re.compile(r"^[ \t]{0,8}(\d{1,3})[.)][ \t]", re.MULTILINE)
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")


def _standing(identifier: str, kind: FailureKind, text: str) -> ReviewItem:
    side: Literal["assistant", "user", "either"] = "user" if kind == "user_fault" else "assistant"
    if identifier == TASK:
        side = "either"
    return ReviewItem(id=identifier, kind=kind, text=text, side=side, standing=True)


ASKED_ALWAYS: tuple[ReviewItem, ...] = (
    _standing(
        "calls", "wrong_argument", "the right tool, with the values that the user or a result gave (texts in any words)"
    ),
    _standing(
        "grounded", "ungrounded_argument", "no value in a call is guessed: user, result, policy or a default gave it"
    ),
    _standing("wanted", "extra_write", "no write that the user did not want"),
    _standing("loop", "loop", "nothing is called or said over and over"),
    _standing("policy", "policy_broken", "the policy is kept"),
    _standing("evidence", "decided_without_evidence", "what it refuses or gives as a reason was shown or told before"),
    _standing("deeds", "false_claim", "each deed that it tells of was done by a call that succeeded"),
    _standing(
        "values", "false_value", "amounts, dates, times, names, counts, statuses said are as in results, to the digit"
    ),
    _standing("invented", "invented_fact", "it states nothing that no result, policy, tool or user says"),
    _standing("answered", "unanswered_question", "each question is answered, or openly not"),
    _standing("wishes", "missed_goal", "no wish that the user told is passed over"),
    _standing("ending", "early_stop", "no end, delay or hand-over while it could go on"),
    _standing("fits", "incoherent", "each turn fits what was said: nothing asked again, nothing contradicted"),
    _standing("speech", "unnatural", "as people speak: no raw data, no names of fields or tools, nothing stilted"),
    _standing(
        "user",
        "user_fault",
        "the user wants and tells nothing against its scenario, and thanks for nothing that it did not get; questions on "
        "the matter are fine",
    ),
    _standing(TASK, "unclear", "the scenario makes sense, and can be met or refused"),
)


def items_of_blueprint(blueprint: Blueprint, messages: Sequence[Message], toolset: Toolset) -> tuple[ReviewItem, ...]:
    """Return the checklist of a played dialogue: the standing items, its goals, its writes, and the rules for its tools."""
    called = {call.name for message in messages for call in message.tool_calls}
    concerned = called | {action.tool for action in blueprint.actions}
    rules = [rule for rule in toolset.rules if not rule.tools or concerned & set(rule.tools)]
    wishes = [_wish(blueprint, number) for number in range(len(blueprint.goals))]
    return (*ASKED_ALWAYS, *_goals(wishes), *writes_of(messages, blueprint.begins, toolset), *_rules(rules))


def items_of_recorded(dialogue: RecordedDialogue) -> tuple[ReviewItem, ...]:
    """Return the checklist of a recorded dialogue: the standing items, gold answers, writes, rules or numbered policy lines."""
    told = [f"told, in any words: {answer[:TEXT]}" for answer in dialogue.gold.answers] if dialogue.gold else []
    rules = tuple(_rules(dialogue.toolset.rules)) or tuple(_numbered(dialogue.system))
    return (*ASKED_ALWAYS, *_goals(told), *writes_of(dialogue.messages, 0, dialogue.toolset), *rules)


def _wish(blueprint: Blueprint, number: int) -> str:
    """Return the text of a goal's item: what must have happened to it."""
    goal = blueprint.goals[number]
    own = [action for action in blueprint.actions if action.goal == number]
    aim = next((action for action in own if action.tool == goal.tool), None)
    if aim is not None and aim.withheld is not None:
        return f"openly not done: {goal.intent}"
    names = {action.id for action in own}
    values = [f"{out.label} {out.value}" for out in blueprint.expected.outputs if goal.asks and out.action in names]
    told = f" (told: {'; '.join(values)})" if values else ""
    return f"done or openly refused: {goal.intent}{told}"[:TEXT]


def _goals(told: Sequence[str]) -> Iterator[ReviewItem]:
    for number, text in enumerate(told):
        yield ReviewItem(id=f"g{number}", kind="missed_goal", text=text, windows="one")


def writes_of(messages: Sequence[Message], begins: int, toolset: Toolset) -> Iterator[ReviewItem]:
    """Yield an item for each message of the assistant that writes: was the user told and asked first?"""
    effects = {tool.name: tool.effect for tool in toolset.tools}
    writing = [
        place
        for place, message in enumerate(messages)
        if place >= begins
        and message.role == "assistant"
        and any(effects.get(call.name) == "write" for call in message.tool_calls)
    ]
    for place in writing[:WRITES]:
        yield ReviewItem(id=f"w{place}", kind="missing_confirmation", text=AGREED)


def _rules(rules: Sequence[PolicyRule]) -> Iterator[ReviewItem]:
    """Yield an item for each rule; its id names the rule, whose text is in the policy."""
    for rule in rules[:RULES]:
        kind: FailureKind = "missing_confirmation" if rule.kind == "confirm_before" else "policy_broken"
        name = _NO_NAME.sub("_", rule.id)[:60]
        yield ReviewItem(id=f"r.{name}", kind=kind, text=KEPT)


def _numbered(policy: str) -> Iterator[ReviewItem]:
    for number in tuple(dict.fromkeys(_NUMBERED.findall(policy)))[:RULES]:
        yield ReviewItem(id=f"r{number}", kind="policy_broken", text=KEPT)
