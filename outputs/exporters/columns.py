"""Turns a record into the columns by which rows are chosen: what the task is like, how it went, and where it comes from.

    {"run": "demo", "index": 4, "pattern": "sequential", "difficulty": 0.41, "pass_rate": null, "reviewed": false,
     "behaviours": ["correction"], "turns": 6, "calls": 3, "tokens": 812, "world": "0/17", "split": "train",
     "gold_actions": "[{\\"tool\\": \\"book_hotel\\", \\"arguments\\": {\\"nights\\": 4}, ...}]", ...}

Every value is one of the record, or of the toolset of its run. What has many parts is JSON text, so that all rows have the
same columns in every version of `datasets`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from interplay.outputs.exporters.assistant_view import function_text, json_text, language_of
from interplay.outputs.report.card import public_name
from interplay.outputs.store.table_rows import turns
from interplay.schemas.records.blueprint import Action
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import DatasetRecord

CHARACTERS_PER_TOKEN = 4
"""Where no tokenizer is given."""

BUILT_IN = "interplay"
"""Where tools are said to come from that no source has."""

_TYPES = {"text": "string", "int": "int64", "float": "float64", "flag": "bool", "texts": "string"}
COLUMNS: dict[str, str] = {
    "run": "text", "index": "int", "attempt": "int", "split": "text", "status": "text", "fault": "text",
    "pattern": "text", "task": "text", "domain": "text", "toolset": "text", "language": "text", "world": "text",
    "difficulty": "float", "difficulty_parts": "text", "pass_rate": "float", "sense": "float", "scores": "text",
    "reviewed": "flag", "behaviours": "texts", "faults": "texts", "safety": "text", "rules": "texts", "turns": "int",
    "calls": "int", "tokens": "int", "models": "text", "gold_actions": "text", "state_difference": "text",
    "licence": "text", "source": "texts",
}  # fmt: skip
"""The columns by which rows are chosen, in order, each with its kind; `texts` is a list."""


def column_features() -> dict[str, Any]:
    """Return the `datasets` features of the columns."""
    from datasets import List, Value  # noqa: PLC0415  (slow to import)

    return {name: List(Value("string")) if kind == "texts" else Value(_TYPES[kind]) for name, kind in COLUMNS.items()}


@dataclass(frozen=True)
class TokenCounter:
    """Counts tokens of texts: by a tokenizer that the card names, or as characters / 4."""

    name: str = f"characters / {CHARACTERS_PER_TOKEN}"
    count: Callable[[str], int] = lambda text: -(-len(text) // CHARACTERS_PER_TOKEN)


@dataclass
class Columns:
    """Makes the columns of the records of one run; `toolset` is that of the run."""

    toolset: Toolset
    counter: TokenCounter = TokenCounter()
    _tool_tokens: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False)
    _origins: dict[str, str] = field(default_factory=dict, repr=False)

    def tokens(self, record: DatasetRecord, tools: tuple[Tool, ...]) -> int:
        """Count the tokens of system prompt, tools, and all that is said, thought, called and returned.

        What a chat template adds between messages is not counted.
        """
        if record.trajectory is None:
            return 0
        names = tuple(tool.name for tool in tools)
        if names not in self._tool_tokens:
            self._tool_tokens[names] = self.counter.count(function_text(tools))
        texts = [record.trajectory.system_prompt, *map(_text, record.trajectory.messages)]
        return self._tool_tokens[names] + self.counter.count("".join(texts))

    def of(self, record: DatasetRecord, split: str, tokens: int) -> dict[str, Any]:
        """Return the columns of a record that has a trajectory."""
        assert record.trajectory is not None, record.id
        blueprint, trajectory = record.blueprint, record.trajectory
        own = trajectory.messages[blueprint.begins if blueprint else 0 :]
        difficulty = blueprint.difficulty if blueprint else None
        solving = next((verdict.scores for verdict in record.verdicts if verdict.check == "solver"), {})
        safety = blueprint.safety if blueprint else None
        return {
            "run": record.run,
            "index": record.index,
            "attempt": record.attempt,
            "split": split,
            "status": record.status,
            "fault": record.failure.fault if record.failure else "",
            "pattern": blueprint.pattern if blueprint else "",
            "task": blueprint.signature() if blueprint else "",
            "domain": self.toolset.name,
            "toolset": trajectory.toolset,
            "language": language_of(record),
            "world": blueprint.world.name if blueprint and blueprint.world else "",
            "difficulty": difficulty.score if difficulty else None,
            "difficulty_parts": json_text(difficulty.model_dump(mode="json") if difficulty else {}),
            "pass_rate": solving.get("pass_rate"),
            "sense": blueprint.sense.score if blueprint and blueprint.sense else None,
            "scores": json_text({v.check: v.scores for v in record.verdicts if v.scores and v.check != "solver"}),
            "reviewed": record.reviewed,
            "behaviours": _names(kind for message in own for kind in message.behaviours),
            "faults": _names(message.fault for message in own if message.fault),
            "safety": f"{safety.scenario}/{safety.twin}" if safety else "",
            "rules": list(blueprint.rules) if blueprint else [],
            "turns": turns(trajectory, blueprint.begins if blueprint else 0),
            "calls": sum(len(message.tool_calls) for message in own),
            "tokens": tokens,
            "models": json_text(dict(sorted(trajectory.models.items()))),
            "gold_actions": json_text([_action(action) for action in blueprint.actions] if blueprint else []),
            "state_difference": json_text(
                [change.model_dump(mode="json") for change in blueprint.expected.difference] if blueprint else []
            ),
            "licence": self.toolset.licence,
            "source": self._sources(record),
        }

    def _sources(self, record: DatasetRecord) -> list[str]:
        """Return where the tools come from that a dialogue is about, or else those that it offers; the built-in ones come from nowhere."""
        if not self._origins:
            files = {tool.name: tool.source.file for tool in self.toolset.tools}
            self._origins = {name: public_name(file) for name, file in files.items() if file != BUILT_IN}
        offered = record.trajectory.all_tools() if record.trajectory else ()
        for names in (used_tools(record), offered):
            if found := {self._origins[name] for name in names if name in self._origins}:
                return sorted(found)
        return []


def used_tools(record: DatasetRecord) -> set[str]:
    """Return the tools that a dialogue calls, or that its task is about."""
    called = {call.name for call in record.trajectory.calls()} if record.trajectory else set()
    return called | {action.tool for action in record.blueprint.actions} if record.blueprint else called


def _names(found: Iterable[str]) -> list[str]:
    return sorted(set(found))


def _action(action: Action) -> dict[str, Any]:
    told = {"tool": action.tool, "requestor": action.requestor, "arguments": action.arguments, "failed": action.failed}
    return {**told, "withheld": action.withheld.reason if action.withheld else None}


def _text(message: Message) -> str:
    calls = "".join(call.name + json_text(call.arguments) for call in message.tool_calls)
    return message.content + message.reasoning + calls
