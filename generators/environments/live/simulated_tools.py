"""Tools played by a model -> an environment whose results keep to their schemas and agree with earlier results.

    call    {"tool": "get_pet", "arguments": {"pet_id": 3}}
    answer  {"error": null, "result": {"id": 3, "name": "Rex"}}

The model invents, so its results are checked: a result must satisfy the tool's result schema and agree with the memory of the
trajectory's entities. If it does not, the model is told why and asked once more; after that the call ends in an error result.
The only state is the calls and answers so far; restoring a state forgets the later ones.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.entity_memory import EntityMemory, disagreements, named_key, remembered
from interplay.generators.environments.live.recorded_session import RecordedCall, WriteLog
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.json.json_text import values_in
from interplay.schemas.json.validation import errors
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatMessage, ChatRequest, OutputSchema, closed_object
from interplay.schemas.records.dialogue import ToolCall, ToolResult, Usage
from interplay.schemas.records.tool import ResourceModel, Tool, Toolset

REMEMBERED = 20
"""Number of latest calls that the model is shown."""

LARGEST = 200_000
"""Characters of an answer at most."""

SHOWN = 20_000
"""Characters of the entity memory that the model is shown."""

INSTRUCTIONS = """\
You are the server behind the tools of "{name}". You answer calls as the real system would: with plausible, concrete,
varied data, never with placeholders. Each answer is one JSON object with two keys:
  "error"   null, or the text of the error with which the real system would refuse this call
  "result"  the result, which satisfies the tool's result schema; null where there is an error
