"""Small descriptions, and the real ones where they lie."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.records.tool import ImportReport, Tool, ToolReport

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[3].parent / "shared"))
OPENAPI_FILES = (
    "asana.yaml bigcommerce_customers_v2.yml discord.json figshare_v2.json launchdarkly_v2.json museum.yaml netlify.yml "
    "notion.json oai_callback_example.json oai_link_example.json petstore_expanded_v2.json petstore_v3.yaml "
    "slack_web_v2.json spotify_official.yml stripe_2018_v2.json train_travel.yaml trello.yaml uspto.yaml "
    "xero_projects.yaml digitalocean_multifile/DigitalOcean-public.v2.yaml"
).split()


def real(*parts: str) -> Path:
    """Return the path of a real input, or skip the test."""
    path = SHARED.joinpath("data", *parts)
    if not path.exists():
        pytest.skip(f"real inputs are not here: {'/'.join(parts)} (set INTERPLAY_SHARED)")
    return path


def openapi(paths: dict[str, Any], version: str = "3.0.3", **rest: Any) -> dict[str, Any]:
    """Build a description around `paths`."""
    key = "swagger" if version.startswith("2") else "openapi"
    return {key: version, "info": {"title": "Pet Shop", "version": "1"}, "paths": paths, **rest}


def returning(schema: Any, **rest: Any) -> dict[str, Any]:
    """Build an operation that returns `schema`."""
    return {
        "operationId": "get",
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}},
        **rest,
    }


def taking(schema: Any, required: bool = True, media: str = "application/json", **rest: Any) -> dict[str, Any]:
    """Build an operation with a request body."""
    return {
        "operationId": "send",
        "requestBody": {"required": required, "content": {media: {"schema": schema}}},
        **rest,
    }


def load(folder: Path, document: Any) -> ImportReport:
    """Import a description: a value, or the text of a file."""
    path = folder / "api.yaml"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return import_openapi(path)


def only(report: ImportReport) -> tuple[Tool, ToolReport]:
    """Return the only tool of an import, and its report."""
    assert len(report.reports) == 1, report.reports
    assert len(report.toolset.tools) == 1, report.reports
    return report.toolset.tools[0], report.reports[0]


def returned(folder: Path, schema: Any, **rest: Any) -> tuple[Any, ToolReport]:
    """Return what a response schema becomes."""
    tool, report = only(load(folder, openapi({"/x": {"get": returning(schema)}}, **rest)))
    return tool.returns, report


def taken(folder: Path, schema: Any, required: bool = True, **rest: Any) -> tuple[Tool, ToolReport]:
    """Return the tool that a request body becomes."""
    return only(load(folder, openapi({"/x": {"post": taking(schema, required)}}, **rest)))
