"""A workspace -> a report of its run as one HTML file, with records spread over the run."""

from pathlib import Path

from interplay.flows.workspaces.model_spending import by_role, priced_counts
from interplay.flows.workspaces.run_files import make_folder, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.graph.multigraph import graph_nodes
from interplay.outputs.graphs.picture import picture
from interplay.outputs.report.coverage import coverage, uses
from interplay.outputs.report.pictures import distributions, pictures
from interplay.outputs.report.report_page import report_page
from interplay.outputs.report.statistics import statistics
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.tool_graph import GraphReport


def workspace_graph(workspace: Workspace) -> GraphReport:
    """Return the tool graph of a run as a picture shows it: its edges, and of each tool what it acts on.

    Raises:
        ConfigError: nothing was made in the workspace yet.
    """
    toolset, held = workspace.toolset(), workspace.graph()
    own = toolset.model_copy(update={"tools": tuple(tool for tool in toolset.tools if tool.name != SEARCH_TOOL)})
    edges = tuple(edge for edge in held.edges if SEARCH_TOOL not in (edge.producer, edge.consumer)) if held else ()
    touched = {end for edge in edges for end in (edge.producer, edge.consumer)}
    return GraphReport(
        nodes=tuple(graph_nodes(own, resource_model(infer_plan(own)))),
        edges=edges,
        orphans=tuple(tool.name for tool in own.tools if tool.name not in touched),
    )


def write_report(workspace: Workspace, to: Path, count: int = 30) -> int:
    """Write the figures and up to `count` dialogues to a file, whole or not at all; return how many dialogues it shows.

    A third of the dialogues are rejected ones, where there are so many; each kind is spread evenly over the indices.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreError: the store cannot be read, or the file not be written.
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
        drawn = [*pictures(distributions(store, run)).values(), picture(workspace_graph(workspace), pointing=False)]
    make_folder(to.parent)
    spent = by_role(priced_counts(workspace))
    write_text(to, report_page(workspace.name, figures, records, drawn, covered, spent))
    return len(records)
