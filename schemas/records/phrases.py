"""How people speak of a tool, its rows and its arguments: written once per toolset, by its author or a model.

{"wishes": ["move a task to another section"], "noun": "task", "plural": "tasks", "questions": [], "done": ["I've moved the task."],
 "arguments": {"section": {"label": "new section", "asked": ["Which section should it go to?"], "said": ["into {value}"]}},
 "answers": {"due_on": "It's due on {value}."}}
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from interplay.schemas.json.canonical import split_pointer, starred
from interplay.schemas.json.record import Record

MOST = 12
"""Maximum number of wordings of one thing, and of words in each."""

Saying = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\r\n]*\{value\}[^\r\n]*$")]
"""A sentence, or a part of one, with the placeholder `{value}`."""

Line = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\r\n{}]*$")]
Reason = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\r\n]*$")]
Noun = Annotated[str, StringConstraints(max_length=60, pattern=r"^[^\r\n{}]*$")]


class ArgumentPhrases(Record):
    """What people call an argument, how they are asked for it, and how they say it."""

    label: Noun = Field("", description="A noun for it: new section.")
    asked: tuple[Line, ...] = Field((), max_length=MOST, description="Questions for it: Which section should it go to?")
    said: tuple[Saying, ...] = Field((), max_length=MOST, description="How people say it, with {value}: into {value}.")


def argument_name(pointer: str) -> str:
    """Return the key of an argument in `ToolPhrases`: /data/name -> data.name, /items/0/price -> items.*.price."""
    return ".".join(split_pointer(starred(pointer)))


class ToolPhrases(Record):
    """How people speak of a tool; whatever is empty is derived from its schema. A list alone is its wishes."""

    wishes: tuple[Line, ...] = Field(
        (), max_length=100, description="Ways in which people ask for it, as verb phrases."
    )
    noun: Noun = Field("", description="What people call one of what it returns or changes: task.")
    plural: Noun = Field("", description="What they call several of it; made of the noun where it is empty.")
    questions: tuple[Line, ...] = Field(
        (), max_length=MOST, description="Questions for what it tells: Which projects does my team have?"
    )
    done: tuple[Line, ...] = Field(
        (), max_length=MOST, description="Sentences that report it when it went well: I've moved the task."
    )
    unasked: Reason = Field("", description="Why nobody would ask for it, if nobody would; no task is about it.")
    optional: tuple[str, ...] | None = Field(
        None, max_length=100, description="Optional arguments that people bring up; without it, those of simple types."
    )
    needed: tuple[str, ...] = Field(
        (), max_length=100, description="Those of them that nobody leaves out: where a message goes, and what it says."
    )
    implied: dict[str, bool | int | float | Line] = Field(
        default_factory=dict,
        description="Argument -> its value whenever it is asked for so; nobody says it: deleted: true.",
    )
    arguments: dict[str, ArgumentPhrases] = Field(default_factory=dict, description="Argument -> what it is called.")
    answers: dict[str, Saying] = Field(
        default_factory=dict, description="Field of its result -> the sentence that tells its {value}."
    )

    wonders: dict[str, Line] = Field(
        default_factory=dict, description="Field of its result -> the wish to know it: know when the space was set up."
    )

    reasons: tuple[Line, ...] = Field(
        (), max_length=MOST, description="Sentences in which people say why they ask for it: The customer never got it."
    )

    @model_validator(mode="before")
    @classmethod
    def _of_wishes(cls, given: Any) -> Any:
        return {"wishes": given} if isinstance(given, (list, tuple)) else given

    def over(self, other: Self) -> Self:
        """Return these phrases, with empty fields filled from `other`."""
        merged: dict[str, Any] = {}
        for name in type(self).model_fields:
            own, theirs = getattr(self, name), getattr(other, name)
            merged[name] = {**theirs, **own} if isinstance(own, Mapping) else own or (own if theirs is None else theirs)
        return self.model_copy(update=merged)


UNPHRASED = ToolPhrases()
