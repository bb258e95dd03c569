"""A record -> the columns to filter rows by: what the task is like, how it went, and where it comes from.

    {"run": "demo", "index": 4, "pattern": "sequential", "difficulty": 0.41, "pass_rate": null, "reviewed": false,
     "behaviours": ["correction"], "turns": 6, "calls": 3, "tokens": 812, "world": "0/17", "split": "train",
     "gold_actions": "[{\\"tool\\": \\"book_hotel\\", \\"arguments\\": {\\"nights\\": 4}, ...}]", ...}

Every value comes from the record or the toolset of its run. Structured values are JSON text, so that all rows have the
same columns in every version of `datasets`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from interplay.outputs.exporters.exported_dialogue import function_text
from interplay.outputs.exporters.row_format import features_of
from interplay.outputs.report.card import public_name
from interplay.outputs.store.stored_dialogue import StoredDialogue, said_columns, said_texts
from interplay.schemas.records.tool import Tool, Toolset

CHARACTERS_PER_TOKEN = 4
"""The estimate used if no tokenizer is given."""

OFFERS_KEPT = 1_000
"""Maximum number of tool sets whose token counts are cached."""

BUILT_IN = "interplay"
"""The source file named by built-in tools."""

_TYPES = {"text": "string", "int": "int64", "float": "float64", "flag": "bool", "texts": ["string"]}
COLUMNS: dict[str, str] = {
    "run": "text", "index": "int", "attempt": "int", "split": "text", "status": "text", "fault": "text",
    "pattern": "text", "task": "text", "domain": "text", "toolset": "text", "language": "text", "world": "text",
    "difficulty": "float", "difficulty_parts": "text", "pass_rate": "float", "sense": "float", "scores": "text",
    "reviewed": "flag", "behaviours": "texts", "faults": "texts", "safety": "text", "rules": "texts", "turns": "int",
    "calls": "int", "tokens": "int", "models": "text", "gold_actions": "text", "state_difference": "text",
    "licence": "text", "source": "texts",
}  # fmt: skip
"""The columns to filter rows by, in order -> their type; `texts` is a list."""


def column_features() -> dict[str, Any]:
    """Return the `datasets` features of the columns."""
    return {name: features_of(_TYPES[kind]) for name, kind in COLUMNS.items()}


@dataclass(frozen=True)
class TokenCounter:
    """Counts tokens: with a tokenizer, which the card names, or as characters / 4."""

    name: str = f"characters / {CHARACTERS_PER_TOKEN}"
    tokenizer: Callable[[str], int] | None = None

    def of_text(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self._of_characters(len(text)) if self.tokenizer is None else self.tokenizer(text)

    def of_dialogue(self, dialogue: StoredDialogue) -> int:
        """Return the number of tokens of everything said, thought, called and returned, and of the system prompt."""
        if self.tokenizer is None:
            return self._of_characters(dialogue.characters)
        return self.tokenizer("".join(said_texts(dialogue.trajectory) if dialogue.trajectory else ()))

    @staticmethod
    def _of_characters(characters: int) -> int:
        return -(-characters // CHARACTERS_PER_TOKEN)


@dataclass
class Columns:
    """Makes the columns of one run's dialogues; `toolset` is the run's."""

    toolset: Toolset
    counter: TokenCounter = TokenCounter()
    _tool_tokens: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False)
    _origins: dict[str, str] = field(default_factory=dict, repr=False)

    def tokens(self, dialogue: StoredDialogue, tools: tuple[Tool, ...]) -> int:
        """Count the tokens of the system prompt, the tools, and everything said, thought, called and returned.

        Tokens that a chat template adds are not counted.
        """
        names = tuple(tool.name for tool in tools)
        if names not in self._tool_tokens:
            if len(self._tool_tokens) == OFFERS_KEPT:  # with many tools, hardly any two dialogues offer the same ones
                self._tool_tokens.clear()
            self._tool_tokens[names] = self.counter.of_text(function_text(tools))
        return self._tool_tokens[names] + self.counter.of_dialogue(dialogue)

    def of(self, dialogue: StoredDialogue, split: str, tokens: int) -> dict[str, Any]:
        """Return the columns of a dialogue."""
        assert dialogue.trajectory is not None, dialogue.id
        found = {
            **dialogue.columns,
            **said_columns(dialogue.trajectory, dialogue.begins),
            "split": split,
            "domain": self.toolset.name,
            "tokens": tokens,
            "licence": self.toolset.licence,
            "source": self._sources(dialogue),
        }
        return {name: found[name] for name in COLUMNS}

    def _sources(self, dialogue: StoredDialogue) -> list[str]:
        """Return the sources of the tools that a dialogue is about, or else of those it offers; built-in tools have none."""
        if not self._origins:
            files = {tool.name: tool.source.file for tool in self.toolset.tools}
            self._origins = {name: public_name(file) for name, file in files.items() if file != BUILT_IN}
        if found := self._origins_of(used_tools(dialogue)):
            return found
        return self._origins_of(dialogue.trajectory.all_tools() if dialogue.trajectory else ())

    def _origins_of(self, names: Iterable[str]) -> list[str]:
        return sorted({self._origins[name] for name in names if name in self._origins})


def used_tools(dialogue: StoredDialogue) -> set[str]:
    """Return the names of the tools that a dialogue calls or that its task is about."""
    called = {call.name for call in dialogue.trajectory.calls()} if dialogue.trajectory else set()
    return called.union(dialogue.about)
