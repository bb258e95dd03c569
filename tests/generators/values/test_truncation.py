"""Values of thousands of fields keep the outer ones."""

from typing import Any

from interplay.generators.values.truncation import LEAVES, trimmed

TEXT = {"type": "string"}


def nested(depth: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a value and its schema: five texts and five objects like it, some levels deep, one of them needed."""
    if depth == 0:
        return {"text": "Hi"}, {"type": "object", "properties": {"text": TEXT}}
    value, schema = nested(depth - 1)
    names = [f"part{number}" for number in range(5)]
    texts = [f"text{number}" for number in range(5)]
    fields = {**dict.fromkeys(texts, TEXT), **dict.fromkeys(names, schema)}
    return {**dict.fromkeys(texts, "Hi"), **dict.fromkeys(names, value)}, {
        "type": "object",
        "properties": fields,
        "required": ["part0"],
    }


def test_leaves_out_what_is_deep_and_need_not_be_there() -> None:
    value, schema = nested(4)
    short = trimmed(value, schema)
    assert len(str(short)) < len(str(value)) / 4
    assert set(short) == set(value)
    assert short["part0"]["part0"]["part0"]


def test_leaves_small_values_alone() -> None:
    value, schema = nested(2)
    assert trimmed(value, schema, LEAVES) is value


def test_leaves_out_the_largest_of_what_need_not_be_there() -> None:
    part = {"type": "object", "additionalProperties": {"type": "string"}}
    schema = {"type": "object", "properties": {"id": TEXT, "a": part, "b": part, "c": part}, "required": ["id", "a"]}
    value = {"id": "7", **{name: {f"f{n}": "Hi" for n in range(LEAVES // 2)} for name in "ab"}, "c": {"f": "Hi"}}
    assert set(trimmed(value, schema)) == {"id", "a", "c"}
