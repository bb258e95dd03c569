"""Schemas of any dialect as bounded draft 2020-12."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.generators.importers.sources import returned, taken


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 1}),
        ({"type": "integer", "maximum": 1, "exclusiveMaximum": False}, {"type": "integer", "maximum": 1}),
        ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": ["string"]}, {"type": "string"}),
        ({"const": 1}, {"const": 1}),
        ({"type": "string", "xml": {}, "externalDocs": {}, "x-a": 1, "discriminator": "a"}, {"type": "string"}),
        ({"type": "string", "enum": ["a", "b", "a"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"properties": {}}, {"type": "object", "properties": {}}),
        ({"items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}),
        ({"items": [{"type": "string"}]}, {"type": "array", "prefixItems": [{"type": "string"}]}),
        ({"anyOf": [{"type": "string"}]}, {"type": "string"}),
        ({"oneOf": [{"type": "string"}], "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "default": None}, {"type": "string"}),
        ({"type": "object", "example": {"a": 1}}, {"type": "object", "examples": [{"a": 1}]}),
        (True, {}),
    ],
)
def test_writes_older_dialects_anew(tmp_path: Path, raw: Any, expected: Any) -> None:
    made, report = returned(tmp_path, {"type": "object", "properties": {"a": raw}})
    assert made["properties"]["a"] == expected
    assert report.outcome == "imported"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"type": "object", "example": "07:00"}, {"type": "string", "examples": ["07:00"]}),
        ({"type": "object", "nullable": True, "example": 3}, {"type": ["integer", "null"], "examples": [3]}),
        ({"type": "dict"}, {"type": "object"}),
        ({"type": "String"}, {"type": "string"}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "whatever"}, {}),
        ({"type": 7}, {}),
        ("text", {}),
        ({"type": "string", "pattern": "(?=a)b"}, {"type": "string"}),
        ({"type": "string", "pattern": "["}, {"type": "string"}),
        ({"type": "string", "pattern": "a" * 1_001}, {"type": "string"}),
        ({"type": "string", "pattern": r"^\p{L}$"}, {"type": "string"}),
        ({"type": "string", "pattern": 5}, {"type": "string"}),
        ({"type": "string", "pattern": r"^\\d{11}$"}, {"type": "string", "pattern": r"^\d{11}$"}),
        ({"type": "string", "pattern": "/^a$/"}, {"type": "string", "pattern": "^a$"}),
        ({"type": "string", "required": True}, {"type": "string"}),
        (
            {"type": "object", "properties": {"b": {}}, "required": ["b", "c"]},
            {"type": "object", "properties": {"b": {}}, "required": ["b"]},
        ),
        ({"type": "integer", "minimum": "1"}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "minimum": 5, "maximum": 1}, {"type": "integer"}),
        ({"type": "string", "minLength": -1}, {"type": "string"}),
        ({"type": "string", "enum": []}, {"type": "string"}),
        ({"type": "string", "enum": [1, True]}, {"type": "string", "enum": ["1", "true"]}),
        ({"type": "integer", "default": "5"}, {"type": "integer", "default": 5}),
        ({"type": "integer", "default": "five"}, {"type": "integer"}),
        ({"type": "string", "enum": ["a"], "default": "b"}, {"type": "string", "enum": ["a"]}),
        ({"type": "object", "properties": ["a"]}, {"type": "object", "properties": {}}),
        ({"anyOf": "x"}, {}),
    ],
)
def test_mends_what_is_invalid_and_tells(tmp_path: Path, raw: Any, expected: Any) -> None:
    made, report = returned(tmp_path, {"type": "object", "properties": {"a": raw}})
    assert made["properties"]["a"] == expected
    assert report.outcome == "repaired"
    assert "properties/a" in report.reasons[0]


def test_keeps_a_pattern_that_asks_for_a_backslash(tmp_path: Path) -> None:
    made, _ = returned(tmp_path, {"type": "string", "pattern": r"^\d\\d$"})
    assert made["pattern"] == r"^\d\\d$"


def test_keeps_a_pattern_that_would_explode_elsewhere(tmp_path: Path) -> None:
    made, _ = returned(tmp_path, {"type": "string", "pattern": "^(a+)+$"})
    assert made["pattern"] == "^(a+)+$"


def test_merges_all_of_into_one_object(tmp_path: Path) -> None:
    schemas = {"Pet": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}}
    raw = {
        "description": "A dog.",
        "allOf": [
            {"$ref": "#/components/schemas/Pet"},
            {"type": "object", "properties": {"bark": {"type": "string"}}, "required": ["bark", "id"]},
        ],
    }
    made, report = returned(tmp_path, raw, components={"schemas": schemas})
    assert made == {
        "type": "object",
        "description": "A dog.",
        "properties": {"id": {"type": "integer"}, "bark": {"type": "string"}},
        "required": ["id", "bark"],
    }
    assert report.outcome == "imported"


def test_keeps_the_title_of_the_only_part_of_all_of(tmp_path: Path) -> None:
    made, _ = returned(
        tmp_path,
        {"allOf": [{"$ref": "#/components/schemas/Pet"}], "nullable": True},
        components={"schemas": {"Pet": {"type": "object"}}},
    )
    assert made == {"title": "Pet", "type": ["object", "null"]}


def test_tells_when_parts_of_all_of_contradict(tmp_path: Path) -> None:
    _, report = returned(tmp_path, {"allOf": [{"type": "string"}, {"type": "integer"}]})
    assert report.outcome == "repaired"


def test_keeps_choices_between_required_names(tmp_path: Path) -> None:
    raw = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    made, report = returned(tmp_path, raw)
    assert made == raw
    assert report.outcome == "imported"


def test_leaves_read_only_fields_out_of_requests_and_write_only_ones_out_of_responses(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "secret": {"type": "string", "writeOnly": True},
            "readOnly": {"type": "boolean"},
            "link": {"$ref": "#/components/schemas/Link"},
        },
        "required": ["id", "secret"],
    }
    components = {"schemas": {"Link": {"type": "string", "readOnly": True}}}
    tool, report = taken(tmp_path, schema, components=components)
    assert list(tool.parameters["properties"]) == ["secret", "readOnly"]
    assert tool.parameters["required"] == ["secret"]
    assert report.outcome == "imported"
    made, _ = returned(tmp_path, schema, components=components)
    assert list(made["properties"]) == ["id", "readOnly", "link"]
    assert made["required"] == ["id"]


def test_cuts_what_lies_too_deep_and_tells(tmp_path: Path) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    made, report = returned(tmp_path, schema)
    depth = 0
    while "properties" in made:
        made, depth = made["properties"]["a"], depth + 1
    assert made == {"type": "object"}
    assert depth == 8
    assert "too deep" in report.reasons[-1]


def test_keeps_the_upper_levels_of_a_schema_that_is_too_large(tmp_path: Path) -> None:
    names = [f"p{index}" for index in range(20)]
    schemas: dict[str, Any] = {"L4": {"type": "string"}}
    for level in range(4):
        properties = {name: {"$ref": f"#/components/schemas/L{level + 1}"} for name in names}
        schemas[f"L{level}"] = {"type": "object", "properties": properties}
    made, report = returned(tmp_path, {"$ref": "#/components/schemas/L0"}, components={"schemas": schemas})
    assert list(made["properties"]) == names
    assert list(made["properties"]["p19"]["properties"]) == names
    assert any("nodes" in reason for reason in report.reasons)


def test_bounds_a_schema_that_is_too_broad(tmp_path: Path) -> None:
    made, report = returned(
        tmp_path, {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(9_000)}}
    )
    assert 1_000 < len(made["properties"]) < 3_000
    assert any("left out" in reason for reason in report.reasons)


def test_keeps_a_large_enum_and_says_so(tmp_path: Path) -> None:
    made, report = returned(tmp_path, {"type": "string", "enum": [f"v{index}" for index in range(600)]})
    assert len(made["enum"]) == 600
    assert report.outcome == "imported"
    assert "600" in report.reasons[0]


def test_takes_properties_that_are_a_reference_to_a_map(tmp_path: Path) -> None:
    schemas = {"Base": {"type": "object", "properties": {"id": {"type": "string"}}}}
    raw = {"type": "object", "properties": {"$ref": "#/components/schemas/Base"}}
    made, report = returned(tmp_path, raw, components={"schemas": schemas})
    assert made == {"type": "object", "properties": {"id": {"type": "string"}}}
    assert report.outcome == "repaired"


def test_ignores_a_type_beside_a_reference_that_contradicts_it(tmp_path: Path) -> None:
    schemas = {"Amount": {"type": "object", "properties": {"value": {"type": "number"}}}}
    made, _ = returned(
        tmp_path, {"$ref": "#/components/schemas/Amount", "type": "number"}, components={"schemas": schemas}
    )
    assert made["type"] == "object"


def test_a_choice_of_one_among_alike_branches_is_one_of_any(tmp_path: Path) -> None:
    boat, car = ({"type": "object", "properties": {name: {"type": "string"}}} for name in ("sail", "wheel"))
    made, report = returned(tmp_path, {"oneOf": [boat, car]})
    assert (made["anyOf"], report.outcome) == ([boat, car], "repaired")
    made, report = returned(tmp_path, {"oneOf": [{**boat, "required": ["sail"]}, car]})
    assert (len(made["oneOf"]), report.outcome) == (2, "imported")
    both = {"type": "object", "properties": {**boat["properties"], **car["properties"]}, "required": ["sail", "wheel"]}
    made, report = returned(tmp_path, {"oneOf": [{**boat, "required": ["sail"]}, {}, both]})
    assert (len(made["anyOf"]), report.outcome) == (3, "repaired")
    made, report = returned(tmp_path, {"oneOf": [{**boat, "required": ["sail"]}, {**car, "required": ["wheel"]}]})
    assert (len(made["oneOf"]), report.outcome) == (2, "imported")


def test_branches_may_add_properties_though_no_others_are_admitted(tmp_path: Path) -> None:
    kinds = [{"type": "object", "properties": {name: {"type": "string"}}, "required": [name]} for name in ("a", "b")]
    raw = {"type": "object", "properties": {"c": {"type": "string"}}, "additionalProperties": False, "oneOf": kinds}
    made, report = returned(tmp_path, raw)
    assert ("additionalProperties" in made, report.outcome) == (False, "repaired")
    plain = {key: value for key, value in raw.items() if key != "oneOf"}
    assert returned(tmp_path, plain)[0]["additionalProperties"] is False


def test_every_result_is_a_valid_schema(tmp_path: Path) -> None:
    odd = {
        "type": ["object", None, "Object"],
        "properties": {"a": {"patternProperties": {"[": {}, "^a": {"type": "int"}}}, "b": {"not": {"type": "nope"}}},
        "additionalProperties": {"multipleOf": 0, "uniqueItems": "yes"},
        "dependentRequired": {"a": ["b", 1]},
        "if": {"required": ["a"]},
        "then": {"minProperties": "2"},
        "title": 5,
        "deprecated": "no",
        "examples": {"one": {"value": {"a": 1}}},
    }
    made, _ = returned(tmp_path, odd)
    Draft202012Validator.check_schema(made)


def test_fields_that_only_an_example_shows_are_those_of_the_example(tmp_path: Path) -> None:
    bare = {"type": "object", "title": "Found"}
    sample = {"found": {"name": "Blue Hall", "open": True}, "note": "x", "tags": [{"n": 1}]}
    fields = {"found": bare, "note": {"type": "string"}, "tags": {"type": "array", "items": {"type": "object"}}}
    made, report = returned(tmp_path, {"type": "object", "properties": fields, "example": sample})
    assert report.outcome == "repaired"
    assert made["properties"]["found"]["title"] == "Found"
    assert made["properties"]["found"]["properties"]["name"] == {"type": "string", "examples": ["Blue Hall"]}
    assert made["properties"]["note"] == {"type": "string"}
    assert made["properties"]["tags"]["items"]["properties"] == {"n": {"type": "integer", "examples": [1]}}
    assert (
        returned(tmp_path, {"type": "object", "properties": {"found": bare}, "example": {"found": 1}})[1].outcome
        == "imported"
    )


def _lists(levels: int, items: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "minItems": items, "items": schema}
    return schema


@pytest.mark.parametrize(("levels", "items"), [(8, 3), (1, 100_000), (3, 1_000)])
@pytest.mark.parametrize("required", [["a"], []])
def test_lists_that_force_too_many_values_are_freed(
    tmp_path: Path, levels: int, items: int, required: list[str]
) -> None:
    """Three items at each of eight levels took until the heat death: such a description stalled a run."""
    lists = _lists(levels, items)
    made, report = returned(tmp_path, {"type": "object", "properties": {"a": lists}, "required": required})
    assert "minItems" not in str(made)
    assert report.outcome == "repaired"
    assert any("minItems dropped" in reason for reason in report.reasons)


@pytest.mark.parametrize(("levels", "items"), [(6, 1), (3, 2), (1, 20)])
def test_lists_that_can_be_made_are_left_as_they_are(tmp_path: Path, levels: int, items: int) -> None:
    made, report = returned(tmp_path, {"type": "object", "properties": {"a": _lists(levels, items)}, "required": ["a"]})
    assert str(made).count("minItems") == levels
    assert report.outcome == "imported"


@pytest.mark.parametrize(("form", "kept"), [("string", False), ("uuid", True), ("made-up", True)])
def test_a_format_that_only_repeats_a_type_is_none(tmp_path: Path, form: str, kept: bool) -> None:
    made, _ = returned(tmp_path, {"type": "object", "properties": {"a": {"type": "string", "format": form}}})
    assert ("format" in made["properties"]["a"]) == kept


@pytest.mark.parametrize(("most", "kept"), [(24, False), (36, True)])
def test_a_format_that_is_longer_than_may_be_is_dropped(tmp_path: Path, most: int, kept: bool) -> None:
    held = {"type": "string", "format": "uuid", "maxLength": most, "example": "536e564f316c83104c000020"}
    made, _ = returned(tmp_path, {"type": "object", "properties": {"a": held}})
    assert ("format" in made["properties"]["a"]) == kept


HTML, LINK = {"type": "string", "pattern": "<"}, {"type": "string", "pattern": "^https://"}
MAIL, PHONE = (
    {
        "type": "object",
        "properties": {"number": {"type": "string"}, "kind": {"const": kind, "writeOnly": True}},
        "required": ["number"],
    }
    for kind in ("mail", "phone")
)


@pytest.mark.parametrize(
    ("branches", "taken"),
    [
        ([HTML, LINK, {"type": "string"}], "anyOf"),
        ([HTML, LINK], "oneOf"),
        ([HTML, {"type": "integer"}], "oneOf"),
        ([MAIL, PHONE], "anyOf"),  # their kinds are never shown
    ],
)
def test_a_choice_of_which_one_admits_what_others_do_is_no_choice_of_one(
    tmp_path: Path, branches: list[dict[str, Any]], taken: str
) -> None:
    made, _ = returned(tmp_path, {"type": "object", "properties": {"a": {"oneOf": branches}}})
    assert taken in made["properties"]["a"]


@pytest.mark.parametrize(("most", "kept"), [(1, False), (2, True)])
def test_a_number_of_fields_below_those_that_are_required_is_dropped(tmp_path: Path, most: int, kept: bool) -> None:
    fields = {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "required": ["a", "b"], "maxProperties": most}
    made, report = returned(tmp_path, schema)
    assert ("maxProperties" in made) == kept
    assert any("maxProperties below" in reason for reason in report.reasons) != kept


def test_a_bound_that_no_number_reaches_is_dropped(tmp_path: Path) -> None:
    made, report = returned(tmp_path, {"type": "object", "properties": {"a": {"type": "integer", "minimum": 10**400}}})
    assert made["properties"]["a"] == {"type": "integer"}
    assert any("minimum" in reason for reason in report.reasons)


@pytest.mark.parametrize(
    ("name", "raw", "kept"),
    [
        ("on-behalf-of", {"default": "The subuser's username. This header generates the call as if made by it."}, False),
        ("user", {"description": "Name of the user to be added.", "default": "Name of the user to be added"}, False),
        ("user", {"description": "Name of the user to be added. Unique.", "default": "name of the user"}, False),
        ("note", {"description": "What to print.", "default": "The parcel is left with the neighbours on the left."}, True),
        ("company", {"description": "Such as Acme Corp London Office", "default": "Acme Corp London Office"}, True),
        ("sort", {"description": "asc or desc", "default": "asc"}, True),
    ],
)  # fmt: skip
def test_a_default_or_example_that_explains_the_value_is_dropped(
    tmp_path: Path, name: str, raw: dict[str, str], kept: bool
) -> None:
    example = {"example" if key == "default" else key: value for key, value in raw.items()}
    made, _ = returned(tmp_path, {"type": "object", "properties": {
        name: {"type": "string", **raw}, f"{name}-id-{name}": {"type": "string", **example}}})  # fmt: skip
    first, second = made["properties"].values()
    assert ("default" in first) == kept
    assert ("examples" in second) == kept


def test_an_example_of_which_only_the_beginning_is_given_is_dropped(tmp_path: Path) -> None:
    given = {"type": "string", "examples": ["eyJhbGciOi...", "tz1abc…", "Loading the page ...", "paris-2"]}
    shown, _ = returned(tmp_path, {"type": "object", "properties": {"code": given}})
    assert shown["properties"]["code"]["examples"] == ["Loading the page ...", "paris-2"]


@pytest.mark.parametrize(
    ("pattern", "form"),
    [
        (r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[1-2][0-9]|3[0-1])$", "date"),
        (r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:]{8}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$", "date-time"),
        (r"^[0-9-]+$", "ledger_day"),
    ],
)
def test_a_text_whose_pattern_admits_only_dates_is_a_date(tmp_path: Path, pattern: str, form: str) -> None:
    dated = {"type": "string", "format": "ledger_day", "pattern": pattern}
    made, _ = returned(tmp_path, {"type": "object", "properties": {"a": dated}})
    assert made["properties"]["a"]["format"] == form
