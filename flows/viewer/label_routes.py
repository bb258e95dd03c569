"""Routes for labelling dialogues."""

from dataclasses import dataclass
from typing import get_args
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from interplay.flows.viewer.hand_labels import agreements, keep, label_of, last_labels, sample, undo
from interplay.flows.viewer.site import Site, first_message
from interplay.outputs.viewer.dialogue_turns import LONGEST, MESSAGES, blind, turns_of
from interplay.schemas.errors import StoreError
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.review import MEASURES

LONGEST_FORM, MOST_FIELDS = 50_000, 50
"""The most bytes and fields of a submitted form."""


@dataclass(frozen=True)
class LabelRoutes:
    """Handlers for people who label dialogues."""

    site: Site

    def router(self) -> APIRouter:
        """Return the router with all routes."""
        router = APIRouter()
        router.add_api_route("/w/{number}/judge", self.judge)
        router.add_api_route("/w/{number}/judge", self.say, methods=["POST"])
        return router

    def judge(self, number: int, person: str = "", begin: str = "0", identifier: str = "", said: str = "") -> Response:
        """Show the next dialogue that a person has not labelled, or the one with the given `identifier`."""
        place, begins = self.site.at(number), first_message(begin)
        drawn, held = sample(place), last_labels(place)
        left = [one for one in drawn if (one, person) not in held]
        wanted = identifier if identifier in drawn else next(iter(left), "")
        record = place.record(wanted)[0] if person and wanted else None
        turns = blind(turns_of(record, begins, begins + MESSAGES)) if record else ()
        return self.site.shown(
            "judge", place, person=person, record=record, turns=turns, said=said, drawn=len(drawn),
            done=len(drawn) - len(left), agreements=agreements(place), failures=get_args(FailureKind), measures=MEASURES,
            begin=begins, step=MESSAGES, longest=LONGEST,
        )  # fmt: skip

    async def say(self, number: int, request: Request) -> Response:
        """Store the label in a form, or undo the person's last one."""
        place, form = self.site.at(number), await _form(request)
        if self.site.read_only:
            raise StoreError("Nothing is written here: the page was opened with --read-only.")
        back = {"person": form.get("person", "").strip(), "said": "kept"}
        if form.get("undo"):
            taken = await run_in_threadpool(undo, place, back["person"])
            back |= {"identifier": taken.id, "said": "taken back"} if taken else {"said": ""}
        else:
            await run_in_threadpool(keep, place, label_of(form))
        return RedirectResponse(f"{place.root}/judge?{urlencode(back)}", 303)


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_FORM:
            raise StoreError("That is too long.")
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        raise StoreError("That is too much at once.") from error
