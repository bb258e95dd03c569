import pytest

from interplay.schemas.records.chat import ChatRequest, OutputSchema, Sampling


@pytest.mark.parametrize("schema", [{}, {"type": "array", "items": {}}, {"type": ["object", "null"]}, {"anyOf": []}])
def test_an_output_schema_has_an_object_at_its_root(schema: dict[str, object]) -> None:
    assert OutputSchema(name="answer", json_schema={"type": "object"}).json_schema
    with pytest.raises(ValueError, match="put other answers into a property"):
        OutputSchema(name="answer", json_schema=schema)


def test_what_is_left_to_the_provider_is_not_copied_for_each_request() -> None:
    assert ChatRequest(messages=()).sampling is ChatRequest(messages=()).sampling
    assert hash(Sampling(seed=1, extra={"a": 1})) == hash(Sampling(seed=1, extra={"a": 1}))
