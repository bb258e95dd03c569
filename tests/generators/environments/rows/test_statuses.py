"""What a verb does to a row: its status, its flags, its times."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.values.texts.formatted_texts import in_ascii
from interplay.schemas.records.tool import Tool

pytestmark = pytest.mark.anyio

TIME = {"type": "string", "format": "date-time"}
FLAG = {"type": "boolean"}
DAY = {"type": "string", "format": "date"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def orders(verb: str, method: str = "POST", **fields: Any) -> Sandbox:
    order = row(title=TEXT, **fields)
    return sandbox(
        operation("listOrders", "GET", "/orders", {"type": "array", "items": order}),
        operation("getOrder", "GET", "/orders/{orderId}", order),
        operation("updateOrder", "PATCH", "/orders/{orderId}", order, title=TEXT),
        operation(f"{verb}Order", method, f"/orders/{{orderId}}/{verb}", None),
    )


def enum(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


@pytest.mark.parametrize(
    ("verb", "status", "expected"),
    [
        ("cancel", enum("open", "cancelled"), "cancelled"),
        ("archive", enum("live", "archived"), "archived"),
        ("unarchive", enum("active", "archived"), "active"),
        ("approve", enum("pending", "approved"), "approved"),
        ("reject", enum("pending", "rejected"), "rejected"),
        ("deny", enum("pending", "denied"), "denied"),
        ("decline", enum("new", "declined"), "declined"),
        ("accept", enum("new", "accepted"), "accepted"),
        ("close", enum("open", "closed"), "closed"),
        ("reopen", enum("open", "closed"), "open"),
        ("complete", enum("todo", "completed"), "completed"),
        ("finish", enum("todo", "done"), "done"),
        ("start", enum("todo", "in_progress"), "in_progress"),
        ("stop", enum("running", "stopped"), "stopped"),
        ("pause", enum("running", "paused"), "paused"),
        ("resume", enum("running", "paused"), "running"),
        ("publish", enum("draft", "published"), "published"),
        ("unpublish", enum("draft", "published"), "draft"),
        ("activate", enum("inactive", "active"), "active"),
        ("deactivate", enum("inactive", "active"), "inactive"),
        ("enable", enum("disabled", "enabled"), "enabled"),
        ("suspend", enum("active", "suspended"), "suspended"),
        ("ship", enum("paid", "shipped"), "shipped"),
        ("deliver", enum("shipped", "delivered"), "delivered"),
        ("refund", enum("paid", "refunded"), "refunded"),
        ("pay", enum("open", "paid"), "paid"),
        ("send", enum("draft", "sent"), "sent"),
        ("submit", enum("draft", "submitted"), "submitted"),
        ("void", enum("open", "void"), "void"),
        ("resolve", enum("open", "resolved"), "resolved"),
        ("freeze", enum("active", "frozen"), "frozen"),
        ("verify", enum("new", "verified"), "verified"),
        ("expire", enum("open", "expired"), "expired"),
    ],
)
async def test_a_verb_leads_to_its_status(verb: str, status: dict[str, Any], expected: str) -> None:
    opened = orders(verb, status=status)
    for key in list(opened.state()["order"]):
        assert (await call(opened, f"{verb}Order", orderId=key)).error is None
        assert (await call(opened, "getOrder", orderId=key)).value["status"] == expected


async def test_a_part_that_is_taken_away_is_gone() -> None:
    opened = orders("image", "DELETE", image_url={"type": ["string", "null"]}, image={"type": "string"})
    for key in list(opened.state()["order"]):
        assert (await call(opened, "imageOrder", orderId=key)).error is None
        now = (await call(opened, "getOrder", orderId=key)).value
        assert now.get("image_url") is None
        assert now["title"]


async def test_only_what_is_paused_is_resumed() -> None:
    opened, refused = orders("resume", status=enum("new", "paused", "waiting", "shipped")), 0
    for key, held in list(opened.state()["order"].items()):
        answer = await call(opened, "resumeOrder", orderId=key)
        now = (await call(opened, "getOrder", orderId=key)).value["status"]
        if held["status"] in ("waiting", "shipped"):
            assert "not paused" in str(answer.error)
            assert now == held["status"]
            refused += 1
        else:
            assert (answer.error, now) == (None, "new")
    assert 0 < refused < len(opened.state()["order"])


@pytest.mark.parametrize(
    ("verb", "method", "field", "expected"),
    [
        ("archive", "POST", "archived", True),
        ("archive", "POST", "is_closed", True),
        ("unarchive", "POST", "is_archived", False),
        ("lock", "PUT", "locked", True),
        ("lock", "DELETE", "locked", False),
        ("unlock", "POST", "locked", False),
        ("complete", "POST", "done", True),
        ("activate", "POST", "active", True),
        ("deactivate", "POST", "is_active", False),
        ("disable", "POST", "enabled", False),
        ("publish", "POST", "draft", False),
        ("read", "POST", "unread", False),
        ("mute", "POST", "muted", True),
        ("unmute", "POST", "muted", False),
        ("star", "PUT", "favorite", True),
        ("hide", "POST", "hidden", True),
        ("verify", "POST", "is_verified", True),
    ],
)
async def test_a_verb_sets_or_takes_back_its_flag(verb: str, method: str, field: str, expected: bool) -> None:
    opened = orders(verb, method, **{field: FLAG})
    for key in list(opened.state()["order"]):
        assert (await call(opened, f"{verb}Order", orderId=key)).error is None
        assert (await call(opened, "getOrder", orderId=key)).value[field] is expected


@pytest.mark.parametrize("field", ["archived_at", "archivedAt"])
async def test_a_verb_notes_its_time_and_its_contrary_takes_that_back(field: str) -> None:
    moment = {"type": ["string", "null"], "format": "date-time"}
    opened, undone = orders("archive", **{field: moment}), orders("unarchive", **{field: moment})
    key = next(iter(opened.state()["order"]))
    await call(opened, "archiveOrder", orderId=key)
    assert opened.state()["order"][key][field] == "2026-03-02T12:01:00Z"
    await call(undone, "unarchiveOrder", orderId=key)
    assert undone.state()["order"][key][field] is None


async def test_what_toggles_turns_a_flag_each_time() -> None:
    opened = orders("toggleActive", "PATCH", is_active=FLAG, locked=FLAG)
    first = (await call(opened, "listOrders")).value[0]
    for turned in (not first["is_active"], first["is_active"]):
        await call(opened, "toggleActiveOrder", orderId=first["id"])
        shown = (await call(opened, "getOrder", orderId=first["id"])).value
        assert (shown["is_active"], shown["locked"]) == (turned, first["locked"])
    assert opened.resources.by_tool["toggleActiveOrder"].leads_to == {}
    assert orders("lock", locked=FLAG).resources.by_tool["lockOrder"].leads_to == {"locked": True}


async def test_status_flag_and_time_move_together() -> None:
    opened = orders("close", status=enum("open", "closed"), closed=FLAG, closed_at=TIME, closed_by=TEXT)
    key, before = next(iter(opened.state()["order"].items()))
    await call(opened, "closeOrder", orderId=key)
    after = opened.state()["order"][key]
    assert (after["status"], after["closed"], after["closed_at"][:4]) == ("closed", True, "2026")
    assert "closed_by" not in before


async def test_a_write_moves_the_time_of_the_last_change_and_leaves_that_of_the_making() -> None:
    opened = orders("close", status=enum("open", "closed"), created_at=TIME, updated_at=TIME)
    key, before = next(iter(opened.state()["order"].items()))
    await call(opened, "updateOrder", orderId=key, title="Another")
    after = opened.state()["order"][key]
    assert after["created_at"] == before["created_at"]
    assert after["updated_at"] > max(before["created_at"], before["updated_at"])
    await call(opened, "updateOrder", orderId=key, title="A third")
    assert opened.state()["order"][key]["updated_at"] > after["updated_at"]


async def test_a_time_that_only_its_value_tells_moves_too_and_a_day_stays_one() -> None:
    opened = orders("close", created_date=TEXT, modified_date=TEXT, modified_on=DAY)
    key, before = next(iter(opened.state()["order"].items()))
    assert before["created_date"] <= before["modified_date"]
    await call(opened, "updateOrder", orderId=key, title="Another")
    after = opened.state()["order"][key]
    assert after["modified_date"] > before["modified_date"]
    assert len(after["modified_on"]) == len("2026-03-09")


async def test_a_write_that_changes_nothing_changes_no_time() -> None:
    opened = orders("close", updated_at=TIME)
    key, before = next(iter(opened.state()["order"].items()))
    await call(opened, "updateOrder", orderId=key, title=before["title"])
    assert opened.state()["order"][key] == before


async def test_a_time_that_is_a_number_stays_one() -> None:
    opened = orders("close", updated={"type": "integer"}, updated_at={"type": "integer"})
    key = next(iter(opened.state()["order"]))
    await call(opened, "updateOrder", orderId=key, title="Another")
    assert isinstance(opened.state()["order"][key]["updated_at"], int)


async def test_an_id_given_for_a_shown_row_leaves_nothing_of_the_one_before() -> None:
    person = row(name=TEXT)
    task = row(title=TEXT, assignee=person)
    opened = sandbox(
        operation("getUser", "GET", "/users/{userId}", person),
        operation("getTask", "GET", "/tasks/{taskId}", task),
        operation("updateTask", "PATCH", "/tasks/{taskId}", task, assignee=TEXT),
    )
    key = next(iter(opened.state()["task"]))
    user = list(opened.state()["user"])[-1]
    assert (await call(opened, "updateTask", taskId=key, assignee=user)).error is None
    assert opened.state()["task"][key]["assignee"] == {"id": user}


async def test_a_description_says_to_which_status_a_tool_leads() -> None:
    ticket = row(title=TEXT, status=enum("open", "solved"), priority=enum("low", "high"))
    tools = [
        operation(
            "list_tickets",
            "GET",
            "/tickets",
            {"type": "object", "properties": {"tickets": {"type": "array", "items": ticket}}},
        ),
        operation("get_ticket", "GET", "/ticket", ticket, ticket_id=TEXT),
        operation("solve_ticket", "POST", "/solve", None, ticket_id=TEXT),
        operation("set_priority", "POST", "/set", None, ticket_id=TEXT, priority=enum("low", "high")),
    ]
    told = {"solve_ticket": "Mark a ticket as solved.", "set_priority": "Change the priority of a ticket."}
    opened = sandbox(
        *(tool.model_copy(update={"http": None, "description": told.get(tool.name, tool.name)}) for tool in tools)
    )
    key, before = next(iter(opened.state()["ticket"].items()))
    other = "low" if before["priority"] == "high" else "high"
    await call(opened, "solve_ticket", ticket_id=key)
    await call(opened, "set_priority", ticket_id=key, priority=other)
    after = opened.state()["ticket"][key]
    assert (after["status"], after["priority"]) == ("solved", other)


async def test_who_is_checked_in_is_there() -> None:
    opened = orders("check-in", status=enum("booked", "checked_in", "completed"))
    key = next(iter(opened.state()["order"]))
    await call(opened, "check-inOrder", orderId=key)
    assert opened.state()["order"][key]["status"] == "checked_in"


async def test_who_checks_in_has_not_checked_out() -> None:
    opened = orders("check-in", checked_in={"type": "boolean"}, checked_out={"type": "boolean"})
    for key, before in opened.state()["order"].items():
        await call(opened, "check-inOrder", orderId=key)
        after = opened.state()["order"][key]
        assert (after["checked_in"], after["checked_out"]) == (True, before["checked_out"])


async def test_what_is_said_where_a_field_is_taken_holds_where_it_is_shown() -> None:
    order = row(window=TEXT, weight={"type": "number"}, day={"type": "integer", "examples": [1]}, note=TEXT)
    taken = {
        "day": {"type": "integer", "minimum": 0, "maximum": 6},
        "window": enum("morning", "evening"),
        "weight": {"type": "number", "minimum": 40, "maximum": 41},
        "note": TEXT,
    }
    opened = sandbox(
        operation("listOrders", "GET", "/orders", {"type": "array", "items": order}),
        operation("createOrder", "POST", "/orders", order, **taken),
    )
    for held in opened.state()["order"].values():
        assert held["window"] in ("morning", "evening")
        assert 40 <= held["weight"] <= 41
        assert 0 <= held["day"] <= 6


def functions(*tools: Tool, **described: str) -> Sandbox:
    """Return a sandbox of functions without addresses or results, some of them described in words of their own."""
    told = []
    for tool in tools:
        needed = {**tool.parameters, "required": list(tool.parameters["properties"])}
        own = {"http": None, "description": described.get(tool.name, tool.name), "parameters": needed}
        told.append(tool.model_copy(update=own))
    return sandbox(*told)


async def test_who_has_a_mail_address_is_called_like_a_person() -> None:
    mail = {"type": "string", "format": "email"}
    opened = sandbox(operation("listAgents", "GET", "/agents", {"type": "array", "items": row(name=TEXT, email=mail)}))
    for held in opened.state()["agent"].values():
        assert held["email"].split("@")[0] == in_ascii(held["name"]).replace(" ", ".")


async def test_a_list_of_identities_names_the_rows_that_change() -> None:
    update = {"type": "object", "properties": {"title": TEXT}}
    opened = functions(
        operation("list_issues", "GET", "/list", {"type": "array", "items": row(title=TEXT)}),
        operation("update_issue", "POST", "/update", None, id=TEXT, input=update),
        operation(
            "bulk_update_issues", "POST", "/bulk", None, issueIds={"type": "array", "items": TEXT}, update=update
        ),
    )
    first, second, third = list(opened.state()["issue"])[:3]
    await call(opened, "update_issue", id=first, input={"title": "One"})
    await call(opened, "bulk_update_issues", issueIds=[second, third], update={"title": "Both"})
    titles = {key: held["title"] for key, held in opened.state()["issue"].items()}
    assert (titles[first], titles[second], titles[third]) == ("One", "Both", "Both")
    assert set(titles.values()) - {"One", "Both"}


async def test_the_state_of_a_device_is_that_of_the_device() -> None:
    opened = functions(
        operation("list_devices", "GET", "/list", None),
        operation("get_device_state", "GET", "/state", None, device_id=TEXT),
        operation("turn_on_light", "POST", "/on", None, device_id=TEXT),
        operation("set_position", "POST", "/set", None, device_id=TEXT, position={"type": "integer"}),
        operation("disarm_alarm", "POST", "/disarm", None, code=TEXT),
        disarm_alarm="Disarms the alarm system.",
    )
    key, held = next((key, held) for key, held in opened.state()["device"].items() if held["status"] == "off")
    await call(opened, "turn_on_light", device_id=key)
    await call(opened, "set_position", device_id=key, position=7)
    shown = (await call(opened, "get_device_state", device_id=key)).value
    assert shown == {**held, "status": "on", "position": 7}
    assert "disarm_alarm" not in opened.state()


async def test_a_list_of_identities_changes_no_rows_of_another_owner() -> None:
    issue = row(title=TEXT)
    below = "/projects/{project_id}/issues"
    opened = sandbox(
        operation("list_projects", "GET", "/projects", {"type": "array", "items": row(name=TEXT)}),
        operation("list_issues", "GET", below, {"type": "array", "items": issue}),
        operation("get_issue", "GET", f"{below}/{{issue_id}}", issue),
        operation("update_issues", "PATCH", below, None, issueIds={"type": "array", "items": TEXT}, title=TEXT),
    )
    projects = [project["id"] for project in (await call(opened, "list_projects")).value]
    listed = [(await call(opened, "list_issues", project_id=project)).value for project in projects]
    one, other = [(project, issues) for project, issues in zip(projects, listed, strict=True) if issues][:2]
    await call(
        opened,
        "update_issues",
        project_id=one[0],
        issueIds=[one[1][0]["id"], other[1][0]["id"]],
        title="Both",
    )
    assert (await call(opened, "list_issues", project_id=one[0])).value[0]["title"] == "Both"
    assert (await call(opened, "list_issues", project_id=other[0])).value == other[1]


async def test_what_is_made_up_of_a_new_row_agrees_with_what_is_given_for_it() -> None:
    person = row(first_name=TEXT, last_name=TEXT, email=TEXT, city=TEXT, country_code=TEXT)
    person |= {"required": list(person["properties"])}
    opened = sandbox(
        operation("create_client", "POST", "/clients", person, first_name=TEXT, last_name=TEXT, city=TEXT, email=TEXT),
        operation("get_client", "GET", "/clients/{client_id}", person),
    )
    made = (await call(opened, "create_client", first_name="Priya", last_name="Novak", city="Vienna")).value
    assert (made["email"], made["country_code"]) == ("priya.novak@example.com", "AT")
    own = (await call(opened, "create_client", first_name="Priya", last_name="Novak", email="p@example.org")).value
    assert own["email"] == "p@example.org"


def test_a_user_is_displayed_by_name() -> None:
    user = row(display_name=TEXT, email=TEXT)
    opened = sandbox(operation("list_users", "GET", "/users", {"type": "array", "items": user}))
    for shown in opened.state()["user"].values():
        given, family = shown["display_name"].split()
        assert shown["email"] == f"{in_ascii(given)}.{in_ascii(family)}@example.com"


@pytest.mark.parametrize(
    ("verb", "method", "step"), [("like", "POST", 1), ("like", "DELETE", -1), ("unlike", "POST", -1)]
)
async def test_a_deed_is_counted(verb: str, method: str, step: int) -> None:
    number = {"type": "integer", "minimum": 3}
    opened = orders(verb, method, likes=number, like_count=number, dislikes=number, views=number)
    key, before = next(iter(opened.state()["order"].items()))
    assert (await call(opened, f"{verb}Order", orderId=key)).error is None
    after = (await call(opened, "getOrder", orderId=key)).value
    changed = {name for name in ("likes", "like_count", "dislikes", "views") if after[name] != before[name]}
    assert changed == {"likes", "like_count"}
    assert after["likes"] == before["likes"] + step


async def test_a_status_is_set_by_either_of_its_names() -> None:
    state = enum("pending", "ready", "delivered")
    order = row(status_internal=state, payment_status=enum("paid", "due"))
    opened = sandbox(
        operation("listOrders", "GET", "/orders", {"type": "array", "items": order}),
        operation("updateOrderStatus", "PATCH", "/orders/{orderId}", order, status=state),
    )
    key = next(iter(opened.state()["order"]))
    for value in ("delivered", "ready"):
        made = (await call(opened, "updateOrderStatus", orderId=key, status=value)).value
        assert made["status_internal"] == value


async def test_a_row_shows_by_a_shorter_name_what_a_call_gives_by_a_longer_one() -> None:
    kinds = enum("public", "private")
    folder = row(access_type=kinds, other_type=enum("public", "none"))
    opened = sandbox(
        operation("listOrders", "GET", "/orders", {"type": "array", "items": folder}),
        operation("createOrder", "POST", "/orders", folder, resource_access_type=kinds),
    )
    for value in ("public", "private"):
        made = (await call(opened, "createOrder", resource_access_type=value)).value
        assert made["access_type"] == value