All answers together describe one world. What earlier answers showed stays true until a call changes it; what was
created can be found; what was deleted is gone. What a call gives is what its result shows."""

_ENVELOPE: dict[str, Any] = closed_object({"error": {"type": ["string", "null"], "minLength": 1}, "result": {}})

REPAIR = "This answer cannot be used: {problems}. Answer the same call again, as one JSON object."


@dataclass(frozen=True)
class Trace:
    """The state of a simulated world: all calls with their answers, and the write logs after each write, starting with none."""

    calls: WriteLog = field(default_factory=WriteLog)
    states: tuple[WriteLog, ...] = (WriteLog(),)

    @property
    def writes(self) -> WriteLog:
        """The writes so far."""
        return self.states[-1]


class Simulated:
    """An environment played by a model; a call that was made before after the same writes is answered as it was then.

    One instance is one world: dialogues that are to differ need one each. `usage` is the cost so far, `models` the names of the
    models that answered.
    """

    def __init__(self, toolset: Toolset, model: ChatModel, plan: Plan | None = None) -> None:
        self.toolset = toolset
        self._plan: Plan = plan or infer_plan(toolset)
        self.resources: ResourceModel = resource_model(self._plan)
        self._model = model
        self.usage = Usage()
        self.models: tuple[str, ...] = ()
        self._trace = Trace()
        self._answers: dict[tuple[str, str, str], RecordedCall] = {}
        self._seen: dict[str, EntityMemory] = {}

    async def call(self, call: ToolCall) -> ToolResult:
        """Let the model answer a call; see `Environment.call`.

        Raises:
            ModelUnavailable, BudgetExceeded: no model answers.
        """
        plan = self._plan.tools.get(call.name)
        if plan is None:
            return ToolResult.failed(call, f"Error: unknown tool {call.name!r}.")
        refusal = self._refusal(plan, call.arguments)
        if refusal:
            return ToolResult.failed(call, refusal)
        key = (self._trace.writes.digest, call.name, canonical_json(call.arguments))
        if key not in self._answers:
            self._answers[key] = await self._made(plan.tool, call)
        made = self._answers[key]
        self._follow(plan.tool, made)
        return made.result(call)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the entities known so far, by resource, and the writes as the table `calls`."""
        return {**self._memory().tables(), "calls": self._trace.writes.rows()}

    def snapshot(self) -> Trace:
        """Return the present state."""
        return self._trace

    def restore(self, snapshot: Trace) -> None:
        """Forget all calls after a snapshot."""
        self._trace = snapshot

    def digest(self) -> str:
        """Return the digest of the writes and their results."""
        return self._trace.writes.digest

    def changes(self) -> tuple[Change, ...]:
        """Return each write as an addition to the table `calls`."""
        return self._trace.writes.changes()

    def _refusal(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> str:
        """Return why a call fails without asking the model: invalid arguments, a deleted entity; empty if it does not."""
        found = errors(arguments, plan.tool.parameters, limit=1)
        if found:
            path, message = found[0]
            return f"400 Bad Request: {'.'.join(map(str, path)) or 'arguments'}: {message}"
        key = named_key(plan, arguments)
        if key is not None and plan.operation != "create" and self._memory().is_deleted(plan.resource, key):
            return f"404 Not Found: there is no {str(plan.resource).replace('_', ' ')} {key!r}."
        return ""

    def _follow(self, tool: Tool, made: RecordedCall) -> None:
        """Add a call to the trace, and the entities in a read's result to what was seen in the present state."""
        trace = self._trace
        wrote = tool.effect == "write" and made.error is None
        if made.error is None and not wrote:
            now = trace.writes.digest
            held = self._seen.get(now, EntityMemory())
            self._seen[now] = remembered(self._plan, tool.name, made.arguments, made.value, held)
        states = (*trace.states, trace.writes.followed_by(made)) if wrote else trace.states
        self._trace = Trace(trace.calls.followed_by(made), states)

    def _memory(self) -> EntityMemory:
        """Return the entity memory of the present state, built from each write and what was seen after it."""
        memory = self._seen.get(self._trace.states[0].digest, EntityMemory())
        for state in self._trace.states[1:]:
            made = state.calls[-1]
            memory = remembered(self._plan, made.tool, made.arguments, made.value, memory)
            memory = memory.joined(self._seen.get(state.digest, EntityMemory()))
        return memory

    async def _made(self, tool: Tool, call: ToolCall) -> RecordedCall:
        """Ask the model for an answer, and once more if it is not usable."""
        output = OutputSchema(name="tool_answer", json_schema=_wrapped(tool))
        messages, problems = self._messages(tool, call.arguments), ["there was no answer"]
        for _ in range(2):
            try:
                reply = await self._model.complete(ChatRequest(messages=messages, output=output, role="tool"))
            except ModelUnavailable:
                raise
            except ModelError as failure:
                problems = [str(failure)]
                break
            self.usage = self.usage.plus(reply.usage)
            self.models = tuple(dict.fromkeys((*self.models, reply.model)))
            answer: Any = reply.value if reply.value is not None else next(values_in(reply.content), reply.content)
            problems = self._problems(tool, call.arguments, answer)
            if not problems:
                return self._recorded(call, answer["result"], answer["error"])
            complaint = REPAIR.format(problems="; ".join(problems))
            messages = (*messages, ChatMessage(role="assistant", content=reply.content or canonical_json(answer)),
                        ChatMessage(role="user", content=complaint))  # fmt: skip
        return self._recorded(call, None, f"500 Internal Server Error: {call.name} gave no usable answer.")

    def _recorded(self, call: ToolCall, value: Any, error: str | None) -> RecordedCall:
        made = ToolResult.of(call, value) if error is None else ToolResult.failed(call, error)
        return RecordedCall(
            tool=call.name, arguments=call.arguments, value=made.value, error=error, text=made.text,
            after=self._trace.writes.digest,
        )  # fmt: skip

    def _problems(self, tool: Tool, arguments: Mapping[str, Any], answer: Any) -> list[str]:
        """Return why an answer is not usable; empty if it is."""
        if len(canonical_json(answer)) > LARGEST:
            return [f"it is longer than {LARGEST} characters"]
        found = errors(answer, _ENVELOPE)
        if not found and answer["error"] is None:
            found = errors(answer["result"], tool.returns or {})
        if found:
            return [f"{'/' + '/'.join(map(str, path)) if path else 'the answer'}: {message}" for path, message in found]
        if answer["error"] is None:
            return disagreements(self._plan, tool.name, arguments, answer["result"], self._memory())
        plan = self._plan.tools[tool.name]
        known = self._memory().rows.get((str(plan.resource), str(named_key(plan, arguments))))
        return [f"the {plan.resource} was there before"] if known and plan.operation == "read" else []

    def _messages(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[ChatMessage, ...]:
        """Return the prompt: instructions and earlier calls, which form a stable prefix, then the present call."""
        messages = [ChatMessage(role="system", content=INSTRUCTIONS.format(name=self.toolset.name))]
        for made in self._trace.calls.calls[-REMEMBERED:]:
            said = {"error": made.error, "result": made.value}
            messages.append(ChatMessage(role="user", content=_asked(made.tool, made.arguments)))
            messages.append(ChatMessage(role="assistant", content=json.dumps(said, ensure_ascii=False)))
        known = canonical_json(self._memory().tables())[:SHOWN]
        described = {"name": tool.name, "description": tool.description, "parameters": tool.parameters,
                     "result": tool.returns or {}}  # fmt: skip
        text = f"{_asked(tool.name, arguments)}\n\nThe tool: {canonical_json(described)}\n\nKnown so far: {known}"
        return (*messages, ChatMessage(role="user", content=text))


def _asked(tool: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps({"tool": tool, "arguments": arguments}, ensure_ascii=False)


def _wrapped(tool: Tool) -> dict[str, Any]:
    """Return the schema of an answer, for providers and grammars to enforce; whether error and result agree is checked later.

    It has no `anyOf` at the top level: Anthropic and OpenAI refuse that, and llama.cpp ignores all keys beside it.
    """
    result = {"anyOf": [tool.returns, {"type": "null"}]} if tool.returns else {}
    return {**_ENVELOPE, "properties": {**_ENVELOPE["properties"], "result": result}}
