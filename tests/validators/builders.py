"""A small to-do list as an environment, a blueprint that works in it, and a dialogue that plays it well."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import Change, difference, digest
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Origin,
    Question,
    Scenario,
    with_identity,
)
from interplay.schemas.records.dialogue import DialogueState, Message, ToolCall, ToolResult, Trajectory
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import PolicyRule, ResourceModel, Tool, Toolset
from interplay.schemas.records.verdict import Issue

NOTE = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "due": {"type": ["string", "null"], "format": "date"},
        "effort": {"type": "number"},
        "done": {"type": "boolean"},
    },
    "required": ["id", "text"],
}


def make_tool(
    name: str, properties: dict[str, Any], required: list[str], effect: str, returns: dict[str, Any] | None
) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool.model_validate(
        {
            "name": name,
            "original_name": name,
            "parameters": parameters,
            "returns": returns,
            "effect": effect,
            "source": {"file": "notes.py"},
        }
    )


TEXT = {"type": "string", "minLength": 1}
TOOLSET = Toolset(
    name="notes",
    tools=(
        make_tool(
            "add_note",
            {
                "text": TEXT,
                "due": {"type": "string", "format": "date"},
                "effort": {"type": "number"},
                "priority": {"type": "string", "enum": ["low", "NORMAL", "high"], "default": "NORMAL"},
                "listName": {"const": "main"},
            },
            ["text"],
            "write",
            NOTE,
        ),
        make_tool("list_notes", {"done": {"type": "boolean"}}, [], "read", {"type": "array", "items": NOTE}),
        make_tool("finish_note", {"id": {"type": "string"}}, ["id"], "write", NOTE),
        make_tool("count_notes", {}, [], "read", {"type": "integer"}),
        make_tool("say_hello", {}, [], "read", {"type": "string"}),
    ),
    policy="Finish a note only after the user confirmed. Never add more than 50 notes.",
    rules=(PolicyRule(id="confirm_finish", kind="confirm_before", text="Confirm.", tools=("finish_note",)),),
)
START = {
    "n1": {"id": "n1", "text": "Buy milk", "due": "2026-05-03", "effort": 2.5, "done": False, "priority": "NORMAL"}
}


class Notes:
    """A to-do list that tells the truth about its state."""

    def __init__(self, breaks_at: str = "") -> None:
        self.toolset = TOOLSET
        self.resources = ResourceModel()
        self.rows: dict[str, dict[str, Any]] = dict(START)
        self.calls = 0
        self._breaks_at = breaks_at

    async def call(self, call: ToolCall) -> ToolResult:
        self.calls += 1
        if call.name == self._breaks_at:
            raise EnvironmentFailure("the disk is full")
        if call.name == "add_note":
            row = {"id": f"n{len(self.rows) + 1}", "due": None, "done": False, "priority": "NORMAL", **call.arguments}
            self.rows = {**self.rows, row["id"]: row}
            return ToolResult.of(call, row)
        if call.name == "list_notes":
            done = call.arguments.get("done")
            return ToolResult.of(call, [row for row in self.rows.values() if done is None or row["done"] == done])
        if call.name == "count_notes":
            return ToolResult.of(call, len(self.rows))
        if call.name == "say_hello":
            return ToolResult.of(call, "Hello there")
        if call.name == "finish_note" and call.arguments.get("id") in self.rows:
            row = {**self.rows[call.arguments["id"]], "done": True}
            self.rows = {**self.rows, row["id"]: row}
            return ToolResult.of(call, row)
        return ToolResult.failed(call, f"404: nothing for {call.name}")

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        return {"notes": self.rows}

    def snapshot(self) -> Any:
        return self.rows

    def restore(self, snapshot: Any) -> None:
        self.rows = snapshot

    def digest(self) -> str:
        return digest(self.state())

    def changes(self) -> tuple[Change, ...]:
        return difference({"notes": START}, self.state())


class ConfirmFinish:
    """The one rule: a note is finished only after a confirmation, and no text may shout."""

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        found = []
        if event.call.name == "finish_note" and not event.confirmed:
            found.append(Issue(code="confirm_finish", message="Not confirmed."))
        if str(event.call.arguments.get("text", "")).isupper():
            found.append(Issue(code="no_shouting", message="Too loud."))
        return tuple(found)

    def confirms(self, tool: str) -> bool:
        return tool == "finish_note"


def opens(environment: Notes | None = None) -> Callable[[Blueprint], Notes]:
    """Return a function that gives the same environment each time."""
    notes = environment or Notes()
    return lambda _blueprint: notes


ADD = Action(
    id="a1",
    goal=0,
    tool="add_note",
    arguments={"text": "Call Ada", "due": "2026-05-04", "priority": "NORMAL", "listName": "main"},
    origins={
        "/text": Origin(kind="user", fact="f1"),
        "/due": Origin(kind="user", fact="f2"),
        "/priority": Origin(kind="default"),
        "/listName": Origin(kind="constant"),
    },
)
LIST = Action(id="a2", goal=1, tool="list_notes", arguments={})
FINISH = Action(
    id="a3",
    goal=1,
    tool="finish_note",
    arguments={"id": "n1"},
    origins={"/id": Origin(kind="output", action="a2", pointer="/0/id", fact="f3")},
    depends_on=("a2",),
)
COUNT = Action(id="a4", goal=2, tool="count_notes", arguments={})
GOALS = (
    Goal(intent="note something down", tool="add_note"),
    Goal(intent="tick off the milk", tool="finish_note"),
    Goal(
        intent="know how many notes there are",
        tool="count_notes",
        asks_for=(Question(action="a4", pointers=("",)),),
    ),
)
FACTS = (
    Fact(id="f1", goal=0, label="text", value="Call Ada", reveal="opening"),
    Fact(id="f2", goal=0, label="due date", value="2026-05-04"),
    Fact(id="f3", goal=1, label="note", value={"/text": "Buy milk"}, reveal="choice", action="a2", choice="/0"),
)
ADDED = {"id": "n2", "due": "2026-05-04", "done": False, "priority": "NORMAL", "text": "Call Ada", "listName": "main"}
FINISHED = {**START["n1"], "done": True}
RESULT_OF = {"a1": ADDED, "a2": [START["n1"], ADDED], "a3": FINISHED, "a4": 2}
END = {"notes": {"n1": FINISHED, "n2": ADDED}}


def make_blueprint(**changes: Any) -> Blueprint:
    """Return a blueprint that passes all gates, but for `changes`."""
    actions = tuple(
        action.model_copy(update={"result": digest(RESULT_OF[action.id])}) for action in (ADD, LIST, FINISH, COUNT)
    )
    blueprint = Blueprint(
        id="",
        recipe=Recipe(index=0, seed=0, target="add_note", pattern="multi_goal"),
        toolset=digest(TOOLSET.model_dump(mode="json")),
        pattern="multi_goal",
        goals=GOALS,
        actions=actions,
        expected=Expected(
            digest=digest(END),
            difference=difference({"notes": START}, END),
            outputs=(ExpectedOutput(action="a4", pointer="", label="number of notes", value=2),),
        ),
        scenario=Scenario(facts=FACTS, requests=((0,), (1, 2))),
        tools=tuple(tool.name for tool in TOOLSET.tools),
    )
    return with_identity(blueprint.model_copy(update=changes))


def change_action(index: int, **changes: Any) -> tuple[Action, ...]:
    """Return the actions with one of them changed."""
    actions = list(make_blueprint().actions)
    actions[index] = actions[index].model_copy(update=changes)
    return tuple(actions)


def user(content: str, act: Any = None, goal: int | None = None) -> Message:
    return Message(role="user", content=content, act=act, state=_about(goal))


def assistant(content: str, act: Any = None, goal: int | None = None) -> Message:
    return Message(role="assistant", content=content, act=act, state=_about(goal))


def _about(goal: int | None) -> DialogueState | None:
    return None if goal is None else DialogueState(goal=goal)


def worded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return messages as models leave them: without acts and states but for goodbyes."""
    byes = ("user_bye", "system_bye")
    return tuple(
        message
        if message.role == "tool"
        else message.model_copy(
            update={"act": message.act if message.act in byes else None, "state": None, "model": "some model"}
        )
        for message in messages
    )


