"""Words in names of fields, and the schemas that pointers lead to."""

import pytest

from interplay.schemas.json.fields import schema_at
from interplay.schemas.words.identifiers import is_standing


@pytest.mark.parametrize("name", ["access_token", "apiKey", "client-secret", "my_auth_token", "base_url", "serverUrl"])
def test_what_lets_calls_pass_or_says_where_they_go_stands(name: str) -> None:
    assert is_standing(name)


@pytest.mark.parametrize("name", ["", "token", "page_token", "public_key", "image_url", "url", "api", "session_id"])
def test_what_differs_from_call_to_call_does_not_stand(name: str) -> None:
    assert not is_standing(name)


def test_a_pointer_leads_to_the_schema_of_a_field_whose_name_holds_a_slash() -> None:
    inner = {"type": "object", "properties": {"km/h": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"legs": {"type": "array", "items": inner}}}
    assert schema_at(schema, "/legs/0/km~1h") == {"type": "integer"}
    assert schema_at(schema, "/legs/0/km/h") == {}
