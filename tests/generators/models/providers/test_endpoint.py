"""What holds on every wire: each misbehaviour has its error, nothing hangs, and no key is seen."""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.generators.models.raw import Raw, answering, saying
from tests.generators.models.wires import ENVIRON, KEY, LOOKUP, MOOD, WAYS, WIRES, endpoint, exchange, question
from tests.model_server.answers import Answer, Ask, Call
from tests.model_server.anthropic_wire import write_message
from tests.model_server.openai_wire import write_chat, write_responses
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.batches.batch_service import fetch
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.providers.wire import parameters_of
from interplay.generators.models.transport import bounded_body
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.transport_errors import (
    Dropped,
    RateLimited,
    Rejected,
    ServerFailed,
    TimedOut,
)
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply, ChatTool, Sampling

every_wire = pytest.mark.parametrize("wire", WIRES)
every_way = pytest.mark.parametrize("wire", WAYS)


@every_way
def test_answers(wire: str) -> None:
    done = exchange(wire, question("Hello there."))
    assert done.good.content == "You said: Hello there."
    assert (done.good.stop, done.good.model) == ("end", "m")
    assert done.good.endpoint.startswith("http://127.0.0.1:")
    assert (done.server.seen.asked.total(), done.server.seen.answered.total()) == (1, 1)


@every_way
def test_tells_nothing_of_the_machine(wire: str) -> None:
    [asked] = exchange(wire, question("Hello there.")).server.asks
    assert "content-type" in asked.headers
    assert [name for name in asked.headers if "stainless" in name] == []


@every_wire
def test_halves_of_characters_do_not_get_in(wire: str) -> None:
    def script(_: Ask) -> Answer:
        return Answer(text="a\ud800b", calls=(Call("look\udc00", '{"id": "\\ud800"}'),), reasoning="\ud83d")

    reply = exchange(wire, question(tools=(LOOKUP,)), answer=script).good
    assert reply.content == "a\ufffdb"
    reply.model_dump_json()


@every_way
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("429", RateLimited),
        ("500", ServerFailed),
        ("503", ServerFailed),
        ("529", ServerFailed),
        ("408", ServerFailed),
        ("400", Rejected),
        ("401", Rejected),
        ("403", Rejected),
        ("404", Rejected),
        ("413", Rejected),
        ("422", Rejected),
        ("drop", Dropped),
        ("half", Dropped),
        ("trickle", TimedOut),
        ("silent", TimedOut),
        ("html", ServerFailed),
        ("bad_json", ServerFailed),
        ("empty_body", ServerFailed),
        ("json_array", ServerFailed),
        ("error_200", ServerFailed),
        ("error_beside", ServerFailed),
        ("empty_choices", ModelError),
        ("null_content", ModelError),
    ],
)
def test_each_misbehaviour_has_its_error(wire: str, fault: str, kind: type[Exception]) -> None:
    done = exchange(wire, faults=(fault,), timeout=0.4 if kind is TimedOut else 10.0)
    assert type(done.error) is kind
    assert str(done.error).startswith("m at http://127.0.0.1:")
    assert done.server.seen.asked.total() == 1, "an endpoint asks once; retries are for those above it"


@every_way
def test_a_refusal_to_take_a_request_says_what_to_do(wire: str) -> None:
    assert "Check model, base_url" in str(exchange(wire, faults=("404",)).error)
    assert "api_key_env" in str(exchange(wire, faults=("401",)).error)


@every_way
@pytest.mark.parametrize(
    ("value", "seconds"), [("2", 2.0), ("250ms", 0.25), ("3600", 3600.0), ("soon", None), ("infms", None)]
)
def test_a_rate_limit_says_when_to_come_back(wire: str, value: str, seconds: float | None) -> None:
    error = exchange(wire, faults=(f"429={value}",)).error
    assert isinstance(error, RateLimited)
    assert error.retry_after == seconds


@every_way
def test_a_rate_limit_may_give_a_date_or_nothing(wire: str) -> None:
    dated, silent = exchange(wire, faults=("429=date60",)).error, exchange(wire, faults=("429",)).error
    assert isinstance(dated, RateLimited)
    assert isinstance(silent, RateLimited)
    assert dated.retry_after is not None
    assert 30 < dated.retry_after <= 60
    assert silent.retry_after is None


@every_wire
def test_no_server_is_a_dropped_connection(wire: str) -> None:
    async def run() -> None:
        async with ModelServer() as server:
            asked = endpoint(wire, server)
        try:
            await asked.complete(question())
        finally:
            await asked.aclose()

    with pytest.raises(Dropped, match="let none be made"):
        asyncio.run(run())


