"""An OpenAPI description (2.0, 3.0 or 3.1, YAML or JSON, one file or many) -> a toolset, with a report on each operation.

    paths:
      /pets/{id}:
        get: {operationId: get.pet, summary: Find a pet, responses: {200: {schema: {$ref: '#/definitions/Pet'}}}}
    ->
    Tool(name="get_pet", original_name="get.pet", summary="Find a pet", effect="read",
         parameters={"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
         returns={"title": "Pet", ...}, http=HttpBinding(method="GET", path="/pets/{id}", locations={"id": "path"}))

Deprecated operations are imported with a remark. Source: OpenAPI Specification 2.0, 3.0.4, 3.1.1 (spec.openapis.org).
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interplay.generators.importers.documents.document_reader import read_document
from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.documents.tool_effects import effect_of_request
from interplay.generators.importers.documents.tool_names import (
    MAX_NAME,
    function_name,
    legal_tool_name,
    name_from_path,
    slug,
    unique_names,
)
from interplay.generators.importers.documents.tool_texts import summary_and_description
from interplay.generators.importers.normalisation.forced_size import too_many_parameters
from interplay.generators.importers.normalisation.kubernetes import with_required_fields
from interplay.generators.importers.normalisation.normaliser import Normaliser
from interplay.generators.importers.openapi.carrier_parameters import leave_out_shared_keys, secured_parameters
from interplay.generators.importers.openapi.jsonapi import with_resource_types
from interplay.generators.importers.openapi.links import Link, edges_of, read_links
from interplay.generators.importers.openapi.operations import Operation, all_post, read_operations
from interplay.generators.importers.openapi.parameters import ParameterReader, in_usual_form
from interplay.generators.importers.openapi.response_schemas import Responses
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import HttpBinding, ImportReport, Tool, ToolLink, Toolset
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular


def import_openapi(path: Path, name: str | None = None) -> ImportReport:
    """Import the operations of an OpenAPI description as tools.

    Raises:
        ImportFailure: the file cannot be read at all, or is no OpenAPI description.
    """
    root = read_document(path)
    main = Document(path.name, root, path)
    references = References(main)
    operations = list(read_operations(root, references))
    importer = _Importer(references, root, all_post=all_post(operations))
    for operation in operations:
        importer.read(operation)
    info = root["info"] if isinstance(root.get("info"), dict) else {}
    title = info["title"] if isinstance(info.get("title"), str) else ""
    leave_out_shared_keys(operations)
    _with_unique_names(operations)
    _connect(operations, references)
    tools = with_resource_types([operation.tool for operation in operations if operation.tool is not None])
    toolset = Toolset(
        name=name or slug(title, path.stem),
        title="" if name else title[:TITLE_READ],
        tools=tuple(tools),
        provenance=(f"openapi:{path.name}",),
        licence=_licence(info.get("license")),
    )
    reports = (
        item.notes.report(item.tool, item.original_name or item.fallback_name, item.source) for item in operations
    )
    return ImportReport(toolset=toolset, reports=tuple(reports))


TITLE_READ = 80
"""Characters that are kept of a title."""


class _Importer:
    """Turns the operations of one description into tools."""

    def __init__(self, references: References, root: dict[str, Any], all_post: bool) -> None:
        self._all_post = all_post
        normaliser = Normaliser(references)
        self._references = references
        self._parameters = ParameterReader(references, normaliser, secured_parameters(root, references))
        self._responses = Responses(references, normaliser)

    def read(self, operation: Operation) -> None:
        """Set `operation.tool`, or leave it None and note the reason."""
        if operation.refused:
            return
        try:
            raw, document = self._references.value(operation.raw, operation.document)
            if not isinstance(raw, dict):
                raise BrokenReference(f"operation is a {type(raw).__name__}, not a map")
            operation.read_as = raw
            tool = self._tool(operation, raw, document)
            if why := too_many_parameters(tool.parameters):
                operation.notes.repair(why)
                return
            operation.tool = tool
            operation.links = read_links(raw.get("responses"), document, self._references, operation.notes)
        except BrokenReference as error:
            operation.notes.repair(str(error))
        except RecursionError:
            operation.notes.repair("nested too deeply")
        except (TypeError, ValueError, LookupError, AttributeError) as error:  # must not stop the import of others
            operation.notes.repair(f"could not be understood ({type(error).__name__}: {error})")

    def _tool(self, operation: Operation, raw: dict[str, Any], document: Document) -> Tool:
        notes = operation.notes
        method = operation.method.upper()
        name = self._name(operation, raw)
        function = function_name(method, operation.path, operation.original_name)
        levels = [(item.get("parameters"), place) for item, place in (*operation.shared, (raw, document))]
        body = (raw.get("requestBody"), document)
        arguments = self._parameters.read(method, operation.path, levels, body, notes)
        path = in_usual_form(operation.path, arguments, notes)
        returns = self._responses.returns(raw.get("responses"), document, notes)
        if raw.get("deprecated") is True:
            notes.remark("deprecated")
        above = (self._text(item.get("description"), place) for item, place in reversed(operation.shared))
        told = self._text(raw.get("description"), document) or next(filter(None, above), "")
        summary, description = summary_and_description(self._text(raw.get("summary"), document), told)
        if method == "GET":
            returns = as_listed(operation.path, f"{summary}. {description}", returns, notes)
        return Tool(
            name=name,
            original_name=function,
            summary=summary,
            description=description,
            parameters=with_required_fields(method, arguments.schema),
            returns=returns,
            effect=effect_of_request(
                method, operation.path, function, f"{summary}. {description[:300]}", self._all_post
            )[0],
            source=operation.source,
            http=HttpBinding(
                method=method,
                path=path,
                locations=arguments.locations,
                original_names=arguments.original_names,
            ),
            deprecated=raw.get("deprecated") is True,
        )

    def _name(self, operation: Operation, raw: dict[str, Any]) -> str:
        given = raw.get("operationId")
        given = str(given).strip() if isinstance(given, (str, int)) and not isinstance(given, bool) else ""
        name = legal_tool_name(
            given if len(given) <= MAX_NAME else function_name(operation.method, operation.path, given)
        )
        operation.original_name = given or operation.fallback_name
        if not given:
            operation.notes.repair("no operationId, named after method and path")
        elif not name:
            operation.notes.repair(f"operationId {given[:60]!r} has no legal character, named after method and path")
        elif name != given:
            operation.notes.repair(f"operationId {given[:60]!r} called {name}")
        return name or operation.fallback_name

    def _text(self, raw: Any, document: Document) -> str:
        """Return a text, following a reference; empty if there is none."""
        try:
            value, _ = self._references.value(raw, document)
        except BrokenReference:
            return ""
        return value if isinstance(value, str) else ""


def _with_unique_names(operations: list[Operation]) -> None:
    """Give each tool a unique name; which of two equal names is changed does not depend on the order of the file."""
    made = [(operation, operation.tool) for operation in operations if operation.tool is not None]
    wanted = []
    for operation, tool in made:
        tail = "_".join(name_from_path("", operation.path).split("_")[-2:]) or "root"
        altered = tool.name != operation.original_name
        wanted.append((tool.name, altered, (operation.method, f"{operation.method}_{tail}", operation.path)))
    for (operation, tool), name in zip(made, unique_names(wanted), strict=True):
        if name != tool.name:
            operation.notes.repair(f"another operation is called {tool.name} too, this one called {name}")
            operation.tool = tool.model_copy(update={"name": name})


def _connect(operations: list[Operation], references: References) -> None:
    """Set the edges of each tool from the links in its responses; links without a target are noted and left out."""
    if not any(operation.links for operation in operations):
        return
    by_name: dict[str, list[Operation]] = {}
    for operation in operations:
        by_name.setdefault(operation.original_name, []).append(operation)
    by_identity = {id(operation.read_as): operation for operation in operations if operation.read_as}
    for operation in operations:
        edges: dict[ToolLink, None] = {}
        for link in operation.links if operation.tool is not None else ():
            try:
                consumer = _linked(link, by_name, by_identity, references)
            except BrokenReference as error:
                operation.notes.repair(f"links/{link.name}: {error}, left out")
                continue
            assert operation.tool is not None
            edges |= dict.fromkeys(edges_of(link, operation.tool, consumer, operation.notes))
        if edges and operation.tool is not None:
            operation.tool = operation.tool.model_copy(update={"links": tuple(edges)})


def _linked(
    link: Link, by_name: dict[str, list[Operation]], by_identity: dict[int, Operation], references: References
) -> Tool:
    """Return the tool that a link leads to, by `operationId` or `operationRef`.

    Raises:
        BrokenReference: it leads to no tool; the message says why.
    """
    name, place = link.raw.get("operationId"), link.raw.get("operationRef")
    if isinstance(name, str):
        found = by_name.get(name.strip(), [])
        if len(found) != 1:
            raise BrokenReference(f"operationId {name[:60]!r} names {'no' if not found else 'more than one'} operation")
        target = found[0]
    elif isinstance(place, str):
        known = by_identity.get(id(references.resolve(place, link.document).value))
        if known is None:
            raise BrokenReference(f"operationRef {place[:100]!r} leads to no operation")
        target = known
    else:
        raise BrokenReference("neither operationId nor operationRef is given")
    if target.tool is None:
        raise BrokenReference(f"its operation {target.original_name[:60] or target.path[:60]!r} was rejected")
    return target.tool


def _licence(raw: Any) -> str:
    if isinstance(raw, str):
        return raw
    raw = raw if isinstance(raw, dict) else {}
    return next((raw[key] for key in ("name", "identifier", "url") if isinstance(raw.get(key), str) and raw[key]), "")


_ALL = re.compile(r"\b(?:all|every|lists?)\b", re.IGNORECASE)


def as_listed(path: str, told: str, returns: dict[str, Any] | None, notes: Notes) -> dict[str, Any] | None:
    """Return the result schema of a GET, as a list if path and text (`told`) show that it returns all rows.

    GET /restaurants, "Get all restaurants", {"title": "Restaurant", ...}   ->  {"type": "array", "items": {...}}
    """
    last = path.rstrip("/").rpartition("/")[2]
    if returns is None or "{" in last or not _is_one_of(last, returns) or not _ALL.search(told):
        return returns
    notes.repair(f"returns: one {returns['title']}, though it shows all of them: taken for a list")
    return {"type": "array", "items": returns}


def _is_one_of(things: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema is of one row of the resource that a path segment names: `Restaurant`, of `restaurants`."""
    many, one = name_tokens(things), name_tokens(str(schema.get("title", "")))
    named = bool(many) and many != one and [*many[:-1], singular(many[-1])] == one
    return named and schema_type(schema) == "object"
