"""What one tool does, another one shows: fields, pages, references and traces that once were lost between them."""

from random import Random
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.tool import Source, Tool, Toolset

pytestmark = pytest.mark.anyio

SIZE = {"type": "integer", "minimum": 1, "maximum": 9000}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def plain(name: str, **parameters: Any) -> Tool:
    """Return a tool without a path, all of whose parameters are required."""
    return Tool(
        name=name,
        original_name=name,
        parameters={"type": "object", "properties": parameters, "required": list(parameters)},
        effect="read" if name.startswith(("read", "list")) else "write",
        source=Source(file="inline.json"),
    )


async def test_a_size_that_is_given_to_a_new_row_is_a_field_of_it() -> None:
    volume = row(size=SIZE, limit=SIZE)
    opened = sandbox(
        operation("getVolume", "GET", "/volumes/{volumeId}", volume),
        operation("createVolume", "POST", "/volumes", volume, size=SIZE, limit=SIZE),
        operation("updateVolume", "PUT", "/volumes/{volumeId}", volume, size=SIZE),
    )
    made = (await call(opened, "createVolume", size=4321, limit=1234)).value
    assert (made["size"], made["limit"]) == (4321, 1234)
    await call(opened, "updateVolume", volumeId=made["id"], size=8765)
    assert (await call(opened, "getVolume", volumeId=made["id"])).value["size"] == 8765


async def test_a_field_that_is_given_beside_the_body_is_given() -> None:
    ticket = row(client_id=TEXT, message=TEXT)
    opened = sandbox(
        operation("getTicket", "GET", "/tickets/{ticketId}", ticket),
        operation("createTicket", "POST", "/tickets", ticket, query_client_id=TEXT, message=TEXT),
    )
    made = (await call(opened, "createTicket", client_id="C-77", message="Please.")).value
    assert made["client_id"] == "C-77"
    assert (await call(opened, "getTicket", ticketId=made["id"])).value == made


async def test_an_update_that_gives_no_field_leaves_a_trace() -> None:
    opened = sandbox(
        operation("getTemplate", "GET", "/templates/{templateId}", row(name=TEXT)),
        operation("syncTemplate", "PUT", "/templates/{templateId}", row(name=TEXT)),
    )
    before = opened.digest()
    key = next(iter(opened.state()["template"]))
    assert (await call(opened, "syncTemplate", templateId=key)).error is None
    assert opened.digest() != before


async def test_a_row_that_names_a_row_below_it_names_one_of_its_own() -> None:
    deployment = row(phase=TEXT)
    app = row(name=TEXT, active_deployment=deployment, pinned_deployment_id=TEXT)
    opened = sandbox(
        operation("getApp", "GET", "/apps/{appId}", app),
        operation("listDeployments", "GET", "/apps/{appId}/deployments", {"type": "array", "items": deployment}),
        operation("getDeployment", "GET", "/apps/{appId}/deployments/{deploymentId}", deployment),
    )
    for key in opened.state()["app"]:
        shown = (await call(opened, "getApp", appId=key)).value
        for named in (shown["active_deployment"]["id"], shown["pinned_deployment_id"]):
            assert (await call(opened, "getDeployment", appId=key, deploymentId=named)).error is None


async def test_a_list_of_paths_is_no_field_of_a_file() -> None:
    tools = (
        plain("read_file", path=TEXT),
        plain("list_files", paths={"type": "array", "items": TEXT}),
        plain("write_file", path=TEXT, content=TEXT),
    )
    opened = Sandbox(Toolset(name="files", tools=tools))
    assert (await call(opened, "write_file", path="notes.txt", content="Milk.")).error is None
    assert (await call(opened, "read_file", path="notes.txt")).error is None


async def test_as_many_references_are_sampled_as_a_list_must_hold() -> None:
    pair = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
    network, peering = row(name=TEXT), row(network_ids=pair)
    joins = operation("createPeering", "POST", "/peerings", peering, network_ids=pair)
    joins = joins.model_copy(update={"parameters": {**joins.parameters, "required": ["network_ids"]}})
    opened = sandbox(operation("getNetwork", "GET", "/networks/{networkId}", network), joins)
    arguments = sample_arguments(World(opened), joins, Random(1))
    assert len(set(arguments["network_ids"])) == 2
    assert set(arguments["network_ids"]) <= set(opened.state()["network"])
    assert (await call(opened, "createPeering", **arguments)).error is None