@every_wire
def test_broken_arguments_are_kept_to_the_letter(wire: str) -> None:
    reply = exchange(wire, faults=("truncated_arguments",)).good
    assert reply.stop == "length"
    assert reply.tool_calls[0].name == "lookup"
    if wire != "messages":  # there, arguments are values
        assert reply.tool_calls[0].arguments == '{"id": "a1", "note": "some longer text'


@every_wire
def test_invented_tools_are_passed_on(wire: str) -> None:
    reply = exchange(wire, question(tools=(LOOKUP,)), faults=("unknown_tool",)).good
    assert [call.name for call in reply.tool_calls] == ["no_such_tool"]


@every_wire
def test_calls_with_one_id_are_told_apart(wire: str) -> None:
    first, second = (exchange(wire, faults=("duplicate_ids",)).good.tool_calls for _ in range(2))
    assert first[0].id == "call_same"
    assert first[0].id != first[1].id
    assert first == second


@every_wire
def test_refusals_filters_and_cuts_are_told(wire: str) -> None:
    refused = exchange(wire, faults=("refusal",)).good
    assert (refused.stop, refused.refusal, refused.content) == ("refusal", "I cannot help with that.", "")
    assert exchange(wire, faults=("filtered",)).good.stop == ("refusal" if wire == "messages" else "filtered")
    cut = exchange(wire, faults=("length",)).good
    assert (cut.stop, cut.content) == ("length", "You said")


@every_wire
def test_huge_answers_arrive_whole(wire: str) -> None:
    assert len(exchange(wire, faults=("huge",)).good.content) == 8_000_000


@every_way
@pytest.mark.parametrize(("fault", "told"), [("huge", "80[0-9]{5} bytes, more than"), ("endless", "more than")])
def test_answers_are_read_no_further_than_is_looked_at(
    wire: str, fault: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_body, "LARGEST", 1_000_000)
    error = exchange(wire, faults=(fault,)).error
    assert isinstance(error, Rejected)
    assert re.search(f"answered 200 with {told} the 1000000", str(error))


@every_wire
def test_deeply_nested_answers_are_an_error(wire: str) -> None:
    async def run() -> None:
        async with ModelServer() as server:
            asked = endpoint(wire, server)
            asked.parse(question(), b'{"choices": ' + b"[" * 200_000 + b"]" * 200_000 + b"}")

    with pytest.raises(ModelError, match="unknown form"):
        asyncio.run(run())


@every_wire
@pytest.mark.parametrize(
    "body",
    ["{}", '{"choices": 3}', '{"choices": [{}]}', '{"choices": [{"message": {"content": 7}}]}', '{"content": [{}]}',
     '{"output": [{"type": "message"}]}', '{"choices": [{"message": {"content": "x", "tool_calls": [{"id": 1}]}}]}',
     '{"content": [{"type": "text"}]}', '{"output": 5}', "null", "[]", "3"],
)  # fmt: skip
def test_answers_of_an_unknown_form_are_errors(wire: str, body: str) -> None:
    async def run() -> None:
        async with ModelServer() as server:
            endpoint(wire, server).parse(question(), body.encode())

    with pytest.raises(ModelError):
        asyncio.run(run())


def spoilt(value: Any, draw: Any) -> Any:
    """Return an answer with some of its parts replaced or missing."""
    if draw(st.integers(0, 6)) == 0:
        return draw(st.sampled_from([None, 0, -1, 1.5, True, "", "x", [], {}, [None], {"type": "text"}]))
    if isinstance(value, dict):
        return {key: spoilt(item, draw) for key, item in value.items() if draw(st.integers(0, 9))}
    return [spoilt(item, draw) for item in value] if isinstance(value, list) else value


