"""Reading YAML and JSON of unknown origin."""

from pathlib import Path
from typing import Any

import pytest

from interplay.generators.importers.documents.document_reader import parse_document, read_document
from interplay.schemas.errors import ImportFailure


def parse(text: str) -> Any:
    return parse_document(text.encode(), "api.yaml")


def test_reads_scalars_as_yaml_1_2_and_leaves_doubtful_ones_as_text() -> None:
    text = "[2024-01-31, 09:00, no, 0123, 1_000, 0x1F, 12, -1.5, 1e3, true, null, ~, '7', .inf, 1.2.3]"
    expected = [
        "2024-01-31",
        "09:00",
        "no",
        "0123",
        "1_000",
        "0x1F",
        12,
        -1.5,
        1000.0,
        True,
        None,
        None,
        "7",
        ".inf",
        "1.2.3",
    ]
    assert parse(text) == expected


def test_turns_every_key_into_text() -> None:
    assert parse("200: a\non: b\n2024-01-31: c\nnull: d\n? [1, 2]\n: e") == {
        "200": "a",
        "on": "b",
        "2024-01-31": "c",
        "null": "d",
        "[1, 2]": "e",
    }


def test_resolves_aliases_and_merge_keys() -> None:
    assert parse("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: *a") == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": {"x": 1, "y": 2},
    }


def test_tolerates_repeated_keys() -> None:
    assert parse("a: 1\na: 2") == {"a": 2}


def test_ignores_tags_that_would_build_objects() -> None:
    assert parse("a: !!python/object/apply:os.system ['true']") == {"a": ["true"]}


def test_refuses_aliases_that_expand_without_end() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(ImportFailure, match=r"line \d+.*aliases"):
        parse("\n".join(lines))


def test_refuses_an_alias_that_contains_itself() -> None:
    with pytest.raises(ImportFailure, match="contains itself"):
        parse("a: &a [*a]")


@pytest.mark.parametrize("text", ["[" * 5_000, '{"a":' * 5_000, "- " * 5_000, "[" * 300 + "]" * 300])
def test_refuses_what_is_nested_too_deeply(text: str) -> None:
    with pytest.raises(ImportFailure):
        parse(text)


def test_names_the_line_of_broken_yaml() -> None:
    with pytest.raises(ImportFailure, match=r"api\.yaml: line 3"):
        parse("a: 1\nb:\n  - c: d: e\n")


def test_names_the_line_of_broken_json() -> None:
    with pytest.raises(ImportFailure, match="line 2"):
        parse('{"a": 1,\n "b" 2}')


def test_keeps_numbers_writable_and_text_free_of_surrogates() -> None:
    assert parse('{"a": NaN, "b": 1e999, "c": "\\ud800x"}') == {"a": "NaN", "b": "1e999", "c": "\ufffdx"}


def test_reads_other_encodings() -> None:
    assert parse_document("a: ö".encode("utf-16"), "x") == {"a": "ö"}
    assert parse_document("a: ö".encode("utf-8-sig"), "x") == {"a": "ö"}
    assert parse_document("a: ö".encode("latin-1"), "x") == {"a": "ö"}


def test_names_a_missing_and_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="no such file"):
        read_document(tmp_path / "none.yaml")
    with pytest.raises(ImportFailure, match="empty"):
        parse("  \n")
