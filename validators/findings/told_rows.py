"""A value of one item of a list that was expected to be told -> whether the item was told by other values, where nobody asked for that one."""

import re
from collections.abc import Sequence
from typing import Any

from interplay.schemas.json.canonical import last_name, leaves, value_at
from interplay.schemas.json.json_text import read_result
from interplay.schemas.records.blueprint import Blueprint, ExpectedOutput
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import Text

_ITEM = re.compile(r"(?P<rows>.*?)/\d+(?=/|$)")


def tells_row(blueprint: Blueprint, output: ExpectedOutput, result: str, texts: Sequence[Text]) -> bool:
    """Tell whether texts say a value by which no other item of the list in a result goes, for one that was only to be listed."""
    place = _ITEM.match(output.pointer)
    if place is None or _is_asked(blueprint, output):
        return False
    shown = read_result(result)
    rows, row = value_at(shown, place["rows"]), value_at(shown, place[0])
    if not isinstance(rows, list) or row is None:
        return False
    return any(
        not isinstance(value, bool) and _is_own(rows, path, value) and said(texts, value, {}, last_name(path))
        for path, value in leaves(row)
    )


def _is_asked(blueprint: Blueprint, output: ExpectedOutput) -> bool:
    """Tell whether the user asks for a value in words of its own."""
    questions = (question for goal in blueprint.goals for question in goal.asks_for if question.words)
    return any(question.action == output.action and output.pointer in question.pointers for question in questions)


def _is_own(rows: Sequence[Any], path: str, value: Any) -> bool:
    return value not in (None, "", [], {}) and sum(value_at(row, path) == value for row in rows) == 1
