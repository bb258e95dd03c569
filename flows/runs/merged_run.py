"""The records of several workspaces -> one workspace that holds them all, each scenario once.

A merged workspace is read, shown and exported like any other, but not extended. Its records keep their ids and get new
indices; `merged.jsonl` maps each index to its source:

    {"index": 120, "workspace": "/data/b", "run": "a08d...", "source_index": 3, "records": ["5d41..."]}

A scenario of a later workspace that an earlier one holds too is rejected when the store is loaded, as within one run.

A record removed from one workspace is removed from all: where another one still holds it, it and the records that continue
it are replaced by removed ones. A redacted record is kept as redacted, and removed where others hold it, as nobody knows
the text. `withdrawn.jsonl` records all of this, so that it still holds when merged workspaces are merged again.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, groupby, islice

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import GraphFile, RunFile
from interplay.flows.workspaces.run_files import write_lines, write_record, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.shared_workspace import place_of, pull
from interplay.flows.workspaces.source_notes import AccountsFile, noted_accounts
from interplay.flows.workspaces.withdrawals import STAGE, Withdrawal, noted_for, removed, withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.accounts.explanation import Account
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import Toolset, joint_licence
from interplay.schemas.records.verdict import DatasetRecord

SHARD = 50
"""Indices per shard of a merged workspace."""


class MergedIndex(Record):
    """Where the records of one index come from."""

    index: int
    workspace: str
    run: str
    source_index: int
    records: tuple[str, ...]


class MergeReport(Record):
    """The result of a merge: accepted records by workspace, accepted records in the merged one, and scenarios in several.

    People's labels are carried over. Curation is not: records that it left out of the `curated` workspaces are in the merged one.
    """

    workspace: str
    run: str
    sources: dict[str, int]
    accepted: int
    repeated: int
    curated: tuple[str, ...] = ()


def merge(sources: Sequence[Workspace], target: Workspace) -> MergeReport:
    """Join workspaces, in their order, into a new one.

    Raises:
        ConfigError: a workspace holds nothing, tools of one name differ, or `target` exists already.
        StoreError: a store or shard cannot be read, or a file cannot be written.
    """
    places = [source.folder.resolve() for source in sources]
    if len(places) < 2 or len(set(places)) < len(places) or target.folder.resolve() in places:
        raise ConfigError("Name two workspaces or more, each once, and another folder with --to.")
    runs = [source.existing_run() for source in sources]
    curated = tuple(source.name for source in sources if source.curated() is not None)
    toolset = _joined([source.toolset() for source in sources])
    run = digest(["merged", *(known.run for known in runs), *(known.config.records for known in runs)])
    for source in sources:
        pull(source)  # withdrawals made elsewhere must be known first
    with hold_workspace(target):
        _make_room(target, run)
        counted = {source.name: 0 for source in sources}
        lineage: list[MergedIndex] = []
        out: dict[Withdrawal, None] = {}
        arriving = _renumbered(sources, run, lineage, counted, out)
        number = 0
        while block := list(islice(arriving, SHARD)):
            kept = [record for records in block for record in records]
            write_shard(target.shard(number), kept, noted_for([*out], range(number * SHARD, (number + 1) * SHARD)))
            number += 1
        config = _config([known.config for known in runs], len(lineage), sum(counted.values()))
        write_record(target.toolset_file, toolset)
        _write_what_is_known(sources, target, run)
        write_lines(target.merged_file, lineage)
        if out:
            write_lines(target.withdrawn_file, [*out])
        noted = RunFile(
            run=run,
            config=config,
            fingerprint=config.fingerprint(),
            toolset=toolset.digest(),
            version=runs[0].version,
            merged=True,
        )
        write_record(target.run_file, noted, indent=2)  # written last: without it, the workspace holds no run
    with loaded_store(target) as store:
        rows = store.query("SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [run])
    accepted = int(rows[0]["n"])
    return MergeReport(
        workspace=target.name, run=run, sources=counted, accepted=accepted,
        repeated=sum(counted.values()) - accepted,
        curated=curated,
    )  # fmt: skip


def _make_room(target: Workspace, run: str) -> None:
    """Delete the shards of an interrupted merge of the same workspaces; it has no run.json and no store."""
    if known := target.run():
        again = f"holds these workspaces joined already: interplay stats --workspace {target.argument}"
        held = again if known.run == run else "holds a run already"
        raise ConfigError(f"{target.name}: {held}. Name a new folder with --to.")
    if not target.shard(0).exists():
        return
    try:
        same = next(read_shard(target.shard(0))).run == run
    except StoreError:
        same = False
    if target.store_file.exists() or not same:
        raise ConfigError(
            f"{target.name}: holds shards of other records than these workspaces joined, and no run.json that tells what they are "
            "of. Delete it, or name a new folder with --to."
        )
    for number in range(target.last_shard(), -1, -1):  # the first shard last: it identifies the merge
        target.shard(number).unlink(missing_ok=True)


def _write_what_is_known(sources: Sequence[Workspace], target: Workspace, run: str) -> None:
    """Write the accounts and graphs of all workspaces, and people's labels."""
    accounts: list[Account] = []
    for source in sources:
        accounts += [account for account in noted_accounts(source) if account not in accounts]
    write_record(target.accounts_file, AccountsFile(run=run, accounts=tuple(accounts)))
    edges = dict.fromkeys(edge for source in sources if (graph := source.graph()) for edge in graph.edges)
    write_record(target.graph_file, GraphFile(run=run, edges=tuple(edges)))
    if labels := dict.fromkeys(label.model_dump_json() for source in sources for label in source.labels()):
        write_text(target.labels_file, "".join(f"{label}\n" for label in labels))


