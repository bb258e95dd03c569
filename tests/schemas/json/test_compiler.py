from random import Random
from typing import Any

import pytest

from interplay.generators.values.schema_values import Unsatisfiable, make_valid
from interplay.schemas.json.interpreter import validator
from interplay.schemas.json.regex import searcher
from interplay.schemas.json.validation import Compiler, errors, is_valid

COMPILER = Compiler(searcher)

CASES: list[tuple[Any, list[Any]]] = [
    ({"type": "integer"}, [1, 1.0, 1.5, True, "1", None]),
    ({"enum": [1, "a", None]}, [1, True, "a", None, 1.0]),
    ({"const": False}, [False, 0, None]),
    ({"type": "string", "format": "date"}, ["2026-03-02", "2 March", 5]),
    ({"type": "string", "format": "date-time"}, ["2026-03-02T10:00:00Z", "2026-03-02", ""]),
    ({"type": "string", "format": "uuid"}, ["8c1f3b0e-0000-4000-8000-000000000000", "8c1f"]),
    ({"type": "string", "format": "email"}, ["a@example.com", "a"]),
    ({"type": "string", "format": "hostname"}, ["_ not one _"]),
    ({"type": "string", "format": "uri", "pattern": "^https"}, ["https://a.example", "http://a.example", "no uri"]),
    ({"pattern": r"^\d{2}$"}, ["12", "١٢", "1", 12]),
    ({"pattern": "^a(?=b)"}, ["ab", "x"]),
    ({"type": ["string", "null"], "maxLength": 2}, [None, "äöü", "äö"]),
    ({"properties": {"pattern": {"type": "string"}}, "required": ["pattern"]}, [{"pattern": "a"}, {"pattern": 1}, {}]),
    ({"additionalProperties": False, "properties": {"a": {}}}, [{"a": 1}, {"b": 1}]),
    ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, [1, 4, 3.5, "x"]),
    ({"allOf": [{"format": "date"}], "format": "date-time"}, ["2026-03-02", "2026-03-02T10:00:00Z"]),
    ({"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}, "type": "object"}}, "$ref": "#/$defs/n"},
     [{"next": {"next": {}}}, {"next": {"next": 1}}]),
    ({"type": "array", "uniqueItems": True, "prefixItems": [{"type": "integer"}]}, [[1, 2], [1, True], [1, 1], ["a"]]),
    ({"title": 5, "description": None, "example": {"$ref": "nowhere"}, "type": "string"}, ["a", 1]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "values"), CASES)
def test_says_what_the_interpreted_validator_says(schema: Any, values: list[Any]) -> None:
    judge = COMPILER.compile(schema)
    assert judge is not None
    assert [judge(value) for value in values] == [validator(schema).is_valid(value) for value in values]


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"^a": {}}},
        {"$ref": "https://example.com/other.json"},
        {"multipleOf": 0.01},
        {"$id": "https://example.com/me", "type": "string"},
        {"properties": {"a": {"required": True}}},
    ],
)
def test_leaves_what_engines_may_read_differently_to_the_interpreted_one(schema: Any) -> None:
    assert COMPILER.compile(schema) is None


def test_judges_values_that_are_no_json_by_the_interpreted_one() -> None:
    assert is_valid({1: "a"}, {"type": "object"})
    assert errors({1: "a"}, {"type": "array"})


def test_agrees_on_made_and_on_damaged_values() -> None:
    schema = {
        "type": "object",
        "required": ["id", "due"],
        "properties": {
            "id": {"type": "string", "pattern": "^[a-z]{3}[0-9]{2}$"},
            "due": {"type": "string", "format": "date-time"},
            "kind": {"enum": ["a", "b", None]},
            "tags": {"type": "array", "items": {"type": "string", "minLength": 2}, "maxItems": 3},
            "price": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]},
        },
    }
    judge = COMPILER.compile(schema)
    assert judge is not None
    for seed in range(40):
        rng = Random(seed)
        try:
            value = make_valid(schema, rng)
        except Unsatisfiable:
            continue
        for key in [None, *value]:
            damaged = {**value, key: rng.choice(["", 0, None, [], {}])} if key else value
            assert judge(damaged) == validator(schema).is_valid(damaged), damaged
