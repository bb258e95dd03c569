"""Examples of rows of the tables -> tools, by a short notation.

    POST /orders/{id}/cancel (reason, force!) ?notify -> order | GET /orders/{id} -> order

The parts between bars are calls: a method and a path, or a name alone (`search_orders(text) -> [order]`). `name: ` before a
method names the tool, `read` or `write` before all says which it does where method and verb do not. In brackets stand the
fields of the body, after `?` those of the query, `name!` a required one, `name[]` a list of texts. After the arrow stands
the result: `order` is an object with `id` and `name` and that title, `[order]` a list, `{a, b: [order], c[]}` an object.
"""

import re
from typing import Any

from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset
from interplay.schemas.words.identifiers import name_tokens

TEXT = {"type": "string"}
_CALL = re.compile(
    r"(?:(?P<effect>read|write) )?(?:(?P<name>[\w.]+)(?:: )?)??(?:(?P<method>[A-Z]+) (?P<path>/\S*))?\s*"
    r"(?:\((?P<body>[^)]*)\))?\s*(?:\?(?P<query>\S+))?\s*(?:-> (?P<result>.+))?"
)
_READS = ("get", "list", "search", "find", "read")


def toolset_of(example: str) -> Toolset:
    """Return the tools of an example, the decided one first."""
    return Toolset(name="example", tools=tuple(_tool(call.strip(), at) for at, call in enumerate(example.split(" | "))))


def _tool(text: str, number: int) -> Tool:
    found = _CALL.fullmatch(text)
    assert found is not None, text
    method, path, name = found["method"], found["path"] or "", found["name"] or f"operation{number}"
    inside = re.findall(r"\{(\w+)\}", path)
    body, query = _fields(found["body"]), _fields(found["query"])
    given = {**dict.fromkeys((f"{key}!" for key in inside), TEXT), **body, **query}
    places = dict.fromkeys(inside, "path")
    places |= {key.strip("!"): "body" for key in body} | {key.strip("!"): "query" for key in query}
    name = path.rsplit("/", 1)[-1] if "." in path and found["name"] is None else name
    reads = method == "GET" or (method is None and name_tokens(name)[0] in _READS)
    return Tool(
        name=f"{name.replace('.', '_')}_{number}" if method else name,
        original_name=name,
        description=name,
        parameters={
            "type": "object",
            "properties": {key.strip("!"): schema for key, schema in given.items()},
            "required": [key.strip("!") for key in given if key.endswith("!")],
        },
        returns=_schema(found["result"]) if found["result"] else None,
        effect=found["effect"] or ("read" if reads else "write"),
        source=Source(file="example", pointer=f"/{number}"),
        http=HttpBinding(method=method, path=path, locations=places) if method else None,
    )


def _fields(text: str | None) -> dict[str, Any]:
    """Return the schemas of fields with commas between them: `a, b!, c[], d=sample, d~pattern, e 'said of it', f: [order], g: {h}`."""
    found: dict[str, Any] = {}
    for part in _parts(text or ""):
        name, _, inner = part.partition(": ")
        name, _, said = name.partition(" ")
        name, _, sample = name.partition("=")
        name, _, pattern = name.partition("~")
        schema = _schema(inner) if inner else dict(TEXT)
        schema |= {"description": said.strip("'")} if said else {}
        schema |= {"examples": [sample]} if sample else {}
        schema |= {"pattern": pattern} if pattern else {}
        if name.endswith("[]"):
            name, schema = name.removesuffix("[]"), {"type": "array", "items": schema}
        found[name] = {"type": "string", "const": sample} if name == "type" else schema
    return found


def _parts(text: str) -> list[str]:
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "[{") - (sign in "]}")
        parts = [*parts, ""] if sign == "," and depth == 0 else [*parts[:-1], parts[-1] + sign]
    return [part.strip() for part in parts if part.strip()]


def _schema(text: str) -> dict[str, Any]:
    if text.startswith("["):
        return {"type": "array", "items": _schema(text[1:-1])}
    if text.startswith("{"):
        return {"type": "object", "properties": _fields(text[1:-1])}
    if text in ("integer", "string", "number", "boolean"):
        return {"type": text}
    return {"type": "object", "title": text, "properties": {"id": TEXT, "name": TEXT}}
