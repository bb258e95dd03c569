"""The `question` pattern: goals that only read, and ask for one value or for the items with some value."""

from collections.abc import Sequence

from interplay.generators.blueprints.arguments.item_choice import telling
from interplay.generators.blueprints.arguments.item_descriptions import comparable, sorts, superlative
from interplay.generators.blueprints.arguments.known_values import is_naming
from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.drafting.reported_values import names_it
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern, reading_tool
from interplay.generators.phrases.derived_wishes import askable, know, know_which, know_which_ones, phrased_field
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.generators.phrases.speakable_values import is_moment, is_of_a_record, speakable_leaves
from interplay.generators.results.result_kinds import list_in, shows_part
from interplay.generators.values.texts.ideas import is_message, is_written_about
from interplay.schemas.calls.antecedent import identities_shown
from interplay.schemas.json.canonical import last_name, leaves, value_at
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

_PEOPLE = word_set("people", "served", "actors")

FIRST = 0.6
"""Chance that the most telling value is asked for."""

ONE = 0.4
"""Chance that a question about a list is about one item, tried before superlatives and common values."""

SORTED = 0.5
"""Chance that a question asks which items share a value, rather than which item has the most or least of something."""

WONDERED = 0.7
"""Chance that a goal to see a whole list asks a question about it instead, for tools without authored wishes."""

TRIED = 3
"""Items of a list that are tried for a question about one item."""


