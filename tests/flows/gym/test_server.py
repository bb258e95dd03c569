"""The gym over HTTP: tasks, sessions, rewards, and requests that are not served."""

import asyncio
import json
from functools import cache
from typing import Any

import pytest
from starlette.testclient import TestClient

from interplay.flows.gym.catalogue import Catalogue, composed_tasks
from interplay.flows.gym.open_sessions import OpenSessions, TooManySessions, UnknownSession
from interplay.flows.gym.server import gym_app
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.gym_settings import GymSettings

LOCAL = "http://127.0.0.1:8765"


@cache
def catalogue() -> Catalogue:
    config = RunConfig(gym=GymSettings(sessions=3, body=200_000), seed=3)
    return asyncio.run(composed_tasks(config, 6))


def client(token: str = "", base: str = LOCAL) -> TestClient:
    return TestClient(gym_app(catalogue(), token), base_url=base)


def opened(asking: TestClient) -> dict[str, Any]:
    task = asking.get("/tasks").json()["tasks"][0]["id"]
    answer = asking.post("/sessions", json={"task": task})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_session_from_its_opening_to_its_reward() -> None:
    asking = client()
    session = opened(asking)
    assert session["message"] == session["messages"][-1]["content"]
    assert {tool["type"] for tool in session["tools"]} == {"function"}
    place = f"/sessions/{session['session']}"
    called = asking.post(f"{place}/call", json={"tool": "no_such_tool", "arguments": {"a": 1}}).json()
    assert called["results"][0]["failed"]
    broken = asking.post(f"{place}/call", json={"tool": "find_patient", "arguments": "{"}).json()
    assert "not a JSON object" in broken["results"][0]["text"]
    assert asking.post(f"{place}/say", json={"text": "May I have your date of birth?"}).json()["message"]
    messages = asking.get(place).json()["messages"]
    reward = asking.post(f"{place}/close").json()
    assert reward["reward"] == 0.0
    assert reward["parts"]["format"]["reasons"]
    assert asking.post("/verify", json={"task": session["task"], "messages": messages}).json() == reward
    assert asking.post(f"{place}/close").status_code == 404
    assert asking.get("/status").json()["closed"] == 1


def test_tasks_are_filtered() -> None:
    asking = client()
    every = asking.get("/tasks").json()
    assert every["count"] == len(catalogue().tasks)
    one = every["tasks"][0]
    found = asking.get("/tasks", params={"pattern": one["pattern"], "split": one["split"], "difficulty": "0,1"}).json()
    assert one["id"] in [task["id"] for task in found["tasks"]]
    assert asking.get("/tasks", params={"difficulty": "2,3"}).json()["count"] == 0
    assert len(asking.get("/tasks", params={"limit": 2, "offset": 5}).json()["tasks"]) == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/sessions", {"task": "nope"}, 404),
        ("/sessions", {"task": 7}, 422),
        ("/sessions", {}, 422),
        ("/sessions/nope/say", {"text": "hello"}, 404),
        ("/sessions/nope/call", {"tool": "x"}, 404),
        ("/sessions/nope/call", {"tool": "x", "arguments": [1]}, 422),
        ("/verify", {"task": "nope", "messages": []}, 404),
        ("/verify", {"task": "x" * 300, "messages": []}, 422),
        ("/nowhere", {}, 404),
        ("/sessions/nope/say", {"text": "x" * 300_000}, 413),
    ],
)
def test_a_wrong_request_is_told_in_one_form(path: str, body: dict[str, Any], status: int) -> None:
    answer = client().post(path, json=body)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"kind", "message"}


def test_a_body_whose_length_is_not_told_is_bounded_too() -> None:
    answer = client().post("/verify", content=(b"x" * 50_000 for _ in range(10)))
    assert answer.status_code == 413


def test_no_more_sessions_are_open_than_may_be() -> None:
    asking = client()
    names = [opened(asking)["session"] for _ in range(3)]
    task = next(iter(catalogue().tasks))
    assert asking.post("/sessions", json={"task": task}).status_code == 429
    asking.post(f"/sessions/{names[0]}/close")
    assert asking.post("/sessions", json={"task": task}).status_code == 200


