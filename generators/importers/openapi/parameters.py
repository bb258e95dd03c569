"""The parameters and the body of an operation -> one object schema, and the location of each property in the request.

    PUT /pets/{id}?dry, body {"id": ..., "name": ...}  ->
    properties id, dry, id_body, name; locations {"id": "path", "dry": "query", "id_body": "body", "name": "body"};
    original_names {"id_body": "id"}

A body that is not an object with properties becomes one parameter, whose original name is empty.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import Document, References
from interplay.generators.importers.documents.tool_names import legal_parameter_name, shorten
from interplay.generators.importers.normalisation.keywords import MAX_DESCRIPTION, drop_explanations
from interplay.generators.importers.normalisation.normaliser import Normaliser
from interplay.generators.importers.normalisation.samples import keep_examples, types_of
from interplay.generators.importers.openapi.carrier_parameters import is_credential, is_filled_by_sender
from interplay.generators.importers.openapi.declarations import Declared, match_path, read_declarations
from interplay.generators.importers.openapi.media_types import best_media, examples_of
from interplay.generators.importers.openapi.request_bodies import Body, BodyReader

Location = Literal["path", "query", "header", "body", "form"]
_LOCATIONS: dict[str, Location] = {"path": "path", "query": "query", "header": "header", "form": "form"}
_ORDER = ("path", "query", "header", "form", "body")
_NOT_SCHEMA = ("name", "in", "description", "required", "schema", "content", "example", "examples")


@dataclass(frozen=True)
class Parameter:
    """One property of a tool's parameters; `wire` is its name in the request, empty for a whole body."""

    wire: str
    location: Location
    required: bool
    schema: dict[str, Any]
    name: str = ""


@dataclass
class Arguments:
    """All parameters of one operation, merged into an object schema."""

    schema: dict[str, Any]
    locations: dict[str, Location] = field(default_factory=dict)
    original_names: dict[str, str] = field(default_factory=dict)


_FORM = re.compile(r"[^/](\{([^{}/]+)\})$")
"""A parameter at the end of a path, behind the rest of its segment."""
_JSON = "json"


def in_usual_form(path: str, arguments: Arguments, notes: Notes) -> str:
    """Return a path in the form in which answers are usually written, and take the parameter for it out of `arguments`.

    `/tags/{id}.{format}`, with `json` among its options  ->  `/tags/{id}.json`
    """
    found = _FORM.search(path)
    name = found[2] if found is not None else ""
    schema = arguments.schema.get("properties", {}).get(name, {}) if arguments.locations.get(name) == "path" else {}
    usual = schema.get("default", _JSON if _JSON in schema.get("enum", ()) else None)
    if found is None or not isinstance(usual, str) or usual.lstrip(".") != _JSON:
        return path
    kept = {key: item for key, item in arguments.schema["properties"].items() if key != name}
    needed = [key for key in arguments.schema.get("required", ()) if key != name]
    arguments.schema = {**arguments.schema, "properties": kept, "required": needed}
    arguments.locations.pop(name)
    arguments.original_names.pop(name, None)
    notes.remark(f"{name} left out: answers are read as {_JSON}")
    return path[: found.start(1)] + usual


class ParameterReader:
    """Reads the parameters of the operations of one document."""

    def __init__(self, references: References, normaliser: Normaliser, secured: set[tuple[str, str]]) -> None:
        self._references = references
        self._normaliser = normaliser
        self._secured = secured
        self._bodies = BodyReader(references, normaliser)

    def read(
        self, method: str, path: str, levels: list[tuple[Any, Document]], body: tuple[Any, Document], notes: Notes
    ) -> Arguments:
        """Read and merge `levels` (parameter lists from the path item down to the operation) and the request body."""
        declared: dict[tuple[str, str], Declared] = {}
        for raw, document in levels:
            declared |= read_declarations(raw, document, self._references, path, notes)
        declared = match_path(path, declared, notes)
        found = ((item, self._parameter(item, notes)) for item in declared.values())
        parameters = [
            part for item, whole in found if whole is not None for part in _spread(whole, item, declared, notes)
        ]
        bodies = [item for item in declared.values() if item.location == "body"]
        if len(bodies) > 1 or (bodies and body[0] is not None):
            others = bodies[1:] if body[0] is None else bodies
            notes.repair(f"body: {', '.join(item.name for item in others)[:100]} left out, for a request has one body")
        taken = self._bodies.read(body[0], body[1], bodies[0] if bodies and body[0] is None else None, notes)
        if taken is not None and method in ("GET", "HEAD", "DELETE", "OPTIONS", "TRACE"):
            notes.remark(f"{method} with a body, kept")
        if taken is not None and taken.properties:
            parameters += [
                Parameter(name, taken.location, name in taken.needed, schema)
                for name, schema in taken.properties.items()
                if not _authenticates(name, taken.location, schema.get("description", ""), notes)
            ]
        elif taken is not None:
            parameters.append(Parameter("", taken.location, taken.required, taken.schema, taken.name))
        return merge_parameters(_once(parameters, notes), taken, notes)

    def _parameter(self, item: Declared, notes: Notes) -> Parameter | None:
        raw = item.raw
        told = raw.get("description")
        description = told.strip() if isinstance(told, str) else ""
        location = _LOCATIONS.get(item.location)
        if location is None or is_filled_by_sender(item.name, item.location, self._secured):
            return None
        if _authenticates(item.name, item.location, description, notes):
            return None
        where = f"parameters/{item.name}"
        normalised = self._normaliser.normalise(self._schema_of(item), item.document, "request", where)
        notes.extend(normalised.notes)
        schema = dict(normalised.schema)
        if not schema:
            notes.repair(f"{where}: no schema, taken as text")
            schema["type"] = "string"
        if description:
            schema["description"] = description[:MAX_DESCRIPTION]
        samples = [*examples_of(raw, self._references, item.document), *schema.get("examples", ())]
        examples = keep_examples(samples, types_of(schema), schema.get("enum"))
        schema |= {"examples": examples} if examples else {}
        drop_explanations(schema, notes, where)
        if raw.get("deprecated") is True:
            schema["deprecated"] = True
        required = location == "path" or raw.get("required") in (True, "true")
        return Parameter(item.name, location, required, schema)

    def _schema_of(self, item: Declared) -> Any:
        """Return the raw schema: under `schema`, under `content`, or in the parameter itself (Swagger 2)."""
        if item.raw.get("schema") is not None:
            return item.raw["schema"]
        best = best_media(item.raw.get("content"), self._references, item.document)
        if best is not None and best[1].get("schema") is not None:
            return best[1]["schema"]
        return {key: value for key, value in item.raw.items() if key not in _NOT_SCHEMA}


