import pytest

from interplay.generators.phrases.lackable_facts import is_decided, is_given


@pytest.mark.parametrize("label", ["serial number", "trigger id", "zip", "join url", "tracking code", "mileage"])
def test_what_stands_somewhere_may_be_lacked(label: str) -> None:
    assert is_given(label)
    assert not is_decided(label, {"type": "integer"})


@pytest.mark.parametrize(
    ("label", "schema"),
    [
        ("quantity", {"type": "integer"}),
        ("number of days", {"type": "integer"}),
        ("new day", {"type": "string"}),
        ("deadline", {"type": "string", "format": "date"}),
    ],
)
def test_what_somebody_decides_is_not_lacked(label: str, schema: dict[str, str]) -> None:
    assert is_decided(label, schema)
    assert not is_given(label)


@pytest.mark.parametrize(
    ("label", "schema"), [("birth date", {"format": "date", "type": "string"}), ("reason", {"type": "string"})]
)
def test_what_one_knows_of_oneself_is_neither(label: str, schema: dict[str, str]) -> None:
    assert not is_given(label)
    assert not is_decided(label, schema)
