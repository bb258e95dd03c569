"""The tools that no task is about."""

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.graph.multigraph import graph_of

PARCEL = row(title=TEXT)
TOOLS = (
    operation("list_parcels", "GET", "/parcels", {"type": "array", "items": PARCEL}),
    operation("get_parcel", "GET", "/parcels/{parcel_id}", PARCEL),
    operation("update_parcel", "PATCH", "/parcels/{parcel_id}", PARCEL, title=TEXT),
)


def test_a_deprecated_tool_is_left_out_where_another_does_the_same() -> None:
    replaced = operation("replace_parcel", "PUT", "/parcels/{parcel_id}", PARCEL, title=TEXT)
    alone = operation("delete_parcel", "DELETE", "/parcels/{parcel_id}", PARCEL)
    deprecated = [tool.model_copy(update={"deprecated": True}) for tool in (replaced, alone)]
    opened = sandbox(*TOOLS, *deprecated)
    left = CompositionContext(opened, graph_of((), ()), None, "search_tools", None).unknowable
    assert left == {"replace_parcel": "it is deprecated, and update_parcel does the same"}
