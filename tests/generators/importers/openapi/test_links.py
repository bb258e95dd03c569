"""The links of OpenAPI responses as edges between tools."""

from pathlib import Path
from typing import Any

import pytest
from tests.generators.importers.sources import load, openapi, real

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.records.tool import ImportReport

ID_IN_PATH = {"name": "user id", "in": "path", "required": True, "schema": {"type": "string"}}
BODY = {
    "content": {
        "application/json": {"schema": {"type": "object", "properties": {"owner": {"type": "string"}, "user_id": {}}}}
    }
}
WHOLE = {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}


def linked(folder: Path, link: Any, code: str = "200", **rest: Any) -> ImportReport:
    """Import a producer with one link, and three consumers: a path parameter, a body of fields, a whole body."""
    paths = {
        "/users": {
            "post": {
                "operationId": "makeUser",
                "parameters": [{"name": "team", "in": "query", "schema": {"type": "string"}}],
                "requestBody": BODY,
                "responses": {code: {"description": "", "links": {"next": link}}},
            }
        },
        "/users/{user id}": {"get": {"operationId": "get.user", "parameters": [ID_IN_PATH], "responses": {}}},
        "/cards": {"post": {"operationId": "makeCard", "requestBody": BODY, "responses": {}}},
        "/tags": {"put": {"operationId": "setTags", "requestBody": WHOLE, "responses": {}}},
        "/gone": {"get": "broken"},
    }
    return load(folder, openapi(paths, **rest))


def edges(report: ImportReport) -> list[tuple[str, str, str, str]]:
    return [
        (link.output, link.argument, link.consumer, link.input) for tool in report.toolset.tools for link in tool.links
    ]


@pytest.mark.parametrize(
    ("link", "edge"),
    [
        (
            {"operationId": "get.user", "parameters": {"user id": "$response.body#/data/id"}},
            ("/data/id", "", "get_user", "/user_id"),
        ),
        (
            {"operationId": "get.user", "parameters": {"path.user id": "{$response.body#/id}"}},
            ("/id", "", "get_user", "/user_id"),
        ),
        (
            {
                "operationRef": "#/paths/~1users~1%7Buser%20id%7D/get",
                "parameters": {"user id": "$request.query.team"},
            },
            ("", "/team", "get_user", "/user_id"),
        ),
        (
            {"operationId": "get.user", "parameters": {"user id": "$request.body#/owner"}},
            ("", "/owner", "get_user", "/user_id"),
        ),
        (
            {"operationId": "makeCard", "requestBody": {"owner": "$response.body#/id"}},
            ("/id", "", "makeCard", "/owner"),
        ),
        ({"operationId": "setTags", "requestBody": "$response.body#/tags"}, ("/tags", "", "setTags", "/body")),
        (
            {"$ref": "#/components/links/Next"},
            ("/id", "", "get_user", "/user_id"),
        ),
    ],
)
@pytest.mark.parametrize("code", ["201", "2XX", "default"])
def test_turns_a_link_into_an_edge(tmp_path: Path, link: Any, edge: tuple[str, ...], code: str) -> None:
    named = {"Next": {"operationId": "get.user", "parameters": {"user id": "$response.body#/id"}}}
    report = linked(tmp_path, link, code, components={"links": named})
    assert edges(report) == [edge]


def test_hands_on_what_the_path_of_the_request_named(tmp_path: Path) -> None:
    link = {
        "operationId": "list",
        "parameters": {"owner": "$request.path.user id", "query.limit": "$request.path.none"},
    }
    query = [{"name": name, "in": "query", "schema": {}} for name in ("owner", "limit")]
    paths = {
        "/users/{user id}": {
            "get": {"operationId": "get", "parameters": [ID_IN_PATH], "responses": {"200": {"links": {"next": link}}}}
        },
        "/repositories": {"get": {"operationId": "list", "parameters": query, "responses": {}}},
    }
    report = load(tmp_path, openapi(paths))
    assert edges(report) == [("", "/user_id", "list", "/owner")]
    assert report.reports[0].reasons[-1] == "links/next: get has no parameter 'path.none', no edge"


