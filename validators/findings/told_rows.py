"""A value of a list's item that was expected to be told -> whether the item was told by other values instead.

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

    The name of an item, which is its first expected value, may be replaced by other values that no other item of the list
    has. Any further expected value counts as told where the name is said. A value that the user asked for is never replaced.
    `texts` are what the assistant said, each with the place of its message.
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
    """Tell whether a text says enough of what is an item's own in a result; what the wish for it says tells nothing of it."""
    rows, row = value_at(shown, place["rows"]), value_at(shown, place[0])
    if not isinstance(rows, list) or row is None:
        return False
    own = [(path, value) for path, value in leaves(row) if not isinstance(value, bool) and _is_own(rows, path, value)]
    told = (value for path, value in own if said([text], value, {}, last_name(path)))
    return sum(not said([wish], value) for value in told) >= ENOUGH


ENOUGH = 2
"""Values of its own by which a row is told: one may be said by chance, as that a thing is done."""


def _name(blueprint: Blueprint, output: ExpectedOutput, item: str) -> ExpectedOutput:
    """Return the first value that is to be told of an item: what it is called by."""
    own = (
        each
        for each in blueprint.expected.outputs
        if each.action == output.action and f"{each.pointer}/".startswith(f"{item}/")
    )
    return next(own, output)


def _is_asked(blueprint: Blueprint, output: ExpectedOutput) -> bool:
    """Tell whether the user asks for a value in words of its own, or as what something depends on."""
    questions = (question for goal in blueprint.goals for question in goal.asks_for if question.words or goal.condition)
    return any(question.action == output.action and output.pointer in question.pointers for question in questions)


def _is_own(rows: Sequence[Any], path: str, value: Any) -> bool:
    return value not in (None, "", [], {}) and sum(value_at(row, path) == value for row in rows) == 1
