"""Recipes and blueprints: what one index of a run asks for, and the verified task that it became."""

from typing import Any, Literal

from pydantic import Field

from interplay.schemas.canonical import Change, digest
from interplay.schemas.record import Record

Pattern = Literal["single", "sequential", "parallel", "parallel_then_sequential", "multi_goal"]
PATTERNS: tuple[Pattern, ...] = ("single", "sequential", "parallel", "parallel_then_sequential", "multi_goal")


class Persona(Record):
    """How a user talks; never a real person."""

    tone: Literal["plain", "friendly", "formal", "terse", "chatty"] = "plain"
    patience: Literal["low", "normal", "high"] = "normal"
    name: str = ""


class Recipe(Record):
    """What one index asks for: a pure function of configuration, seed and index."""

    index: int
    seed: int
    target: str = Field(description="The tool that the blueprint must use.")
    pattern: Pattern
    goals: int = 1
    vague: bool = Field(False, description="The user opens without saying clearly what is wanted.")
    tool_search: bool = Field(False, description="The assistant must first look for a fitting tool.")
    registry: bool = Field(False, description="The assistant begins with the search alone and has what it finds.")
    tool_changes: bool = Field(False, description="Tools appear and disappear between the requests.")
    asks_unknown: bool = Field(False, description="The assistant asks for an identifier that the user does not know.")
    out_of_scope: bool = Field(False, description="The user also asks for something that no tool can do.")
    distractors: int = Field(0, description="Offered tools that are not needed.")
    persona: Persona = Persona()


class Origin(Record):
    """Where one argument value comes from.

    `user`: the fact that the user tells. `output`: the action and the JSON pointer into its result, with the fact by
    which the user chose among several. `default` and `constant`: the schema, or an empty container. `policy`: the rule
    that prescribes it.
    """

    kind: Literal["user", "output", "default", "policy", "constant"]
    fact: str | None = None
    action: str | None = None
    pointer: str | None = None
    rule: str | None = None


class Action(Record):
    """One call of the ground truth; `origins` maps JSON pointers of argument leaves to where they come from."""

    id: str
    goal: int
    tool: str
    arguments: dict[str, Any]
    origins: dict[str, Origin] = Field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    result: str = Field("", description="Digest of the result.")
    failed: bool = Field(False, description="The ground truth expects an error result.")


class Goal(Record):
    """One thing that the user wants, in a verb phrase of the user's own terms."""

    intent: str
    tool: str
    resource: str | None = None
    topic: str = Field("", description="The noun by which a person who is vague would hint at it.")
    again: str = Field(
        "", description="The noun of what an earlier request was about already, if this is about the same."
    )


class Fact(Record):
    """One thing that the user can tell: `label` as people call it, `value` as the tools need it.

    `reveal`: with the request, only when asked, or by choosing from what the assistant found (`choice` then holds
    the pointer of the chosen item in the result of `action`, and `value` maps pointers below it to the values by which
    the user tells it from the others; it is empty where only the position does).
    """

    id: str
    goal: int
    label: str
    value: Any
    reveal: Literal["opening", "asked", "choice"] = "asked"
    hint: dict[str, Any] = Field(default_factory=dict, description="The JSON Schema of the value, for wording.")
    action: str | None = None
    choice: str | None = None


class EarlyRequest(Record):
    """A request that the user brings up once before its tools are there: right before request `before`."""

    request: int
    before: int


class Scenario(Record):
    """The user's side: who it is, what it knows, and what it does not.

    `requests` groups goals (by index) in the order in which the user brings them up; goals of one group are said together.
    """

    persona: Persona = Persona()
    requests: tuple[tuple[int, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    unknown: tuple[str, ...] = Field((), description="Names of identifiers that the user does not know.")
    out_of_scope: str = Field("", description="A request that no tool can serve, made once.")
    early: EarlyRequest | None = Field(None, description="A request that is first made in vain, then in its turn.")

    def fact(self, identifier: str) -> Fact:
        """Return the fact with this id.

        Raises:
            KeyError: there is none.
        """
        for fact in self.facts:
            if fact.id == identifier:
                return fact
        raise KeyError(identifier)


class ExpectedOutput(Record):
    """A value that the assistant must say: where it stands in which action's result, and what it is called."""

    action: str
    pointer: str
    label: str
    value: Any
    hint: dict[str, Any] = Field(default_factory=dict, description="The JSON Schema of the value, for wording.")


class Expected(Record):
    """What must hold at the end: the state's digest, its difference from the start, and what was said."""

    digest: str
    difference: tuple[Change, ...] = ()
    outputs: tuple[ExpectedOutput, ...] = ()


class ToolChange(Record):
    """Tools that come and go: as the user brings up a request, or by a search that the assistant makes for it.

    A search has a `query` and the action `before` which it takes place; what it finds is added, and what was found long
    ago and not used since may go. Without a query, tools change as when a server is connected or closed.
    """

    request: int
    query: str = ""
    before: str | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Lineage(Record):
    """Where a blueprint comes from: its parent, the operator that made it, and the revision."""

    parent: str | None = None
    operator: str = "compose"
    revision: int = 0


class Blueprint(Record):
    """A task with ground truth, verified before a single turn is played."""

    id: str
    recipe: Recipe
    toolset: str = Field(description="Digest of the toolset.")
    pattern: Pattern
    goals: tuple[Goal, ...]
    actions: tuple[Action, ...]
    expected: Expected
    scenario: Scenario
    rules: tuple[str, ...] = Field((), description="Ids of the policy rules that govern an action.")
    tools: tuple[str, ...] = Field(description="Names of the tools that are offered at the start, in order.")
    changes: tuple[ToolChange, ...] = Field((), description="How these change, in the order in which it happens.")
    lineage: Lineage = Lineage()

    def action(self, identifier: str) -> Action:
        """Return the action with this id.

        Raises:
            KeyError: there is none.
        """
        for action in self.actions:
            if action.id == identifier:
                return action
        raise KeyError(identifier)

    def signature(self) -> str:
        """Return a digest of the task itself, equal for two blueprints that differ only in how they are told."""
        return digest([[action.tool, action.arguments] for action in self.actions])


def with_identity(blueprint: Blueprint) -> Blueprint:
    """Return `blueprint` with its id set to the digest of all the rest."""
    return blueprint.model_copy(update={"id": digest(blueprint.model_dump(mode="json", exclude={"id"}))})
