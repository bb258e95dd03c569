"""The search of tools: ranked by what they do, in the words of people, fast at any size."""

import asyncio
import json
from typing import Any

import pytest
from tests.generators.environments.specs import spec

from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.environments.wrappers.merged import MergedEnvironment, MergedPolicy
from interplay.generators.environments.wrappers.tool_index import ToolIndex
from interplay.generators.environments.wrappers.tool_search import FOUND, LONGEST_SCHEMAS, SearchableTools
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.calls.offer import names_found
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import SEARCH_TOOL, Source, Tool, ToolRole


def tool(name: str, summary: str = "", **changes: Any) -> Tool:
    parts = {"name": name, "original_name": name, "summary": summary, "parameters": {"type": "object"}}
    return Tool.model_validate({**parts, "source": Source(file="a.json"), **changes})


def search(query: Any, environment: SearchableTools | None = None) -> ToolResult:
    call = ToolCall(id="abcdefghi", name=SEARCH_TOOL, arguments={"query": query})
    return asyncio.run((environment or SearchableTools(DOMAIN.open())).call(call))


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("call off my visit to the doctor", "cancel_appointment"),
        ("what does an X-ray cost", "get_price_estimate"),
        ("renew a prescription", "request_prescription_renewal"),
        ("find a free time", "list_free_slots"),
        ("pay what I owe", "pay_invoice"),
    ],
)
def test_finds_a_tool_by_the_words_of_people(query: str, wanted: str) -> None:
    assert wanted in names_found(search(query).text)


def test_shows_the_few_best_with_description_and_parameters() -> None:
    found = search("see my appointments").value
    assert len(found) <= FOUND
    assert found[0]["name"] == "list_appointments"
    assert found[0]["description"]
    assert "patient_id" in found[0]["parameters"]["properties"]


def test_finds_nothing_for_words_that_no_tool_has() -> None:
    assert search("xylophone").value == []
    assert search("").value == []


def test_a_query_that_is_no_text_is_an_error() -> None:
    assert search(5).error is not None


def test_rare_words_count_more_than_common_ones() -> None:
    tools = [tool(f"list_things_{number}", "List all things") for number in range(30)]
    index = ToolIndex([*tools, tool("list_zebras", "List all zebras")], ())
    assert index.best("list all zebras", 1) == ["list_zebras"]


def test_knows_verbs_by_what_they_ask_for() -> None:
    index = ToolIndex([tool("remove_card"), tool("create_card"), tool("get_card"), tool("update_card")], ())
    asked = {"delete a card": "remove_card", "add a card": "create_card", "check a card": "get_card"}
    assert {query: index.best(query, 1)[0] for query in asked} == asked


def test_knows_the_resource_that_a_tool_acts_on() -> None:
    roles = (ToolRole(tool="op17", operation="list", resource="invoice"),)
    assert ToolIndex([tool("op17"), tool("op18")], roles).best("see invoices", 1) == ["op17"]


def test_leaves_a_very_long_schema_out() -> None:
    clinic = DOMAIN.open()
    long = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(LONGEST_SCHEMAS // 10)}}

    class Wide(SearchableTools):
        pass

    wide = Wide(clinic)
    wide._registry = {"pay_invoice": tool("pay_invoice", "Pay an invoice", parameters=long)}
    assert search("pay an invoice", wide).value == [{"name": "pay_invoice", "description": "Pay an invoice"}]


def test_what_a_search_shows_of_many_long_schemas_is_bounded() -> None:
    long = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(LONGEST_SCHEMAS // 90)}}
    names = [f"pay_invoice_{number}" for number in range(FOUND)]
    wide = SearchableTools(DOMAIN.open())
    wide._registry = {name: tool(name, "Pay an invoice", parameters=long) for name in names}
    found = search("pay an invoice", wide)
    assert names_found(found.text) == tuple(names)
    assert ["parameters" in item for item in found.value] == [True, True, False, False, False]
    assert len(found.text) < LONGEST_SCHEMAS + FOUND * 200


def test_offers_only_what_an_assistant_can_call() -> None:
    clinic = DOMAIN.open()
    tools = [item.model_copy(update={"requestor": "user"}) for item in clinic.toolset.tools]

    class Theirs:
        toolset = clinic.toolset.model_copy(update={"tools": tuple(tools)})
        resources = clinic.resources

    assert search("pay an invoice", SearchableTools(Theirs())).value == []  # type: ignore[arg-type]


def test_ranks_the_same_each_time() -> None:
    tools = [tool(f"get_{noun}", f"Get a {noun}") for noun in ("card", "board", "list", "label", "member")]
    first, second = ToolIndex(tools, ()), ToolIndex(tools[::-1], ())
    assert first.best("get it", 5) == second.best("get it", 5)


def test_finds_most_tools_of_real_apis_by_the_words_of_a_request() -> None:
    tools = [
        item for name in ("notion.json", "trello.yaml", "asana.yaml", "slack_web_v2.json") for item in spec(name).tools
    ]
    tools = list({item.name: item for item in tools}.values())
    index = ToolIndex(tools, ())
    found = sum(item.name in index.best(intents_of(item)[0], FOUND) for item in tools)
    assert found >= 0.85 * len(tools), f"{found} of {len(tools)}"


def test_a_policy_of_merged_parts_has_nothing_to_say_of_a_search() -> None:
    merged = MergedEnvironment([DOMAIN.open()])
    policy = MergedPolicy(merged, [None])
    call = ToolCall(id="abcdefghi", name=SEARCH_TOOL, arguments={"query": "pay"})
    assert policy.violations(PolicyEvent(call, (), merged.state(), False)) == ()
    assert not policy.confirms(SEARCH_TOOL)


def test_names_found_are_read_from_results_only() -> None:
    assert names_found(json.dumps([{"name": "a"}, {"name": "b"}, {"name": "a"}, 5, {"title": "c"}])) == ("a", "b")
    assert names_found("Error: no") == names_found("{}") == names_found('"a"') == ()
