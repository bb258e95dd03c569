"""A workspace -> verdicts on its accepted records: repetitions, benchmark tasks, secrets and personal data.

The verdicts are stored in `curated.jsonl` beside the store, and exports leave those records out; the records themselves do
not change. Records that are made later are not covered until the workspace is curated again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from interplay.flows.curation.benchmark_files import read_benchmark
from interplay.flows.roles.cast import Cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.curation_settings import TRAITS, CurationSettings, SelectSettings, Trait
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_files import write_record, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace, rows_digest
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.dialogue_texts import DialogueText, dialogue_texts
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import CURATION_STEPS, Curation, CurationVerdict, DatasetRecord, Issue, Verdict
from interplay.validators.curation.contamination import Contamination
from interplay.validators.curation.near_duplicates import Sketchbook, like_meanings
from interplay.validators.curation.personal_data import personal_data
from interplay.validators.curation.representatives import representatives, rows_needed
from interplay.validators.curation.secrets import secrets

Finder = Callable[[str], Iterator[tuple[str, str]]]

SHOWN = 4
"""Characters of a secret that a verdict shows; it must not spread the secret."""

COMPARED = 24
"""Letters and digits by which two values are compared."""

MEANT_WHOLE: tuple[Trait, ...] = ("tools", "edges")
ENOUGH = 0.99
"""The share of tools and edges that a selection should show."""

READ_TOGETHER = 4_000
"""Dialogues that are judged as one group."""


async def curate(workspace: Workspace, settings: CurationSettings) -> Curation:
    """Judge the accepted records of a workspace; replaces earlier verdicts.

    Failed attempts are judged too, except for repetition, since they become rejected sides of preference pairs.

    Raises:
        ConfigError: the workspace holds no run yet.
        ImportFailure: a file of benchmark tasks cannot be read.
        StoreError: the store cannot be read, the workspace is in use, or the verdicts cannot be written.
    """
    tasks = Contamination(task for path in settings.contamination for task in read_benchmark(path))
    held = workspace.existing_run()
    run = held.run
    with loaded_store(workspace) as store:
        toolset = store.run_toolset(run)
        owned = _Owned(held.config.toolset, toolset, store)
        read, verdicts = _judged(dialogue_texts(store, run), settings, tasks, owned)
        alone = settings.model_copy(update={"near_duplicates": None, "repeated_users": None})
        _, failed = _judged(dialogue_texts(store, run, failed=True), alone, tasks, owned)
        verdicts += await _alike(workspace, held.config, settings, store, verdicts)
        covered, needed = dict[str, float](), 0
        if settings.select is not None:
            left_out, covered, needed = _selected(
                store, run, read, frozenset(each.id for each in verdicts), settings.select
            )
            verdicts += left_out
    counts = Counter(each.verdict.check for each in verdicts)
    made = Curation(
        run=run,
        looked_at=len(read),
        last=read[-1][1] if read else -1,
        kept=len(read) - len(verdicts),
        left_out={step: counts[step] for step in CURATION_STEPS if counts[step]},
        benchmark_tasks=len(tasks.tasks),
        covered=covered,
        rows_needed=needed,
        licences=tuple(filter(None, [toolset.licence])),
        near_duplicates=settings.near_duplicates,
        failed_left_out=len(failed),
        verdicts=rows_digest([*verdicts, *failed]),
    )
    with hold_workspace(workspace):
        write_text(workspace.curated_file, "".join(f"{each.model_dump_json()}\n" for each in (*verdicts, *failed)))
        write_record(workspace.curation_file, made, indent=2)
    return made


async def _alike(
    workspace: Workspace,
    config: RunConfig,
    settings: CurationSettings,
    store: DatasetStore,
    verdicts: Sequence[CurationVerdict],
) -> list[CurationVerdict]:
    """Return verdicts on dialogues whose users mean the same as in an earlier one; those with a verdict are skipped."""
    threshold = settings.same_meaning
    if threshold is None:
        return []
    if config.embeddings is None:
        raise ConfigError("curate: same_meaning needs a model that tells meanings: name it in `embeddings`.")
    out = {each.id for each in verdicts}
    read = ((each.id, each.masked("user")) for each in dialogue_texts(store, workspace.existing_run().run))
    texts = {name: text for name, text in read if name not in out}

    cast = Cast({}, {}, workspace.journal_file, config.budget, config.prices)
    try:
        async with cast.embeddings(config.embeddings) as model:
            vectors = await model.embed(tuple(texts.values()))
    finally:
        await cast.aclose()
    names, found = list(texts), like_meanings(vectors, threshold)
    told = {at: f"means {each.similarity:.0%} what record {names[each.of]} does" for at, each in found.items()}
    return [
        CurationVerdict(id=names[at], verdict=Verdict(check="same_meaning", issues=(Issue.of("same_meaning", text),)))
        for at, text in told.items()
    ]


def forget(workspace: Workspace) -> None:
    """Delete all verdicts.

    Raises:
        StoreInUse: another process works in the workspace.
    """
    with hold_workspace(workspace):
        for path in (workspace.curated_file, workspace.curation_file):
            path.unlink(missing_ok=True)


def _judged(
    dialogues: Iterable[DialogueText], settings: CurationSettings, tasks: Contamination, owned: "_Owned"
) -> tuple[list[tuple[str, int]], list[CurationVerdict]]:
    """Return the ids and indices of the dialogues, and a verdict on each one to leave out."""
    read: list[tuple[str, int]] = []
    found: dict[str, Verdict] = {}
    books = {
        step: (Sketchbook(), roles, threshold)
        for step, roles, threshold in (
            ("near_duplicates", ("user", "assistant"), settings.near_duplicates),
            ("repeated_users", ("user",), settings.repeated_users),
        )
        if threshold is not None
    }
    for group in _groups(dialogues):
        read += [(dialogue.id, dialogue.index) for dialogue in group]
        for book, roles, _ in books.values():
            book.add([dialogue.masked(*roles) for dialogue in group])
        for dialogue in group:
            if not (verdict := _judge(dialogue, settings, tasks, owned)).passed:
                found[dialogue.id] = verdict
    for step, (book, _, threshold) in books.items():
        for place, repeat in book.repeats(threshold).items():
            told = f"is {repeat.similarity:.0%} like record {read[repeat.of][0]}, values masked"
            found.setdefault(read[place][0], Verdict(check=step, issues=(Issue.of(step, told),)))
    return read, [CurationVerdict(id=id, verdict=found[id]) for id, _ in read if id in found]


def _judge(dialogue: DialogueText, settings: CurationSettings, tasks: Contamination, owned: "_Owned") -> Verdict:
    """Return the verdict of the first step that finds something."""
    verdict = tasks.judge(dialogue.said("user", "assistant"), dialogue.calls)
    for step, finder in (("secrets", secrets), ("personal_data", personal_data)):
        if verdict.passed and getattr(settings, step):
            issues = tuple(
                Issue.of(kind.lower().replace(" ", "_"), f"holds {kind} {value[:SHOWN]}… that nothing here made up")
                for kind, value in owned.foreign(dialogue, finder)
            )
            verdict = Verdict(check=step, issues=issues)
    return verdict


class _Owned:
    """Values that interplay made up: everything of bundled domains, and rows of made-up worlds that are in no tool document."""

    def __init__(self, sources: Iterable[str], toolset: Toolset, store: DatasetStore) -> None:
        self._store = store
        kinds = {source.partition(":")[0] for source in sources}
        self._bundled = kinds == {"domain"}
        self._live = bool(kinds & {"python", "mcp+live"})
        self._document = "" if self._bundled else toolset.model_dump_json()
        self._given: dict[Finder, dict[str, tuple[str, str]]] = {}

    def foreign(self, dialogue: DialogueText, finder: Finder) -> list[tuple[str, str]]:
        """Return the distinct kinds and values in a dialogue that interplay did not make up."""
        shown = _found(dialogue.said("tool"), finder)
        sent = _found((canonical_json(arguments) for _, arguments in dialogue.calls), finder)
        spoken = _found(dialogue.said("user", "assistant"), finder)
        if not (shown or sent or spoken):
            return []
        if finder not in self._given:
            self._given[finder] = _found([self._document], finder)
        made = (sent if self._live else sent | shown).keys() - self._given[finder].keys()
        foreign = {key: each for key, each in (shown | sent | spoken).items() if key not in made}
        if foreign:  # a value that was said but never sent, such as a wrong number, is in the task
            task = _found([_task(self._store.record(dialogue.id))], finder).keys() - self._given[finder].keys()
            foreign = {key: each for key, each in foreign.items() if key not in task}
        return list(foreign.values())


def _found(texts: Iterable[str], finder: Finder) -> dict[str, tuple[str, str]]:
    """Return what a finder finds, keyed by its last letters and digits, as people write the same number in many ways."""
    found = (each for text in texts for each in finder(text))
    return {"".join(filter(str.isalnum, value.casefold()))[-COMPARED:]: (kind, value) for kind, value in found}


def _task(record: DatasetRecord) -> str:
    return record.blueprint.model_dump_json() if record.blueprint else ""


def _groups(dialogues: Iterable[DialogueText]) -> Iterator[list[DialogueText]]:
    waiting = iter(dialogues)
    while group := list(islice(waiting, READ_TOGETHER)):
        yield group


def _selected(
    store: DatasetStore, run: str, read: Sequence[tuple[str, int]], out: frozenset[str], settings: SelectSettings
) -> tuple[list[CurationVerdict], dict[str, float], int]:
    """Return verdicts on the rows not selected, the share of each trait that the selection shows, and `rows_needed`."""
    traits = _traits(store, run, settings.by or TRAITS)
    staying = [id for id, _ in read if id not in out]
    rows = [frozenset(traits.get(id, ())) for id in staying]
    kept = set(representatives(rows, settings.rows))
    told = Issue.of("not_selected", f"shows less than the {settings.rows} rows that were selected")
    left_out = [
        CurationVerdict(id=id, verdict=Verdict(check="selection", issues=(told,)))
        for place, id in enumerate(staying) if place not in kept
    ]  # fmt: skip
    all_of, kept_of = (
        Counter(trait for trait, _ in {each for row in chosen for each in row})
        for chosen in (rows, [rows[place] for place in sorted(kept)])
    )
    covered = {trait: round(kept_of[trait] / all_of[trait], 4) for trait in sorted(all_of)}
    lacks = any(covered.get(trait, 1.0) < ENOUGH for trait in MEANT_WHOLE)
    meant = [frozenset(each for each in row if each[0] in MEANT_WHOLE) for row in rows] if lacks else []
    return left_out, covered, rows_needed(meant, ENOUGH)


_QUERIES = {
    "tools": "SELECT DISTINCT record_id, tool AS value FROM calls",
    "edges": "SELECT record_id, name AS value FROM covered WHERE kind = 'edge'",
    "patterns": "SELECT id AS record_id, pattern AS value FROM records",
    "difficulty": "SELECT id AS record_id, cast(floor(difficulty * 10) AS VARCHAR) AS value FROM records",
    "wording": "SELECT DISTINCT record_id, cast(hash(masked) AS VARCHAR) AS value FROM messages WHERE role = 'user'",
}


def _traits(store: DatasetStore, run: str, by: Sequence[Trait]) -> dict[str, list[tuple[str, str]]]:
    """Return the traits that each record shows, by its id."""
    accepted = "SELECT id FROM records WHERE run = ? AND status = 'accepted'"
    found: dict[str, list[tuple[str, str]]] = {}
    for trait in by:
        query = (
            f"SELECT record_id, value FROM ({_QUERIES[trait]}) WHERE value IS NOT NULL AND record_id IN ({accepted})"
        )
        for row in store.query(query, [run]):
            found.setdefault(row["record_id"], []).append((trait, row["value"]))
    return found
