"""Descriptions from strangers: nothing outside the folder, no device, no endless file, no bomb."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.generators.importers.sources import load, openapi, returning

from interplay.generators.importers.documents import document_reader
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.tool import ImportReport

SECRET = "rosebud"


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    """Kill a test that waits for a device or a pipe."""
    signal.alarm(600)
    yield
    signal.alarm(0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with all that a reference may hit upon."""
    made = tmp_path / "api"
    made.mkdir()
    (tmp_path / "secret.json").write_text(json.dumps({"type": "string", "description": SECRET}))
    os.mkfifo(made / "pipe")
    links = {"zero": "/dev/zero", "stdin": "/dev/stdin", "up": "..", "here": ".", "loop": "loop", "to_pipe": "pipe"}
    for name, target in (links | {"linked.json": "../secret.json"}).items():
        (made / name).symlink_to(target)
    (made / "noise").write_bytes(bytes(range(256)))
    (made / "empty").write_text("")
    (made / "deep.json").write_text('{"a":' * 10_000 + "1" + "}" * 10_000)
    (made / "deep.yaml").write_text("a: " + "[" * 10_000 + "]" * 10_000)
    (made / "deeper.yaml").write_text("".join(" " * level + "a:\n" for level in range(2_000)))
    with (made / "huge").open("wb") as file:
        file.truncate(3 * 10**9)
    return made


REFERENCES = (
    "pipe to_pipe zero stdin huge deep.json deep.yaml deeper.yaml loop noise empty . .. / /dev/zero "
    "../secret.json up/secret.json linked.json %2e%2e/secret.json %2E%2E%2Fsecret.json here/../../secret.json "
    "../api/../secret.json ~/secret.json $HOME file:///etc/hostname FILE:/etc/hostname //host/share http://169.254.169.254/ "
    "data:application/json,{} urn:a:b C:\\secret.json ..\\secret.json a%00b " + "a" * 5_000 + " " + "a/" * 3_000
).split()


@pytest.mark.parametrize("reference", REFERENCES, ids=[text[:25] for text in REFERENCES])
def test_no_reference_hangs_or_reads_what_it_may_not(folder: Path, reference: str) -> None:
    paths = {
        "/a": {"get": returning({"$ref": reference})},
        "/b": {"$ref": reference},
        "/c": {"get": {"$ref": reference}},
    }
    report = load(folder, openapi(paths))
    outcomes = [item.outcome for item in report.reports]
    assert outcomes == ["repaired", "rejected", "rejected"]
    assert SECRET not in report.model_dump_json()
    assert str(folder) not in report.model_dump_json()


@pytest.mark.parametrize(
    "name", ["pipe", "to_pipe", "zero", "stdin", "huge", "deep.json", "deep.yaml", "deeper.yaml", "."]
)
def test_no_main_file_hangs(folder: Path, name: str) -> None:
    with pytest.raises(ImportFailure):
        import_openapi(folder / name)


def test_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    paths = {"/a": {"get": returning({"$ref": "https://example.com/a.json"})}, "/b": {"$ref": "//example.com/b"}}
    assert [item.outcome for item in load(tmp_path, openapi(paths)).reports] == ["repaired", "rejected"]


def bomb(keyword: str, operations: int = 100) -> str:
    """Write a description in which a keyword of a shared schema is an alias for 100,000 values."""
    levels = ["  a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 5)]
    uses = [
        f"  /{n}: {{get: {{responses: {{200: {{schema: {{$ref: '#/definitions/B'}}}}}}}}}}" for n in range(operations)
    ]
    return "\n".join(["swagger: '2.0'", "x-bomb:", *levels, "definitions:", f"  B: {{{keyword}}}", "paths:", *uses])


@pytest.mark.parametrize(
    "keyword",
    [
        "const: *a4",
        "enum: [*a4]",
        "enum: *a4",
        "default: *a4",
        "example: *a4",
        "required: *a4",
        "type: *a4",
        "allOf: *a4",
        "properties: {a: {const: *a4}}",
        "? *a4 : x",
        f"title: {'x' * 100_000}",
        f"format: {'x' * 100_000}",
        f"description: {'x' * 100_000}",
        f"enum: [{', '.join(f'value{n}' for n in range(50_000))}]",
    ],
    ids=lambda text: text[:20],
)
def test_no_keyword_is_carried_whole_into_every_tool(tmp_path: Path, keyword: str) -> None:
    report = load(tmp_path, bomb(keyword))
    assert len(report.toolset.tools) == 100
    assert len(report.model_dump_json()) < 1_000_000


def test_components_that_double_at_every_level_stay_small(tmp_path: Path) -> None:
    for key in ("allOf", "oneOf", "anyOf"):
        schemas = {
            f"S{n}": {key: [{"$ref": f"#/components/schemas/S{n + 1}"}, {"properties": {"a": {"$ref": f"#/components/schemas/S{n + 1}"}}}]}
            for n in range(40)
        }  # fmt: skip
        paths = {f"/{n}": {"get": returning({"$ref": f"#/components/schemas/S{n}"})} for n in range(20)}
        report = load(tmp_path, openapi(paths, components={"schemas": schemas}))
        assert len(report.reports) == 20
        assert len(report.model_dump_json()) < 10_000_000


@pytest.mark.parametrize("key", ["not", "if", "allOf", "anyOf", "items", "properties", "additionalProperties"])
def test_schemas_nested_to_the_limit_of_a_file_are_cut(tmp_path: Path, key: str) -> None:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(90):
        schema = {key: [schema] if key.endswith("Of") else {"a": schema} if key == "properties" else schema}
    report = load(tmp_path, openapi({"/a": {"get": returning(schema)}}) if not key.endswith("Of") else nested(schema))
    assert [item.outcome for item in report.reports] == ["repaired"]
    assert "deep" in " ".join(report.reports[0].reasons)


def nested(schema: object) -> dict[str, object]:
    """Put a schema near the top of a file, where it may be deepest."""
    return openapi({"/a": {"get": {"operationId": "a", "responses": {"200": {"schema": schema}}}}}, "2.0")


def test_files_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(5):
        (tmp_path / f"{n}.json").write_text(json.dumps({"type": "string", "x-padding": "x" * 1_000}))
    paths = {f"/{n}": {"get": returning({"$ref": f"{n}.json"}, operationId=f"get{n}")} for n in range(5)}
    path = tmp_path / "api.yaml"
    path.write_text(json.dumps(openapi(paths)))
    monkeypatch.setattr("interplay.generators.importers.documents.json_references.MAX_BYTES", 3_000)
    assert outcomes(import_openapi(path)) == ["imported", "imported", "repaired", "repaired", "repaired"]
    monkeypatch.setattr(document_reader, "MAX_BYTES", 100)
    with pytest.raises(ImportFailure, match="larger than"):
        import_openapi(path)


def outcomes(report: ImportReport) -> list[str]:
    return [item.outcome for item in report.reports]
