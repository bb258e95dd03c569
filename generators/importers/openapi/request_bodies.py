"""The request body of an operation -> properties of a tool's parameters, or one parameter for the whole body.

{"content": {"application/json": {"schema": {"properties": {"name": A}, "required": ["name"]}}}, "required": true}
->  Body("body", required, properties {"name": A}, needed ("name",))
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.documents.tool_names import legal_parameter_name
from interplay.generators.importers.normalisation.normaliser import Normaliser
from interplay.generators.importers.normalisation.observed_schemas import says_nothing
from interplay.generators.importers.normalisation.samples import infer_schema, keep_examples, types_of
from interplay.generators.importers.openapi.declarations import Declared
from interplay.generators.importers.openapi.media_types import best_media, examples_of, is_binary, is_form, read_sample
from interplay.schemas.words.identifiers import name_tokens

_CHOICES = ("anyOf", "oneOf", "allOf")
_BARE = {"required", "title", "description", "type"}


@dataclass(frozen=True)
class Body:
    """A request body; `properties` and `needed` (the required ones) are set only if they can be parameters of their own."""

    location: Literal["body", "form"]
    required: bool
    schema: dict[str, Any]
    name: str = "body"
    properties: dict[str, Any] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    extra: bool | dict[str, Any] | None = None


class BodyReader:
    """Reads the request bodies of the operations of one document."""

    def __init__(self, references: References, normaliser: Normaliser) -> None:
        self._references = references
        self._normaliser = normaliser

    def read(self, raw: Any, document: Document, declared: Declared | None, notes: Notes) -> Body | None:
        """Read an OpenAPI 3 `requestBody`, or the body parameter of Swagger 2 (`declared`); None if there is no body."""
        if declared is not None:
            return self._swagger_body(declared, notes)
        if raw is None:
            return None
        try:
            raw, document = self._references.value(raw, document)
        except BrokenReference as error:
            notes.repair(f"body: {error}, left open")
            return Body("body", False, {"description": "The request body."})
        if not isinstance(raw, dict):
            notes.repair("body: no request body object, left out")
            return None
        best = best_media(raw.get("content"), self._references, document)
        if best is None and not raw.get("content") and raw.get("schema") is not None:
            notes.repair("body: a schema without a media type, taken as JSON")
            best = "application/json", raw, document
        if best is None:
            if raw.get("content"):
                notes.repair("body: no usable media type, left open")
            return Body("body", raw.get("required") is True, {}) if raw.get("content") else None
        media_type, media, place = best
        schema = media.get("schema")
        if schema is None:
            schema = {"type": "string", "format": "binary"} if is_binary(media_type) else {}
        samples = list(examples_of(media, self._references, place))
        name = raw.get("x-codegen-request-body-name") or raw.get("x-name") or "body"
        location: Literal["body", "form"] = "form" if is_form(media_type) else "body"
        return self._body(schema, place, location, raw, name, samples, notes)

    def _swagger_body(self, declared: Declared, notes: Notes) -> Body:
        schema = declared.raw.get("schema")
        if schema is None:
            keys = ("name", "in", "description", "required")
            schema = {key: value for key, value in declared.raw.items() if key not in keys}
        return self._body(schema, declared.document, "body", declared.raw, declared.name, [], notes)

    def _body(
        self,
        raw_schema: Any,
        document: Document,
        location: Literal["body", "form"],
        raw: dict[str, Any],
        name: Any,
        samples: list[Any],
        notes: Notes,
    ) -> Body:
        normalised = self._normaliser.normalise(raw_schema, document, "request", "body")
        notes.extend(normalised.notes)
        schema = normalised.schema
        told = (*samples, *schema.get("examples", ()))
        shown = next((data for sample in told if isinstance(data := read_sample(sample), dict) and data), None)
        if shown is not None and says_nothing(schema):
            notes.repair("body: no properties, inferred from an example")
            schema = {**schema, **infer_schema(shown)}
        required = raw.get("required") in (True, "true")
        if is_flat(schema):
            dropped = [key for key in (*_CHOICES, "not", "if", "minProperties", "dependentRequired") if key in schema]
            if dropped:
                notes.repair(
                    f"body: {', '.join(dropped)} over its properties dropped, for they join the other parameters"
                )
            properties = with_samples(schema["properties"], samples)
            needed = tuple(schema.get("required", ()))
            return Body(location, required, schema, "body", properties, needed, schema.get("additionalProperties"))
        whole = dict(schema)
        description = raw.get("description")
        if isinstance(description, str) and description.strip() and "description" not in whole:
            whole["description"] = description.strip()[:1_000]
        examples = keep_examples([*samples, *whole.get("examples", ())], types_of(whole), whole.get("enum"))
        whole |= {"examples": examples} if examples else {}
        named = name if isinstance(name, str) and name != "body" else _called(whole)
        return Body(location, required, whole, legal_parameter_name(named))


def _called(schema: dict[str, Any]) -> str:
    """Return the name of an unnamed body: the title of its schema for a single value, as `approval_status`; else body."""
    single = types_of(schema) and not {"object", "array"} & set(types_of(schema))
    return "_".join(name_tokens(str(schema.get("title", "")))) if single and schema.get("title") else "body"


def is_flat(schema: dict[str, Any]) -> bool:
    """Tell whether a body is an object whose properties can be parameters of their own."""
    if not schema.get("properties") or "" in schema["properties"] or "object" not in (types_of(schema) or ("object",)):
        return False
    return all(set(branch) <= _BARE for key in _CHOICES for branch in schema.get(key, ()))


def with_samples(properties: dict[str, Any], samples: list[Any]) -> dict[str, Any]:
    """Return the properties, those without examples completed from the examples of the whole body."""
    objects = [sample for sample in samples if isinstance(sample, dict)]
    filled: dict[str, Any] = {}
    for name, schema in properties.items():
        values = [sample[name] for sample in objects if name in sample and not isinstance(sample[name], (dict, list))]
        examples = keep_examples(values, types_of(schema), schema.get("enum")) if "examples" not in schema else []
        filled[name] = {**schema, "examples": examples} if examples else schema
    return filled
