"""Questions: goals that only read, and want to hear one thing."""

from interplay.generators.blueprints.arguments.item_descriptions import comparable, sorts, superlative
from interplay.generators.blueprints.arguments.item_choice import telling
from interplay.generators.blueprints.arguments.known_values import is_naming
from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.drafting.reported_values import names_it
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern, reading_tool
from interplay.generators.phrases.derived_wishes import askable, know, know_which, know_which_ones, phrased_field
from interplay.generators.phrases.speakable_values import is_of_a_record, label_of, schema_at, speakable_leaves
from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import leaves, value_at
from interplay.schemas.records.recipe import Recipe

FIRST = 0.6
"""Chance that what is most telling is asked for."""

ONE = 0.4
"""Chance that something is asked of one item of a list, rather than which of them has the most of something or is so."""

SORTED = 0.5
"""Chance that it is asked which of several are of some kind, rather than which one has the most or the least of something."""


async def question(growth: Growth, name: str, recipe: Recipe) -> None:
    """Ask for one value of what a tool returns, which of several has the most or the least of something, or which are so.

    Raises:
        DeadEnd: nothing in the result could be asked for.
    """
    goal, request = growth.begin(name)
    step = await growth.serve(goal, request)
    pointer, items = list_in(step.value) if isinstance(step.value, (list, dict)) else ("", None)
    if items is not None and growth.role(name).operation == "list":
        _which(growth, step, goal, pointer, items, recipe.named)
    else:
        _what(growth, step, goal)


def _which(growth: Growth, step: Step, goal: int, pointer: str, items: list[object], named: bool) -> None:
    tool = growth.world.tools[step.tool]
    noun = tool.phrases.noun or growth.noun(growth.role(step.tool).resource)
    places = [place for place in range(len(items)) if comparable(items) and superlative(items, place) is not None]
    said = {str(value).casefold() for fact in growth.draft.facts for _, value in leaves(fact.value)}
    kinds = [] if tool.phrases.wishes else sorts(items, schema_at(tool.returns, f"{pointer}/0"))
    kinds = [sort for sort in kinds if str(sort.value).casefold() not in said]
    if not places and not kinds and (tool.phrases.wishes or not named):
        raise DeadEnd(f"{step.tool} returns nothing that stands out")
    one = named and not tool.phrases.wishes and growth.rng.random() < ONE
    if (one or not (places or kinds)) and _of_one(growth, step, goal, pointer, items):
        return
    if not places and not kinds:
        raise DeadEnd(f"nothing of what {step.tool} returns could be asked for")
    if kinds and (not places or growth.rng.random() < SORTED):
        sort = growth.rng.choice(kinds)
        told, intent = list(sort.places), know_which_ones(noun, sort.label, sort.value)
        field = sort.pointer
        own = {field}
    else:
        told = [growth.rng.choice(places)]
        description = superlative(items, told[0])
        assert description is not None
        intent, field = know_which(noun, description.kind, description.label), description.pointer
        own = set[str]()
    naming = [
        below
        for below, value in speakable_leaves(items[told[0]], naming=True)
        if tool.phrases.wishes or (names_it(below, value) and not is_of_a_record(below) and below not in own)
    ]
    if not naming:
        raise DeadEnd(f"what {step.tool} returns has no name")
    apart = (below for below in naming if len({str(value_at(item, below)) for item in items}) > 1)
    name = next(apart, field)
    if len(told) == 1:
        asked = [f"{told[0]}{below}" for below in dict.fromkeys([name, field])]
    else:
        asked = [f"{place}{name}" for place in told]
        if name == field or len({str(value_at(items[place], name)) for place in told}) < len(told):
            raise DeadEnd(f"what {step.tool} returns is called alike")
    growth.draft.revise_goal(goal, intent=intent, topic=noun, asks=True, question="")
    growth.draft.revise(step, asked=tuple(f"{pointer}/{at}" for at in asked))


def _of_one(growth: Growth, step: Step, goal: int, pointer: str, items: list[object]) -> bool:
    """Ask for a value of one item of a list, which the user names; tell whether there is one."""
    noun = growth.noun(growth.role(step.tool).resource)
    for place in growth.rng.sample(range(len(items)), k=min(len(items), TRIED)):
        named = telling(items, place)
        known = {str(value).casefold() for value in named.values()}
        known |= {str(value).casefold() for fact in growth.draft.facts for _, value in leaves(fact.value)}
        asked = [
            (below, value)
            for below, value in speakable_leaves(items[place])
            if below not in named and str(value).casefold() not in known and askable(below, label_of(below), noun)
            if below.count("/") == 1 and not is_of_a_record(below)
        ]
        if asked and named and all(map(is_naming, named)):
            below, value = asked[0] if growth.rng.random() < FIRST else growth.rng.choice(asked)
            growth.draft.tell(goal, noun, named, {}, reveal="opening", action=step.id, choice=f"{pointer}/{place}")
            intent = know(label_of(below), noun, isinstance(value, bool))
            growth.draft.revise_goal(goal, intent=intent, topic=noun, asks=True, question="")
            growth.draft.revise(step, asked=(f"{pointer}/{place}{below}",))
            return True
    return False


TRIED = 3
"""Items of a list at most of which it is tried to ask for something."""


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
    seen = {str(value) for other in growth.draft.steps if other.id in step.depends_on for _, value in leaves(other.value)}
    outputs = [out for out in outputs if str(out.value) not in seen] or outputs  # what a look-up showed needs no other call
    chosen = outputs[0] if growth.rng.random() < FIRST else growth.rng.choice(outputs)
    phrases = growth.world.tools[step.tool].phrases
    own = phrases.wonders.get(phrased_field(phrases, chosen.pointer))
    intent = own or know(chosen.label, topic, isinstance(chosen.value, bool))
    if growth.draft.goals[goal].resource == growth.world.environment.toolset.user_resource:
        intent = intent.replace(f"the {topic}", f"my {topic}", 1)
    growth.draft.revise_goal(goal, intent=intent, asks=True, question="")
    growth.draft.revise(step, asked=(chosen.pointer,))


QUESTION = TaskPattern("question", lambda grown: any(goal.asks for goal in grown.draft.goals), question, reading_tool)
