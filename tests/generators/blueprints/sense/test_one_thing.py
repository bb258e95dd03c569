"""With tools of which little is known, tasks are about one thing, and about nothing that programs do for each other."""

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pytest
from tests.generators.worlds import records, shared_spec

from interplay.generators.blueprints.drafting.reported_values import matters
from interplay.generators.blueprints.recipes.recipe_settings import BAR
from interplay.generators.blueprints.sense.machine_tools import is_plumbing
from interplay.generators.blueprints.sense.told_doubts import is_listed
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import HttpBinding, Source, Tool


def doubts(spec: str, bar: float) -> Collection[str]:
    """Return the codes of what alone speaks enough against the tasks of a real API description that are let through."""
    made = records(spec if ":" in spec else shared_spec(spec), 40, recipes={"sense": bar})
    tasks = [record.blueprint for record in made if record.blueprint is not None and not record.blueprint.recipe.rule]
    found = (doubt for task in tasks if task.sense is not None for doubt in task.sense.doubts)
    return {doubt.code for doubt in found if doubt.cost > 1 - BAR}


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("xero_projects.yaml", "scattered_goal"),
        ("xero_projects.yaml", "wanted_and_deleted"),
        ("xero_projects.yaml", "just_made"),
        ("notion.json", "nothing_said"),
        ("notion.json", "picked_elsewhere"),
    ],
)
def test_what_nobody_wants_in_one_go_is_found_and_drawn_again(spec: str, code: str) -> None:
    assert code in doubts(spec, 0.0)
    assert code not in doubts(spec, 0.66)


def test_wishes_of_one_kind_are_not_told_one_after_the_other() -> None:
    def asked_thrice(bar: float) -> int:
        made = records(shared_spec("museum.yaml"), 60, recipes={"sense": bar})
        asked = [Counter(goal.tool for goal in task.goals) for task in (record.blueprint for record in made) if task]
        return sum(max(tools.values()) > 2 for tools in asked)

    assert asked_thrice(0.0) > 0
    assert asked_thrice(0.66) == 0


def test_two_deeds_of_which_nothing_is_known_are_not_done_to_one_thing(tmp_path: Path) -> None:
    offer = {
        "type": "object",
        "required": ["id", "title"],
        "properties": {"id": {"type": "string"}, "title": {"type": "string"}},
    }
    many = {
        "200": {"description": "all", "content": {"application/json": {"schema": {"type": "array", "items": offer}}}}
    }
    done = {"204": {"description": "done"}}
    key = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    deeds = {
        f"/offers/{{id}}/{verb}": {"post": {"operationId": f"{verb}Offer", "parameters": key, "responses": done}}
        for verb in ("accept", "dismiss")
    }
    paths = {"/offers": {"get": {"operationId": "listOffers", "responses": many}}, **deeds}
    api = {"openapi": "3.0.0", "info": {"title": "Offers", "version": "1"}, "paths": paths}
    (tmp_path / "offers.json").write_text(json.dumps(api))
    found = [doubts(f"openapi:{tmp_path / 'offers.json'}", bar) for bar in (0.0, 0.66)]
    assert ["done_twice" in codes for codes in found] == [True, False]


def cancels_its_own(task: Blueprint) -> bool:
    """Tell whether a task cancels what it has made itself, where its user does not change its mind."""
    made = {str(action.id) for action in task.actions if action.tool == "createBooking"}
    ended = [action for action in task.actions if action.tool == "cancelBooking"]
    undone = any(str(origin.action) in made for action in ended for origin in action.origins.values())
    return undone and task.scenario.behaves("changes_mind_late") is None


def test_what_was_booked_just_now_is_not_cancelled(tmp_path: Path) -> None:
    fields = {"id": {"type": "string"}, "title": {"type": "string"}, "status": {"enum": ["open", "cancelled"]}}
    booking = {"schema": {"type": "object", "required": [*fields], "properties": fields}}
    shown = {"200": {"description": "", "content": {"application/json": booking}}}
    sent = {"schema": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}}
    key = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    body = {"content": {"application/json": sent}}
    paths = {
        "/bookings": {"post": {"operationId": "createBooking", "requestBody": body, "responses": shown}},
        "/bookings/{id}": {"get": {"operationId": "getBooking", "parameters": key, "responses": shown}},
        "/bookings/{id}/cancel": {"post": {"operationId": "cancelBooking", "parameters": key, "responses": shown}},
    }
    api = {"openapi": "3.0.0", "info": {"title": "Bookings", "version": "1"}, "paths": paths}
    (tmp_path / "bookings.json").write_text(json.dumps(api))
    undone = []
    for bar in (0.0, 0.66):
        made = records(f"openapi:{tmp_path / 'bookings.json'}", 40, recipes={"sense": bar})
        blueprints = [record.blueprint for record in made if record.blueprint is not None]
        undone.append(any(map(cancels_its_own, (task for task in blueprints if not task.recipe.rule))))
    assert undone == [True, False]


def test_a_change_says_to_which_of_many_things_it_is_made(tmp_path: Path) -> None:
    fields = {"id": {"type": "string"}, "title": {"type": "string"}, "text": {"type": "string"}}
    note = {"type": "object", "required": [*fields], "properties": fields}
    shown = {"content": {"application/json": {"schema": note}}}
    many = {
        "200": {"description": "all", "content": {"application/json": {"schema": {"type": "array", "items": note}}}}
    }
    sent = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    change = {
        "operationId": "updateNote",
        "requestBody": {"content": {"application/json": {"schema": sent}}},
        "responses": {"200": {"description": "changed", **shown}},
    }
    paths = {"/notes": {"get": {"operationId": "listNotes", "responses": many}, "put": change}}
    api = {"openapi": "3.0.0", "info": {"title": "Notes", "version": "1"}, "paths": paths}
    (tmp_path / "notes.json").write_text(json.dumps(api))
    found = [doubts(f"openapi:{tmp_path / 'notes.json'}", bar) for bar in (0.0, 0.66)]
    assert ["unnamed" in codes for codes in found] == [True, False]


