"""The schema by which editors check a configuration accepts what interplay accepts, and says what each key is for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from interplay.flows.settings.config_file import load_config, parse_config
from interplay.flows.settings.config_schema import EDITOR_LINE, config_schema
from interplay.flows.worlds.scaffold import write_config
from interplay.schemas.errors import ConfigError

SCHEMA = Draft202012Validator(config_schema())
MODELS = "models: {local: {model: m}, large: {model: n, provider: anthropic}}\n"
GOOD = [
    "toolset: domain:clinic",
    "toolset: [domain:clinic, domain:rental]",
    "language: de",
    "language: [en, de]",
    "language: {en: 0.5, de: 0.5}",
    "recipes: {inspirations: scenarios.yaml}",
    "start: {workspace: workspace, records: [3, a8]}",
    "recipes: {patterns: {single: 1}, behaviours: {mistaken: 0.5}}",
    MODELS + "roles: {user: local, assistant: [local, {model: large, weight: 2}], tool: {models: local}}",
    MODELS + "roles: {user: {rewrite: local, language: German}}",
]
BAD = [
    "recrods: 2",
    "records: 0",
    "roles: {user: 1}",
    "recipes: {vague: 2}",
    "language: 3",
    "roles: {user: {share: 1}}",
]


def silent(schema: Any, path: str = "") -> Iterator[str]:
    """Yield the keys of which nothing is said."""
    if isinstance(schema, list):
        for item in schema:
            yield from silent(item, path)
    elif isinstance(schema, dict):
        for name, field in schema.get("properties", {}).items():
            if not field.get("description"):
                yield f"{path}/{name}"
        for key, inner in schema.items():
            yield from silent(inner, f"{path}/{key}")


def test_every_key_is_described() -> None:
    assert list(silent(config_schema())) == []


def test_a_key_without_a_description_is_noticed() -> None:
    assert list(silent({"properties": {"seed": {"type": "integer"}}})) == ["/seed"]


@pytest.mark.parametrize("text", GOOD)
def test_the_schema_accepts_what_is_accepted(text: str, tmp_path: Path) -> None:
    SCHEMA.validate(yaml.safe_load(text))
    (tmp_path / "scenarios.yaml").write_text("[a flood]")
    (tmp_path / "interplay.yaml").write_text(text)
    load_config(tmp_path / "interplay.yaml")


@pytest.mark.parametrize("text", BAD)
def test_the_schema_refuses_what_is_refused(text: str) -> None:
    assert not SCHEMA.is_valid(yaml.safe_load(text))
    with pytest.raises(ConfigError):
        parse_config(yaml.safe_load(text), "interplay.yaml")


def test_init_names_the_schema_and_writes_it_beside(tmp_path: Path) -> None:
    path = write_config(tmp_path, ["domain:clinic"])
    text = path.read_text()
    assert text.startswith(EDITOR_LINE)
    assert (tmp_path / "interplay.schema.json").is_file()
    SCHEMA.validate(yaml.safe_load(text))
