"""Files of recorded dialogues -> verdicts: whatever the file holds, each dialogue gets one or a reason."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import SHARED
from tests.validators.recorded.rental_desk import DESK, GOLD, SOUND

from interplay.flows.judging.recorded_judgement import Judged, judge_files
from interplay.generators.importers.conversations.whole_dialogues import Unread, read_dialogues
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue, Verdict

SPOKEN = SHARED / "data" / "spoken" / "dialogues.jsonl"
real = pytest.mark.skipif(not SPOKEN.exists(), reason="real inputs are not here; set INTERPLAY_SHARED")


def openai(message: Message) -> dict[str, Any]:
    row: dict[str, Any] = {"role": message.role, "content": message.content or None}
    if message.tool_calls:
        row["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    return row | ({"tool_call_id": message.tool_call_id} if message.role == "tool" else {})


TOOLS = [{"type": "function", "function": {"name": tool.name, "parameters": tool.parameters}} for tool in DESK.tools]
ROW: dict[str, Any] = {
    "id": "d1",
    "system": "You rent out vans.",
    "tools": TOOLS,
    "gold": GOLD.model_dump(),
    "messages": [openai(message) for message in SOUND],
    "sound": False,
    "fault": {"kind": "loop", "message": 3},
}


def judged(path: Path, rows: list[Any], **options: Any) -> list[Judged | Unread]:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")

    async def work() -> list[Judged | Unread]:
        return [found async for found in judge_files([path], **options)]

    return asyncio.run(work())


def test_judges_rows_as_they_are_and_reads_no_label(tmp_path: Path) -> None:
    plain = {key: value for key, value in ROW.items() if key not in ("sound", "fault")}
    [one], [other] = judged(tmp_path / "a.jsonl", [ROW]), judged(tmp_path / "b.jsonl", [plain])
    assert not isinstance(one, Unread)
    assert not isinstance(other, Unread)
    assert one[1].accepted
    assert one[1].model_copy(update={"source": ""}) == other[1].model_copy(update={"source": ""})


def test_each_bad_thing_costs_itself_alone(tmp_path: Path) -> None:
    mixed = {**ROW, "id": "mixed", "messages": [*ROW["messages"][:5], "?", {"role": "narrator", "content": "..."}]}
    cut = {**ROW, "id": "cut", "messages": ROW["messages"][:8]}
    bare = {"id": "bare", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]}
    odd = {**ROW, "id": "odd", "tools": 7}
    found = judged(tmp_path / "all.jsonl", [ROW, '{"id": ', "nothing", mixed, cut, {"a": 1}, bare, odd, ROW])
    told = {item[1].id: item[1] for item in found if not isinstance(item, Unread)}
    assert [item.source for item in found if isinstance(item, Unread)] == [
        "all.jsonl, line 2",
        "all.jsonl, line 3",
        "all.jsonl",
    ]
    assert {name: verdict.accepted for name, verdict in told.items()} == {
        "d1": True, "mixed": False, "cut": False, "bare": True, "odd": False,
    }  # fmt: skip
    assert [(issue.code, issue.turn) for issue in told["mixed"].issues][:2] == [
        ("unreadable_message", 5),
        ("unreadable_message", 6),
    ]
    assert ("unanswered_call", 7) in [(issue.code, issue.turn) for issue in told["cut"].issues]


def test_gold_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    gold = tmp_path / "gold.json"
    gold.write_text(
        json.dumps({"d1": {"writes": [{"name": "cancel_booking", "arguments": {"booking_id": "BK-0151"}}]}})
    )
    row = {key: value for key, value in ROW.items() if key != "gold"}
    [found] = judged(tmp_path / "a.jsonl", [row], gold=gold)
    assert not isinstance(found, Unread)
    assert {issue.code for issue in found[1].issues} == {"wrong_argument", "extra_write"}


def test_reviewers_are_asked_where_facts_pass_and_nowhere_else(tmp_path: Path) -> None:
    asked: list[str] = []

    async def review(dialogue: RecordedDialogue) -> Verdict:
        asked.append(dialogue.id)
        issue = Issue.of("unanswered_question", "It never says when.", "/messages/9")
        return Verdict(check="review", issues=(issue,), scores={"coherence": 4.0})

    bad = {**ROW, "id": "d2", "messages": ROW["messages"][:11]}
    found = judged(tmp_path / "a.jsonl", [ROW, bad], review=review)
    one, other = (item[1] for item in found if not isinstance(item, Unread))
    assert asked == ["d1"]
    assert (one.accepted, one.reviewed, one.fault, one.turn, one.scores) == (
        False,
        True,
        "unanswered_question",
        9,
        {"coherence": 4.0},
    )
    assert (other.accepted, other.reviewed) == (False, False)


def test_a_toolset_replays_and_its_policy_is_kept(tmp_path: Path) -> None:
    call = {
        "name": "cancel_appointment",
        "arguments": {"appointment_id": "A-0074"},
        "observation": {"status": "cancelled"},
    }
    row = [{"user": ["Cancel A-0074."], "assistant": "It is cancelled.", "calls": [call]}]
    [found] = judged(tmp_path / "turns.jsonl", [{"id": "t", "turns": row}], toolsets=["domain:clinic"])
    assert not isinstance(found, Unread)
    assert "policy_broken" in [issue.code for issue in found[1].issues]


def test_a_missing_file_fails_fast(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="no such file"):
        list(read_dialogues(tmp_path / "none.jsonl"))


@real
def test_sound_spoken_dialogues_are_accepted_and_false_values_found() -> None:
    labels = {row["id"]: row for row in map(json.loads, SPOKEN.read_text(encoding="utf-8").splitlines())}

    async def work() -> dict[str, Any]:
        return {item[1].id: item[1] async for item in judge_files([SPOKEN]) if not isinstance(item, Unread)}

    verdicts = asyncio.run(work())
    assert len(verdicts) == len(labels)
    assert sum(not verdicts[name].accepted for name, row in labels.items() if row["sound"]) <= 1
    false = [name for name, row in labels.items() if (row["fault"] or {}).get("kind") == "false_value"]
    assert all(verdicts[name].turn == labels[name]["fault"]["message"] for name in false)
