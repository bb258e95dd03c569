"""The tools and the graph of a workspace -> one picture of them."""

from interplay.flows.workspaces.source_notes import noted_tools
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.graph.multigraph import graph_nodes
from interplay.outputs.graphs.picture import picture
from interplay.schemas.records.tool import SEARCH_TOOL, ResourceModel, ToolRole
from interplay.schemas.records.tool_graph import GraphReport


def graph_picture(workspace: Workspace) -> str:
    """Return the tool graph of a run as SVG: its edges, and the resource of each tool.

    Raises:
        ConfigError: the workspace holds no run yet.
    """
    toolset, held = workspace.toolset(), workspace.graph()
    own = toolset.model_copy(update={"tools": tuple(tool for tool in toolset.tools if tool.name != SEARCH_TOOL)})
    edges = tuple(edge for edge in held.edges if SEARCH_TOOL not in (edge.producer, edge.consumer)) if held else ()
    touched = {end for edge in edges for end in (edge.producer, edge.consumer)}
    noted = noted_tools(workspace)
    known = [ToolRole(tool=item.tool, operation=item.does, resource=item.resource) for item in noted.values()]
    model = ResourceModel(roles=tuple(known)) if noted else resource_model(infer_plan(own))
    report = GraphReport(
        nodes=tuple(graph_nodes(own, model)),
        edges=edges,
        orphans=tuple(tool.name for tool in own.tools if tool.name not in touched),
    )
    return picture(report, pointing=False)
