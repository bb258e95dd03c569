import pytest

from interplay.schemas.json.json_text import read_json, values_in, without_halves


@pytest.mark.parametrize(
    "text", ['{"a": 1e999}', "[-1e400]", "NaN", '"\\ud800"', '{"\\uDFFF": 1}', '"\ud800"', "{", ""]
)
def test_what_no_file_could_hold_is_no_value(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|surrogates"):
        read_json(text)
    assert list(values_in(f"Look: {text}")) == []


def test_whole_characters_and_great_numbers_are_values() -> None:
    assert read_json('["\\ud83d\\ude00", 1e300, 12345678901234567890123]') == [
        "\U0001f600",
        1e300,
        12345678901234567890123,
    ]


def test_halves_of_characters_are_replaced_wherever_they_stand() -> None:
    assert without_halves({"\ud800a": ["b\udfff", {"c": "\U0001f600"}, 1, None]}) == {
        "\ufffda": ["b\ufffd", {"c": "\U0001f600"}, 1, None]
    }
