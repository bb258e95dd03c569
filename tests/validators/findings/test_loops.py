"""A call that is made again in vain is found; one that is made again because something changed is not."""

from tests.validators.builders import ADDED, TOOLSET, answer, calls, make_trajectory, user

from interplay.schemas.records.dialogue import Message
from interplay.validators.findings.loops import REPEATS, loop_issues

TOOLS = {tool.name: tool for tool in TOOLSET.tools}


def found(*messages: Message) -> list[tuple[str, str]]:
    trajectory = make_trajectory((user("How many?"), *messages))
    return [(issue.code, issue.pointer) for issue in loop_issues(trajectory, TOOLS)]


def counting(number: int) -> tuple[Message, Message]:
    return calls((f"count{number}", "count_notes", {})), answer(f"count{number}", 1)


def adding(number: int, text: str = "Call Ada", *, failed: bool = False) -> tuple[Message, Message]:
    identifier = f"add{number}"
    return calls((identifier, "add_note", {"text": text})), answer(identifier, ADDED, failed=failed)


def repeated(times: int) -> list[Message]:
    return [message for number in range(times) for message in counting(number)]


def test_one_repetition_too_many_is_told_where_it_is_made() -> None:
    assert found(*repeated(REPEATS)) == []
    assert found(*repeated(REPEATS + 2)) == [("repeated_call", f"/messages/{1 + 2 * REPEATS}")]


def test_counting_begins_anew_after_a_write() -> None:
    assert found(*repeated(REPEATS), *adding(1), *repeated(REPEATS)) == []


def test_a_write_that_failed_changed_nothing() -> None:
    assert [code for code, _ in found(*repeated(REPEATS), *adding(1, failed=True), *repeated(1))] == ["repeated_call"]


def test_the_same_write_is_counted_on() -> None:
    made = [message for number in range(REPEATS + 1) for message in adding(number)]
    assert [code for code, _ in found(*made)] == ["repeated_call"]
