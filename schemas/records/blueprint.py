"""The verified task that a recipe became: its actions, their expected effects, and what its user knows."""

from typing import Any, Literal

from pydantic import Field

from interplay.schemas.json.canonical import Change, digest
from interplay.schemas.json.fields import is_number
from interplay.schemas.json.record import Record
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.fault import Fault
from interplay.schemas.records.recipe import MadeWorld, Pattern, Persona, Pressure, Recipe, Risk, Twin
from interplay.schemas.records.tool import Requestor


class Origin(Record):
    """Where one argument value comes from.

    `user`: the fact that the user tells. `output`: the action and the JSON pointer into its result, with the fact by
    which the user chose among several; what a call of the user returned, the user reads out. `default` and `constant`:
    the schema, an empty container, or the first page of a list. `policy`: the rule that prescribes it. `past`: it came up before the task began.
    `given`: the system prompt tells it, as the account that all is about.
    `needed`: an action that depends on this one fails without it.
    """

    kind: Literal["user", "output", "default", "policy", "constant", "past", "needed", "given"]
    fact: str | None = None
    action: str | None = None
    pointer: str | None = None
    rule: str | None = None


class Withheld(Record):
    """Why a call that the user wants is not made.

    `forbidden`: by the policy rule `rule`. `condition`: what the user made it depend on does not hold. `unknown`: the user
    does not know the fact `fact`, and no tool tells it. `harmful`: it would do harm. `unauthorised`: somebody has to agree
    to it who has not. `failed`: the action `action`, which it needs, fails for good.
    """

    reason: Literal["forbidden", "condition", "unknown", "harmful", "unauthorised", "failed"]
    rule: str = ""
    fact: str = ""
    action: str = ""
    branch: str = Field("", description="The branch of the rule that forbids it, where the rule has branches.")


class DueDuty(Record):
    """What a rule asks to be put in words for one action, with the values that are to be told, by their paths."""

    rule: str
    values: dict[str, Any] = Field(default_factory=dict)


class Action(Record):
    """One call of the ground truth; `origins` maps JSON pointers of argument leaves to where they come from.

    One that is `withheld` is what the user wants and the assistant must not do; its origins tell how it is known. One whose
    requestor is the user is done by the user on its own device, when the assistant asks for it.
    """

    id: str
    goal: int
    tool: str
    requestor: Requestor = "assistant"
    arguments: dict[str, Any]
    origins: dict[str, Origin] = Field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    result: str = Field("", description="Digest of the result.")
    failed: bool = Field(False, description="The ground truth expects an error result.")
    withheld: Withheld | None = None
    duties: tuple[DueDuty, ...] = Field((), description="What rules ask to be said before it, or offered in its place.")


class Condition(Record):
    """What a user makes a goal depend on: whether the value at `pointer` of what `action` returns is `value`.

    The goal that is wanted instead, in the same request, has the same condition with `otherwise`.
    """

    action: str
    pointer: str
    noun: str
    label: str
    value: Any
    test: Literal["is", "at_most", "at_least"] = "is"
    otherwise: bool = Field(False, description="The goal is to be done where it does not hold.")
    hint: dict[str, Any] = Field(default_factory=dict, description="The JSON Schema of the value, for wording.")

    def decides(self, found: Any) -> bool:
        """Tell whether the goal is to be done, given the value that was found."""
        number = is_number(found)
        if self.test == "is":
            holds = digest([found]) == digest([self.value])
        else:
            holds = number and (found <= self.value if self.test == "at_most" else found >= self.value)
        return holds != self.otherwise


class Question(Record):
    """What the user wants to know of what an action returns: where it stands there, and the wish to know it in words.

    Without `words`, the intent of its goal asks it already: "check what I owe".
    """

    action: str
    pointers: tuple[str, ...] = Field(description="JSON pointers into its result: one, or one for each item of a list.")
    words: str = Field("", description="A verb phrase: know when the invoice was issued.")


class Goal(Record):
    """One thing that the user wants, in a verb phrase of the user's own terms."""

    intent: str
    tool: str
    resource: str | None = None
    topic: str = Field("", description="The noun by which a person who is vague would hint at it.")
    question: str = Field("", description="The question in which the user puts it, where it does so: Which are free?")
    purpose: str = Field("", description="A sentence in which the user says what it is for.")
    again: str = Field(
        "", description="The noun of what an earlier request was about already, if this is about the same."
    )
    condition: Condition | None = Field(None, description="What must hold for it to be done.")
    amiss: Condition | None = Field(
        None, description="What holds as the user brings it up, and should not; of no action."
    )
    each: str = Field("", description="The action whose list it goes through, item by item.")
    asks: bool = Field(False, description="Its intent is itself a question: know when the invoice was issued.")
    asks_for: tuple[Question, ...] = Field((), description="What the user wants to know, and has to be told.")