@pytest.mark.parametrize("key", ["operationId", "operationRef"])
def test_tells_of_a_link_to_an_operation_that_was_rejected(tmp_path: Path, key: str) -> None:
    schemas: dict[str, Any] = {"S60": {}}
    for number in range(60):
        schemas[f"S{number}"] = {"$ref": f"#/components/schemas/S{number + 1}"}
        for _ in range(35):
            schemas[f"S{number}"] = {"allOf": [schemas[f"S{number}"]]}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    link = {key: "deep" if key == "operationId" else "#/paths/~1deep/post"}
    paths = {
        "/a": {"get": {"operationId": "a", "responses": {"200": {"links": {"next": link}}}}},
        "/deep": {"post": {"operationId": "deep", "requestBody": body, "responses": {}}},
    }
    report = load(tmp_path, openapi(paths, components={"schemas": schemas}))
    assert [item.outcome for item in report.reports] == ["repaired", "rejected"]
    assert report.reports[0].reasons == ("links/next: its operation 'deep' was rejected, left out",)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"operationId": "get.user", "parameters": {"user id": "$request.header.Accept"}}, "no value of a call"),
        ({"operationId": "get.user", "parameters": {"user id": "$request.query.none"}}, "has no parameter"),
        ({"operationId": "get.user", "parameters": {"user id": "$response.body#id"}}, "holds no JSON pointer"),
        ({"operationId": "get.user", "parameters": {"user id": "$url"}}, "no value of a call"),
        ({"operationId": "get.user", "parameters": {"user id": {"a": 1}}}, "is a constant"),
        ({"operationId": ["get.user"]}, "neither operationId nor operationRef"),
        ({"operationRef": "#/paths"}, "leads to no operation"),
        ({"$ref": "#/paths/~1users/post/responses/200/links/next"}, "leads in a circle"),
        ({"operationId": "get.user", "parameters": {"user id": "$response.header.Location"}}, "no value of a call"),
        ({"operationId": "get.user", "parameters": {"user id": "me"}}, "'me' is a constant"),
        ({"operationId": "get.user", "parameters": {"user id": 7}}, "'7' is a constant"),
        ({"operationId": "get.user", "parameters": {"nobody": "$response.body#/id"}}, "has no parameter 'nobody'"),
        ({"operationId": "get.user", "requestBody": "$response.body"}, "has no argument"),
        ({"operationId": "nothing", "parameters": {}}, "names no operation"),
        ({"operationRef": "#/paths/~1gone/get"}, "leads to no operation"),
        ({"operationRef": "https://example.com/api#/paths/~1a/get"}, "leads to the network"),
        ({"$ref": "#/components/links/None"}, "leads to nothing"),
        ({"parameters": {"user id": "$response.body#/id"}}, "neither operationId nor operationRef"),
        (None, "no link object"),
        ([], "no link object"),
    ],
)
def test_tells_of_a_link_that_makes_no_edge(tmp_path: Path, link: Any, reason: str) -> None:
    report = linked(tmp_path, link)
    assert edges(report) == []
    assert report.reports[0].outcome != "rejected"
    assert any(reason in text for text in report.reports[0].reasons), report.reports[0].reasons


def test_takes_no_links_from_errors(tmp_path: Path) -> None:
    link = {"operationId": "get.user", "parameters": {"user id": "$response.body#/id"}}
    assert edges(linked(tmp_path, link, "404")) == []


def test_reads_the_links_of_a_real_description() -> None:
    report = import_openapi(real("openapi", "oai_link_example.json"))
    assert ("/username", "", "getRepositoriesByOwner", "/username") in edges(report)
    assert ("/author/username", "", "mergePullRequest", "/username") in edges(report)
    assert {tool.name for tool in report.toolset.tools if tool.links}


def test_tells_of_the_links_in_other_files_that_name_no_operation() -> None:
    report = import_openapi(real("openapi", "digitalocean_multifile", "DigitalOcean-public.v2.yaml"))
    reasons = next(item.reasons for item in report.reports if item.name == "sshKeys_get")
    assert "links/sshKeys_get_by_id: operationId 'sshKeys_get_by_id' names no operation, left out" in reasons
