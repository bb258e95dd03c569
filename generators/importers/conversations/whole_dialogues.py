"""A file of recorded conversations -> whole dialogues to judge, with tools, scenario and gold; and the unreadable items.

    {"id": "a1", "system": "You know pets.", "tools": [{"name": "get_pet"}], "scenario": "You want to know of pet 7.",
     "gold": {"writes": [], "answers": ["it is a cat"]}, "messages": [{"role": "user", "content": "Is pet 7 a cat?"}]}
    ->  RecordedDialogue(id="a1", source="chats.jsonl#0", gold=Gold(answers=("it is a cat",)), ...)

Only these keys of a row are read, never labels beside them. The gold may also be tau-bench's `actions` (or `gold_actions`)
and `outputs`; of the actions, only those that write count.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interplay.generators.importers.conversations.dialogue_rows import DialogueRow, dialogue_rows
from interplay.generators.importers.conversations.whole_messages import is_message, whole_messages
from interplay.generators.importers.definitions.importer import import_definitions
from interplay.generators.importers.documents.document_reader import parse_document, read_document
from interplay.generators.importers.documents.tool_effects import effect_of_name
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.recorded import Gold, GoldCall, ReadProblem, RecordedDialogue
from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.free_text import is_free_text

MAX_DIALOGUES = 1_000_000
MAX_MESSAGES = 20_000
MAX_LINE = 16 * 1024 * 1024
_TEXT = 200_000
"""Characters kept of a scenario, a name or an answer."""


@dataclass(frozen=True)
class Unread:
    """An item of a file that is not a readable dialogue, with the reason."""

    source: str
    reason: str


def read_dialogues(
    path: Path, toolset: Toolset | None = None, golds: Mapping[str, Any] | None = None
) -> Iterator[RecordedDialogue | Unread]:
    """Yield the dialogues of a file in order, and an `Unread` with the reason for each item that cannot be read.

    `toolset` replaces the tools that rows name; `golds` comes from `read_golds`.

    Raises:
        ImportFailure: there is no such file.
    """
    if not path.is_file():
        raise ImportFailure(f"{path}: no such file. Give a JSON or JSON Lines file of recorded conversations.")
    reader = _Reader(path.name, toolset, golds or {})
    for root in _roots(path):
        if isinstance(root, Unread):
            yield root
            continue
        before = reader.count
        for row in dialogue_rows(root):
            if reader.count >= MAX_DIALOGUES:
                return
            yield reader.read(row)
        if reader.count == before:
            yield Unread(path.name, "it holds no conversation: no list of messages, each with a role and a content")


def read_golds(path: Path) -> dict[str, Any]:
    """Read a file of golds (what a correct dialogue does), keyed by the id of the dialogue or its task, and by list index.

    Raises:
        ImportFailure: the file cannot be read, or holds no gold.
    """
    if not path.is_file():
        raise ImportFailure(f"{path}: no such file. Give a JSON or JSON Lines file of golds.")
    roots: list[Any] = []
    for root in _roots(path):
        if isinstance(root, Unread):
            raise ImportFailure(f"{root.source}: {root.reason}")
        roots += root if isinstance(root, list) else [root]
    if len(roots) == 1 and isinstance(roots[0], dict) and not _is_gold(roots[0]):
        [held] = roots
        listed = next((item for item in held.values() if isinstance(item, list) and any(map(_is_gold, item))), None)
        roots = listed if listed is not None else [{"id": key, "gold": item} for key, item in held.items()]
    found: dict[str, Any] = {}
    for number, item in enumerate(roots):
        if _is_gold(item):
            found.setdefault(str(number), item)
            found |= {str(item[key]): item for key in ("id", "task_id") if isinstance(item.get(key), (str, int))}
    if not found:
        raise ImportFailure(f"{path.name}: holds no gold. Give objects with an id and a gold of writes and answers.")
    return found


def _is_gold(value: Any) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("gold", "writes", "actions", "gold_actions"))


def _roots(path: Path) -> Iterator[Any]:
    """Yield the JSON value of a file, or of each line; if all lines are messages, yield them as one list."""
    whole: Any = None
    if path.suffix != ".jsonl":
        try:
            yield read_document(path)
            return
        except ImportFailure as failure:
            whole = Unread(path.name, str(failure))
    lines: list[Any] = []
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
            if line.strip():
                lines.append(_value(line, f"{path.name}, line {number}"))
    if whole is not None and all(isinstance(line, Unread) for line in lines):
        yield whole
    elif lines and all(is_message(line) for line in lines):
        yield lines
    else:
        yield from lines


def _value(line: bytes, place: str) -> Any:
    if len(line) > MAX_LINE:
        return Unread(place, f"longer than {MAX_LINE // 1024**2} MB")
    if line.lstrip()[:1] not in (b"{", b"["):
        return Unread(place, "neither a JSON object nor a list")
    try:
        return parse_document(line, place)
    except ImportFailure as failure:
        return Unread(place, str(failure).removeprefix(f"{place}: "))


class _Reader:
    """Reads the rows of one file; identical tool lists are imported once."""

    def __init__(self, file: str, toolset: Toolset | None, golds: Mapping[str, Any]) -> None:
        self._file = file
        self._toolset = toolset
        self._golds = golds
        self._known: dict[str, Toolset | str] = {}
        self.count = 0

    def read(self, row: DialogueRow) -> RecordedDialogue | Unread:
        source = f"{self._file}#{self.count}"
        self.count += 1
        if len(row.messages) > MAX_MESSAGES:
            return Unread(source, f"{len(row.messages):,} messages, more than {MAX_MESSAGES:,}")
        beside = row.beside
        whole = whole_messages(row.messages, source)
        problems = [ReadProblem(place=place, what=what) for place, what in whole.problems]
        toolset = self._toolset
        if toolset is None:
            imported = self._tools(beside)
            if isinstance(imported, str):
                problems.append(ReadProblem(place=0, what=f"its tools cannot be read: {imported}"))
            toolset = imported if isinstance(imported, Toolset) else Toolset(name=self._file, tools=())
        gold = _first_gold(beside, toolset) or self._gold_of(beside, toolset)
        return RecordedDialogue(
            id=_name(beside.get("id")) or source,
            source=source,
            system=whole.system_prompt or _name(beside.get("system")) or _name(beside.get("system_prompt")),
            toolset=toolset,
            scenario=_name(beside.get("scenario")) or _name(beside.get("instruction")),
            gold=gold,
            messages=whole.messages,
            places=whole.places,
            problems=tuple(problems),
        )

    def _tools(self, beside: Mapping[str, Any]) -> Toolset | str:
        given = beside.get("tools", beside.get("functions"))
        if not given:
            return Toolset(name=self._file, tools=())
        key = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
        if key not in self._known:
            try:
                report = import_definitions({"tools": given}, self._file, "recorded", f"recorded:{self._file}")
                self._known[key] = report.toolset
            except ImportFailure as failure:
                self._known[key] = str(failure)[:300]
        return self._known[key]

    def _gold_of(self, beside: Mapping[str, Any], toolset: Toolset) -> Gold | None:
        names = [str(beside[key]) for key in ("id", "task_id") if isinstance(beside.get(key), (str, int))]
        found = next((self._golds[name] for name in names if name in self._golds), None)
        return _first_gold(found, toolset) if found is not None else None


def _name(value: Any) -> str:
    return str(value)[:_TEXT] if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _first_gold(beside: Mapping[str, Any], toolset: Toolset) -> Gold | None:
    """Return the gold of a row: under `gold`, in the row itself, or in tau-bench's `info.task`."""
    info = beside.get("info")
    for held in (beside.get("gold"), beside, info.get("task") if isinstance(info, dict) else None):
        if isinstance(held, dict) and (gold := _gold(held, toolset)) is not None:
            return gold
    return None


