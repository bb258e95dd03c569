"""Types as people write them."""

from typing import Any

import pytest

from interplay.generators.importers.normalisation.type_expressions import read_type


@pytest.mark.parametrize(
    ("text", "schema", "optional"),
    [
        ("str", {"type": "string"}, False),
        ("int, optional", {"type": "integer"}, True),
        ("int (optional)", {"type": "integer"}, True),
        ("float, default 2.5", {"type": "number"}, True),
        ("bool, defaults to True", {"type": "boolean"}, True),
        ("STRING", {"type": "string"}, False),
        ("List[int]", {"type": "array", "items": {"type": "integer"}}, False),
        ("list of str", {"type": "array", "items": {"type": "string"}}, False),
        ("array of integers", {"type": "array", "items": {"type": "integer"}}, False),
        ("Array<string>", {"type": "array", "items": {"type": "string"}}, False),
        (
            "typing.List[typing.Dict[str, int]]",
            {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer"}}},
            False,
        ),
        ("Dict[str, Any]", {"type": "object"}, False),
        ("Optional[str]", {"type": ["string", "null"]}, True),
        (
            "Optional[List[Union[int, str]]]",
            {"type": ["array", "null"], "items": {"type": ["integer", "string"]}},
            True,
        ),
        ("int | None", {"type": ["integer", "null"]}, True),
        ("str or int", {"type": ["string", "integer"]}, False),
        ("Union[List[int], str]", {}, False),
        ("Tuple[float, float]", {"type": "array", "items": {"type": "number"}}, False),
        ("Tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}, False),
        ("Tuple[int, str]", {"type": "array"}, False),
        ("Literal['asc', 'desc']", {"enum": ["asc", "desc"]}, False),
        ("{'asc', 'desc'}, default 'asc'", {"enum": ["asc", "desc"]}, True),
        ("{1, 2}", {"enum": [1, 2]}, False),
        ("datetime.datetime", {"type": "string", "format": "date-time"}, False),
        ("any", {}, False),
        ("", {}, False),
    ],
)
def test_types_are_read(text: str, schema: Any, optional: bool) -> None:
    read = read_type(text)
    assert read is not None
    assert (read.schema, read.is_optional) == (schema, optional)


@pytest.mark.parametrize("text", ["np.ndarray", "Callable[[float], float]", "the name of it", "[" * 200, "List[" * 100])
def test_what_is_not_understood_is_none(text: str) -> None:
    assert read_type(text) is None
