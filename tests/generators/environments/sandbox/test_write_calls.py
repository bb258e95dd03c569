"""What a write answers that shows no row: that it went well, and what it was given."""

import asyncio
from typing import Any

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

TEXT = {"type": "string"}
FLAG = {"type": "boolean"}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def tool(own: str, path: str, returns: Any, method: str = "POST", **fields: Any) -> Tool:
    places = {key: "path" if f"{{{key}}}" in path else "body" for key in fields}
    return Tool(
        name=own, original_name=own, summary=own, description=own, effect="read" if method == "GET" else "write",
        parameters=thing(**fields), returns=returns, source=Source(file="chats"),
        http=HttpBinding(method=method, path=path, locations=places),
    )  # fmt: skip


CHAT = thing(id=TEXT, name=TEXT)
TOOLS = (
    tool("getChats", "/chats", {"type": "array", "items": CHAT}, "GET"),
    tool("getChat", "/chats/{id}", CHAT, "GET", id=TEXT),
    tool("deleteChat", "/chats/{id}", {"type": "array", "items": CHAT}, "DELETE", id=TEXT),
    tool("renameChat", "/renameChat", thing(ok=FLAG, result=FLAG), chat_id=TEXT, name=TEXT),
    tool("banUser", "/ban", thing(email=TEXT, banned=FLAG), email=TEXT),
)


def answers(*calls: tuple[str, dict[str, Any]]) -> list[Any]:
    opened = Sandbox(Toolset(name="chats", tools=TOOLS), seed=3)
    first = next(iter(opened.state()["chat"]))
    told = [{"id": first, **given} if name != "renameChat" else {"chat_id": first, **given} for name, given in calls]
    made = [
        ToolCall(id=f"call0000{number}", name=name, arguments=given)
        for number, ((name, _), given) in enumerate(zip(calls, told, strict=True))
    ]
    return [asyncio.run(opened.call(call)).value for call in made]


def test_a_truth_value_alone_says_that_it_went_well() -> None:
    changed, shown = answers(("renameChat", {"name": "Harbour"}), ("getChat", {}))
    assert changed == {"ok": True, "result": True}
    assert shown["name"] == "Harbour"


def test_a_list_of_what_was_deleted_holds_that_alone() -> None:
    shown, deleted = answers(("getChat", {}), ("deleteChat", {}))
    assert deleted == [shown]


def test_what_was_given_is_told_back() -> None:
    opened = Sandbox(Toolset(name="chats", tools=TOOLS), seed=3)
    told = asyncio.run(opened.call(ToolCall(id="call00001", name="banUser", arguments={"email": "a@example.com"})))
    assert told.value["email"] == "a@example.com"


PARTNER = thing(id=TEXT, name=TEXT)
BILL = thing(id=TEXT, attributes=thing(note=TEXT), partner=PARTNER)
BILLS = (
    tool("getPartners", "/partners", {"type": "array", "items": PARTNER}, "GET"),
    tool("getPartner", "/partners/{id}", PARTNER, "GET", id=TEXT),
    tool("getBill", "/bills/{id}", BILL, "GET", id=TEXT),
    tool("createBill", "/bills", BILL, note=TEXT, partner_id=TEXT),
    tool("deleteBill", "/bills/{id}", thing(data={"type": "array", "items": TEXT}, responseStatus={"type": "integer"}), "DELETE", id=TEXT),
)  # fmt: skip


def test_a_flat_body_is_put_where_the_row_holds_it() -> None:
    opened = Sandbox(Toolset(name="bills", tools=BILLS), seed=3)
    key, partner = next(iter(opened.state()["partner"].items()))
    made = asyncio.run(
        opened.call(ToolCall(id="call00001", name="createBill", arguments={"note": "Due soon", "partner_id": key}))
    ).value
    assert made["attributes"]["note"] == "Due soon"
    assert made["partner"] == {"id": key, "name": partner["name"]}


def test_words_that_nobody_can_know_are_left_out_of_an_outcome() -> None:
    opened = Sandbox(Toolset(name="bills", tools=BILLS), seed=3)
    key = next(iter(opened.state()["bill"]))
    told = asyncio.run(opened.call(ToolCall(id="call00001", name="deleteBill", arguments={"id": key}))).value
    assert told == {"data": [], "responseStatus": 200}
