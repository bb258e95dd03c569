import pytest

from interplay.schemas.chat import OutputSchema


@pytest.mark.parametrize("schema", [{}, {"type": "array", "items": {}}, {"type": ["object", "null"]}, {"anyOf": []}])
def test_an_output_schema_has_an_object_at_its_root(schema: dict[str, object]) -> None:
    assert OutputSchema(name="answer", json_schema={"type": "object"}).json_schema
    with pytest.raises(ValueError, match="put other answers into a property"):
        OutputSchema(name="answer", json_schema=schema)