async def test_what_is_told_apart_by_its_slug_is_called_after_it() -> None:
    fields = {"slug": TEXT, "title": TEXT, "description": TEXT}
    article = {"type": "object", "properties": fields, "required": ["slug", "title"]}
    opened = sandbox(
        operation("listArticles", "GET", "/articles", {"type": "array", "items": article}),
        operation("getArticle", "GET", "/articles/{slug}", article),
        operation("createArticle", "POST", "/articles", article, title=TEXT, description=TEXT),
    )
    rows = (await call(opened, "listArticles")).value
    assert rows
    for shown in rows:
        assert shown["slug"] == shown["title"].lower().replace(" ", "-")
    made = (await call(opened, "createArticle", title="Malmö: what's next?")).value
    assert made["slug"] == "malmo-whats-next"
    assert (await call(opened, "getArticle", slug="malmo-whats-next")).value == made
    again = (await call(opened, "createArticle", title="Malmö: what's next?")).value
    assert again["slug"] != made["slug"]


async def test_a_code_made_of_words_is_what_its_thing_is_called() -> None:
    code = {"type": "string", "examples": ["setup_fee", "storage"]}
    fee = {"type": "object", "properties": {"code": code, "name": TEXT}, "required": ["code", "name"]}
    opened = sandbox(
        operation("listFees", "GET", "/fees", {"type": "array", "items": fee}),
        operation("getFee", "GET", "/fees/{code}", fee),
    )
    shown = (await call(opened, "listFees")).value
    assert shown
    for each in shown:
        assert each["code"] == each["name"].lower().replace(" ", "_")
        assert (await call(opened, "getFee", code=each["code"])).value == each


async def test_a_write_shows_the_row_that_it_names_and_no_other() -> None:
    group = row(name=TEXT, colour=TEXT, website=TEXT)
    member = row(city=TEXT, phone=TEXT)
    opened = sandbox(
        operation("listGroups", "GET", "/groups", {"type": "array", "items": group}),
        operation("getGroup", "GET", "/groups/{groupId}", {**group, "title": "Group"}),
        operation("getMember", "GET", "/groups/{groupId}/members/{memberId}", member),
        operation("addMember", "POST", "/groups/{groupId}/members", {**group, "title": "Group"}, city=TEXT),
        operation(
            "inviteToGroup",
            "POST",
            "/groups/{groupId}/invite",
            {"type": "object", "properties": {"sent": TEXT, "group": group}, "required": ["sent", "group"]},
        ),
    )
    shown = (await call(opened, "listGroups")).value[2]
    assert (await call(opened, "addMember", groupId=shown["id"], city="Oslo")).value == shown
    assert (await call(opened, "inviteToGroup", groupId=shown["id"])).value["group"] == shown


async def test_a_new_row_has_what_the_path_says_of_it() -> None:
    stack = row(campaign_id=TEXT, name=TEXT)
    opened = sandbox(
        operation("getStack", "GET", "/promotions/{campaignId}/stacks/{stackId}", stack),
        operation("createStack", "POST", "/promotions/{campaignId}/stacks", stack, name=TEXT),
        operation("getPromotion", "GET", "/promotions/{campaignId}", row(name=TEXT)),
    )
    key = next(iter(opened.state()["promotion"]))
    made = (await call(opened, "createStack", campaignId=key, name="Spring")).value
    assert made["campaign_id"] == key
    assert (await call(opened, "getStack", campaignId=key, stackId=made["id"])).value == made


async def test_what_was_made_begins_a_list_that_does_not_fit_whole() -> None:
    note = row(title=TEXT, text={"type": "string", "minLength": 900, "maxLength": 1200})
    shop = sandbox(
        operation("list_notes", "GET", "/notes", {"type": "array", "items": note}),
        operation("get_note", "GET", "/notes/{note_id}", note),
        operation("create_note", "POST", "/notes", note, title=TEXT),
    )
    before = (await call(shop, "list_notes")).value
    assert len(before) < len(shop.state()["note"])
    made = [(await call(shop, "create_note", title=title)).value["id"] for title in ("First", "Second")]
    shown = [item["id"] for item in (await call(shop, "list_notes")).value]
    assert shown[:2] == made[::-1]
    assert shown[2:] == [item["id"] for item in before][: len(shown) - 2]


def test_rows_that_are_numbered_in_examples_are_numbered() -> None:
    note = {"type": "object", "properties": {"id": {"type": "string", "examples": ["2"]}, "title": TEXT}}
    shop = sandbox(
        operation("list_notes", "GET", "/notes", {"type": "array", "items": note}),
        operation("get_note", "GET", "/notes/{note_id}", note),
    )
    numbers = list(shop.state()["note"])
    assert all(number.isdecimal() and len(number) > 2 for number in numbers)
