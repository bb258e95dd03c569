"""Addresses -> pages about workspaces, for one person at this machine."""

import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qsl, urlencode

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from interplay.flows.viewer.guard import Guard
from interplay.flows.viewer.hand_labels import agreements, keep, label_of, last_labels, sample, undo
from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.viewer.looked_at import LookedAt
from interplay.flows.workspaces.shared_workspace import pull
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.viewer.dialogue_turns import LONGEST, MESSAGES, blind, parting, turns_of
from interplay.outputs.viewer.index_search import FOUND_BY, PAGE, SORTS, Search
from interplay.outputs.viewer.record_index import TEXTS, reading
from interplay.outputs.viewer.run_comparison import KINDS, means, shares
from interplay.outputs.viewer.viewer_pages import ASSETS, asset, page
from interplay.schemas.errors import InterplayError, StoreError
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.review import MEASURES
from interplay.schemas.words.hidden_characters import visible

LONGEST_FORM = 50_000
"""Bytes of what somebody sends."""
ORIGIN = "origin"
"""The address of the dialogue from which one branches."""
PIECE = 100_000
"""Characters of a long text that are loaded at once."""


def viewer_app(places: Sequence[LookedAt], guard: Guard, read_only: bool = False) -> FastAPI:
    """Return what answers requests for the pages of workspaces."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.middleware("http")(guard)

    async def answer(template: str, place: LookedAt | None, told: Callable[[], dict[str, Any]]) -> Response:
        """Render a page beside the event loop."""
        known = {"places": places, "place": place, "read_only": read_only}
        return HTMLResponse(await run_in_threadpool(lambda: page(template, **known, **told())))

    @app.exception_handler(InterplayError)
    async def tell(_: Request, error: InterplayError) -> Response:
        return HTMLResponse(page("problem", places=places, place=None, read_only=read_only, problem=str(error)), 404)

    @app.get("/")
    async def home() -> Response:
        if len(places) == 1:
            return RedirectResponse(places[0].root, 303)
        return await answer("home", None, lambda: {"told": [(place, place.progress()) for place in places]})

    @app.get("/assets/{name}")
    async def assets(name: str) -> Response:
        if name not in ASSETS:
            return PlainTextResponse("There is no such file.\n", 404)
        return Response(asset(name), media_type=ASSETS[name])

    @app.get("/w/{number}")
    async def overview(number: int) -> Response:
        place = _at(places, number)
        return await answer(
            "overview", place, lambda: {"told": place.progress(), "charts": place.charts(), **place.models()}
        )

    @app.get("/w/{number}/models")
    async def models(number: int) -> Response:
        place = _at(places, number)
        return await answer("models", place, place.models)

    @app.get("/w/{number}/progress")
    async def progress(number: int) -> Response:
        place = _at(places, number)
        return await answer("progress", place, lambda: {"told": place.progress()})

    @app.get("/w/{number}/records")
    async def records(number: int, request: Request) -> Response:
        place = _at(places, number)
        search = Search.of(request.query_params.multi_items())
        known = {"search": search, "sorts": SORTS, "kinds": FOUND_BY, "texts": TEXTS, "size": PAGE}
        return await answer("records", place, lambda: {"found": place.search(search), "known": place.names(), **known})

    @app.get("/w/{number}/records/{identifier}")
    async def dialogue(number: int, identifier: str, request: Request) -> Response:
        place = _at(places, number)
        given = request.query_params.multi_items()
        search = Search.of(item for item in given if item[0] != "begin")
        begin = _begin(dict(given).get("begin", "0"))

        def told() -> dict[str, Any]:
            record, attempts = place.record(identifier)
            before, after = place.neighbours(identifier, search)
            return {
                "record": record,
                "attempts": attempts,
                "turns": turns_of(record, begin, begin + MESSAGES),
                "begin": begin,
                "step": MESSAGES,
                "longest": LONGEST,
                "search": search,
                "before": before,
                "branches": place.workspace.branched_file.exists(),
                "after": after,
            }

        return await answer("dialogue", place, told)

    @app.get("/w/{number}/records/{identifier}/beside/{other}")
    async def beside(number: int, identifier: str, other: str, begin: str = "0") -> Response:
        place, begins = _at(places, number), _begin(begin)

        def told() -> dict[str, Any]:
            record, _ = place.record(identifier)
            against = place.origin(record) if other == ORIGIN else place.record(other)[0]
            if against is None:
                raise StoreError(f"{record.id} branches from no dialogue.")
            records = [record, against]
            pages = [turns_of(record, begins, begins + MESSAGES) for record in records]
            longest = max(len(record.trajectory.messages) if record.trajectory else 0 for record in records)
            known = {"other": other, "begin": begins, "step": MESSAGES, "longest": LONGEST, "length": longest}
            return {"sides": list(zip(records, pages, strict=True)), "parted": parting(*records), **known}

        return await answer("beside", place, told)

    @app.get("/w/{number}/records/{identifier}/messages/{message}")
    async def text(number: int, identifier: str, message: int, offset: int = 0) -> Response:
        record, _ = await run_in_threadpool(_at(places, number).record, identifier)
        messages = record.trajectory.messages if record.trajectory else ()
        if not 0 <= message < len(messages) or offset < 0:
            raise StoreError("There is no such message.")
        content = messages[message].content
        return PlainTextResponse(
            visible(content[offset : offset + PIECE]), headers={"X-Left": str(max(0, len(content) - offset - PIECE))}
        )

    @app.get("/w/{number}/records/{identifier}/changes")
    async def changes(number: int, identifier: str) -> Response:
        place = _at(places, number)

        def told() -> dict[str, Any]:
            record, _ = place.record(identifier)
            try:
                return {"steps": place.replays.steps(record), "problem": ""}
            except InterplayError as error:
                return {"steps": (), "problem": str(error)}

        return await answer("changes", place, told)

    @app.get("/w/{number}/tools")
    async def tools(number: int) -> Response:
        place = _at(places, number)
        return await answer("tools", place, place.tools)

    @app.get("/compare/{one}/{other}")
    async def compare(one: int, other: int) -> Response:
        pair = _at(places, one), _at(places, other)

        def told() -> dict[str, Any]:
            with reading(pair[0].index) as first, reading(pair[1].index) as second:
                return {
                    "pair": pair,
                    "means": means((first, second)),
                    "shares": shares((first, second)),
                    "kinds": KINDS,
                }

        return await answer("compare", None, told)

    @app.get("/w/{number}/judge")
    async def judge(number: int, person: str = "", begin: str = "0", identifier: str = "", said: str = "") -> Response:
        place, begins = _at(places, number), _begin(begin)

        def told() -> dict[str, Any]:
            drawn, held = sample(place), last_labels(place)
            left = [one for one in drawn if (one, person) not in held]
            wanted = identifier if identifier in drawn else next(iter(left), "")
            record = place.record(wanted)[0] if person and wanted else None
            return {
                "person": person, "record": record, "drawn": len(drawn), "done": len(drawn) - len(left), "said": said,
                "turns": blind(turns_of(record, begins, begins + MESSAGES)) if record else (),
                "agreements": agreements(place), "failures": get_args(FailureKind), "measures": MEASURES,
                "begin": begins, "step": MESSAGES, "longest": LONGEST,
            }  # fmt: skip

        return await answer("judge", place, told)

    @app.post("/w/{number}/judge")
    async def label(number: int, request: Request) -> Response:
        place, form = _at(places, number), await _form(request)
        if read_only:
            raise StoreError("Nothing is written here: the page was opened with --read-only.")
        person = form.get("person", "").strip()
        if form.get("undo"):
            taken = await run_in_threadpool(undo, place, person)
            back = {"person": person, **({"identifier": taken.id, "said": "taken back"} if taken else {})}
            return RedirectResponse(f"{place.root}/judge?{urlencode(back)}", 303)
        await run_in_threadpool(keep, place, label_of(form))
        return RedirectResponse(f"{place.root}/judge?{urlencode({'person': person, 'said': 'kept'})}", 303)

    return app


async def _form(request: Request) -> dict[str, str]:
    """Return what a form says.

    Raises:
        StoreError: it is too long, or no form.
    """
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_FORM:
            raise StoreError("That is too long.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=50))


def _at(places: Sequence[LookedAt], number: int) -> LookedAt:
    if not 0 <= number < len(places):
        raise StoreError("There is no such workspace here.")
    return places[number]


def _begin(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def looked_at(folders: Sequence[Path], scratch: Path | None = None) -> tuple[LookedAt, ...]:
    """Return workspaces to look at, each with its index, which may be empty yet: in the workspace, or in a `scratch` folder.

    Raises:
        ConfigError: nothing was made in one of them yet.
        StoreError: the index cannot be written.
    """
    found = []
    for number, folder in enumerate(folders):
        workspace = Workspace(folder)
        pull(workspace)
        workspace.existing_run()
        index = workspace.viewer_file if scratch is None else scratch / str(number) / workspace.viewer_file.name
        bring_up_to_date(workspace, index, going=lambda: False)
        found.append(LookedAt(number, workspace, index))
    return tuple(found)


def listening(port: int) -> socket.socket:
    """Return a socket of this machine alone, at a port that is free where none is named.

    Raises:
        StoreError: somebody else has the port.
    """
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(("127.0.0.1", port))
        found.listen()  # who is told the address at once waits, and is not turned away
    except OSError as error:
        found.close()
        raise StoreError(f"Port {port} cannot be had ({error.strerror}). Name another with --port.") from error
    return found