@every_wire
@given(data=st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_no_answer_of_any_form_breaks_the_reading(wire: str, data: st.DataObject) -> None:
    answer = Answer(text="Hi.", calls=(Call("lookup", '{"id": "1"}'),), reasoning="Hm.")
    writers = {"chat": write_chat, "responses": write_responses, "messages": write_message}
    asked = Ask(index=0, path="", body={"model": "m"}, text="", last_role="user")
    body = json.dumps(spoilt(writers[wire](asked, answer), data.draw)).encode()
    made = EndpointSettings(
        model="m", base_url="http://localhost:1", api="responses" if wire == "responses" else "chat"
    )
    reader = open_endpoint(made, {})
    with contextlib.suppress(ModelError):
        assert isinstance(reader.parse(question(), body), ChatReply)


@every_wire
def test_usage_is_counted_the_same_way_everywhere(wire: str) -> None:
    answer = Answer(text="Hi.", prompt_tokens=100, cached_tokens=60, completion_tokens=20, reasoning_tokens=5)
    usage = exchange(wire, answer=answer).good.usage
    prompt = 160 if wire == "messages" else 100  # Anthropic counts what was cached apart
    assert (usage.prompt, usage.cached, usage.completion, usage.total) == (prompt, 60, 20, prompt + 20)
    assert usage.reasoning == (0 if wire == "messages" else 5)


@every_wire
def test_reasoning_is_kept_apart(wire: str) -> None:
    reply = exchange(wire, answer=Answer(text="Yes.", reasoning="Let me see.")).good
    assert (reply.content, reply.reasoning) == ("Yes.", "Let me see.")


@every_wire
def test_calls_tools_in_parallel_or_one_at_a_time(wire: str) -> None:
    tools = (LOOKUP, LOOKUP.model_copy(update={"name": "find"}))
    both = exchange(wire, question("Use lookup and find.", tools=tools)).good
    assert [call.name for call in both.tool_calls] == ["lookup", "find"]
    assert both.tool_calls[0].arguments == '{"id": "value"}'
    assert both.stop == "tool_calls"
    one = exchange(wire, question("Use lookup and find.", tools=tools, parallel=False)).good
    assert [call.name for call in one.tool_calls] == ["lookup"]


@every_wire
def test_the_choice_of_tools_reaches_the_model(wire: str) -> None:
    tools = (LOOKUP, LOOKUP.model_copy(update={"name": "find"}))
    chosen = {
        choice: [call.name for call in exchange(wire, question("Hi.", tools=tools, tool_choice=choice)).good.tool_calls]
        for choice in ("auto", "none", "required", "find")
    }
    assert chosen == {"auto": [], "none": [], "required": ["lookup"], "find": ["find"]}


@every_wire
@pytest.mark.parametrize("way", ["auto", "native", "tool"])
def test_an_output_schema_is_satisfied(wire: str, way: str) -> None:
    reply = exchange(wire, question(output=MOOD), structured=way).good
    assert (reply.content, reply.tool_calls, reply.stop) == ('{"mood": "good", "why": "value"}', (), "end")


@every_wire
def test_an_output_schema_can_be_said_in_words(wire: str) -> None:
    done = exchange(wire, question(output=MOOD), structured="instructed")
    assert '"enum": ["good", "bad"]' in str(done.body)
    assert "response_format" not in done.body
    assert "tools" not in done.body


@every_wire
def test_an_answer_may_call_tools_instead_of_giving_the_output(wire: str) -> None:
    request = question("Use lookup.", tools=(LOOKUP,), output=MOOD)
    reply = exchange(wire, request, structured="tool").good
    assert [call.name for call in reply.tool_calls] == ["lookup"]


@every_wire
def test_a_payload_is_a_pure_function_without_keys(wire: str) -> None:
    async def run() -> tuple[Any, Any]:
        async with ModelServer() as server:
            made = [endpoint(wire, server).payload(question(tools=(LOOKUP,), output=MOOD)) for _ in range(2)]
            return made[0], made[1]

    first, second = asyncio.run(run())
    assert first == second
    assert KEY not in str(first)


@every_wire
def test_extra_fields_reach_the_server_as_they_are(wire: str) -> None:
    done = exchange(wire, question(sampling=Sampling(extra={"top_k": 40, "temperature": 0.1})))
    assert (done.body["top_k"], done.body["temperature"]) == (40, 0.1)


@every_way
def test_letters_of_all_kinds_survive(wire: str) -> None:
    text = 'Grüße, 你好, 🎉 "quoted" \\ \n\t end'
    assert exchange(wire, question(text)).good.content == f"You said: {text}"
    assert exchange(wire, question("half a pair: \ud83d end")).good.content.endswith("end")


@every_wire
def test_many_requests_run_at_once(wire: str) -> None:
    async def run() -> tuple[set[str], int]:
        async with ModelServer(Settings(latency=0.3)) as server:
            asked = endpoint(wire, server)
            replies = await asyncio.gather(*(asked.complete(question(f"Number {n}.")) for n in range(150)))
            await asked.aclose()
            return {reply.content for reply in replies}, server.seen.peak

    contents, peak = asyncio.run(run())
    assert len(contents) == 150
    assert peak == 150


@every_wire
def test_one_that_never_answers_holds_up_nobody(wire: str) -> None:
    async def run() -> list[Any]:
        async with ModelServer(Settings(faults=(read_fault("silent@0"),))) as server:
            asked = endpoint(wire, server, timeout=3.0)
            first = asyncio.create_task(asked.complete(question("First.")))
            await asyncio.sleep(0.2)
            others = await asyncio.wait_for(asyncio.gather(*(asked.complete(question()) for _ in range(20))), 2.5)
            assert not first.done()
            outcome = await asyncio.gather(first, return_exceptions=True)
            await asked.aclose()
            return [*others, *outcome]

    assert isinstance(asyncio.run(run())[-1], TimedOut)


@every_way
def test_a_proxy_is_asked_that_the_environment_names(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> list[str]:
        async with ModelServer() as server:
            monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
            monkeypatch.setenv("NO_PROXY", "")
            asked = endpoint(wire, server).settings.model_copy(update={"base_url": "http://models.example/v1"})
            opened = open_endpoint(asked, ENVIRON)
            said = []
            for _ in range(2):
                with pytest.raises(Rejected) as error:
                    await opened.complete(question())
                said.append(str(error.value))
            await opened.aclose()
            return said

    first, second = asyncio.run(run())
    assert first == second
    assert "no such path: http://models.example/v1" in first, "a proxy is sent the whole address"


def test_what_is_refused_at_the_top_of_parameters_is_said_in_words() -> None:
    either = [{"required": ["title"]}, {"properties": {"state": {"type": "string"}}, "required": ["state"]}]
    title = {"type": "string", "anyOf": [{"minLength": 1}]}
    own = {"type": "object", "properties": {"title": title}, "anyOf": either, "description": "An issue."}
    told = parameters_of(ChatTool(name="update_issue", parameters=own))
    assert told == {
        "type": "object",
        "properties": {"state": {"type": "string"}, "title": title},
        "description": f"An issue. Arguments must satisfy {json.dumps({'anyOf': either})} too.",
    }
    assert parameters_of(ChatTool(name="rest", parameters={"type": ["object", "null"]}))["type"] == "object"
    assert parameters_of(LOOKUP) is LOOKUP.parameters


@every_wire
def test_a_query_ends_each_address_and_a_secret_header_takes_the_place_of_a_key(wire: str) -> None:
    server = Raw(answering(json.dumps(saying(wire, "Well.")).encode()))

    async def run() -> ChatReply:
        async with server as address:
            made = EndpointSettings(
                model="m", provider="anthropic" if wire == "messages" else "openai", base_url=f"{address}/deployments/m",
                api="responses" if wire == "responses" else "chat", query={"api-version": "2026-10-01"},
                headers_env={"api-key": "PLANTED_KEY"},
            )  # fmt: skip
            opened = open_endpoint(made, ENVIRON)
            reply = await opened.complete(question())
            await fetch(opened, "/batches", limit=1)
            await opened.aclose()
            return reply

    assert asyncio.run(run()).content == "Well."
    asked, looked = server.heard
    assert b"?api-version=2026-10-01 HTTP" in asked.splitlines()[0]
    assert {b"api-version=2026-10-01", b"limit=1"} == set(looked.split()[1].partition(b"?")[2].split(b"&"))
    assert KEY.encode() in asked
    assert not {b"authorization", b"x-api-key"} & {line.split(b":")[0].lower() for line in asked.splitlines()}


@pytest.mark.parametrize("address", ["http://me:secret@host/v1", "http://host/v1?key=abc", "host/v1", "ftp://host"])
def test_an_address_holds_no_credentials(address: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        EndpointSettings(model="m", base_url=address)


@pytest.mark.parametrize("name", ["api-key", "subscriptionKey", "sig", "access_token", "auth"])
def test_a_query_holds_no_credentials(name: str) -> None:
    with pytest.raises(ValueError, match="holds a secret"):
        EndpointSettings(model="m", query={name: "7"})
    assert EndpointSettings(model="m", query={"design": "7", "author": "7"}).query


def test_secrets_do_not_show_themselves() -> None:
    held = open_endpoint(EndpointSettings(model="m"), {"OPENAI_API_KEY": KEY}).secrets
    assert KEY not in repr(held)
    assert held.scrub(f"Bearer {KEY} sk-other-1234567") == "Bearer [key] [key]"


def test_no_sdk_is_imported_before_the_first_request() -> None:
    code = (
        "import sys; from interplay.generators.models.client import abilities; "
        "from interplay.generators.models.providers import embeddings, sdk_endpoints; "
        "print([name for name in ('openai', 'anthropic', 'aiohttp', 'httpx2') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("host", ["models..example", ".example", "..", "m" * 64 + ".example"])
def test_a_host_whose_name_cannot_be_looked_up_is_refused(host: str) -> None:
    EndpointSettings(model="m", base_url="http://[::1]:8000/v1")
    EndpointSettings(model="m", base_url="https://models.example./v1")
    with pytest.raises(ValueError, match="host"):
        EndpointSettings(model="m", base_url=f"https://{host}/v1")


@pytest.mark.parametrize(
    "header",
    [("x-title", "Grüße"), ("x-title", "a\r\nx: b"), ("x-title", "a\0"), ("x title", "a"), ("tïtle", "a"), ("", "a")],
)
def test_a_header_that_cannot_be_sent_is_refused(header: tuple[str, str]) -> None:
    EndpointSettings(model="m", headers={"x-title": "A title (2nd)", "x-empty": ""})
    with pytest.raises(ValueError, match="no header can have"):
        EndpointSettings(model="m", headers=dict([header]))