def _spread(
    whole: Parameter, item: Declared, declared: Mapping[tuple[str, str], Declared], notes: Notes
) -> list[Parameter]:
    """Return the properties of an exploded object in the query as parameters: `page` of a `pageable`; else `whole` alone.

    Source: OpenAPI 3.1, 4.8.12.6, style values: style `form` explodes objects by default.
    """
    properties, raw = whole.schema.get("properties"), item.raw
    exploded = raw.get("style", "form") == "form" and raw.get("explode", True) is True and "schema" in raw
    taken = {name for name, location in declared if location == "query"}
    if whole.location != "query" or not exploded or not properties or not taken.isdisjoint(properties):
        return [whole]
    if "$defs" in whole.schema:
        return [whole]
    notes.remark(f"query {whole.wire[:60]}: its properties are parameters of their own")
    needed = whole.schema.get("required", ()) if whole.required else ()
    return [Parameter(name, "query", name in needed, dict(schema)) for name, schema in properties.items()]


def _once(parameters: list[Parameter], notes: Notes) -> list[Parameter]:
    """Remove query parameters that the body takes as well."""
    inside = {item.wire: item for item in parameters if item.location in ("body", "form") and item.wire}
    same = {
        item.wire
        for item in parameters
        if item.location == "query" and item.wire in inside and _is_same(item.schema, inside[item.wire].schema)
    }
    for name in sorted(same):
        notes.remark(f"query {name[:60]}: left out, for the body takes the same")
    return [
        replace(item, required=any(other.required for other in parameters if other.wire == item.wire))
        if item.wire in same and item.location != "query"
        else item
        for item in parameters
        if not (item.location == "query" and item.wire in same)
    ]


def _is_same(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Tell whether two schemas are equal apart from titles, examples and defaults, with the same description."""
    plain = [{key: value for key, value in item.items() if key not in _SAID} for item in (left, right)]
    return (
        plain[0] == plain[1] and bool(left.get("description")) and left.get("description") == right.get("description")
    )


_SAID = ("title", "examples", "default")


def _authenticates(name: str, location: str, description: str, notes: Notes) -> bool:
    """Tell whether a field only authenticates the request, and note that it is left out."""
    if not is_credential(name, location, description):
        return False
    notes.remark(f"{location} {name[:60]}: left out, for it only authenticates the request")
    return True


def merge_parameters(parameters: list[Parameter], body: Body | None, notes: Notes) -> Arguments:
    """Merge parameters into one object schema, each with a legal and unique name."""
    arguments = Arguments({"type": "object", "properties": {}})
    required: list[str] = []
    for parameter in sorted(parameters, key=lambda parameter: _ORDER.index(parameter.location)):
        wanted = parameter.name or parameter.wire
        name = _free_name(legal_parameter_name(wanted), parameter.location, arguments.schema["properties"])
        if name != wanted:
            notes.repair(f"parameter {wanted} in {parameter.location} called {name}")
        if name != parameter.wire:
            arguments.original_names[name] = parameter.wire
        arguments.schema["properties"][name] = parameter.schema
        arguments.locations[name] = parameter.location
        if parameter.required:
            required.append(name)
    if required:
        arguments.schema["required"] = required
    if body is not None and body.properties and body.extra is not None:
        arguments.schema["additionalProperties"] = body.extra
    return arguments


def _free_name(name: str, location: str, taken: dict[str, Any]) -> str:
    if name not in taken:
        return name
    suffixed = f"{shorten(name, name, 57)}_{location}"
    serial = 2
    while suffixed in taken:
        suffixed, serial = f"{shorten(name, name, 50)}_{location}_{serial}", serial + 1
    return suffixed
