"""Schemas of Kubernetes objects -> the same with fixed kind and version, and the fields that a new object requires.

    io.k8s.api.apps.v1.Deployment: {properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {...}}}
    ->
    {"properties": {"apiVersion": {"type": "string", "enum": ["apps/v1"]}, "kind": {"type": "string", "enum": ["Deployment"]}, ...}}

Source: Kubernetes API conventions, "Types (Kinds)", "Metadata", and the extension x-kubernetes-group-version-kind.
"""

import re
from typing import Any

from interplay.generators.importers.documents.json_references import Target

EXTENSION = "x-kubernetes-group-version-kind"
NAME_FORMAT = "dns-label"
_NAMED = re.compile(
    r"(?:^|[._])(?:(?P<group>[a-z]\w*?)[._])?(?P<version>v\d+(?:(?:alpha|beta)\d+)?)[._](?P<kind>[A-Z]\w*)$"
)
_CORE = ("core", "meta", "", None)


def with_group_kind(schema: dict[str, Any], target: Target) -> dict[str, Any]:
    """Return `schema`, made from the component `target`, with `kind` and `apiVersion` fixed to those of its objects."""
    properties = schema.get("properties")
    held = [properties.get(key) for key in ("apiVersion", "kind")] if isinstance(properties, dict) else []
    texts = [item for item in held if isinstance(item, dict) and item.get("type") == "string"]
    if not isinstance(properties, dict) or len(texts) < 2 or any("enum" in item or "const" in item for item in texts):
        return schema
    said = _said(target)
    if said is None:
        return schema
    fixed = {
        key: {**properties[key], "enum": [value]}
        for key, value in zip(("apiVersion", "kind"), said, strict=True)
        if value
    }
    meta = properties.get("metadata")
    fields = meta.get("properties", {}) if isinstance(meta, dict) else {}
    named = fields.get("name")
    if isinstance(meta, dict) and isinstance(named, dict) and named.get("type") == "string" and "format" not in named:
        fixed["metadata"] = {**meta, "properties": {**fields, "name": {**named, "format": NAME_FORMAT}}}
    return {**schema, "properties": {**properties, **fixed}}


def _said(target: Target) -> tuple[str | None, str] | None:
    """Return (apiVersion, kind), from the extension if there is one, else from the component's name; None if unknown."""
    listed = target.value.get(EXTENSION) if isinstance(target.value, dict) else None
    known = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    if known:
        versions = {"/".join(str(item[key]) for key in ("group", "version") if item.get(key)) for item in known}
        kinds = {str(item["kind"]) for item in known if item.get("kind")}
        return (versions.pop() if len(versions) == 1 else None, kinds.pop()) if len(kinds) == 1 else None
    found = _NAMED.search(target.name or "")
    if found is None:
        return None
    group = found["group"]
    return found["version"] if group in _CORE else f"{group}/{found['version']}", found["kind"]


def with_required_fields(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters with kind, version and name required, for a POST or PUT of a Kubernetes object."""
    properties = parameters.get("properties", {})
    kind, meta = properties.get("kind"), properties.get("metadata")
    if method not in ("POST", "PUT") or not isinstance(kind, dict) or len(kind.get("enum", ())) != 1:
        return parameters
    if not isinstance(meta, dict) or meta.get("properties", {}).get("name", {}).get("format") != NAME_FORMAT:
        return parameters
    spec = properties.get("spec")
    wanted = ["apiVersion", "kind", "metadata"] + (["spec"] if isinstance(spec, dict) and spec.get("required") else [])
    needed = [*parameters.get("required", []), *(key for key in wanted if key in properties)]
    named = {**meta, "required": list(dict.fromkeys([*meta.get("required", []), "name"]))}
    return {**parameters, "properties": {**properties, "metadata": named}, "required": list(dict.fromkeys(needed))}
