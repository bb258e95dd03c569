"""The rows that a list call finds -> the requested page, with its total and the next cursor."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interplay.schemas.calls.first_page import SIZES, is_paging
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import name_tokens

DEFAULT_PAGE = 20
"""Rows in a page if neither call nor tool says."""

WHOLE = 100
"""Rows at most in a list without paging."""

CHARACTERS = 8_000
"""Characters of the rows of one result, as JSON, above which a page gets fewer rows than asked for."""

_CURSORS = {"cursor", "token", "after", "start", "before", "starting", "ending"}
_ZERO = re.compile(r"(?:zero|0)[- ]based|zero-indexed|start(?:s|ing) at 0|starting from 0")
_CURSOR = re.compile(r"^cursor_(\d{1,9})$")


@dataclass(frozen=True)
class Page:
    """A page of (key, row) pairs: its rows, the number of rows in total, the index of its first row, and its size."""

    rows: tuple[tuple[str, Any], ...] = ()
    total: int = 1
    first: int = 0
    size: int = DEFAULT_PAGE

    @property
    def has_more(self) -> bool:
        """Tell whether there are more rows."""
        return self.first + len(self.rows) < self.total and bool(self.rows)

    @property
    def cursor(self) -> str:
        """The cursor of the next page."""
        return f"cursor_{self.first + len(self.rows)}"

    @property
    def number(self) -> int:
        """The number of this page, from 1."""
        return self.first // max(1, self.size) + 1

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // max(1, self.size)))


def is_size(name: str) -> bool:
    """Tell whether a parameter sets the size of a page."""
    tokens = set(name_tokens(name))
    return is_paging(name) and bool(tokens & SIZES)


def page_of(
    found: Sequence[tuple[str, Any]],
    arguments: Mapping[str, Any],
    properties: Mapping[str, Any] | None = None,
    fitting: Callable[[Sequence[tuple[str, Any]]], int] = len,
) -> Page:
    """Return the page that the arguments ask for; `properties` are the tool's parameters, for its defaults.

    An unknown cursor starts at the beginning. `fitting` returns how many of the first rows a result can hold; it limits the size
    of all pages alike, so that no row is lost between two of them.
    """
    declared = {name: schema for name, schema in (properties or {}).items() if is_paging(name)}
    asked = {name: schema["default"] for name, schema in declared.items() if schema.get("default") is not None}
    asked |= {name: value for name, value in arguments.items() if is_paging(name) and value is not None}
    size, number, first = DEFAULT_PAGE if declared or asked or properties is None else WHOLE, 1, 0
    for name, value in asked.items():
        tokens = set(name_tokens(name))
        if isinstance(value, str) and tokens & _CURSORS:
            ours, keys = _CURSOR.match(value), [key for key, _ in found]
            after = keys.index(value) + 1 if value in keys and not tokens & {"before", "ending"} else 0
            first = int(ours[1]) if ours is not None else after
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        if tokens & SIZES:
            size = max(0, value)
        elif "page" in tokens:
            number = max(0, value)
        elif tokens & {"offset", "skip"}:
            first = max(0, value)
    fits = fitting(found[:size])
    size = fits if fits < len(found[:size]) else size
    first += (number - 1 + _from_zero(properties or {}, asked)) * size
    return Page(tuple(found[first : first + size]), len(found), first, size)


def _from_zero(properties: Mapping[str, Any], asked: Mapping[str, Any]) -> int:
    """Return 1 if pages are numbered from 0, by the parameter's default, minimum or description; else 0."""
    for name, schema in properties.items():
        tokens = set(name_tokens(name))
        if "page" in tokens and not tokens & SIZES and asked.get(name) is not None:
            said = str(schema.get("description", "")).lower()
            zero = schema.get("default") == 0 or schema.get("minimum") == 0 or _ZERO.search(said) is not None
            return 1 if zero or asked[name] == 0 else 0
    return 1 if 0 in [value for name, value in asked.items() if name_tokens(name) == ["page"]] else 0


def page_field(name: str, schema: Mapping[str, Any], page: Page) -> Any:
    """Return the value of an envelope field about paging; none for any other field."""
    tokens, kind = set(name_tokens(name)), schema_type(schema)
    if kind == "boolean" and tokens & {"previous", "prev"}:
        return page.first > 0
    if kind == "boolean" and tokens & {"more", "next"}:
        return page.has_more
    if kind == "boolean" and tokens & {"last", "truncated", "incomplete"}:
        return page.has_more == ("last" not in tokens)
    if "next" in tokens or tokens == {"cursor"}:
        return _next(tokens, kind, schema, page) if page.has_more else None
    if kind not in ("integer", "number"):
        return None
    return _number(tokens, page)


def _next(tokens: set[str], kind: str, schema: Mapping[str, Any], page: Page) -> Any:
    if kind == "integer":
        return page.number + 1 if "page" in tokens else page.first + len(page.rows)
    if kind != "string":
        return None
    is_link = (
        str(schema.get("format", "")).startswith("ur") or tokens & {"url", "uri", "link", "href"} or tokens == {"next"}
    )
    return f"https://www.example.com/next?cursor={page.cursor}" if is_link else page.cursor


def _number(tokens: set[str], page: Page) -> int | None:
    if "pages" in tokens or ("page" in tokens and tokens & {"total", "count", "last"}):
        return page.pages
    if tokens & {"offset", "skip"}:
        return page.first
    if tokens == {"number", "of", "elements"}:
        return len(page.rows)
    if tokens == {"number"}:  # Spring numbers pages from 0
        return page.number - 1
    if tokens & {"limit", "size", "per", "pagesize"}:
        return page.size
    return page.number if "page" in tokens else None
