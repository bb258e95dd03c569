"""Routes of records: the list of search results, one dialogue, two side by side, and parts that are loaded later."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from interplay.flows.viewer.site import Site, first_message
from interplay.outputs.viewer.dialogue_turns import LONGEST, MESSAGES, parting, turns_of
from interplay.outputs.viewer.index_search import FOUND_BY, PAGE, SORTS, Search
from interplay.outputs.viewer.record_rows import TEXTS
from interplay.schemas.errors import InterplayError, StoreError
from interplay.schemas.words.hidden_characters import visible

ORIGIN = "origin"
"""Stands in an address for the dialogue from which a record branches."""
PIECE = 100_000
"""Characters of a long text that are loaded at once."""


@dataclass(frozen=True)
class RecordRoutes:
    """Handlers for records."""

    site: Site

    def router(self) -> APIRouter:
        """Return the router with all routes."""
        router, one = APIRouter(), "/w/{number}/records/{identifier}"
        router.add_api_route("/w/{number}/records", self.records)
        router.add_api_route(one, self.dialogue)
        router.add_api_route(one + "/beside/{other}", self.beside)
        router.add_api_route(one + "/messages/{message}", self.text)
        router.add_api_route(one + "/changes", self.changes)
        return router

    def records(self, number: int, request: Request) -> Response:
        """Show a page of the records that match a search."""
        place, search = self.site.at(number), Search.of(request.query_params.multi_items())
        known: dict[str, Any] = {
            "sorts": SORTS,
            "kinds": FOUND_BY,
            "texts": TEXTS,
            "size": PAGE,
            "known": place.names(),
        }
        return self.site.shown("records", place, search=search, found=place.search(search), **known)

    def dialogue(self, number: int, identifier: str, request: Request) -> Response:
        """Show a record."""
        place, given = self.site.at(number), request.query_params.multi_items()
        search = Search.of(item for item in given if item[0] != "begin")
        begin = first_message(dict(given).get("begin", "0"))
        record, attempts = place.record(identifier)
        before, after = place.neighbours(identifier, search)
        turns, branches = (
            turns_of(record, begin, begin + MESSAGES, place.writes),
            place.workspace.branched_file.exists(),
        )
        return self.site.shown(
            "dialogue", place, record=record, attempts=attempts, turns=turns, begin=begin, step=MESSAGES, longest=LONGEST,
            search=search, before=before, after=after, branches=branches,
        )  # fmt: skip

    def beside(self, number: int, identifier: str, other: str, begin: str = "0") -> Response:
        """Show a record beside another, or beside the dialogue from which it branches."""
        place, begins = self.site.at(number), first_message(begin)
        record, _ = place.record(identifier)
        against = place.origin(record) if other == ORIGIN else place.record(other)[0]
        if against is None:
            raise StoreError(f"{record.id} branches from no dialogue.")
        shown = [(one, turns_of(one, begins, begins + MESSAGES, place.writes)) for one in (record, against)]
        parted = parting(record, against)
        worded = parted.words
        common = [turn for turn in shown[0][1] if worded is None or turn.end < worded]
        sides = [(one, [turn for turn in turns if worded is not None and turn.end >= worded]) for one, turns in shown]
        length = [len(one.trajectory.messages) if one.trajectory else 0 for one, _ in sides]
        return self.site.shown(
            "beside", place, sides=sides, common=common, parted=parted, other=other, begin=begins, step=MESSAGES,
            longest=LONGEST, length=length,
        )  # fmt: skip

    def text(self, number: int, identifier: str, message: int, offset: int = 0) -> Response:
        """Return a piece of a long message."""
        record, _ = self.site.at(number).record(identifier)
        messages = record.trajectory.messages if record.trajectory else ()
        if not 0 <= message < len(messages) or offset < 0:
            raise StoreError("There is no such message.")
        content, end = messages[message].content, offset + PIECE
        return PlainTextResponse(visible(content[offset:end]), headers={"X-Left": str(max(0, len(content) - end))})

    def changes(self, number: int, identifier: str) -> Response:
        """Return what each call of a record changed."""
        place = self.site.at(number)
        record, _ = place.record(identifier)
        try:
            return self.site.shown("changes", place, steps=place.world.steps(record), problem="")
        except InterplayError as error:
            return self.site.shown("changes", place, steps=(), problem=str(error))
