"""The real OpenAPI descriptions, whole and damaged."""

import copy
import json
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.generators.importers.sources import OPENAPI_FILES, real

from interplay.generators.importers.documents.document_reader import read_document
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.tool import ImportReport

SMALL = (
    "museum.yaml",
    "oai_link_example.json",
    "petstore_expanded_v2.json",
    "petstore_v3.yaml",
    "train_travel.yaml",
    "uspto.yaml",
    "xero_projects.yaml",
    "launchdarkly_v2.json",
)
DAMAGES = 80


def keys(schema: Any) -> Iterator[str]:
    """Yield every keyword in a schema; names of properties and plain values are none."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            if key in ("properties", "patternProperties", "dependentSchemas"):
                for inner in value.values():
                    yield from keys(inner)
            elif key in ("allOf", "anyOf", "oneOf", "prefixItems"):
                for inner in value:
                    yield from keys(inner)
            elif key not in ("enum", "const", "default", "examples", "required", "dependentRequired"):
                yield from keys(value)


@cache
def imported(file: str) -> tuple[ImportReport, float]:
    """Return what a description becomes, and the seconds of computing that it took."""
    begun = time.process_time()
    return import_openapi(real("openapi", *file.split("/"))), time.process_time() - begun


@pytest.mark.parametrize("file", OPENAPI_FILES)
def test_imports_every_operation_of_a_real_description(file: str) -> None:
    report, seconds = imported(file)
    assert seconds < 20
    assert report.reports
    rejected = [item for item in report.reports if item.outcome == "rejected"]
    assert all((item.source.pointer or "").startswith("/webhooks/") for item in rejected)
    assert len({tool.name for tool in report.toolset.tools}) == len(report.reports) - len(rejected)
    for tool in report.toolset.tools:
        assert "$ref" not in set(keys(tool.parameters)) | set(keys(tool.returns))
        assert tool.http is not None
        assert set(tool.http.locations) == set(tool.parameters["properties"])
    assert str(real("openapi", *file.split("/")).parent) not in report.model_dump_json()


@pytest.mark.parametrize("file", [*SMALL, "notion.json", "trello.yaml", "netlify.yml", "spotify_official.yml"])
def test_every_schema_of_a_real_description_is_valid(file: str) -> None:
    check_schemas(imported(file)[0])


@pytest.mark.parametrize("file", ["stripe_2018_v2.json", "discord.json", "asana.yaml", "slack_web_v2.json"])
def test_schemas_drawn_from_large_descriptions_are_valid(file: str) -> None:
    check_schemas(imported(file)[0], every=23)


def check_schemas(report: ImportReport, every: int = 1) -> None:
    for tool in report.toolset.tools[::every]:
        Draft202012Validator.check_schema(tool.parameters)
        Draft202012Validator.check_schema(tool.returns or {})


def test_imports_the_same_twice() -> None:
    file = "stripe_2018_v2.json"
    assert import_openapi(real("openapi", file)).model_dump_json() == imported(file)[0].model_dump_json()


def test_infers_results_that_only_examples_show() -> None:
    report, _ = imported("notion.json")
    returns = report.toolset.tool("retrieve-a-comment").returns
    assert returns is not None
    assert {"object", "results", "has_more"} <= set(returns["properties"])


def damage(value: Any, chance: random.Random) -> Any:
    """Return a copy of a document in which one to five places are deleted or replaced."""
    document = copy.deepcopy(value)
    for _ in range(chance.randint(1, 5)):
        holder: Any = document
        while True:
            items = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not items:
                break
            key = chance.choice(items)
            if isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.85:
                holder = holder[key]
                continue
            if chance.random() < 0.2:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(
                    chance.choice(
                        [
                            None,
                            7,
                            -1.5,
                            "text",
                            True,
                            [],
                            {},
                            [None],
                            {"a": None},
                            [[1]],
                            {"$ref": "#/a"},
                            {"$ref": "#"},
                            {"$ref": 5},
                            "",
                            "é" * 70,
                        ]
                    )
                )
            break
    return document


@pytest.mark.parametrize("file", SMALL)
def test_damage_gives_a_report_or_a_failure_and_nothing_else(file: str, tmp_path: Path) -> None:
    original = read_document(real("openapi", file))
    path = tmp_path / "damaged.json"
    for seed in range(DAMAGES):
        path.write_text(json.dumps(damage(original, random.Random(seed))))
        try:
            report = import_openapi(path)
        except ImportFailure:
            continue
        assert "could not be understood" not in report.model_dump_json()
        for tool in report.toolset.tools[:: max(1, len(report.toolset.tools) // 2)] if seed % 4 == 0 else ():
            Draft202012Validator.check_schema(tool.parameters)
            Draft202012Validator.check_schema(tool.returns or {})
