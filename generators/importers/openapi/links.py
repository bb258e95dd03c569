"""The `links` of an operation's responses -> which value of one tool feeds which argument of another.

{"UserRepositories": {"operationId": "listRepos", "parameters": {"username": "$response.body#/owner/name"}}}
->  ToolLink(output="/owner/name", consumer="list_repos", input="/username")

Source: OpenAPI Specification 3.1.1, Link Object and Runtime Expressions (spec.openapis.org).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.normalisation.keywords import MAX_DESCRIPTION
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.records.tool import HttpBinding, Tool, ToolLink

MAX_LINKS = 200
_PLACES = ("path", "query", "header")


class SkippedValue(Exception):
    """A link's value or target cannot become an edge; the message says why."""


@dataclass(frozen=True)
class Link:
    """One link of a response, and the document that holds it."""

    name: str
    raw: dict[str, Any]
    document: Document


def read_links(raw: Any, document: Document, references: References, notes: Notes) -> tuple[Link, ...]:
    """Return the links of the successful responses (2xx and `default`) in `raw`, the `responses` of an operation."""
    return tuple(_links(raw, document, references, notes))[:MAX_LINKS]


def _links(raw: Any, document: Document, references: References, notes: Notes) -> Iterator[Link]:
    """Yield the links of successful responses, following references; broken links are noted."""
    responses, document = _read(raw, document, references)
    for code, entry in responses.items():
        if code[:1] != "2" and code != "default":
            continue
        response, place = _read(entry, document, references)
        named, place = _read(response.get("links"), place, references)
        for name, item in named.items():
            if name.startswith("x-"):
                continue
            try:
                link, home = references.value(item, place)
            except BrokenReference as error:
                notes.repair(f"links/{name}: {error}, left out")
                continue
            if isinstance(link, dict):
                yield Link(name, link, home)
            else:
                notes.repair(f"links/{name}: no link object, left out")


def _read(raw: Any, document: Document, references: References) -> tuple[dict[str, Any], Document]:
    try:
        value, document = references.value(raw, document)
    except BrokenReference:  # noted when the response schemas are read
        return {}, document
    return (value, document) if isinstance(value, dict) else ({}, document)


def edges_of(link: Link, producer: Tool, consumer: Tool, notes: Notes) -> Iterator[ToolLink]:
    """Yield an edge for each value that `link` passes from `producer` to an argument of `consumer`."""
    told = link.raw.get("description")
    description = told.strip()[:MAX_DESCRIPTION] if isinstance(told, str) else ""
    for wanted, expression in _values(link):
        try:
            target = _body_input(wanted[1:], consumer) if wanted[0] == "body" else _input(wanted[1], consumer)
            output, argument = _origin(expression, producer)
        except SkippedValue as reason:
            notes.remark(f"links/{link.name}: {reason}, no edge")
            continue
        yield ToolLink(output=output, argument=argument, consumer=consumer.name, input=target, description=description)


def _values(link: Link) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the target of each value, ("parameter", name) or ("body", key, ...), and its expression."""
    parameters = link.raw.get("parameters")
    for name, expression in parameters.items() if isinstance(parameters, dict) else ():
        yield ("parameter", name), expression
    body = link.raw.get("requestBody")
    if isinstance(body, dict):
        yield from ((("body", key), expression) for key, expression in body.items())
    elif body is not None:
        yield ("body",), body


def _origin(expression: Any, producer: Tool) -> tuple[str, str]:
    """Return the pointers into the producer's result and arguments for a runtime expression; one of them is unused."""
    text = expression.strip() if isinstance(expression, str) else ""
    text = text[1:-1] if text.startswith("{$") and text.endswith("}") else text
    if not text.startswith("$") or "{" in text.partition("#")[0]:
        raise SkippedValue(f"{str(expression)[:60]!r} is a constant")
    source, hash_sign, pointer = text.partition("#")
    if hash_sign and pointer and not pointer.startswith("/"):
        raise SkippedValue(f"{text[:60]!r} holds no JSON pointer")
    if source == "$response.body":
        return pointer, ""
    if source == "$request.body":
        return "", _body_input(tuple(split_pointer(pointer)), producer)
    side, _, rest = source.partition(".")
    place, _, name = rest.partition(".")
    if side == "$request" and place in ("path", "query") and name and not hash_sign:
        return "", _input(f"{place}.{name}", producer)
    raise SkippedValue(f"{text[:60]!r} is no value of a call or its result")


def _input(wanted: str, tool: Tool) -> str:
    """Return the pointer of the argument that holds a request parameter, given as `id` or `path.id`."""
    http = _binding(tool)
    place, dot, name = wanted.partition(".")
    choices = [(place, name)] if dot and place in _PLACES else []
    choices += [(each, wanted) for each in (*_PLACES, "form", "body")]
    for location, wire in choices:
        for argument, found in http.locations.items():
            if found == location and http.original_names.get(argument, argument) == wire:
                return join_pointer(argument)
    raise SkippedValue(f"{tool.name} has no parameter {wanted[:60]!r}")


def _body_input(path: tuple[str, ...], tool: Tool) -> str:
    """Return the pointer of the argument that holds the part of the request body at `path`."""
    http = _binding(tool)
    for argument, location in http.locations.items():
        wire = http.original_names.get(argument, argument)
        if location not in ("body", "form"):
            continue
        if not wire:
            return join_pointer(argument, *path)
        if path and wire == path[0]:
            return join_pointer(argument, *path[1:])
    raise SkippedValue(f"{tool.name} has no argument for {join_pointer(*path)[:60] or 'all'!r} of its body")


def _binding(tool: Tool) -> HttpBinding:
    if tool.http is None:
        raise SkippedValue(f"{tool.name} is no operation over HTTP")
    return tool.http