def test_another_host_and_a_page_of_a_browser_are_refused_without_a_token() -> None:
    assert client(base="http://evil.example").get("/tasks").status_code == 403
    assert client().get("/tasks", headers={"Origin": LOCAL}).status_code == 403


def test_a_token_is_asked_for() -> None:
    asking = client("secret-token", "http://gym.example")
    assert asking.get("/tasks").status_code == 401
    assert asking.get("/tasks", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert asking.get("/tasks", headers={"Authorization": "Bearer secret-token"}).status_code == 200


def test_a_session_that_nobody_uses_is_gone() -> None:
    now = 0.0
    sessions = OpenSessions(catalogue(), GymSettings(sessions=2, abandoned_after=60), lambda: now)
    task = next(iter(catalogue().tasks.values()))

    async def abandoned() -> None:
        nonlocal now
        first, _ = await sessions.open(task)
        now = 50.0
        second, _ = await sessions.open(task)
        with pytest.raises(TooManySessions):
            await sessions.open(task)
        now = 100.0
        with pytest.raises(UnknownSession):
            await sessions.close(first)
        await sessions.close(second)

    asyncio.run(abandoned())
    assert (sessions.abandoned, len(sessions)) == (1, 0)


def test_the_same_over_mcp() -> None:
    mcp = pytest.importorskip("mcp")
    assert mcp

    def ask(asking: TestClient, named: str, /, **arguments: Any) -> tuple[bool, Any]:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": named, "arguments": arguments}}
        accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
        answer = asking.post("/mcp", json=body, headers=accept)
        assert answer.status_code == 200, answer.text
        result = answer.json()["result"]
        text = result["content"][0]["text"]
        return bool(result.get("isError")), text if result.get("isError") else json.loads(text)

    with client() as asking:
        _, listed = ask(asking, "tasks", limit=1)
        task = listed["tasks"][0]["id"]
        _, session = ask(asking, "open", task=task)
        _, called = ask(asking, "call", session=session["session"], tool="no_such_tool", arguments={})
        assert called["results"][0]["failed"]
        _, said = ask(asking, "say", session=session["session"], text="May I have your date of birth?")
        assert said["message"]
        _, reward = ask(asking, "close", session=session["session"])
        assert reward["reward"] == 0.0
        failed, told = ask(asking, "say", session=session["session"], text="Hello?")
        assert failed
        assert "UnknownSession" in told
        _, verified = ask(asking, "verify", task=task, messages=session["messages"])
        assert verified["standing"] == "judged"


def test_people_see_sessions_rewards_and_what_was_lacking() -> None:
    asking = client()
    session = opened(asking)
    place = f"/sessions/{session['session']}"
    asking.post(f"{place}/say", json={"text": "<script>alert(1)</script>"})
    under_way = asking.get("/")
    assert "1 sessions are open" in under_way.text
    asking.post(f"{place}/close")
    page = asking.get("/")
    assert page.headers["refresh"]
    assert "script" not in page.headers["content-security-policy"]
    assert "reward 0.000" in page.text
    assert "&lt;script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert session["session"] not in under_way.text + page.text
    assert asking.get("/assets/viewer.css").status_code == 200
    elsewhere = client("secret", "http://elsewhere:8765")
    assert elsewhere.get("/").status_code == 401
    assert elsewhere.get("/?token=secret").status_code == 200
    assert elsewhere.get("/status?token=secret").status_code == 401


def test_a_band_of_pass_rates_moves_with_what_was_tried() -> None:
    asking = client()
    session = opened(asking)
    asking.post(f"/sessions/{session['session']}/close")
    tried = next(task for task in asking.get("/tasks").json()["tasks"] if task["id"] == session["task"])
    assert (tried["pass_rate"], tried["attempts"]) == (0.0, 1)
    learnable = asking.get("/tasks", params={"pass_rate": "0.2,0.8"}).json()["tasks"]
    assert session["task"] not in [task["id"] for task in learnable]
    assert learnable
