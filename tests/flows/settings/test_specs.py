from pathlib import Path

import pytest

from interplay.flows.settings.specs import (
    Spec,
    absolute_spec,
    checked_spec,
    narrowed,
    parse_spec,
    relative_to,
    without_folders,
)
from interplay.schemas.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("openapi:a/b.yaml", Spec("openapi", "a/b.yaml")),
        ("json:t.json?overrides=o.yaml&only=get_*,list_*", Spec("json", "t.json", "", "o.yaml", ("get_*", "list_*"))),
        ("python:m:C?scenario=s.json#/a&without=x", Spec("python", "m:C", "scenario=s.json#/a", None, (), ("x",))),
        ("mcp:https://x.example/mcp?key=1", Spec("mcp", "https://x.example/mcp", "key=1")),
        ("mcp+live:serve?record=r.jsonl", Spec("mcp+live", "serve", record="r.jsonl")),
        ("mcp:npx server --a=b?only=x", Spec("mcp", "npx server --a=b", "", None, ("x",))),
    ],
)
def test_takes_a_specification_apart_and_together(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec
    assert str(spec) == text


def test_a_file_whose_name_holds_a_question_mark_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a?only=b.yaml").touch()
    assert parse_spec(f"openapi:{tmp_path}/a?only=b.yaml").only == ()


def test_every_path_is_taken_from_the_folder(tmp_path: Path) -> None:
    assert absolute_spec("openapi:a.yaml?overrides=../o.yaml", tmp_path / "c") == (
        f"openapi:{tmp_path}/c/a.yaml?overrides={tmp_path}/o.yaml"
    )
    assert absolute_spec("python:m:C?scenario=s.json#/a", tmp_path) == f"python:m:C?scenario={tmp_path}/s.json#/a"
    assert absolute_spec("mcp+recorded:r.json", tmp_path) == f"mcp+recorded:{tmp_path}/r.json"
    assert absolute_spec("mcp:npx server", tmp_path) == "mcp:npx server"


def test_folders_are_no_part_of_an_identity(tmp_path: Path) -> None:
    for spec in ("openapi:a.yaml?overrides=o.yaml&only=x", "python:m:C?scenario=s.json#/a"):
        assert without_folders(absolute_spec(spec, tmp_path)) == spec
    assert relative_to("openapi:a.yaml?overrides=o.yaml", Path("b")) == "openapi:../a.yaml?overrides=../o.yaml"


def test_filters_add_up() -> None:
    assert narrowed("json:t.json?only=a", ("b",), ("c",)) == "json:t.json?only=a,b&without=c"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("clinic", "Did you mean domain:clinic?"),
        ("api.yaml", "Did you mean openapi:api.yaml, or json:api.yaml?"),
        ("openpi:api.yaml", "Did you mean openapi:api.yaml?"),
        ("zoo", "expected KIND:PLACE with KIND one of domain, openapi, json, python, mcp, mcp+live, mcp+recorded."),
        ("https://x.example/api.json", "Download a description and name it openapi:FILE"),
        ("openapi:https://x.example/api.json", "is an address. Download it, and name the file: openapi:FILE"),
        ("openapi:api.yaml?onyl=a", "?onyl=a is unknown; expected overrides=, only=, without= or observations=."),
    ],
)
def test_what_is_no_specification_is_told_with_what_may_be_meant(given: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        checked_spec(absolute_spec(narrowed(given, (), ()), tmp_path), ["clinic"])
    assert told in str(raised.value).replace(f"{tmp_path}/", "")
    assert "api.yaml:'" not in str(raised.value)
