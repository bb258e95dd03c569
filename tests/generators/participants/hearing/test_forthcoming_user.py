"""A user whose assistant comes from elsewhere leaves nothing to what that one may never ask."""

import asyncio

import pytest

from interplay.flows.gym.catalogue import composed_tasks
from interplay.flows.gym.session import open_session
from interplay.flows.settings.config import RunConfig
from interplay.generators.participants.hearing.forthcoming_user import forthcoming
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Action, Blueprint, Expected, Fact, Goal, Origin, Scenario
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import PolicyRule, Source, Tool, Toolset

TEXT = {"type": "string"}
SIZE = {"type": "object", "properties": {"width": TEXT, "unit": TEXT}, "required": ["width"]}
PRINT = Tool(
    name="print", original_name="print", source=Source(file="x"),
    parameters={"properties": {"title": TEXT, "size": SIZE, "paper": SIZE}, "required": ["title", "size"]},
)  # fmt: skip
FIND = Tool(name="find", original_name="find", source=Source(file="x"), parameters={"properties": {"name": TEXT}})
ASKS_FIRST = PolicyRule(id="ask", kind="confirm_before", text="Ask first.", tools=("print",))
ORIGINS = {"/title": "f1", "/size/width": "f2", "/size/unit": "f3", "/paper/width": "f4"}


def task(*facts: Fact, behaviours: tuple[PlannedBehaviour, ...] = ()) -> Blueprint:
    origins = {pointer: Origin(kind="user", fact=fact) for pointer, fact in ORIGINS.items()}
    found = Action(id="a1", goal=0, tool="find", arguments={}, origins={"/name": Origin(kind="user", fact="f5")})
    other = Action(id="a0", goal=0, tool="find", arguments={}, origins={"/name": Origin(kind="user", fact="f6")})
    origins["/size/width"] = Origin(kind="output", action="a1", pointer="/width", fact="f2")
    origins["/size/unit"] = Origin(kind="output", action="a0", pointer="/unit", fact="f3")
    printed = Action(id="a2", goal=0, tool="print", arguments={}, origins=origins, depends_on=("a0", "a1"))
    scenario = Scenario(requests=((0,),), facts=facts, behaviours=behaviours)
    recipe = Recipe(index=0, seed=0, target="print", pattern="single")
    return Blueprint(
        id="b", recipe=recipe, toolset="", pattern="single", goals=(Goal(intent="print a page", tool="print"),),
        actions=(other, found, printed), expected=Expected(digest=""), tools=("find", "print"), scenario=scenario,
    )  # fmt: skip


def told(blueprint: Blueprint, *rules: PolicyRule) -> Scenario:
    return forthcoming(blueprint, Toolset(name="x", tools=(PRINT, FIND), rules=rules)).scenario


def fact(identifier: str, **more: str) -> Fact:
    return Fact(id=identifier, goal=0, label=identifier, value="x", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("identifier", "was", "becomes"),
    [
        ("f1", "asked", "asked"),  # needed
        ("f1", "late", "asked"),
        ("f2", "asked", "asked"),  # needed in what is needed
        ("f3", "asked", "opening"),
        ("f3", "late", "opening"),
        ("f4", "asked", "opening"),  # needed in what can be left out
        ("f5", "asked", "asked"),  # by which is found what is needed
        ("f6", "asked", "opening"),  # by which is found what can be left out
        ("f3", "never", "never"),
    ],
)
def test_what_nobody_would_ask_for_is_told_with_the_request(identifier: str, was: str, becomes: str) -> None:
    scenario = told(task(fact(identifier, reveal=was)))
    assert scenario.facts[0].reveal == becomes


def test_a_mistaken_value_is_not_put_right_before_it_failed() -> None:
    scenario = told(task(fact("f3", reveal="asked", instead_of="f1")))
    assert scenario.facts[0].reveal == "asked"


def test_a_change_of_mind_waits_for_no_question_that_no_rule_asks_for() -> None:
    changed = PlannedBehaviour(kind="changes_mind", request=0, fact="f1", value="y", when="confirmation")
    blueprint = task(fact("f1", reveal="opening"), behaviours=(changed,))
    assert told(blueprint, ASKS_FIRST).behaviours == (changed,)
    (hasty,) = told(blueprint).behaviours
    assert (hasty.kind, hasty.when, hasty.value) == ("corrects_itself", "breath", "y")


@pytest.mark.parametrize(("at", "waits"), [("f1", True), ("f4", False)])
def test_a_change_of_mind_comes_with_an_answer_that_is_sure_to_be_asked_for(at: str, waits: bool) -> None:
    changed = PlannedBehaviour(kind="changes_mind", request=0, fact="f2", value="y", when="question", at=at)
    (done,) = told(task(fact("f1"), fact("f2"), fact("f4"), behaviours=(changed,))).behaviours
    assert (done == changed) == waits


def test_users_of_the_gym_say_at_once_what_is_optional() -> None:
    async def left_open() -> list[str]:
        catalogue = await composed_tasks(RunConfig(seed=3), 30)
        sessions = [await open_session(catalogue, each) for each in catalogue.tasks.values()]
        return [fact.id for session in sessions for fact in session.blueprint.scenario.facts if fact.reveal == "late"]

    assert asyncio.run(left_open()) == []
