"""Lists of tools that say nothing of results: what reads answers like what it is about, what writes is remembered."""

import pytest
from tests.generators.environments.inline import TEXT, call

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.tool import Source, Tool, Toolset

pytestmark = pytest.mark.anyio
NUMBER = {"type": "number"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def tool(name: str, effect: str = "read", /, **arguments: object) -> Tool:
    """Return a tool as servers list it: no output schema, no path."""
    return Tool(
        name=name,
        original_name=name,
        summary=name.replace("_", " "),
        parameters={"type": "object", "properties": arguments},
        effect=effect,  # type: ignore[arg-type]
        source=Source(file="tools.json"),
    )


async def answer(made: Tool, **arguments: object) -> object:
    return (await call(Sandbox(Toolset(name="inline", tools=(made,)), seed=7), made.name, **arguments)).value


async def test_a_search_finds_rows_like_what_it_is_about() -> None:
    users = await answer(tool("search_users", q=TEXT), q="Ada")
    assert isinstance(users, list)
    assert [set(user) for user in users] == [{"id", "full_name", "email"}] * len(users)
    assert isinstance(await answer(tool("workflows-list")), list)


async def test_one_answer_repeats_what_it_was_asked_for() -> None:
    assert set(await answer(tool("get_weather_forecast"))) == {"conditions", "temperature", "wind_speed"}  # type: ignore[call-overload]
    found = await answer(tool("maps_geocode", address=TEXT), address="3 Mill Street")
    assert isinstance(found, dict)
    assert (found["address"], set(found)) == ("3 Mill Street", {"address", "latitude", "longitude"})
    again = await answer(tool("maps_geocode", address=TEXT), address="3 Mill Street")
    assert found == again != await answer(tool("maps_geocode", address=TEXT), address="4 Mill Street")


async def test_what_writes_says_no_more_than_that_it_did() -> None:
    assert await answer(tool("push_files", "write")) == {"success": True}
    inviting = tool("send_invitation", "write", email=TEXT)
    assert await answer(inviting, email="a@example.com") == {"success": True, "email": "a@example.com"}
    texts = inviting.model_copy(update={"returns": TEXT})
    assert await answer(texts, email="a@example.com") == "Done: a@example.com"


async def test_an_expression_is_worked_out() -> None:
    calculate = tool("calculate", expression=TEXT).model_copy(update={"returns": TEXT})
    assert await answer(calculate, expression="(64 - 3) * 2") == "122"
    refused = await call(Sandbox(Toolset(name="inline", tools=(calculate,)), seed=7), "calculate", expression="open()")
    assert refused.error == "400 Bad Request: expression: 'open()' is no arithmetic expression."


async def test_thoughts_and_what_is_passed_on_are_acknowledged() -> None:
    returns = {"returns": TEXT}
    assert await answer(tool("think", thought=TEXT).model_copy(update=returns), thought="Two rules apply.") == "Done."
    passed = tool("transfer_to_human_agents", "write", summary=TEXT).model_copy(update=returns)
    assert await answer(passed, summary="A lost card.") == "Done."
    assert await answer(tool("logout_user")) == {"success": True}


async def test_a_text_that_lists_names_rows() -> None:
    """What was written is named by what lists it later."""
    listing = tool("list_files").model_copy(update={"returns": TEXT})
    reading = tool("read_file", path=TEXT).model_copy(update={"returns": TEXT})
    writing = tool("write_file", "write", path=TEXT, content=TEXT).model_copy(update={"returns": TEXT})
    made = Sandbox(Toolset(name="inline", tools=(listing, reading, writing)), seed=7)
    before = (await call(made, "list_files")).value
    assert (await call(made, "write_file", path="letter.txt", content="Call Ada.")).value == "Done: letter.txt"
    after = (await call(made, "list_files")).value
    assert "letter.txt" in str(after)
    assert "letter.txt" not in str(before)


def test_an_identity_may_be_called_more_than_id_and_be_a_number() -> None:
    tools = (
        tool("stories-search", name=TEXT),
        tool("stories-get-by-id", storyPublicId=NUMBER),
        tool("stories-update", "write", storyPublicId=NUMBER, name=TEXT),
    )
    plan = infer_plan(Toolset(name="inline", tools=tools))
    assert [(item.resource, item.target) for item in plan.tools.values()][1:] == [("story", "storyPublicId")] * 2


def test_a_merge_request_is_a_thing() -> None:
    made = tool("update_merge_request", "write", merge_request_iid=TEXT, title=TEXT)
    planned = infer_plan(Toolset(name="inline", tools=(made,))).tools[made.name]
    assert (planned.resource, planned.target) == ("merge_request", "merge_request_iid")


async def test_a_result_that_is_a_row_of_its_own_says_that_it_went_well() -> None:
    flags = {"type": "object", "properties": {"success": {"type": "boolean"}, "path": TEXT}, "required": ["success"]}
    made = [tool(name, "write", path=TEXT) for name in ("add_tree", "write_branch")]
    made = [item.model_copy(update={"returns": flags}) for item in made]
    for item in made:
        opened = Sandbox(Toolset(name="inline", tools=tuple(made)), seed=7)
        assert (await call(opened, item.name, path="a")).value["success"] is True


def test_an_argument_with_a_default_says_of_no_row_which_it_is() -> None:
    path = {**TEXT, "default": "."}
    plan = infer_plan(Toolset(name="inline", tools=(tool("git_rebase", "write", path=path),)))
    assert plan.tools["git_rebase"].target is None


def test_rows_that_go_by_a_name_have_one() -> None:
    plan = infer_plan(Toolset(name="inline", tools=(tool("archive_tag", "write", tag_name=TEXT),)))
    assert plan.resources["tag"].identity == "tag_name"


async def test_a_function_tells_back_what_it_was_given() -> None:
    told = {"type": "object", "properties": {"path": TEXT, "branch": TEXT}, "required": ["path", "branch"]}
    for name in ("git_clone", "drop_index", "checkout"):
        made = tool(name, "write", path={**TEXT, "default": "."}, url=TEXT).model_copy(update={"returns": told})
        assert (await answer(made, path="/projects/a", url="b"))["path"] == "/projects/a"  # type: ignore[index]


CARDS = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": TEXT, "dueDate": TEXT}, "required": ["name"]},
}


