"""Records -> multi-turn entries with their answers, in the shape of the Berkeley function calling leaderboard.

    {"id": "multi_turn_9a31...", "entry": "{\\"id\\": ..., \\"question\\": [[{\\"role\\": \\"user\\", ...}], ...],
       \\"initial_config\\": {...}, \\"path\\": [\\"Hotels.find_hotel\\"], \\"involved_classes\\": [\\"Hotels\\"]}",
     "answer": "{\\"id\\": ..., \\"ground_truth\\": [[\\"find_hotel(city='Graz')\\"], ...]}"}

A turn is what the user says until the assistant acts; its answer is the calls that the assistant makes before the user speaks
again, which may be none. Beside the rows, `bfcl/` holds entries, answers and descriptions of the functions as JSON Lines files.
Types have the leaderboard's names: dict, float. Source: the shape of the recorded entries of the leaderboard.
"""

import re
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, system_message
from interplay.outputs.exporters.row_format import Format, texts
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import ToolCall, assistant_view
from interplay.schemas.records.tool import Tool, Toolset

FOLDER, FILE, CLASS = "bfcl", "BFCL_v4_multi_turn_interplay.json", "Toolset"
_TYPES = {"object": "dict", "number": "float"}


def to_bfcl(record: Dialogue, _: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    questions: list[list[dict[str, str]]] = []
    answers: list[list[str]] = []
    waiting = False
    for message in assistant_view(record.trajectory.messages):
        if message.role == "user" and not waiting:
            questions.append([])
            answers.append([])
            waiting = True
        if message.role == "user":
            questions[-1].append({"role": "user", "content": message.content})
        elif message.role == "assistant" and questions:
            answers[-1] += map(_call_text, message.tool_calls)
            waiting = False
    if questions:
        questions[0] = system_message(record.trajectory) + questions[0]
    identifier = f"multi_turn_{record.id}"
    names = [call.name for call in record.trajectory.calls() if call.requestor == "assistant"]
    entry = {
        "id": identifier,
        "question": questions,
        "initial_config": {CLASS: {"world": record.world} if record.world else {}},
        "path": [f"{CLASS}.{_identifier(name)}" for name in names],
        "involved_classes": [CLASS],
    }
    answer = {"id": identifier, "ground_truth": answers}
    return {
        "id": identifier,
        "entry": json_text(entry),
        "answer": json_text(answer),
        "language": record.language,
    }


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _call_text(call: ToolCall) -> str:
    """Return a call as a Python expression."""
    named = {name: value for name, value in call.arguments.items() if name.isidentifier()}
    others = {name: value for name, value in call.arguments.items() if not name.isidentifier()}
    parts = [f"{name}={value!r}" for name, value in named.items()] + ([f"**{others!r}"] if others else [])
    return f"{_identifier(call.name)}({', '.join(parts)})"


class EntryFiles:
    """Writes entries, answers and descriptions of the functions to files, with one row in memory at a time."""

    def __init__(self, folder: Path, toolset: Toolset) -> None:
        place = folder / FOLDER
        answers, documents = place / "possible_answer", place / "multi_turn_func_doc"
        answers.mkdir(parents=True)
        documents.mkdir()
        lines = [json_text(_document(tool)) for tool in toolset.tools if tool.requestor == "assistant"]
        (documents / f"{CLASS.lower()}.json").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        files = {"entry": place / FILE, "answer": answers / FILE}
        self._files = {key: path.open("w", encoding="utf-8", newline="\n") for key, path in files.items()}

    def write(self, _: str, row: dict[str, Any]) -> None:
        """Write one entry and its answer."""
        for key, file in self._files.items():
            file.write(row[key] + "\n")

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


def _document(tool: Tool) -> dict[str, Any]:
    told = {"name": _identifier(tool.name), "description": tool.description, "parameters": _typed(tool.parameters)}
    return told if tool.returns is None else {**told, "response": _typed(tool.returns)}


def _typed(schema: Any) -> Any:
    """Return a schema with the leaderboard's names of types."""
    if isinstance(schema, list):
        return [_typed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _TYPES.get(value, value) if key == "type" and isinstance(value, str) else _typed(value)
        for key, value in schema.items()
    }


def losses_of(record: Dialogue) -> tuple[str, ...]:
    """Name what the row of this record cannot hold."""
    said = record.trajectory.messages if record.trajectory else ()
    own = ["tool_changes"] if any(message.offered is not None for message in said) else []
    together = ["together"] if any(len(message.tool_calls) > 1 for message in said) else []
    return ("answers_in_words", *own, *together)


FORMAT = Format(
    note="Multi-turn entries and their answers in the shape of the Berkeley leaderboard, as JSON text; files are in `bfcl/`.",
    columns=texts("id", "entry", "answer", "language"),
    to_row=to_bfcl,
    open_beside=EntryFiles,
    one_toolset=True,
    rows="entries",
    losses_of=losses_of,
    loss_words={
        "answers_in_words": "what the assistant says, what tools return, and the rows of the world: an entry is what users "
        "say and the calls that answer it",
        "together": "which calls of a turn are made at once: it is one list",
    },
    tools_at_once=True,
)