async def question(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a goal that asks for one value of a result, or which items of a list have a value or the most or least of one.

    Raises:
        DeadEnd: the result holds nothing that a user would ask for.
    """
    goal, request = growth.begin(name)
    step = await growth.serve(goal, request)
    pointer, items = list_in(step.value) if isinstance(step.value, (list, dict)) else ("", None)
    if items is None or growth.role(name).operation != "list":
        _what(growth, step, goal)
        return
    if not _of_list(growth, step, pointer, items, recipe):
        raise DeadEnd(f"{name} returns nothing that could be asked for")


def ask_instead(growth: Growth, recipe: Recipe) -> None:
    """Turn most goals that show a whole list into questions about the list, since few people want to see all of it."""
    draft = growth.draft
    for step in tuple(draft.steps):
        goal = draft.goals[step.goal]
        whole = goal.tool == step.tool and not (goal.asks or goal.each or goal.condition or goal.again)
        used = step.withheld or step.misses or any(step.id in other.depends_on for other in draft.steps)
        if (
            not whole
            or used
            or growth.role(step.tool).operation != "list"
            or growth.world.tools[step.tool].phrases.wishes
        ):
            continue
        pointer, items = list_in(step.value) if isinstance(step.value, (list, dict)) else ("", None)
        if items and growth.rng.random() < WONDERED:
            _of_list(growth, step, pointer, items, recipe)


def _of_list(growth: Growth, step: Step, pointer: str, items: list[object], recipe: Recipe) -> bool:
    """Make a goal ask something about a list; tell whether any question was possible."""
    ways = [_the_most]
    if not growth.world.tools[step.tool].phrases.wishes:
        ways.insert(growth.rng.random() < SORTED, _those_that_are_so)
        ways.insert(0 if growth.rng.random() < ONE else len(ways), _of_one)
    narrowed = any(origin.kind == "user" for origin in step.origins.values())  # naming one item needs no filter
    ways = [way for way in ways if way is not _of_one or (recipe.named and not narrowed)]
    if shows_part(step.value, len(items)):
        ways = [way for way in ways if way is _of_one]  # nobody can tell from one page which has the most
    return any(way(growth, step, step.goal, pointer, items) for way in ways)


def _those_that_are_so(growth: Growth, step: Step, goal: int, pointer: str, items: list[object]) -> bool:
    """Ask which items share a value, as "closed"; tell whether that is possible."""
    said = _said(growth)
    kinds = sorts(items, schema_at(growth.world.tools[step.tool].returns, f"{pointer}/0"))
    kinds = [sort for sort in kinds if str(sort.value).casefold() not in said]
    growth.rng.shuffle(kinds)
    for sort in kinds:
        name = _name(growth, step, items, sort.places[0], sort.pointer)
        names = {str(value_at(items[place], name)) for place in sort.places} if name else set[str]()
        if name and len(names) == len(sort.places):
            intent = know_which_ones(_noun(growth, step), sort.label, sort.value)
            fields = (name,) if len(sort.places) > 1 else (name, sort.pointer)
            _ask(growth, step, goal, intent, [f"{pointer}/{place}{at}" for place in sort.places for at in fields])
            return True
    return False


def _the_most(growth: Growth, step: Step, goal: int, pointer: str, items: list[object]) -> bool:
    """Ask which item has the most or least of something, or is the latest or earliest; tell whether one stands out."""
    places = [place for place in range(len(items)) if comparable(items) and superlative(items, place) is not None]
    place = growth.rng.choice(places) if places else 0
    description = superlative(items, place) if places else None
    name = _name(growth, step, items, place, "") if description is not None else None
    authored = growth.world.tools[step.tool].phrases.wishes
    if description is None or name is None or not (name or authored):
        return False
    bare = not description.label or is_of_a_record(description.pointer)
    if bare and {*_noun(growth, step).split()[-1:]} & _PEOPLE:
        return False  # nobody asks which person is the earliest, or was recorded last
    if name == description.pointer and not authored:
        return False  # the answer would repeat the question: its name is the compared value
    intent = know_which(_noun(growth, step), description.kind, description.label)
    fields = dict.fromkeys([name or description.pointer, description.pointer])
    _ask(growth, step, goal, intent, [f"{pointer}/{place}{below}" for below in fields])
    return True


def _name(growth: Growth, step: Step, items: list[object], place: int, other: str) -> str | None:
    """Return the field that names an item and tells it apart, other than `other`.

    The result is "" where the names do not tell the items apart, and None where no field names the item. Messages are named
    by their text rather than by their author.
    """
    authored = growth.world.tools[step.tool].phrases.wishes
    if not authored and any(map(is_message, _noun(growth, step).split()[-1:])):
        texts = (below for below, _ in speakable_leaves(items[place]) if is_message(name_tokens(last_name(below))[-1]))
        told = next((below for below in texts if below.count("/") == 1 and below != other), None)
        if told is not None:
            return told if len({str(value_at(item, told)) for item in items}) > 1 else ""
    naming = [
        below
        for below, value in speakable_leaves(items[place], naming=True)
        if authored or (names_it(below, value) and not is_moment(value) and below != other)
        if authored or not any(map(is_written_about, name_tokens(last_name(below))[-1:]))
    ]
    apart = (below for below in naming if len({str(value_at(item, below)) for item in items}) > 1)
    return next(apart, "") if naming else None


def _of_one(growth: Growth, step: Step, goal: int, pointer: str, items: list[object]) -> bool:
    """Ask for a value of one item, which the user names; tell whether that is possible."""
    noun, said = growth.noun(growth.role(step.tool).resource), _said(growth)
    for place in growth.rng.sample(range(len(items)), k=min(len(items), TRIED)):
        named = telling(items, place, spoken=noun.split())
        known = said | {noun} | {str(value).casefold() for value in named.values()}
        asked = [
            (below, value)
            for below, value in speakable_leaves(items[place])
            if below not in named and str(value).casefold() not in known and askable(below, label_of(below), noun)
            if below.count("/") == 1 and not is_of_a_record(below) and _varies(items, below)
        ]
        if asked and named and all(map(is_naming, named)):
            below, value = asked[0] if growth.rng.random() < FIRST else growth.rng.choice(asked)
            growth.draft.tell(goal, noun, named, {}, reveal="opening", action=step.id, choice=f"{pointer}/{place}")
            intent = know(label_of(below), noun, isinstance(value, bool))
            _ask(growth, step, goal, intent, [f"{pointer}/{place}{below}"])
            return True
    return False


def _varies(items: Sequence[object], below: str) -> bool:
    """Tell whether items differ in a field, since nobody asks for a value that all of them share."""
    return len(items) == 1 or len({str(value_at(item, below)) for item in items}) > 1


def _noun(growth: Growth, step: Step) -> str:
    return growth.world.tools[step.tool].phrases.noun or growth.noun(growth.role(step.tool).resource)


def _said(growth: Growth) -> set[str]:
    """Return the values that the user tells, casefolded."""
    return {str(value).casefold() for fact in growth.draft.facts for _, value in leaves(fact.value)}


def _ask(growth: Growth, step: Step, goal: int, intent: str, asked: Sequence[str]) -> None:
    growth.draft.revise_goal(goal, intent=intent, topic=_noun(growth, step), asks=True, question="")
    growth.draft.revise(step, asked=tuple(asked))
    role = growth.role(step.tool)
    for pointer, key in identities_shown(role, step.value, asked):
        origin = Origin(kind="output", action=step.id, pointer=pointer)
        growth.draft.identities.setdefault((str(role.resource), key), origin)


def _what(growth: Growth, step: Step, goal: int) -> None:
    known = _said(growth)
    topic = growth.draft.goals[goal].topic
    outputs = [
        out
        for out in growth.reports.outputs(step)
        if str(out.value).casefold() not in known and askable(out.pointer, out.label, topic)
    ]
    if not outputs:
        raise DeadEnd(f"{step.tool} tells nothing that the user does not say itself")
    seen = {
        str(value) for other in growth.draft.steps if other.id in step.depends_on for _, value in leaves(other.value)
    }
    outputs = [
        out for out in outputs if str(out.value) not in seen
    ] or outputs  # what a look-up showed needs no other call
    chosen = outputs[0] if growth.rng.random() < FIRST else growth.rng.choice(outputs)
    phrases = growth.world.tools[step.tool].phrases
    own = phrases.wonders.get(phrased_field(phrases, chosen.pointer))
    intent = own or know(chosen.label, topic, isinstance(chosen.value, bool))
    if growth.draft.goals[goal].resource == growth.world.environment.toolset.user_resource:
        intent = intent.replace(f"the {topic}", f"my {topic}", 1)
    growth.draft.revise_goal(goal, intent=intent, asks=True, question="")
    growth.draft.revise(step, asked=(chosen.pointer,))


QUESTION = TaskPattern("question", lambda grown: any(goal.asks for goal in grown.draft.goals), question, reading_tool)