async def test_several_rows_are_created_as_the_call_gives_them() -> None:
    made = tool("add_cards_to_list", "write", listId=TEXT, cards=CARDS)
    tools = (tool("get_lists", boardId=TEXT), tool("add_card", "write", listId=TEXT, name=TEXT, dueDate=TEXT), made)
    tools = (*tools, tool("get_card", cardId=TEXT))
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    above = (await call(opened, "get_lists")).value[0]["id"]
    rows = (await call(opened, made.name, listId=above, cards=[{"name": "Tea"}, {"name": "Milk"}])).value
    assert [(item["name"], item["listId"]) for item in rows] == [("Tea", above), ("Milk", above)]
    role = next(role for role in opened.resources.roles if role.tool == made.name)
    assert role.yields["/*/id"] == "card"


@pytest.mark.parametrize(
    ("made", "operation"),
    [
        (tool("get_board_labels", boardId=TEXT), "list"),
        (tool("get_label_details", labelId=TEXT), "read"),
        (tool("labels-get-by-id", labelPublicId=TEXT), "read"),
        (tool("get_board_settings", boardId=TEXT), "read"),
    ],
)
def test_what_is_asked_for_in_the_plural_is_a_list(made: Tool, operation: str) -> None:
    others = (
        tool("create_label", "write", boardId=TEXT, name=TEXT),
        tool("update_label", "write", labelId=TEXT, name=TEXT),
    )
    plan = infer_plan(Toolset(name="inline", tools=(made, *others)))
    assert plan.tools[made.name].operation.replace("compute", "read") == operation


