"""A workspace -> a report of its run as one HTML file, with records spread over the run."""

from dataclasses import replace
from pathlib import Path

from interplay.flows.workspaces.cost_course import cost_course
from interplay.flows.workspaces.role_costs import by_role, priced_counts
from interplay.flows.workspaces.run_files import make_folder, write_text
from interplay.flows.workspaces.run_graph import graph_picture
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.report.coverage import coverage, uses
from interplay.outputs.report.pictures import distributions, pictures
from interplay.outputs.report.report_page import report_page
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.dataset_store import DatasetStore


def write_report(workspace: Workspace, to: Path, count: int = 30) -> int:
    """Write the figures and up to `count` dialogues to an HTML file atomically; return how many dialogues it shows.

    A third of the dialogues are rejected ones, if there are enough; both kinds are spread evenly over the indices.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: the store cannot be read, or the file cannot be written.
    """
    run = workspace.existing_run().run
    with loaded_store(workspace) as store:
        figures, covered = {**statistics(store, run), **uses(store, run)}, coverage(store, run)
        rejected = min(figures["rejected"], count // 3)
        wanted = {"accepted": count - rejected, "rejected": rejected}
        chosen = store.query(
            "SELECT id FROM (SELECT id, index, attempt, status, "
            "row_number() OVER (PARTITION BY status ORDER BY index, attempt) - 1 AS place, "
            "count(*) OVER (PARTITION BY status) AS held, "
            "CASE status WHEN 'accepted' THEN $accepted ELSE $rejected END AS wanted "
            "FROM records WHERE run = $run) "
            "WHERE wanted > 0 AND (place = 0 OR place * wanted // held > (place - 1) * wanted // held) "
            "ORDER BY index, attempt",
            {"run": run, **wanted},
        )
        records = [store.record(row["id"]) for row in chosen]
        course = cost_course(workspace, _accepted(store, workspace))
        drawn = [*pictures(replace(distributions(store, run), course=course)).values(), graph_picture(workspace)]
    make_folder(to.parent)
    spent = by_role(priced_counts(workspace))
    write_text(to, report_page(workspace.name, figures, records, drawn, covered, spent))
    return len(records)


def _accepted(store: DatasetStore, workspace: Workspace) -> dict[int, int]:
    """Return the number of accepted records by shard."""
    run = workspace.existing_run()
    rows = store.query(
        "SELECT index // $size AS number, count(*) AS n FROM records WHERE run = $run AND status = 'accepted' GROUP BY number",
        {"run": run.run, "size": run.config.shard_size},
    )
    return {row["number"]: row["n"] for row in rows}
