"""What nobody could come to say of an argument."""

import json
from pathlib import Path

from tests.generators.worlds import generator

from interplay.generators.blueprints.arguments.known_values import is_unlikely, nobody_says


def test_nobody_says_a_text_of_which_nothing_is_known() -> None:
    assert nobody_says("otp", {"type": "string"}) == ["/otp"]
    assert nobody_says("transfers", {"type": "array", "items": {"type": "string"}}) == ["/transfers"]


def test_nobody_says_an_expression_for_programs() -> None:
    assert is_unlikely("/filter", "equals(messages.channel,'email')")
    assert not is_unlikely("/title", "Results (first draft)")


def test_no_task_is_about_a_tool_whose_argument_no_value_fits(tmp_path: Path) -> None:
    never = {"type": "array", "contains": {"const": 1}, "minContains": 10**9}
    tools = [
        {"name": "list_things", "description": "List things", "parameters": {"type": "object", "properties": {}}},
        {
            "name": "create_thing",
            "description": "Create a thing",
            "parameters": {"type": "object", "properties": {"sizes": never}, "required": ["sizes"]},
        },
    ]
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(tools))
    place = generator(f"json:{path}").workshop(0)
    assert "no value was found that fits its schema" in place.left_out["create_thing"]
    assert [tool.name for tool in place.context.offered] == ["list_things"]


def test_no_task_sends_a_body_of_which_nothing_is_known(tmp_path: Path) -> None:
    def taking(schema: dict[str, object]) -> dict[str, object]:
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        return {"post": {"requestBody": body, "responses": {"200": {"description": ""}}}}

    free: dict[str, object] = {"type": "object", "additionalProperties": True}
    known = {**free, "example": {"title": "Plan"}}
    listed = {"get": {"operationId": "listHooks", "responses": {"200": {"description": ""}}}}
    paths = {"/hooks": listed, "/events": taking(free), "/orders": taking(known)}
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Hooks", "version": "1"}, "paths": paths}))
    left = generator(f"openapi:{path}").workshop(0).left_out
    assert left.get("post_events") == "nobody knows the body, of which nothing is described"
    assert "post_orders" not in left