def _renumbered(
    sources: Sequence[Workspace],
    run: str,
    lineage: list[MergedIndex],
    counted: dict[str, int],
    out: dict[Withdrawal, None],
) -> Iterator[list[DatasetRecord]]:
    """Yield the records of each index under a new index; a record that is in several workspaces is yielded once.

    Withdrawals are added to `out`.
    """
    seen: set[str] = set()
    gone = _taken_out(sources)
    for source in sources:
        known, noted = source.existing_run(), withdrawals(source)
        own = {_anywhere(each) for each in noted}
        for old, found in _by_index(source, known):
            index, records = len(lineage), list[DatasetRecord]()
            for record in found:
                others = [each for each in gone.get(record.id, ()) if each not in own]
                kept = removed(record, others[0].why) if others else record
                if kept.id not in seen:
                    records.append(kept)
                    out.update(dict.fromkeys(each.model_copy(update={"index": index}) for each in others))
            if not records:
                continue
            out.update((each.model_copy(update={"index": index}), None) for each in noted if each.index == old)
            seen |= {record.id for record in records}
            ids = tuple(record.id for record in records)
            place = place_of(source)
            lineage.append(MergedIndex(index=index, workspace=place, run=known.run, source_index=old, records=ids))
            counted[source.name] += sum(record.status == "accepted" for record in records)
            yield [record.model_copy(update={"run": run, "index": index}) for record in records]


def _by_index(source: Workspace, known: RunFile) -> Iterator[tuple[int, list[DatasetRecord]]]:
    """Yield the records of a workspace by index, followed by removed ones beyond the last record that is wanted."""
    last = -1
    with loaded_store(source) as store:
        for last, found in groupby(store.records(known.run), lambda record: record.index):
            yield last, list(found)
    for index in sorted({each.index for each in withdrawals(source) if each.index > last}):
        shard = source.shard(index // known.config.shard_size)
        held = [record for record in read_shard(shard) if record.index == index] if shard.exists() else []
        yield index, [record for record in held if record.stage == STAGE]


def _anywhere(each: Withdrawal) -> Withdrawal:
    """Return a withdrawal without its index, which differs between workspaces."""
    return each.model_copy(update={"index": 0})


def _taken_out(sources: Sequence[Workspace]) -> Mapping[str, Sequence[Withdrawal]]:
    """Return the withdrawals of all workspaces by the ids of the records that they concern, continuations in any included."""
    gone: dict[str, list[Withdrawal]] = defaultdict(list)
    told = sorted(
        {_anywhere(each) for source in sources for each in withdrawals(source)}, key=Withdrawal.model_dump_json
    )
    with ExitStack() as opened:
        stores = [(opened.enter_context(loaded_store(source)), source.existing_run().run) for source in sources if told]
        begin = (source.existing_run().config.start or source.is_merged for source in sources)
        began = dict(chain.from_iterable(_began(*store) for store, so in zip(stores, begin, strict=False) if so))
        for each in told:
            ids, found = set[str](), set(each.records)
            while not found <= ids:
                ids |= found
                found = {one for store, run in stores for one in _with_heirs(store, run, [*ids])}
                found |= {one for one, source in began.items() if source in ids}
            for identifier in ids:
                gone[identifier].append(each)
    return gone


def _began(store: DatasetStore, run: str) -> Iterator[tuple[str, str]]:
    """Yield the ids of records that continue a record of another workspace, each with the id of that record."""
    for record in store.records(run):
        if record.blueprint and record.blueprint.start and record.blueprint.start.origin == "record":
            yield record.id, record.blueprint.start.source


def _with_heirs(store: DatasetStore, run: str, ids: list[str]) -> Iterator[str]:
    """Yield the ids of all attempts at the tasks of some records, and at the tasks that continue them."""
    rows = store.query(
        "SELECT id FROM records WHERE run = ? AND index IN (SELECT index FROM records WHERE run = ? AND "
        "(id IN (SELECT unnest(?)) OR continues IN (SELECT unnest(?))))",
        [run, run, ids, ids],
    )
    return (row["id"] for row in rows)


def _config(configs: Sequence[RunConfig], indices: int, accepted: int) -> RunConfig:
    """Return the first configuration, for the number of indices merged."""
    toolset = tuple(dict.fromkeys(spec for config in configs for spec in config.toolset))
    told = {"toolset": toolset, "records": max(accepted, 1), "shard_size": SHARD, "indices": max(indices, 1)}
    return configs[0].model_copy(update={**told, "copies": max(config.copies for config in configs)})


def _joined(toolsets: Sequence[Toolset]) -> Toolset:
    """Return the tools of all toolsets, each once."""
    first, tools = toolsets[0], dict(toolsets[0].by_name)
    for toolset in toolsets[1:]:
        for tool in toolset.tools:
            if tools.setdefault(tool.name, tool) != tool:
                raise ConfigError(
                    f"{tool.name}: is another tool in {toolset.name} than in {first.name}. Export both apart."
                )
    sources = tuple(dict.fromkeys(source for toolset in toolsets for source in toolset.provenance))
    names = dict.fromkeys(toolset.name for toolset in toolsets)
    if len(tools) == len(first.tools):
        return first
    licence = joint_licence(toolsets)
    told = {"name": "+".join(names), "tools": tuple(tools.values()), "provenance": sources, "licence": licence}
    return first.model_copy(update=told)