class Description(Record):
    """A user's way of meaning one of several without naming it: by the least or the most of a field, or by a month.

    `latest` and `earliest` speak of moments, `highest` and `lowest` of numbers.
    """

    kind: Literal["latest", "earliest", "highest", "lowest", "month"]
    pointer: str = Field(description="JSON pointer of the field, below the item.")
    label: str = Field(description="What the field is called; empty where all moments of the item are the latest.")
    month: str = Field("", description="The month, as 2026-05, which no other item has to do with, in any year.")
    same: str = Field(
        "", description="The noun of what the item refers to, where that is meant: the same doctor as in May."
    )


class Fact(Record):
    """One thing that the user can tell: `label` as people call it, `value` as the tools need it.

    `reveal`: with the request, only when asked, by choosing from what the assistant found, after the first result of
    its request, never since the user does not know it either, or before the task began.

    A choice has a pointer `choice` to the chosen item in the result of `action`; `value` maps pointers below it to the
    values by which the user tells it from the others (empty where only the position does), or `description` singles it out.
    """

    id: str
    goal: int
    label: str
    value: Any
    reveal: Literal["opening", "asked", "choice", "late", "never", "before"] = "asked"
    hint: dict[str, Any] = Field(default_factory=dict, description="The JSON Schema of the value, for wording.")
    action: str | None = None
    choice: str | None = None
    description: Description | None = None
    instead_of: str = Field("", description="The fact that this one stands in for where nothing was found by it.")
    sets: bool = Field(
        False, description="Whether it is what a field of the goal's thing is to be, rather than what tells of it."
    )


class ExpectedOutput(Record):
    """A value that has to be told, since a goal asks for it: where it stands in which action's result, and its name."""

    action: str
    pointer: str
    label: str
    value: Any
    hint: dict[str, Any] = Field(default_factory=dict, description="The JSON Schema of the value, for wording.")


class EarlyRequest(Record):
    """A request that the user brings up once before its tools are there: right before request `before`."""

    request: int
    before: int


