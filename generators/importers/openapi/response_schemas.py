"""The responses of an operation -> the schema of its successful result, or None.

{"204": {}, "200": {"content": {"application/json": {"schema": {"$ref": ".../Pet"}}}}}  ->  the schema of Pet
"""

from collections.abc import Iterator
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.normalisation.normaliser import Normaliser
from interplay.generators.importers.normalisation.observed_schemas import says_nothing
from interplay.generators.importers.normalisation.samples import infer_schema
from interplay.generators.importers.openapi.media_types import best_media, examples_of, is_binary, read_sample
from interplay.generators.results.acknowledgement import text_within

_FIRST_CODES = ("200", "201", "202")
_EMPTY_CODES = ("204", "205", "304")


class Responses:
    """Reads the responses of the operations of one document."""

    def __init__(self, references: References, normaliser: Normaliser) -> None:
        self._references = references
        self._normaliser = normaliser

    def returns(self, raw: Any, document: Document, notes: Notes) -> dict[str, Any] | None:
        """Return the schema of the first successful response, in order of preference, that describes its result."""
        try:
            raw, document = self._references.value(raw, document)
        except BrokenReference as error:
            notes.repair(f"responses: {error}, nothing known of the result")
            return None
        if not isinstance(raw, dict):
            if raw is not None:
                notes.repair("responses: no map of responses, nothing known of the result")
            return None
        silent: dict[str, Any] | None = None
        for code in _successes(raw):
            found = self._response(raw[code], document, f"returns/{code}", notes)
            if found is not None and not says_nothing(found):
                return found
            silent = found if silent is None else silent
        return silent if silent is None or "type" in silent else None  # `{}` is as good as no schema

    def _response(self, raw: Any, document: Document, where: str, notes: Notes) -> dict[str, Any] | None:
        try:
            response, document = self._references.value(raw, document)
        except BrokenReference as error:
            notes.repair(f"{where}: {error}, nothing known of the result")
            return None
        if not isinstance(response, dict):
            notes.repair(f"{where}: no response object, nothing known of the result")
            return None
        media_type, holder, place = "", response, document
        if "content" in response:
            best = best_media(response["content"], self._references, document)
            if best is None:
                return None
            media_type, holder, place = best
        schema = _said_as_described(self._schema_of(holder, place, media_type, where, notes), response)
        if schema is not None and not says_nothing(schema) and not self._writes_json(schema, holder, place):
            return self._told_by_examples(schema, holder, place, where, notes)
        for sample in self._samples(holder, schema, place, "content" not in response):
            inferred = infer_schema(read_sample(sample))
            if not says_nothing(inferred):
                notes.repair(f"{where}: no schema, inferred from an example")
                return inferred
        return schema

    def _writes_json(self, schema: dict[str, Any], holder: dict[str, Any], place: Document) -> bool:
        """Tell whether a response described as mere text is JSON, by its examples."""
        if schema.get("type") != "string" or schema.keys() - _SAID - {"type"}:
            return False
        samples = list(self._samples(holder, schema, place, False))
        return bool(samples) and all(isinstance(read_sample(sample), (dict, list)) for sample in samples)

    def _told_by_examples(
        self, schema: dict[str, Any], holder: dict[str, Any], place: Document, where: str, notes: Notes
    ) -> dict[str, Any]:
        """Return the schema with undescribed parts inferred from the first example."""
        for sample in self._samples(holder, schema, place, False):
            deepened = _deepened(schema, read_sample(sample))
            if deepened != schema:
                notes.repair(f"{where}: fields of an object without any, inferred from an example")
            return deepened
        return schema

    def _schema_of(
        self, holder: dict[str, Any], document: Document, media_type: str, where: str, notes: Notes
    ) -> dict[str, Any] | None:
        plain = media_type.partition(";")[0].strip().lower()
        if holder.get("schema") is None:
            file = {"type": "string", "format": "binary", "contentMediaType": plain}
            return file if is_binary(media_type) else None
        normalised = self._normaliser.normalise(holder["schema"], document, "response", where)
        notes.extend(normalised.notes)
        schema = normalised.schema
        return {"contentMediaType": plain, **schema} if schema.get("format") == "binary" and plain else schema

    def _samples(
        self, holder: dict[str, Any], schema: dict[str, Any] | None, document: Document, swagger: bool
    ) -> Iterator[Any]:
        examples = holder.get("examples")
        if swagger and isinstance(examples, dict):
            yield from (examples[key] for key in sorted(examples, key=lambda key: "json" not in key))
        yield from examples_of(holder, self._references, document)
        yield from (schema or {}).get("examples", ())


_SAID = {"title", "description", "examples", "readOnly", "writeOnly"}
"""Keywords that do not constrain a value."""


def _said_as_described(schema: dict[str, Any] | None, response: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a plain text with the response's description, as "Parked successfully"."""
    told = response.get("description")
    if schema is None or "description" in schema or text_within(schema) is None or not isinstance(told, str):
        return schema
    return {**schema, "description": told.strip()[:200]} if told.strip() else schema


def _deepened(schema: dict[str, Any], sample: Any) -> dict[str, Any]:
    """Return the schema with untyped values, and objects and arrays without details, inferred from a sample."""
    kind = schema.get("type")
    if not schema.keys() - _SAID:
        return {**schema, **({"type": "null"} if sample is None else infer_schema(sample))}
    if kind in ("object", "array") and isinstance(sample, dict if kind == "object" else list) and says_nothing(schema):
        inferred = infer_schema(sample)
        return schema if says_nothing(inferred) else {**schema, **inferred}
    known, items = schema.get("properties"), schema.get("items")
    if isinstance(sample, dict) and isinstance(known, dict):
        told = {name: _deepened(known[name], sample[name]) for name in known.keys() & sample.keys()}
        return {**schema, "properties": {name: told.get(name, inner) for name, inner in known.items()}}
    if isinstance(sample, list) and sample and isinstance(items, dict):
        return {**schema, "items": _deepened(items, sample[0])}
    return schema


def _successes(responses: dict[str, Any]) -> list[str]:
    """Return the success codes in order of preference; `default` only if there is no other."""
    codes = [code for code in responses if code[:1] == "2" and len(code) == 3]
    ordered = [code for code in _FIRST_CODES if code in codes]
    ordered += sorted(code for code in codes if code.isdigit() and code not in _FIRST_CODES + _EMPTY_CODES)
    ordered += [code for code in codes if code.upper() == "2XX"]
    return ordered if codes else [code for code in ("default",) if code in responses]
