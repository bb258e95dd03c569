"""Words beside calls become a message of their own wherever a row holds messages."""

from typing import Any

import pytest

from interplay.outputs.exporters.message_lists import SIDES, row_apart

CALLS = [{"type": "function", "function": {"name": "find_hotel", "arguments": {}}}]


def said(content: str, **other: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **other}


@pytest.mark.parametrize("name", ["messages", "prompt", *SIDES])
def test_words_stand_apart_in_each_column_of_messages(name: str) -> None:
    both, plain = [said("Let me look.", tool_calls=CALLS)], [said("Hello.")]
    row: dict[str, Any] = dict.fromkeys(("messages", "prompt", *SIDES), plain) | {name: both}
    assert row_apart(row) == row | {name: [said("Let me look."), said("", tool_calls=CALLS)]}


def test_a_prompt_that_is_text_stays_as_it_is() -> None:
    row = {"prompt": '[{"role": "user", "content": "Hi."}]', "action": "{}"}
    assert row_apart(row) is row
