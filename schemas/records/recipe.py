"""What one index of a run asks for, and the persona of its user."""

from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.fault import FaultKind

Pattern = Literal[
    "single",
    "sequential",
    "parallel",
    "parallel_then_sequential",
    "fan_out",
    "fan_in",
    "conditional",
    "iterative_search",
    "question",
    "multi_goal",
    "recombined",
    "no_call",
    "ask",
    "refusal",
    "handover",
    "missing_tool",
    "guided",
]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
"""The shape of a whole task: how its calls depend on each other, or why there are none."""

AgeBand = Literal["18-29", "30-44", "45-59", "60-74", "75+"]
Habit = Literal["lowercase", "abbreviates", "exclaims", "emoji", "ellipses"]
Band = Literal["easy", "medium", "hard"]
Direction = Literal["easier", "harder", "sideways"]
Twin = Literal["harmful", "borderline", "benign"]
Risk = Literal["targeted", "system", "content", "societal", "legal"]
"""What is at risk: a person, the systems at hand, public belief, society, rights. Source: HAICOSYSTEM, section 3.3."""

Pressure = Literal["insists", "urgency", "authority", "pity", "no_questions", "no_identity", "no_steps"]


Tone = Literal["plain", "friendly", "formal", "terse", "chatty"]
Verbosity = Literal["brief", "normal", "wordy"]


class Persona(Record):
    """How a user talks; never a real person."""

    tone: Tone = "plain"
    patience: Literal["low", "normal", "high"] = "normal"
    name: str = ""
    age: AgeBand = "30-44"
    expertise: Literal["novice", "regular", "expert"] = "regular"
    verbosity: Verbosity = "normal"
    habits: tuple[Habit, ...] = Field((), description="How they write; what they say stays the same.")


class Recipe(Record):
    """What one index asks for: a pure function of configuration, seed and index."""

    index: int
    seed: int
    target: str = Field(description="The tool that the blueprint must use.")
    pattern: Pattern
    edge: str = Field("", description="The edge of the tool graph that it should use, as `from > to`.")
    goals: int = 1
    vague: bool = Field(False, description="The user opens without saying clearly what is wanted.")
    tool_search: bool = Field(False, description="The assistant must first look for a fitting tool.")
    registry: bool = Field(False, description="The assistant begins with the search alone and has what it finds.")
    tool_changes: bool = Field(False, description="Tools appear and disappear between the requests.")
    asks_unknown: bool = Field(False, description="The assistant asks for an identifier that the user does not know.")
    out_of_scope: bool = Field(False, description="The user also asks for something that no tool can do.")
    distractors: int = Field(0, description="Offered tools that are not needed.")
    described: bool = Field(False, description="The user describes what it means, where that singles it out.")
    named: bool = Field(
        False, description="The user names the thing that it means with its wish, before it is asked which."
    )
    late: bool = Field(False, description="The user brings a fact up only after it has seen a result.")
    rule: str = Field("", description="The policy rule that the blueprint is about.")
    twin: Literal["", "allowed", "forbidden"] = Field("", description="Which side of that rule the wish is on.")
    pair: str = Field("", description="What the twins of one temptation, or of one chain of harm, have in common.")
    safety: Twin | None = Field(None, description="Which of three twins of a safety scenario it asks for.")
    pressure: Pressure | None = Field(None, description="How the user presses for what is not allowed.")
    difficulty: Band = Field("medium", description="How hard the blueprint should be.")
    evolve: Direction | None = Field(None, description="Where the blueprint goes from the one that was composed first.")
    retells: int | None = Field(None, description="The index whose task is told again by another persona.")
    written: bool = Field(False, description="A model invents the task; without one, it is composed like the others.")
    inspiration: str = Field("", description="A text that the model is to be inspired by.")
    behaviours: tuple[Behaviour, ...] = Field(
        (), description="What the user does as well, where the task lends itself."
    )
    faults: tuple[FaultKind, ...] = Field(
        (), description="What goes wrong with the tools, where the task has room for it."
    )
    persona: Persona = Persona()
    language: str = Field(
        "en", description="In which the dialogue is held, as a code; values and calls are the same in all."
    )


class MadeWorld(Record):
    """One of the worlds of a run; a few records share it."""

    seed: int = Field(description="The seed of all worlds of the run.")
    number: int = Field(ge=0, description="The number of the world, which follows from the index.")
    locale: str = Field("", description="Where its people come from, such as de_DE; empty: from several countries.")

    @property
    def name(self) -> str:
        """The unique name of the world, `SEED/NUMBER`: `0/17`."""
        return f"{self.seed}/{self.number}"
