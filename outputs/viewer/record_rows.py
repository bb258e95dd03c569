"""A record -> its row in the viewer's index: numbers to sort by, names to filter by, and words to search."""

from dataclasses import dataclass
from typing import Any

from interplay.outputs.exporters.columns import COLUMNS, Columns
from interplay.outputs.report.coverage import TO_COVER
from interplay.outputs.report.pictures import HEARD
from interplay.outputs.store.splits import split_at
from interplay.outputs.store.stored_dialogue import stored_dialogue
from interplay.outputs.store.task_coverage import covered_by
from interplay.schemas.records.dialogue import Usage
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.hidden_characters import visible

LONGEST_TEXT = 20_000
"""Maximum number of characters of each text that are searched."""
TOKENS = "tokens"
"""Prefix of the sums of tokens; the role follows."""
OPENING = 120
"""Maximum length of the text that a list shows of a record: the user's first words, or why there is no dialogue."""

NUMBERS = tuple(name for name, kind in COLUMNS.items() if kind in ("int", "float") and name != "index")
"""The numeric columns of an export, except the index."""
TEXTS = ("gold_actions", "state_difference", "difficulty_parts", "scores")
"""The columns of an export that hold JSON, for full-text search."""
CHOICES = tuple(name for name in COLUMNS if name not in (*NUMBERS, *TEXTS, "index", "task"))
"""The columns of an export to filter by value."""
KINDS = {
    "issue": "Issues that reject",
    "stage": "Checks that reject",
    "fault": "What went wrong first",
    **{one.chosen: one.title for one in TO_COVER.values()},
    "behaviours": "Behaviours of users",
    "act": "Acts",
    "safety": "Safety scenarios",
    "termination": "How dialogues end",
    "language": "Languages",
    "split": "Splits",
}
"""Kinds of names by which records are filtered, compared and counted -> their titles."""
_COVERED = {one.stored: one.chosen for one in TO_COVER.values() if one.chosen not in CHOICES}
"""Kind in the table `covered` that no column holds -> the kind of name by which records are filtered."""


@dataclass(frozen=True)
class RecordRow:
    """The index's row of a record.

    `numbers` are id, index, task and the columns of `NUMBERS`; `shown` is what a list shows; `words` are searched; `names` are
    (kind, name) to filter by; `sums` are its contributions to the run's totals; `said` is what its user said.
    """

    status: str
    numbers: tuple[Any, ...]
    shown: tuple[Any, ...]
    words: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    sums: dict[str, float]
    said: tuple[str, ...]

    @property
    def pattern(self) -> str:
        """The pattern of the task."""
        return str(self.shown[4])

    @property
    def attempt(self) -> int:
        """The number of the attempt at its task, from 0."""
        return int(self.numbers[3 + NUMBERS.index("attempt")])

    @property
    def tokens(self) -> float:
        """The tokens that models read and wrote for the record."""
        return sum(value for name, value in self.sums.items() if name.startswith(TOKENS))


class RowMaker:
    """Makes the rows of one run's records; `toolset` is the run's."""

    def __init__(self, toolset: Toolset) -> None:
        self._columns = Columns(toolset)
        self._tools = toolset.by_name

    def row(self, record: DatasetRecord, late: str | None = None) -> RecordRow:
        """Return the row of a record; `late` is the JSON of a verdict given after the shard was written."""
        columns = self._columns_of(record)
        opening = visible(_opening(record))
        opening = opening if len(opening) <= OPENING else f"{opening[:OPENING]} …"
        return RecordRow(
            record.status,
            (record.id, record.index, columns["task"], *map(columns.__getitem__, NUMBERS)),
            (record.status, record.stage, record.filter_reason, columns["fault"], columns["pattern"], opening, late),
            (_said(record), *(columns[name][:LONGEST_TEXT] for name in TEXTS)),
            tuple(sorted(names_of(record, columns))),
            _sums(record),
            _by_user(record) if record.status == "accepted" and record.index < HEARD else (),
        )

    def _columns_of(self, record: DatasetRecord) -> dict[str, Any]:
        """Return the columns that an export of the record has; without a dialogue, those of its task and empty values."""
        dialogue = stored_dialogue(record)
        split = split_at(dialogue.place)
        if record.trajectory is not None:
            offered = tuple(self._tools[name] for name in record.trajectory.all_tools() if name in self._tools)
            return self._columns.of(dialogue, split, self._columns.tokens(dialogue, offered))
        known = {**dialogue.columns, "split": split}
        empty: dict[str, Any] = {"text": "", "texts": [], "flag": False, "int": None, "float": None}
        return {name: known.get(name, empty[kind]) for name, kind in COLUMNS.items()}


def names_of(record: DatasetRecord, columns: dict[str, Any]) -> set[tuple[str, str]]:
    """Return (kind, name) of everything to filter a record by."""
    found = {("stage", record.stage)} if record.stage else set()
    for kind in CHOICES:
        value = columns[kind]
        values = value if isinstance(value, list) else ["yes" if value else "no"] if kind == "reviewed" else [value]
        found.update((kind, str(item)) for item in values if item != "")
    found.update(
        ("issue", issue.code)
        for verdict in record.verdicts
        for issue in verdict.issues
        if issue.severity == "error" and record.status == "rejected"
    )
    if record.trajectory is not None:
        found.update(("tool", call.name) for call in record.trajectory.calls())
        found.add(("termination", record.trajectory.termination))
        found.update(("act", message.act) for message in record.trajectory.messages if message.act)
    if record.blueprint is not None:
        covered = set(covered_by(record.blueprint, record.trajectory))
        found.update((_COVERED[kind], name) for kind, name in covered if kind in _COVERED)
    step = "dialogue" if record.trajectory else "task" if record.blueprint else "draw"
    found.add(("reached", step))
    return found


def _opening(record: DatasetRecord) -> str:
    """Return the user's first words; for a task that was not played, the first issue's message."""
    if record.trajectory is None:
        issues = (issue for verdict in record.verdicts for issue in verdict.issues if issue.severity == "error")
        return next((issue.message for issue in issues), "")
    messages = record.trajectory.messages[record.blueprint.begins if record.blueprint else 0 :]
    first = next((message.content for message in messages if message.role == "user" and message.content), "")
    return " ".join(first[: 4 * OPENING].split())


def _said(record: DatasetRecord) -> str:
    """Return what is said and called in a dialogue, and the messages of its issues, for full-text search."""
    found = [issue.message for verdict in record.verdicts for issue in verdict.issues]
    for message in record.trajectory.messages if record.trajectory else ():
        if message.role != "tool":
            found.append(message.content)
        found += (
            f"{call.name} {' '.join(str(value) for value in call.arguments.values())}" for call in message.tool_calls
        )
    return "\n".join(found)[:LONGEST_TEXT]


def _by_user(record: DatasetRecord) -> tuple[str, ...]:
    messages = record.trajectory.messages if record.trajectory else ()
    return tuple(message.content for message in messages if message.role == "user" and message.content)


def _sums(record: DatasetRecord) -> dict[str, float]:
    """Return the record's tokens by role, and the dollars that its checks cost."""
    usage = dict(record.trajectory.usage) if record.trajectory else {}
    reviews = [review.usage for verdict in record.verdicts for review in verdict.reviews]
    for one in reviews:
        usage["reviewer"] = usage.get("reviewer", Usage()).plus(one)
    found: dict[str, float] = {f"{TOKENS} {role}": used.total for role, used in usage.items() if used.total}
    dollars = sum(verdict.cost for verdict in record.verdicts)
    return {**found, **({"dollars reviewers": dollars} if dollars else {})}
