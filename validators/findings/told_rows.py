"""An expected value of a list item -> whether other values told the item instead.

expected "Dr. Marsh"    said "Your appointment is on Monday at 2 pm in Mill Lane."    told: no other item has these values
"""

import re
from collections.abc import Sequence
from typing import Any

from interplay.schemas.json.canonical import last_name, leaves, value_at
from interplay.schemas.json.json_text import read_result
from interplay.schemas.records.blueprint import Blueprint, ExpectedOutput
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import Text, normalised

_ITEM = re.compile(r"(?P<rows>.*?)/\d+(?=/|$)")


def tells_row(
    trajectory: Trajectory, blueprint: Blueprint, output: ExpectedOutput, texts: Sequence[tuple[int, Text]]
) -> bool:
    """Tell whether the first text after a result tells the item of an expected value without saying that value.

    The name of an item, its first expected value, may be replaced by other values that no other item of the list has. Its
    further expected values count as told if the name is said. A value that the user asked for can never be replaced.
    `texts` are the assistant's texts with the index of their message.
    """
    place = _ITEM.match(output.pointer)
    if place is None or _is_asked(blueprint, output):
        return False
    name, action = _name(blueprint, output, place[0]), blueprint.action(output.action)
    wish = normalised(blueprint.goals[action.goal].intent)
    results = [
        (index, answer.content)
        for index, call, answer in trajectory.calls_with_results()
        if call.name == action.tool and answer is not None and not answer.failed
    ]
    following = [(result, text) for index, result in results for text in [text for at, text in texts if at > index][:1]]
    return any(
        _tells(read_result(result), place, text, wish)
        if name == output
        else said([text], name.value, name.hint, name.label)
        for result, text in following
    )


def _tells(shown: Any, place: re.Match[str], text: Text, wish: Text) -> bool:
    """Tell whether a text says at least `ENOUGH` values that only this item of a result has, not counting those in the wish."""
    rows, row = value_at(shown, place["rows"]), value_at(shown, place[0])
    if not isinstance(rows, list) or row is None:
        return False
    own = [(path, value) for path, value in leaves(row) if not isinstance(value, bool) and _is_own(rows, path, value)]
    told = (value for path, value in own if said([text], value, {}, last_name(path)))
    return sum(not said([wish], value) for value in told) >= ENOUGH


ENOUGH = 2
"""Minimum number of unique values by which an item is told: a single one may be said by chance."""


def _name(blueprint: Blueprint, output: ExpectedOutput, item: str) -> ExpectedOutput:
    """Return the first expected value of an item, which serves as its name."""
    own = (
        each
        for each in blueprint.expected.outputs
        if each.action == output.action and f"{each.pointer}/".startswith(f"{item}/")
    )
    return next(own, output)


def _is_asked(blueprint: Blueprint, output: ExpectedOutput) -> bool:
    """Tell whether the user asks for a value in words, or a goal with a condition asks for it."""
    questions = (question for goal in blueprint.goals for question in goal.asks_for if question.words or goal.condition)
    return any(question.action == output.action and output.pointer in question.pointers for question in questions)


def _is_own(rows: Sequence[Any], path: str, value: Any) -> bool:
    return value not in (None, "", [], {}) and sum(value_at(row, path) == value for row in rows) == 1
