"""What is told again is encoded once, and no body shows it."""

import json

import orjson
import pytest
from tests.generators.models.wires import LOOKUP, SAVE, WIRES, question

from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import EncodedParts, Tools, as_sent, in_order
from interplay.schemas.records.chat import ChatTool

BIG = LOOKUP.model_copy(update={"name": "big", "parameters": {"type": "object", "maxProperties": 2**70}})


def endpoint(wire: str) -> SdkEndpoint:
    settings = {"model": "m", "base_url": "http://localhost:1/v1"}
    if wire == "messages":
        return open_endpoint(EndpointSettings.model_validate({**settings, "provider": "anthropic"}))
    return open_endpoint(EndpointSettings.model_validate({**settings, "api": wire}))


@pytest.mark.parametrize("wire", WIRES)
def test_tools_are_sent_and_told_apart_as_if_encoded_with_the_rest(wire: str) -> None:
    asked, request = endpoint(wire), question(tools=(LOOKUP, SAVE))
    for payload in (asked.payload(request), asked.payload(request)):
        plain = json.loads(json.dumps(payload))
        assert as_sent(payload) == orjson.dumps(plain)
        assert in_order(payload) == orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)


def test_a_tool_is_encoded_once_and_another_of_its_name_by_itself() -> None:
    put: list[ChatTool] = []
    tools = Tools(lambda tool: put.append(tool) or tool.model_dump())  # type: ignore[func-returns-value]
    other = LOOKUP.model_copy(update={"description": "Look a note up again."})
    told = [tools.told((tool,)) for tool in (LOOKUP, LOOKUP, other, LOOKUP)]
    assert put == [LOOKUP, other, LOOKUP]
    assert [tool["description"] for [tool] in told] == [tool.description for tool in (LOOKUP, LOOKUP, other, LOOKUP)]


def test_what_takes_another_encoder_takes_it_as_a_whole() -> None:
    payload = {"temperature": 1.0, "tools": Tools(ChatTool.model_dump).told((LOOKUP, BIG))}
    assert not isinstance(payload["tools"], EncodedParts)
    assert json.loads(as_sent(payload)) == json.loads(json.dumps(payload))
    assert in_order(payload).startswith(b'{"temperature":1,"tools":[{')
