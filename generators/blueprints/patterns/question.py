"""Questions: goals that only read, and want to hear one thing."""

from interplay.generators.blueprints.arguments.item_descriptions import comparable, superlative
from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.drafting.reported_values import names_it
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern, reading_tool
from interplay.generators.phrases.derived_wishes import askable, know, know_which, phrased_field
from interplay.generators.phrases.speakable_values import is_of_a_record, speakable_leaves
from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import leaves, value_at
from interplay.schemas.records.recipe import Recipe

FIRST = 0.6
"""Chance that what is most telling is asked for."""

FEWEST = 2
"""Items of a list among which one would ask for the most or the least."""


async def question(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Ask for one value of what a tool returns, or which of several has the most or the least of something.

    Raises:
        DeadEnd: nothing in the result could be asked for.
    """
    goal, request = growth.begin(name)
    step = await growth.serve(goal, request)
    pointer, items = list_in(step.value) if isinstance(step.value, (list, dict)) else ("", None)
    if items is not None and growth.role(name).operation == "list":
        _which(growth, step, goal, pointer, items)
    else:
        _what(growth, step, goal)


def _which(growth: Growth, step: Step, goal: int, pointer: str, items: list[object]) -> None:
    if len(items) < FEWEST or not comparable(items):
        raise DeadEnd(f"{step.tool} returns nothing to compare")
    places = [place for place in range(len(items)) if superlative(items, place) is not None]
    if not places:
        raise DeadEnd(f"{step.tool} returns nothing that stands out")
    place = growth.rng.choice(places)
    description = superlative(items, place)
    tool = growth.world.tools[step.tool]
    named = [
        below
        for below, value in speakable_leaves(items[place], naming=True)
        if tool.phrases.wishes or (names_it(below, value) and not is_of_a_record(below))
    ]
    if description is None or not named:
        raise DeadEnd(f"what {step.tool} returns has no name")
    apart = (below for below in named if len({str(value_at(item, below)) for item in items}) > 1)
    asked = dict.fromkeys([next(apart, description.pointer), description.pointer])
    noun = tool.phrases.noun or growth.noun(growth.role(step.tool).resource)
    growth.draft.revise_goal(
        goal, intent=know_which(noun, description.kind, description.label), topic=noun, asks=True, question=""
    )
    growth.draft.revise(step, asked=tuple(f"{pointer}/{place}{below}" for below in asked))


def _what(growth: Growth, step: Step, goal: int) -> None:
    known = {str(value).casefold() for fact in growth.draft.facts for _, value in leaves(fact.value)}
    topic = growth.draft.goals[goal].topic
    outputs = [
        out
        for out in growth.reports.outputs(step)
        if str(out.value).casefold() not in known and askable(out.pointer, out.label, topic)
    ]
    if not outputs:
        raise DeadEnd(f"{step.tool} tells nothing that the user does not say itself")
    chosen = outputs[0] if growth.rng.random() < FIRST else growth.rng.choice(outputs)
    phrases = growth.world.tools[step.tool].phrases
    own = phrases.wonders.get(phrased_field(phrases, chosen.pointer))
    intent = own or know(chosen.label, topic, isinstance(chosen.value, bool))
    if growth.draft.goals[goal].resource == growth.world.environment.toolset.user_resource:
        intent = intent.replace(f"the {topic}", f"my {topic}", 1)
    growth.draft.revise_goal(goal, intent=intent, asks=True, question="")
    growth.draft.revise(step, asked=(chosen.pointer,))


QUESTION = TaskPattern("question", lambda grown: any(goal.asks for goal in grown.draft.goals), question, reading_tool)
