"""Path templates are read as the rows and actions that they name, however they are written."""

import pytest

from interplay.generators.environments.inference.roles.segments import path_segments


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/orders/{id}:cancel", ["orders", "{id}", "cancel"]),
        ("/tags/{id}.{format}", ["tags", "{id}"]),
        ("/tags.{format}", ["tags"]),
        ("/crm/v3/deals/2026-03/{id}", ["crm", "deals", "{id}"]),
        ("/tags{format}", ["tags"]),
        ("/tags/{id}/media.{format}?q={q}", ["tags", "{id}", "media"]),
        ("/files/{id}#add_shared_link", ["files", "{id}", "add_shared_link"]),
        ("/users/{id}#operation=logout", ["users", "{id}"]),
        ("/users/{id}?x=y#operation=update-settings", ["users", "{id}", "update-settings"]),
        ("/policies/{name}#If-Match", ["policies", "{name}"]),
        ("/articles/search/{query}", ["articles", "search"]),
        ("/articles/searchAll/{query}/{page}", ["articles", "search"]),
        ("/articles/get/{id}", ["articles", "{id}"]),
        ("/profiles/id/{userId}", ["profiles", "{userId}"]),
        ("/id/{userId}", ["id", "{userId}"]),
        ("/GetUser/{phone}", ["user", "{phone}"]),
        ("/content/getContentById/{id}", ["content", "content", "{id}"]),
        ("/getArrivalsByStation/{station}", ["arrivals"]),
        ("/filter/{id}", ["filter", "{id}"]),
        ("/change-sets/{id}", ["change-sets", "{id}"]),
        ("/search_folders/{id}", ["search_folders", "{id}"]),
        ("/{id}/{other}", ["{id}", "{other}"]),
        ("/Invoices('{No}')/Sales.Post", ["Invoices", "{No}", "Post"]),
    ],
)
def test_a_path_is_read_as_what_it_names(path: str, expected: list[str]) -> None:
    assert path_segments(path) == expected
