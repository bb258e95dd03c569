"""A record -> what the index of the viewer holds of it: numbers to sort by, names to choose by, and the words that are said in it."""

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
"""Characters of each text of a record that are searched."""
TOKENS = "tokens"
"""What the sums of tokens begin with; the role follows."""
OPENING = 120
"""Characters of the first words of the user, or of the reason why there is no dialogue, that a list shows."""

NUMBERS = tuple(name for name, kind in COLUMNS.items() if kind in ("int", "float") and name != "index")
"""The columns of an export that are numbers, but for the index."""
TEXTS = ("gold_actions", "state_difference", "difficulty_parts", "scores")
"""The columns of an export that are JSON, and searched in words."""
CHOICES = tuple(name for name in COLUMNS if name not in (*NUMBERS, *TEXTS, "index", "task"))
"""The columns of an export that are chosen by their values."""
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
"""The kinds of names by which records are chosen, compared and counted, and what they are called."""
_COVERED = {one.stored: one.chosen for one in TO_COVER.values() if one.chosen not in CHOICES}
"""What a task covers and no column tells -> the kind of name by which records are chosen for it."""


@dataclass(frozen=True)
class RecordRow:
    """What the index holds of a record.

    `numbers` are the columns from its id on, `shown` is what a list of records shows of it, and `words` are searched. `names` are
    kind and name of all that it can be chosen by. `sums` is what it adds to the totals of the run, and `said` what its user said.
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
        """The pattern of its task."""
        return str(self.shown[4])

    @property
    def attempt(self) -> int:
        """Which attempt at its task it is, from 0."""
        return int(self.numbers[3 + NUMBERS.index("attempt")])

    @property
    def tokens(self) -> float:
        """What models read and wrote for it."""
        return sum(value for name, value in self.sums.items() if name.startswith(TOKENS))


class RowMaker:
    """Makes the rows of the records of one run; `toolset` is that of the run."""

    def __init__(self, toolset: Toolset) -> None:
        self._columns = Columns(toolset)
        self._tools = toolset.by_name

    def row(self, record: DatasetRecord, late: str | None = None) -> RecordRow:
        """Return the row of a record; `late` is the JSON of a verdict that came later."""
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
        """Return the columns that an export of the record would have; of one without a dialogue, those of its task."""
        dialogue = stored_dialogue(record)
        split = split_at(dialogue.place)
        if record.trajectory is not None:
            offered = tuple(self._tools[name] for name in record.trajectory.all_tools() if name in self._tools)
            return self._columns.of(dialogue, split, self._columns.tokens(dialogue, offered))
        known = {**dialogue.columns, "split": split}
        empty: dict[str, Any] = {"text": "", "texts": [], "flag": False, "int": None, "float": None}
        return {name: known.get(name, empty[kind]) for name, kind in COLUMNS.items()}


def names_of(record: DatasetRecord, columns: dict[str, Any]) -> set[tuple[str, str]]:
    """Return kind and name of all by which a record is chosen."""
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
    """Return the first words of the user; of a task that was not played, what is said against it."""
    if record.trajectory is None:
        issues = (issue for verdict in record.verdicts for issue in verdict.issues if issue.severity == "error")
        return next((issue.message for issue in issues), "")
    messages = record.trajectory.messages[record.blueprint.begins if record.blueprint else 0 :]
    first = next((message.content for message in messages if message.role == "user" and message.content), "")
    return " ".join(first[: 4 * OPENING].split())


def _said(record: DatasetRecord) -> str:
    """Return what is said in a dialogue, what is called in it, and what is held against it."""
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
    """Return what a record adds to the tokens by role, and to the dollars that checks cost."""
    usage = dict(record.trajectory.usage) if record.trajectory else {}
    reviews = [review.usage for verdict in record.verdicts for review in verdict.reviews]
    for one in reviews:
        usage["reviewer"] = usage.get("reviewer", Usage()).plus(one)
    found: dict[str, float] = {f"{TOKENS} {role}": used.total for role, used in usage.items() if used.total}
    dollars = sum(verdict.cost for verdict in record.verdicts)
    return {**found, **({"dollars reviewers": dollars} if dollars else {})}