def test_nobody_takes_a_thing_by_a_number_that_it_did_not_know(tmp_path: Path) -> None:
    fields = {"id": {"type": "integer"}, "batch_id": {"type": "integer"}, "active": {"type": "boolean"}}
    lot = {"type": "object", "required": [*fields], "properties": fields}
    many = {"200": {"description": "all", "content": {"application/json": {"schema": {"type": "array", "items": lot}}}}}
    key = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    done = {"204": {"description": "done"}}
    paths = {
        "/lots": {"get": {"operationId": "listLots", "responses": many}},
        "/lots/{id}": {"delete": {"operationId": "deleteLot", "parameters": key, "responses": done}},
    }
    api = {"openapi": "3.0.0", "info": {"title": "Lots", "version": "1"}, "paths": paths}
    (tmp_path / "lots.json").write_text(json.dumps(api))
    found = [doubts(f"openapi:{tmp_path / 'lots.json'}", bar) for bar in (0.0, 0.66)]
    assert ["code_chosen" in codes for codes in found] == [True, False]


def tool(name: str, path: str = "/", summary: str = "") -> Tool:
    """Return a tool that is known by its name, path and summary."""
    return Tool(
        name=name,
        original_name=name,
        summary=summary,
        parameters={"type": "object"},
        source=Source(file="api.yaml"),
        http=HttpBinding(method="POST", path=path),
    )


@pytest.mark.parametrize(
    ("name", "path", "summary", "plumbing"),
    [
        ("Login", "/users/login", "", True),
        ("postAuthResendCode", "/auth/resend-code", "", True),
        ("getToken", "/auth/gettoken", "get auth token", True),
        ("listTokens", "/games/{id}/tokens", "See the tokens of a game", False),
        ("scrollOverAllCompanies", "/companies/scroll", "", True),
        ("post_sessions", "/sessions", "Sign in a user", True),
        ("createOrder", "/orders", "Create an order", False),
        ("postReply", "/conversations/{id}/reply", "Reply to a conversation", False),
        ("signRequest", "/sign_requests", "Create a request to sign", False),
    ],
)
def test_what_programs_do_for_each_other_is_told_by_names(name: str, path: str, summary: str, plumbing: bool) -> None:
    found = tool(name, path, summary)
    assert is_plumbing(found) is plumbing
    assert not is_plumbing(found.model_copy(update={"phrases": ToolPhrases(wishes=("log me in",))}))


def test_a_root_that_only_greets_is_for_nobody() -> None:
    root = tool("getRoot", "/", "Root").model_copy(update={"effect": "read"})
    rows = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    assert is_plumbing(root)
    assert not is_plumbing(root.model_copy(update={"returns": rows}))
    assert not is_plumbing(tool("shorten", "/", "Shorten a link").model_copy(update={"effect": "write"}))


def test_how_much_there_is_and_what_a_result_lists_alone_mean_something() -> None:
    assert matters("/data_used_gb", 12.5)
    assert not matters("/is_text_channel", True)
    assert is_listed({"symbols": ["AAPL", "NVDA"]}, "/symbols")
    assert is_listed({"symbols": ["AAPL", "NVDA"]}, "/symbols/0")
    assert not is_listed({"symbol": "AAPL", "flags": ["held"]}, "/flags")


def test_nobody_leaves_another_team_than_that_in_which_it_was_found(tmp_path: Path) -> None:
    team = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "required": ["id", "name"],
    }
    person = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "email": {"type": "string"}},
    }
    member = {
        "type": "object",
        "properties": {**person["properties"], "first_name": {"type": "string"}, "last_name": {"type": "string"}},
    }

    def keyed(*names: str, answer: dict[str, object] | None = None, **more: str) -> dict[str, object]:
        content = {"application/json": {"schema": answer}} if answer else {}
        keys = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
        return {"parameters": keys, "responses": {"200": {"description": "", "content": content}}, **more}

    many = {"type": "array", "items": member}
    paths = {
        "/teams": {"get": keyed(answer={"type": "array", "items": team})},
        "/teams/{team_id}": {"get": keyed("team_id", answer=team)},
        "/people/{user_id}": {"get": keyed("user_id", answer=person)},
        "/users": {"get": keyed(answer={"type": "array", "items": person})},
        "/users/{user_id}": {"get": keyed("user_id", answer=person)},
        "/teams/{team_id}/members": {"get": keyed("team_id", answer=many)},
        "/teams/{team_id}/members/{user_id}": {
            "delete": keyed("team_id", "user_id", summary="Remove a member from a team")
        },
    }
    path = tmp_path / "teams.json"
    path.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "teams", "version": "1"}, "paths": paths}))
    spec = f"openapi:{path}"
    assert "other_home" in doubts(spec, 0.0)
    assert "other_home" not in doubts(spec, 0.66)
    lists = (
        json.loads(message.content)
        for record in records(spec, 40)
        for message in (record.trajectory.messages if record.trajectory else ())
        if message.role == "tool" and message.content.startswith("[{")
    )
    members = [item for rows in lists for item in rows if "first_name" in item]
    assert members
    assert all(item["name"].startswith(item["first_name"]) for item in members)
