from pathlib import Path

import pytest

from interplay.schemas.json.yaml_text import parse_yaml
from interplay.schemas.words import lists
from interplay.schemas.words.lists import alternatives, beside, rows, table, word_set, words

DATA = Path(lists.__file__).parent / "data"


@pytest.mark.parametrize("path", sorted(DATA.glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_data_file_holds_named_lists(path: Path) -> None:
    from_file = parse_yaml(path.read_text(encoding="utf-8"))
    assert isinstance(from_file, dict)
    assert all(isinstance(name, str) and content for name, content in from_file.items())


def test_words_of_a_list_stand_in_order_and_once(tmp_path: Path) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text("one: a b a\nother: [two words, b]\n")
    assert words(path, "one") == ("a", "b")
    assert words(path) == ("a", "b", "two words")
    assert word_set(path, "other") == {"two words", "b"}


def test_a_table_has_keys_and_rows_have_items(tmp_path: Path) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text("sums: {price: [5, 400]}\npairs: [[start, end]]\n")
    assert table(path, "sums") == {"price": [5, 400]}
    assert rows(path, "pairs") == (["start", "end"],)


@pytest.mark.parametrize("content", ["one: {a: b}", "one: [1, 2]", "other: a"])
def test_what_is_no_list_of_words_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match="must hold a list 'one'"):
        words(path, "one")


def test_lists_of_a_module_lie_beside_it() -> None:
    assert beside("/rooms/intents.py") == Path("/rooms/intents.yaml")


def test_words_become_a_pattern_in_their_order() -> None:
    assert alternatives(["https", "http", "a.b"]) == r"https|http|a\.b"
