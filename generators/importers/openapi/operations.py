"""An OpenAPI description -> its operations in the order of the file, each with its source.

    paths:
      /pets/{id}: {parameters: [...], get: {...}}
    ->
    Operation(method="get", path="/pets/{id}", source=Source(pointer="/paths/~1pets~1{id}/get"), ...)

Operations that cannot become a tool are refused with a reason: HEAD, OPTIONS and TRACE without an operationId, and
webhooks. Callbacks are ignored.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.documents.tool_names import name_from_path
from interplay.generators.importers.openapi.links import Link
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.records.tool import Source, Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import is_plural, singular

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_ONLY_IF_NAMED = ("options", "head", "trace")


@dataclass
class Operation:
    """One operation during its import; `tool` stays None if it is rejected. A `refused` one is not read at all.

    `shared` holds the path items that apply to it; later ones override earlier, as a reference may have keys of its own.
    """

    method: str
    path: str
    source: Source
    raw: Any
    document: Document
    shared: tuple[tuple[dict[str, Any], Document], ...] = ()
    refused: bool = False
    notes: Notes = field(default_factory=Notes)
    original_name: str = ""
    read_as: dict[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    tool: Tool | None = None

    @property
    def fallback_name(self) -> str:
        """The name made from method and path."""
        return name_from_path(self.method, self.path) or "operation"

    def refuse(self, reason: str) -> None:
        """Reject the operation before it is read."""
        self.refused = True
        self.notes.repair(reason)


def read_operations(root: Any, references: References) -> Iterator[Operation]:
    """Yield the operations of the main document; those that cannot be imported are refused with a reason.

    Raises:
        ImportFailure: there are no operations, or the file is no OpenAPI description.
    """
    main = references.main
    _check_version(root, main.shown)
    webhooks = root.get("webhooks")
    called = list(_operations("webhooks", webhooks, main, references)) if isinstance(webhooks, dict) else []
    if root.get("paths") or not called:
        paths, document = _paths(root, main, references)
        yield from _operations("paths", paths, document, references)
    for operation in called:
        operation.original_name = f"webhook {operation.path}"[:100]
        if not operation.refused:
            operation.refuse("a webhook: the API calls it, nobody can call it as a tool")
        yield operation


FUNCTIONS = 5
"""Least operations of an API for `all_post` to be meaningful."""


def all_post(operations: Sequence[Operation]) -> bool:
    """Tell whether all operations of an API are POSTs (RPC style)."""
    methods = [operation.method for operation in operations if not operation.refused]
    return len(methods) >= FUNCTIONS and set(methods) == {"post"}


def _check_version(root: Any, shown: str) -> None:
    if not isinstance(root, dict):
        found = "a list" if isinstance(root, list) else "text" if isinstance(root, str) else f"{root!r}"[:60]
        hint = f" Is it one of tools? Name it so: json:{shown}" if isinstance(root, list) else ""
        raise ImportFailure(f"{shown}: holds {found}, not an OpenAPI description (a map with `paths`).{hint}")
    version = root.get("openapi", root.get("swagger", root.get("swaggerVersion")))
    if version is None and "paths" not in root:
        raise ImportFailure(
            f"{shown}: neither `openapi`, `swagger` nor `paths` found; give an OpenAPI 2.0, 3.0 or 3.1 file."
        )
    if str(version).startswith("1."):
        raise ImportFailure(f"{shown}: /swaggerVersion is {version}; convert it to OpenAPI 3 first.")


def _paths(root: dict[str, Any], main: Document, references: References) -> tuple[dict[str, Any], Document]:
    if "paths" not in root:
        raise ImportFailure(f"{main.shown}: /paths is missing, so there is no operation to import.")
    try:
        paths, document = references.value(root["paths"], main)
    except BrokenReference as error:
        raise ImportFailure(f"{main.shown}: /paths: {error}.") from error
    if paths is not None and not isinstance(paths, dict):
        raise ImportFailure(
            f"{main.shown}: /paths is a {type(paths).__name__}; it must map path templates to operations."
        )
    if not paths:
        raise ImportFailure(f"{main.shown}: /paths is empty, so there is no operation to import.")
    return paths, document


LONGEST_PATH = 2_000
"""Most characters of a path; regular expressions run over it."""


def _operations(home: str, paths: dict[str, Any], document: Document, references: References) -> Iterator[Operation]:
    """Yield the operations of a map of path items."""
    file = references.main.shown
    for template, item in paths.items():
        if template.startswith("x-"):
            continue
        pointer = join_pointer(home, template)
        try:
            resolved, place = references.value(item, document)
            if not isinstance(resolved, dict):
                raise BrokenReference(f"path item is a {type(resolved).__name__}, not a map of operations")
        except BrokenReference as error:
            broken = Operation("get", template, Source(file=file, pointer=pointer), None, document)
            broken.refuse(str(error))
            yield broken
            continue
        shared = ((resolved, place),) if resolved is item else ((resolved, place), (item, document))
        for key, (raw, home_of_raw) in {
            key: (raw, document) for item, document in shared for key, raw in item.items() if key.lower() in _METHODS
        }.items():
            source = Source(file=file, pointer=f"{pointer}{join_pointer(key)}")
            operation = Operation(key.lower(), _for_any_row(template), source, raw, home_of_raw, shared)
            if operation.path != template:
                operation.notes.repair(f"path: {template} takes what says which row is meant, read as {operation.path}")
            if operation.method in _ONLY_IF_NAMED and not (isinstance(raw, dict) and raw.get("operationId")):
                operation.refuse(f"{key.upper()} without an operationId: it tells of a resource, which is no task")
            if len(template) > LONGEST_PATH:
                operation.refuse(f"its path has {len(template)} characters, {LONGEST_PATH} at most are used")
            yield operation


_IDENTITY = re.compile(
    r"[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{1,12}", re.IGNORECASE
)
"""Matches identities of rows in recorded paths."""


_YEAR = re.compile(r"(?:19|20)\d\d")
"""Matches numbers that are a year rather than an identity: /reports/2024."""


_PLACED = re.compile(r":([A-Za-z_]\w*)\??")
"""Matches path parameters in router syntax: /users/:id."""


def _for_any_row(template: str) -> str:
    """Return the path template of a recorded path or a router's path.

    /menu/6981bd73cd6c6400e2377063 -> /menu/{menuId}, /menu/:menuId -> /menu/{menuId}
    """
    parts = [_PLACED.sub(r"{\1}", part) if _PLACED.fullmatch(part) else part for part in template.split("/")]
    for at, part in enumerate(parts):
        named = at > 0 and "{" not in parts[at - 1]
        *kind, thing = (named and name_tokens(parts[at - 1])) or [""]
        counted = part.isdigit() and (not is_plural(thing) or _YEAR.fullmatch(part) is not None)
        if thing.isalpha() and _IDENTITY.fullmatch(part) and not counted:
            words = (*kind, singular(thing), "id")
            name = words[0] + "".join(map(str.capitalize, words[1:]))
            parts[at] = f"{{{name}}}" if f"{{{name}}}" not in parts else f"{{{name}{at}}}"
    return "/".join(parts)