def calls(*named: tuple[str, str, dict[str, Any]]) -> Message:
    """Return an assistant message that makes calls, each given as id, tool and arguments."""
    made = tuple(ToolCall(id=identifier, name=name, arguments=arguments) for identifier, name, arguments in named)
    return Message(role="assistant", tool_calls=made, act="call")


def answer(identifier: str, value: Any, *, failed: bool = False) -> Message:
    content = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Message(role="tool", content=content, tool_call_id=identifier, failed=failed)


ADD_ARGUMENTS = {"text": "Call Ada", "due": "2026-05-04", "priority": "NORMAL", "listName": "main"}
GOOD = (
    user("Please note that I must call Ada.", "inform_intent_clear", 0),
    assistant("Sure. When is it due?", "request", 0),
    user("On May 4th.", "inform", 0),
    calls(("call00001", "add_note", ADD_ARGUMENTS)),
    answer("call00001", ADDED),
    assistant("Noted for May 4. Anything else?", "response", 0),
    user("The milk is bought, and how many notes do I have?", "inform_intent_clear_add", 1),
    calls(("call00002", "list_notes", {}), ("call00003", "count_notes", {})),
    answer("call00002", [START["n1"], ADDED]),
    answer("call00003", 2),
    assistant("You have two notes. Shall I tick off the milk?", "confirm_request", 1),
    user("Yes, please.", "affirm", 1),
    calls(("call00004", "finish_note", {"id": "n1"})),
    answer("call00004", FINISHED),
    assistant("Done.", "response", 1),
    user("Thanks, bye.", "user_bye"),
    assistant("Goodbye!", "system_bye"),
)


def make_trajectory(messages: tuple[Message, ...] = GOOD, **changes: Any) -> Trajectory:
    """Return a dialogue that passes all checks, but for other messages and `changes`."""
    trajectory = Trajectory(
        blueprint_id=make_blueprint().id,
        toolset=make_blueprint().toolset,
        tools=tuple(tool.name for tool in TOOLSET.tools),
        system_prompt="Today is 2026-05-01. Help with notes.",
        messages=messages,
        final_digest=digest(END),
        termination="user_ended",
    )
    return trajectory.model_copy(update=changes)


def replace(index: int, *messages: Message) -> tuple[Message, ...]:
    """Return the good dialogue with one message replaced by others, or left out."""
    return (*GOOD[:index], *messages, *GOOD[index + 1 :])


def codes(issues: tuple[Issue, ...], severity: str | None = None) -> list[str]:
    """Return the codes of issues, each once, in order."""
    return list(dict.fromkeys(issue.code for issue in issues if severity in (None, issue.severity)))
