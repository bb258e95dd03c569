"""A small API that answers as JSON:API says: rows with attributes and relationships under `data`.

Source: JSON:API 1.1, sections 5 (document structure), 6 (fetching) and 7 (creating, updating and deleting).
"""

from typing import Any

from tests.generators.environments.inline import TEXT

from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

TIME = {"type": "string", "format": "date-time"}


def linked(kind: str, many: bool = False) -> dict[str, Any]:
    one = thing(type={"type": "string", "enum": [kind]}, id=TEXT)
    return thing(data={"type": "array", "items": one} if many else one)


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def row(kind: str, attributes: dict[str, Any], **relationships: Any) -> dict[str, Any]:
    fields = {"type": {"type": "string", "enum": [kind]}, "id": TEXT, "attributes": thing(**attributes)}
    return thing(**fields, relationships=thing(**relationships)) if relationships else thing(**fields)


ARTICLE: dict[str, Any] = {
    "title": TEXT,
    "status": {"type": "string", "enum": ["draft", "published", "archived"]},
    "created": TIME,
}
ARTICLES = row("articles", ARTICLE, author=linked("people"), tags=linked("tags", many=True))
PEOPLE = row("people", {"name": TEXT, "email": {"type": "string", "format": "email"}})
TAGS = row("tags", {"label": TEXT})
NEW = {"title": TEXT, "status": ARTICLE["status"]}


def body(kind: str, attributes: dict[str, Any], known: bool = False, **relationships: Any) -> dict[str, Any]:
    fields = {"type": {"type": "string", "enum": [kind]}, "attributes": {"type": "object", "properties": attributes}}
    fields |= {"id": TEXT} if known else {}
    return {
        **thing(**fields),
        "properties": {**fields, "relationships": {"type": "object", "properties": relationships}},
    }


def tool(name: str, method: str, path: str, returns: Any, query: tuple[str, ...] = (), data: Any = None) -> Tool:
    inside = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    properties: dict[str, Any] = {**dict.fromkeys(inside, TEXT)}
    for key in query:
        properties[key] = {"type": "integer"} if "page" in key else TEXT
    properties |= {"data": data} if data else {}
    locations = {key: "path" if key in inside else "query" if key in query else "body" for key in properties}
    return Tool(
        name=name, original_name=name, description=name, returns=returns, effect="read" if method == "GET" else "write",
        parameters={"type": "object", "properties": properties, "required": [*inside, *(["data"] if data else [])]},
        source=Source(file="jsonapi.json", pointer=f"/paths/{name}"),
        http=HttpBinding(method=method, path=path, locations=locations),
    )  # fmt: skip


def newsroom() -> Toolset:
    many = thing(data={"type": "array", "items": ARTICLES}, meta=thing(total={"type": "integer"}))
    narrowing = ("filter[status]", "filter[author]", "page[number]", "page[size]", "sort", "include")
    given = {"author": linked("people"), "tags": linked("tags", many=True)}
    tools = (
        tool("listArticles", "GET", "/articles", many, narrowing),
        tool("getArticle", "GET", "/articles/{id}", thing(data=ARTICLES), ("include",)),
        tool("createArticle", "POST", "/articles", thing(data=ARTICLES), data=body("articles", NEW, **given)),
        tool("updateArticle", "PATCH", "/articles/{id}", thing(data=ARTICLES), data=body("articles", NEW, True, **given)),
        tool("publishArticle", "POST", "/articles/{id}/publish", thing(data=ARTICLES)),
        tool("deleteArticle", "DELETE", "/articles/{id}", None),
        tool("listPeople", "GET", "/people", thing(data={"type": "array", "items": PEOPLE})),
        tool("getPerson", "GET", "/people/{id}", thing(data=PEOPLE)),
        tool("listTags", "GET", "/tags", thing(data={"type": "array", "items": TAGS})),
    )  # fmt: skip
    return Toolset(name="newsroom", tools=tools)
