"""Words in names of fields."""

import pytest

from interplay.schemas.words.identifiers import is_standing


@pytest.mark.parametrize("name", ["access_token", "apiKey", "client-secret", "my_auth_token", "base_url", "serverUrl"])
def test_what_lets_calls_pass_or_says_where_they_go_stands(name: str) -> None:
    assert is_standing(name)


@pytest.mark.parametrize("name", ["", "token", "page_token", "public_key", "image_url", "url", "api", "session_id"])
def test_what_differs_from_call_to_call_does_not_stand(name: str) -> None:
    assert not is_standing(name)
