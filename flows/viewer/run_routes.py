"""Routes of runs: the overview, the tools, and the comparison of two runs."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from interplay.flows.viewer.looked_at import LookedAt
from interplay.flows.viewer.site import Site
from interplay.flows.workspaces.run_graph import graph_picture
from interplay.outputs.viewer.record_index import reading
from interplay.outputs.viewer.record_rows import KINDS
from interplay.outputs.viewer.run_comparison import COMPARED, examples, means, shares
from interplay.outputs.viewer.viewer_pages import ASSETS, asset
from interplay.schemas.json.canonical import Change, difference


@dataclass(frozen=True)
class RunRoutes:
    """Handlers for runs."""

    site: Site

    def router(self) -> APIRouter:
        """Return the router with all routes."""
        router = APIRouter()
        router.add_api_route("/", self.home)
        router.add_api_route("/assets/{name}", self.assets)
        router.add_api_route("/w/{number}", self.overview)
        router.add_api_route("/w/{number}/models", self.models)
        router.add_api_route("/w/{number}/charts", self.charts)
        router.add_api_route("/w/{number}/progress", self.progress)
        router.add_api_route("/w/{number}/tools", self.tools)
        router.add_api_route("/w/{number}/graph.svg", self.graph)
        router.add_api_route("/compare/{one}/{other}", self.compare)
        return router

    def home(self) -> Response:
        """Show all workspaces, or redirect to the only one."""
        if len(self.site.places) == 1:
            return RedirectResponse(self.site.places[0].root, 303)
        return self.site.shown("home", None, told=[(place, place.progress()) for place in self.site.places])

    def assets(self, name: str) -> Response:
        """Return a file that pages refer to."""
        if name not in ASSETS:
            return PlainTextResponse("There is no such file.\n", 404)
        return Response(asset(name), media_type=ASSETS[name])

    def overview(self, number: int) -> Response:
        """Show figures and charts."""
        place = self.site.at(number)
        return self.site.shown("overview", place, told=place.progress(), **_charts(place), **place.models())

    def charts(self, number: int) -> Response:
        """Return the part of the overview with pictures and charts."""
        place = self.site.at(number)
        return self.site.shown("charts", place, **_charts(place))

    def models(self, number: int) -> Response:
        """Return the part of the overview about models."""
        place = self.site.at(number)
        return self.site.shown("models", place, **place.models())

    def progress(self, number: int) -> Response:
        """Return the part of the overview that follows a run."""
        place = self.site.at(number)
        return self.site.shown("progress", place, told=place.progress())

    def tools(self, number: int) -> Response:
        """Show tools, edges and rules."""
        place = self.site.at(number)
        return self.site.shown("tools", place, **place.tools())

    def graph(self, number: int) -> Response:
        """Return a picture of the graph; as in every page, its own style is the only one allowed."""
        return Response(graph_picture(self.site.at(number).workspace), media_type="image/svg+xml")

    def compare(self, one: int, other: int) -> Response:
        """Show two runs side by side."""
        pair = self.site.at(one), self.site.at(other)
        with reading(pair[0].index) as first, reading(pair[1].index) as second:
            both = first, second
            found = shares(both)
            return self.site.shown(
                "compare", None, pair=pair, settings=_settings(*pair), means=means(both), shares=found, kinds=COMPARED,
                examples=examples(both, found),
            )  # fmt: skip


def _charts(place: LookedAt) -> dict[str, Any]:
    return {
        "pictures": place.pictures(),
        "coverage": place.coverage(),
        "charts": place.charts(),
        "titles": KINDS,
    }


def _settings(one: LookedAt, other: LookedAt) -> tuple[Change, ...]:
    """Return the differences between the configurations of two runs."""
    return difference(one.run().config.model_dump(mode="json"), other.run().config.model_dump(mode="json"))
