"""The records of several workspaces -> one workspace that holds them all, each scenario told once.

A merged workspace is read, shown and exported as any other; nothing is added to it. Its records keep their ids and get new
indices, and `merged.jsonl` tells where each index is from:

    {"index": 120, "workspace": "/data/b", "run": "a08d...", "source_index": 3, "records": ["5d41..."]}

What a later workspace tells that an earlier one has told is rejected when the store is loaded, as it is within one run.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import GraphFile, RunFile
from interplay.flows.workspaces.run_files import write_record, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.source_notes import AccountsFile, noted_accounts
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.accounts.explanation import Account
from interplay.outputs.store.shard_file import write_shard
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import Toolset, joint_licence
from interplay.schemas.records.verdict import DatasetRecord

SHARD = 50
"""Indices in one shard of a merged workspace."""


class MergedIndex(Record):
    """Where the records of one index are from."""

    index: int
    workspace: str
    run: str
    source_index: int
    records: tuple[str, ...]


class MergeReport(Record):
    """What was joined: accepted records by workspace, those left in the merged one, and scenarios told in several."""

    workspace: str
    run: str
    sources: dict[str, int]
    accepted: int
    repeated: int


def merge(sources: Sequence[Workspace], target: Workspace) -> MergeReport:
    """Join workspaces, in their order, into a new one.

    Raises:
        ConfigError: a workspace holds nothing, tools of one name differ, or `target` is there already.
        StoreError: a store or shard cannot be read, or a file cannot be written.
    """
    places = [source.folder.resolve() for source in sources]
    if len(places) < 2 or len(set(places)) < len(places) or target.folder.resolve() in places:
        raise ConfigError("Name two workspaces or more, each once, and another folder with --to.")
    if target.run_file.exists() or target.shard(0).exists():
        raise ConfigError(f"{target.folder}: holds a run already. Name a new folder with --to.")
    runs = [source.existing_run() for source in sources]
    toolset = _joined([source.toolset() for source in sources])
    run = digest(["merged", *(known.run for known in runs), *(known.config.records for known in runs)])
    with hold_workspace(target):
        counted = {source.name: 0 for source in sources}
        lineage: list[MergedIndex] = []
        arriving = _renumbered(sources, run, lineage, counted)
        number = 0
        while block := list(islice(arriving, SHARD)):
            write_shard(target.shard(number), [record for records in block for record in records])
            number += 1
        config = _config([known.config for known in runs], len(lineage), sum(counted.values()))
        edges = {edge: None for source in sources if (graph := source.graph()) for edge in graph.edges}
        write_record(target.toolset_file, toolset)
        accounts: list[Account] = []
        for source in sources:
            accounts += [account for account in noted_accounts(source) if account not in accounts]
        write_record(target.accounts_file, AccountsFile(run=run, accounts=tuple(accounts)))
        write_record(target.graph_file, GraphFile(run=run, edges=tuple(edges)))
        write_text(target.merged_file, "".join(f"{line.model_dump_json()}\n" for line in lineage))
        noted = RunFile(
            run=run, config=config, fingerprint=config.fingerprint(), toolset=toolset.digest(), version=runs[0].version
        )
        write_record(target.run_file, noted, indent=2)  # the last: without it, nothing is there
    with loaded_store(target) as store:
        rows = store.query("SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [run])
    accepted = int(rows[0]["n"])
    return MergeReport(
        workspace=target.name, run=run, sources=counted, accepted=accepted,
        repeated=sum(counted.values()) - accepted,
    )  # fmt: skip


def _renumbered(
    sources: Sequence[Workspace], run: str, lineage: list[MergedIndex], counted: dict[str, int]
) -> Iterator[list[DatasetRecord]]:
    """Yield the records of each index under a new one; what is the very same record in two workspaces comes once."""
    seen: set[str] = set()
    for source in sources:
        known = source.existing_run()
        with loaded_store(source) as store:
            for old, found in groupby(store.records(known.run), lambda record: record.index):
                records = [record for record in found if record.id not in seen]
                if not records:
                    continue
                seen |= {record.id for record in records}
                index, name = len(lineage), source.name
                ids = tuple(record.id for record in records)
                place = str(source.folder.absolute())
                lineage.append(MergedIndex(index=index, workspace=place, run=known.run, source_index=old, records=ids))
                counted[name] += sum(record.status == "accepted" for record in records)
                yield [record.model_copy(update={"run": run, "index": index}) for record in records]


def _config(configs: Sequence[RunConfig], indices: int, accepted: int) -> RunConfig:
    """Return the first configuration, for as many indices as there are."""
    toolset = tuple(dict.fromkeys(spec for config in configs for spec in config.toolset))
    told = {"toolset": toolset, "records": max(accepted, 1), "shard_size": SHARD, "indices": max(indices, 1)}
    return configs[0].model_copy(update={**told, "copies": max(config.copies for config in configs)})


def _joined(toolsets: Sequence[Toolset]) -> Toolset:
    """Return the tools of all, each once.

    Raises:
        ConfigError: two tools have one name and are not the same.
    """
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