class Scenario(Record):
    """The user's side: who it is, what it knows, and what it does not.

    `requests` groups goals (by index) in the order in which the user brings them up; goals of one group are said together.
    """

    persona: Persona = Persona()
    language: str = Field("en", description="What the user speaks; the words of the scenario itself stay English.")
    requests: tuple[tuple[int, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    unknown: tuple[str, ...] = Field((), description="Names of identifiers that the user does not know.")
    out_of_scope: str = Field("", description="A request that no tool can serve, made once.")
    early: EarlyRequest | None = Field(None, description="A request that is first made in vain, then in its turn.")
    pressure: Pressure | None = Field(None, description="How the user presses for what it is refused.")
    motive: str = Field("", description="What the user is after and does not say; the assistant never sees it.")
    behaviours: tuple[PlannedBehaviour, ...] = Field((), description="What the user does as well, by request.")
    tools: tuple[str, ...] = Field((), description="Names of the tools that the user has on its own device.")
    sights: tuple[ExpectedOutput, ...] = Field((), description="What the user tells of the results of its own calls.")

    def behaves(self, kind: Behaviour, request: int | None = None) -> PlannedBehaviour | None:
        """Return the first planned behaviour of a kind, in `request` if given; None if there is none."""
        for done in self.behaviours:
            if done.kind == kind and request in (None, done.request):
                return done
        return None

    def fact(self, identifier: str) -> Fact:
        """Return the fact with the id `identifier`.

        Raises:
            KeyError: there is none.
        """
        for fact in self.facts:
            if fact.id == identifier:
                return fact
        raise KeyError(identifier)


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


class Difficulty(Record):
    """How hard a task is: a score from 0 to 1, and what was measured for it."""

    score: float
    calls: int = 0
    hops: int = Field(0, description="The longest chain of calls that need each other.")
    hidden: int = Field(
        0,
        description="Facts that must be asked for or looked up (those that are described count twice), and conditions.",
    )
    distractors: int = Field(0, description="Offered tools that are not needed.")
    traps: int = Field(0, description="Policy rules that could be broken on the way.")
    faults: int = Field(0, description="Calls that go wrong.")
    turns: int = Field(0, description="Turns of the user at least.")
    rows: int = Field(0, description="Rows of the state.")


class Safety(Record):
    """What makes a blueprint a safety scenario: whose twin it is, what is at risk, and how to act rightly.

    `refuse` is to call nothing at all, `partial` to do all but what is withheld, `help` to do all. The twins of one `pair`
    of recipes are about the same `capabilities`. Source: AgentAlign, section 3; CRMArena-Pro, section 3.2.
    """

    kind: Literal["chain", "confidentiality"]
    scenario: str = Field(description="The chain of capabilities that it is an instance of.")
    capabilities: tuple[str, ...] = Field(description="The tools that stand for the links of the chain, in order.")
    twin: Twin
    expected: Literal["refuse", "partial", "help"]
    risks: dict[Risk, int] = Field(
        default_factory=dict, description="Dimension -> severity from 1 to 3; empty where nothing is at risk."
    )


class Doubt(Record):
    """One reason for which hardly anybody would want a task: a code, what it takes of the sense (0 to 1), and about what."""

    code: str
    cost: float
    detail: str = ""
    action: str | None = None


class Given(Record):
    """What the system prompt tells beside the policy: the identity of the account that a whole conversation is about."""

    label: str
    value: Any


class Sense(Record):
    """How plausible it is that somebody wants a task: 1 where nothing speaks against it, less with each doubt.

    `redrawn` counts the draws for the same recipe that were dropped before since they made too little sense.
    """

    score: float
    doubts: tuple[Doubt, ...] = ()
    redrawn: int = 0


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
    lookalikes: tuple[str, ...] = Field(
        (), description="Those ever offered that are not needed, and could be taken for one that is."
    )
    faults: tuple[Fault, ...] = Field((), description="What goes wrong with its tools; the ground truth bears it.")
    lineage: Lineage = Lineage()
    difficulty: Difficulty | None = None
    sense: Sense | None = Field(None, description="How plausible it is that somebody wants it, and why.")
    safety: Safety | None = Field(None, description="Of safety scenarios alone.")
    given: Given | None = Field(None, description="What the system prompt tells of where it takes place.")
    start: Start | None = Field(None, description="What came before it; none where it begins from a blank state.")
    world: MadeWorld | None = Field(None, description="Where it plays; none where its tools know a single world.")

    @property
    def begins(self) -> int:
        """The number of messages before the task's first one."""
        return len(self.start.messages) if self.start else 0

    @property
    def calls(self) -> tuple[Action, ...]:
        """The actions that are called, in order: all that are not withheld."""
        return tuple(action for action in self.actions if action.withheld is None)

    def action(self, identifier: str) -> Action:
        """Return the action with the id `identifier`.

        Raises:
            KeyError: there is none.
        """
        for action in self.actions:
            if action.id == identifier:
                return action
        raise KeyError(identifier)

    def hit(self, action: str) -> Fault | None:
        """Return the fault that hits the action with the id `action`; None if there is none."""
        return next((fault for fault in self.faults if fault.action == action), None)

    def signature(self) -> str:
        """Return a digest of the calls and wishes, equal for tasks that differ only in wording or in faults."""
        wishes = [goal.intent for goal in self.goals if not goal.tool]
        return digest([[[action.tool, action.arguments, _meant(action)] for action in self.actions], wishes])

    def family(self) -> str:
        """Return a digest of what must stay in one split: the task itself, or all three twins of a safety scenario."""
        twins = self.safety is not None and self.recipe.pair
        return digest([self.toolset, twins]) if twins else self.signature()

    def story(self) -> str:
        """Return a digest of the task with what its user knows and when the user tells it: equal for equal scenarios.

        Persona, wording and offered tools are left out; a retold task includes its persona, since it is meant to repeat one.
        """
        told = self.scenario
        knows = [
            [fact.label, fact.value, fact.reveal, fact.choice, _plain(fact.description), fact.instead_of]
            for fact in told.facts
        ]
        depends = [_plain(goal.condition) for goal in self.goals]
        again = None if self.recipe.retells is None else _plain(told.persona)
        asked = [told.requests, told.unknown, told.out_of_scope, _plain(told.early)]
        return digest([self.signature(), depends, knows, asked, again])


def _plain(record: Record | None) -> Any:
    return record and record.model_dump(mode="json")


def _meant(action: Action) -> bool:
    return action.withheld is None or action.withheld.reason == "failed"


def with_identity(blueprint: Blueprint) -> Blueprint:
    """Return `blueprint` with its id set to the digest of everything but its sense and language.

    The same task has the same id in all languages.
    """
    told: dict[str, Any] = {"id": True, "sense": True, "recipe": {"language"}, "scenario": {"language"}}
    left_out = told if blueprint.start else {**told, "start": True}
    return blueprint.model_copy(update={"id": digest(blueprint.model_dump(mode="json", exclude=left_out))})