def _gold(held: Mapping[str, Any], toolset: Toolset) -> Gold | None:
    listed = next((held[key] for key in ("writes", "gold_actions", "actions") if isinstance(held.get(key), list)), None)
    if listed is None:
        return None
    calls = [call for item in listed if isinstance(item, dict) and (call := _gold_call(item)) is not None]
    if "writes" not in held:
        effects = {tool.name: tool.effect for tool in toolset.tools}
        calls = [
            call
            for call in calls
            if effects.get(call.name, effect_of_name(call.name)) == "write" and not _says_only(call)
        ]
    answers, outputs = (
        tuple(str(one)[:_TEXT] for one in held[key]) if isinstance(held.get(key), list) else ()
        for key in ("answers", "outputs")
    )
    return Gold(writes=tuple(calls), answers=answers, outputs=outputs)


def _says_only(call: GoldCall) -> bool:
    """Tell whether all arguments of a call are free text, as in a handover to a person."""
    said = [value for _, value in leaves(call.arguments)]
    return bool(said) and all(is_free_text(value, ()) for value in said)


def _gold_call(item: Mapping[str, Any]) -> GoldCall | None:
    arguments: dict[str, Any] = next(
        (item[key] for key in ("arguments", "kwargs") if isinstance(item.get(key), dict)), {}
    )
    return GoldCall(name=item["name"], arguments=arguments) if isinstance(item.get("name"), str) else None
