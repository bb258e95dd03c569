"""The settings of a run -> their JSON Schema, by which editors complete and check a configuration.

    # yaml-language-server: $schema=interplay.schema.json

`interplay init` writes it beside the configuration; `docs/interplay.schema.json` is the published copy.
"""

import json
from typing import Any

from interplay.flows.settings.config import RunConfig
from interplay.generators.environments.live.server_settings import ServerSettings
from interplay.schemas.publish import DIALECT

SCHEMA_NAME = "interplay.schema.json"
EDITOR_LINE = f"# yaml-language-server: $schema={SCHEMA_NAME}\n"


def config_schema() -> dict[str, Any]:
    """Return the schema of a configuration as people write it, short forms included."""
    schema = RunConfig.model_json_schema(mode="validation")
    fields, kinds = schema["properties"], schema["$defs"]
    spec = {"anyOf": [{"type": "string"}, _server()]}
    fields["toolset"]["items"] = spec
    fields["toolset"] = _also(spec, fields["toolset"])
    rows = kinds["WorldSettings"]["properties"]
    size = {"anyOf": [*_SIZES, rows["rows"]["additionalProperties"]]}
    rows["rows"]["additionalProperties"] = size
    rows["rows"] = _also({"anyOf": list(_SIZES)}, rows["rows"])
    rows["locale"]["anyOf"] = [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        *rows["locale"]["anyOf"],
    ]
    fields["language"] = _also({"type": ["string", "array"]}, fields["language"])
    inspirations = kinds["RecipeSettings"]["properties"]
    inspirations["inspirations"] = _also({"type": "string"}, inspirations["inspirations"])
    kinds["StartSettings"]["properties"]["records"]["items"] = {"type": ["string", "integer"]}
    kinds["RoleSettings"] = _role(kinds["RoleSettings"])
    return {"$schema": DIALECT, "$id": "urn:interplay:schema:configuration", **schema, "title": "interplay.yaml"}


_SIZES = ({"type": "integer"}, {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2})
"""Short forms of a number of rows."""


def _server() -> dict[str, Any]:
    """Return the schema of a live server with its settings."""
    schema = ServerSettings.model_json_schema(mode="validation")
    calls = schema.pop("$defs")["FirstCall"]
    schema["properties"]["first_calls"]["items"] = calls
    schema["properties"]["source"] = {"type": "string", "description": "The server, as KIND:PLACE."}
    return {**schema, "required": ["source"]}


def _also(short: dict[str, Any], full: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a setting that may be written in a short form too."""
    told: dict[str, Any] = {key: full.pop(key) for key in ("description", "default", "title") if key in full}
    return {**told, "anyOf": [short, full]}


def _role(full: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a role: a name, a list of names and choices, or settings with `models` or `rewrite`."""
    choice = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/ModelChoice"}]}
    choices = {"anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": choice}]}
    fields = full["properties"]
    fields["models"] = {**choices, "description": fields["models"]["description"]}
    fields["rewrite"] = {
        **choices,
        "description": "In place of `models`: who puts what the rules say into other words.",
    }
    full["oneOf"] = [{"required": [key]} for key in ("models", "rewrite")]
    del full["required"]
    return {**_also({"type": "string"}, full), "anyOf": [*choices["anyOf"], full]}


def schema_text() -> str:
    """Return the schema as JSON text."""
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"