async def test_what_one_tool_lists_and_others_name_has_an_identity() -> None:
    tools = (tool("list-calendars"), tool("create-event", "write", calendarId=TEXT, summary=TEXT))
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    first = (await call(opened, "list-calendars")).value[0]
    assert set(first) == {"id", "name", "timezone"}
    assert (await call(opened, "create-event", calendarId=first["id"], summary="Lunch")).error is None
    assert "404" in str((await call(opened, "create-event", calendarId="CA1", summary="Lunch")).error)


def test_an_action_is_about_what_its_name_says() -> None:
    made = tool("respond-to-event", "write", calendarId=TEXT, eventId=TEXT, response=TEXT)
    others = (tool("list-calendars"), tool("get-event", calendarId=TEXT, eventId=TEXT))
    plan = infer_plan(Toolset(name="inline", tools=(made, *others)))
    assert (plan.tools[made.name].operation, plan.tools[made.name].resource) == ("action", "event")


async def test_what_is_removed_from_a_whole_is_not_deleted() -> None:
    both = {"task_id": TEXT, "project_id": TEXT}
    tools = (
        tool("list_projects"),
        tool("get_project", project_id=TEXT),
        tool("get_task", task_id=TEXT),
        tool("create_task", "write", project_id=TEXT, name=TEXT),
        tool("get_tasks_for_project", project_id=TEXT),
        tool("add_project_to_task", "write", **both),
        tool("remove_task_from_project", "write", **both),
    )
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    roles = {role.tool: (role.operation, role.resource) for role in opened.resources.roles}
    assert roles["get_tasks_for_project"] == ("list", "task")
    assert roles["add_project_to_task"] == ("action", "task")
    assert roles["remove_task_from_project"] == ("action", "project")
    project = (await call(opened, "list_projects")).value[0]["id"]
    task = (await call(opened, "create_task", project_id=project, name="Sow")).value["id"]
    assert (await call(opened, "remove_task_from_project", task_id=task, project_id=project)).error is None
    assert (await call(opened, "get_project", project_id=project)).error is None
    assert (await call(opened, "get_task", task_id=task)).value["name"] == "Sow"


async def test_a_row_is_found_by_its_name_where_it_has_another_identity() -> None:
    tools = (
        tool("list_labels"),
        tool("create_label", "write", name=TEXT),
        tool("delete_label", "write", labelId=TEXT),
        tool("get_label_by_name", name=TEXT),
    )
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    made = (await call(opened, "create_label", name="Later")).value
    assert (await call(opened, "get_label_by_name", name="Later")).value["id"] == made["id"]
    assert "404" in str((await call(opened, "get_label_by_name", name=made["id"])).error)


async def test_how_a_call_goes_about_it_is_no_field_of_a_row() -> None:
    tools = (
        tool("create_event", "write", summary=TEXT, dryRun={"type": "boolean"}, sendUpdates=TEXT),
        tool("get_event", eventId=TEXT),
    )
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    made = (await call(opened, "create_event", summary="Lunch", dryRun=False, sendUpdates="all")).value
    assert made.keys() & {"dryRun", "sendUpdates"} == set()
    assert made["summary"] == "Lunch"


async def test_transactions_of_an_account_are_no_people() -> None:
    rows = await answer(tool("account_transactions", account_id=TEXT), account_id="AC12345")
    assert isinstance(rows, list)
    assert all(set(row) == {"id", "date", "description", "amount"} for row in rows)


async def test_what_an_action_is_told_and_lists_are_asked_by_is_a_field_of_the_row() -> None:
    stage = {"type": "string", "enum": ["open", "won"]}
    tools = (
        tool("list_deals", "read", stage=stage),
        tool("create_deal", "write", title=TEXT, value=NUMBER),
        tool("move_deal", "write", deal_id=TEXT, stage=stage, comment=TEXT),
    )
    opened = Sandbox(Toolset(name="inline", tools=tools), seed=7)
    deal = (await call(opened, "list_deals", stage="open")).value[0]
    moved = (await call(opened, "move_deal", deal_id=deal["id"], stage="won")).value
    assert moved == {**deal, "stage": "won"}
    assert moved in (await call(opened, "list_deals", stage="won")).value
