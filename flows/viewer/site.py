"""The workspaces under view by their numbers in addresses, and the responses that show pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi.responses import HTMLResponse

from interplay.flows.viewer.looked_at import LookedAt
from interplay.outputs.viewer.viewer_pages import page
from interplay.schemas.errors import StoreError


@dataclass(frozen=True)
class Site:
    """The workspaces under view; if `read_only`, labels cannot be given."""

    places: Sequence[LookedAt]
    read_only: bool = False

    def at(self, number: int) -> LookedAt:
        """Return a workspace by its number.

        Raises:
            StoreError: there is none.
        """
        if not 0 <= number < len(self.places):
            raise StoreError("There is no such workspace here.")
        return self.places[number]

    def shown(self, template: str, place: LookedAt | None, status: int = 200, **told: Any) -> HTMLResponse:
        """Return a page about a workspace, or about none in particular."""
        return HTMLResponse(page(template, places=self.places, place=place, read_only=self.read_only, **told), status)


def first_message(text: str) -> int:
    """Parse the number of the first message to show; 0 if it is invalid."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0
