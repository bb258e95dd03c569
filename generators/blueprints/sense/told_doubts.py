"""What a user says, chooses by and asks for -> reasons to doubt that anybody would."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.blueprints.arguments.known_values import is_naming, is_unlikely, unknowable
from interplay.generators.blueprints.arguments.optional_arguments import is_cared_for
from interplay.generators.blueprints.drafting.reported_values import matters
from interplay.generators.blueprints.sense.machine_tools import converses, is_plumbing
from interplay.generators.blueprints.sense.weighed_task import POINTLESS, WeighedTask
from interplay.generators.graph.sampling.essential_arguments import is_keyed
from interplay.generators.phrases.intents import is_about_change
from interplay.generators.phrases.labels.identity_labels import NUMBERED as NUMBERED_THINGS
from interplay.generators.phrases.speakable_values import (
    LONGEST,
    is_holdable,
    is_marked,
    is_moment,
    is_of_a_record,
    is_opaque,
)
from interplay.generators.results.result_kinds import says_only_that_it_went_well
from interplay.generators.values.texts.ideas import is_called
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.calls.first_page import first_page
from interplay.schemas.json.canonical import at_pointer, canonical, last_name, leaves, starred, value_at
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Action, Doubt, Fact, Origin
from interplay.schemas.records.tool import READING, ToolRole
from interplay.schemas.words.coded_values import codes_of
from interplay.schemas.words.identifiers import is_standing, name_tokens
from interplay.schemas.words.nouns import singular

MADE_UP, CODE_SHOWN, CODE, TOLD_ASKED, NARROWED, UNSAID = 0.55, 0.45, 0.3, 0.55, 0.1, 0.55
"""Shares of sense lost, by kind of doubt.

In order: the user says a value that nobody would; a code that a list shows; another code; asks for what it has said; both
filters a list and names an item of it; wants a write without saying anything about it.
"""

UNHELD = 0.55
"""Share of sense lost where the user says a code that nobody has at hand: a long one, or one on no papers."""

ALIKE = 0.5
"""Share of sense lost by two values with the same label."""

IDLE = 0.4
"""Share of sense lost by a question for a value that means nothing to a person: a flag, bookkeeping."""

TECHNICAL, FLAG = 0.4, 0.2
"""Shares of sense lost by a value for programs (a token, a URL, a position in a layout), and by a flag."""

NO_WISH = 0.6
"""Share of sense lost by a goal about a tool for programs."""

NUMBERED = 1_000
"""The least number that counts as a code, rather than as a position in a short list."""

FILE = 0.7
"""Share of sense lost where a file would have to be handed over."""

_SEARCHING = {"search", "searches", "find", "finds"}

FEW_GUESSES, GUESS = 4, 0.1
"""Choices that a user makes in a dialogue, and the share of sense that each further one costs."""


def unlikely_values(task: WeighedTask) -> Iterator[Doubt]:
    """Yield values that nobody would say: "Quiet Quartz" for a parent; except search terms that the result shows."""
    for action, pointer, fact in _told(task):
        if referred(task.role(action), pointer) is not None or is_opaque(fact.value):
            continue
        if _says_its_field(task, action, pointer, fact.value):
            if not task.is_phrased(action):
                yield _unlikely(action, fact)
            continue
        if not is_unlikely(pointer, fact.value):
            continue
        if task.operation(action) in READING and _shows(task.values.get(action.id), fact.value):
            continue
        if task.stands_in_row(action, last_name(pointer), fact.value):
            continue
        yield _unlikely(action, fact)


def _unlikely(action: Action, fact: Fact) -> Doubt:
    return Doubt(code="unlikely_value", cost=MADE_UP, detail=f"{fact.label}: {fact.value}"[:160], action=action.id)


def _says_its_field(task: WeighedTask, action: Action, pointer: str, value: Any) -> bool:
    """Tell whether a text only repeats the names of its field and resource: "message subject"."""
    known = {*name_tokens(last_name(pointer)), *name_tokens(str(task.role(action).resource or ""))}
    return isinstance(value, str) and known.issuperset(name_tokens(value[:LONGEST]))


def codes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield codes that the user has to say; those that a tool would have shown cost more."""
    said = set[str]()
    for action, pointer, fact in _told(task):
        resource = referred(task.role(action), pointer)
        own = resource is not None and resource == task.user
        kept = resource is not None or is_keyed(last_name(pointer))
        numbered = kept and str(fact.value).isdigit() and int(str(fact.value)) >= NUMBERED
        own = own or action.requestor == "user"  # the user reads it off the device
        if not (is_opaque(fact.value) or numbered) or fact.id in said or own:
            continue
        said.add(fact.id)
        lists = [
            edge.producer
            for edge in task.into(action.tool, starred(pointer), lambda edge: task.lists(edge.producer))
            if edge.verified is not False and not _must_be_told(task, edge.producer, last_name(pointer))
            if not unknowable(task.world.tools[edge.producer], task.world, task.graph)
        ]
        cost, why = (CODE_SHOWN, f", which {lists[0]} shows") if lists else (CODE, "")
        papers = NUMBERED_THINGS & {*name_tokens(pointer), *name_tokens(resource or "")}
        if not task.is_phrased(action) and ((lists and kept and not papers) or not is_holdable(fact.value)):
            cost = UNHELD
        yield Doubt(code="code_told", cost=cost, detail=f"{fact.label}{why}", action=action.id)


def _must_be_told(task: WeighedTask, tool: str, name: str) -> bool:
    """Tell whether a tool requires the argument that it would show: a person's appointments show the person."""
    return name_tokens(name) in map(name_tokens, task.world.tools[tool].required)


def known_answers(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that ask only for what the user has said: the name of somebody whom the user named."""
    said = {str(leaf).casefold() for fact in task.facts.values() for _, leaf in leaves(fact.value) if fact.value != {}}
    for goal in task.blueprint.goals:
        asked = [
            (question.action, value_at(task.values.get(question.action), pointer))
            for question in goal.asks_for
            for pointer in question.pointers
            if question.words
        ]
        if asked and all(str(value).casefold() in said for _, value in asked):
            yield Doubt(code="answer_known", cost=TOLD_ASKED, detail=goal.intent, action=asked[0][0])
    for action in task.served:
        told = [str(out.value).casefold() for out in task.blueprint.expected.outputs if out.action == action.id]
        if told and said.issuperset(told) and task.operation(action) == "read" and not task.is_phrased(action):
            yield Doubt(code="answer_known", cost=TOLD_ASKED, detail=action.tool, action=action.id)


def coded_answers(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals whose answers are only codes: nobody asks for the ids of blocks."""
    for goal in task.blueprint.goals:
        asked = [
            (question.action, value_at(task.values.get(question.action), pointer))
            for question in goal.asks_for
            for pointer in question.pointers
        ]
        if asked and all(is_opaque(value) for _, value in asked):
            yield Doubt(code="codes_answered", cost=CODE_SHOWN, detail=goal.intent, action=asked[0][0])


def idle_questions(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that ask about one thing only for values that mean nothing to a person, where it has others."""
    for goal in task.blueprint.goals:
        asked = [
            (question.action, pointer, value_at(task.values.get(question.action), pointer))
            for question in goal.asks_for
            for pointer in question.pointers
        ]
        if not asked or asked[0][0] not in task.actions or task.is_phrased(task.actions[asked[0][0]]):
            continue
        reads = task.operation(task.actions[asked[0][0]]) in ("read", "compute") and goal.condition is None
        listed = any(is_listed(task.values[name], at) for name, at, _ in asked)
        meant = any(at == "" or matters(at, value) for _, at, value in asked)
        if reads and not (listed or meant or _is_all_it_tells(task, asked[0][0], asked[0][1])):
            yield Doubt(code="idle_question", cost=IDLE, detail=goal.intent, action=asked[0][0])


def _is_all_it_tells(task: WeighedTask, action: str, pointer: str) -> bool:
    """Tell whether a value is explained, and nothing else in its result means more: the pressure of a tire, in psi."""
    explained = schema_at(task.world.tools[task.actions[action].tool].returns, pointer).get("description")
    return bool(explained) and not any(matters(at, value) for at, value in leaves(task.values[action]))


def noted_lists(task: WeighedTask) -> Iterator[Doubt]:
    """Yield lists whose answers are only times of recording, or only numbers: balances, without their owners."""
    for action in task.served:
        told = [output for output in task.blueprint.expected.outputs if output.action == action.id]
        noted = bool(told) and all(is_moment(output.value) and is_of_a_record(output.pointer) for output in told)
        noted = noted or (len(told) > 1 and all(isinstance(output.value, (int, float)) for output in told))
        if noted and task.operation(action) == "list" and not task.is_phrased(action):
            yield Doubt(code="idle_question", cost=IDLE, detail=action.tool, action=action.id)


def silent_answers(task: WeighedTask) -> Iterator[Doubt]:
    """Yield reads other than lists whose results hold nothing to tell."""
    told = {question.action for goal in task.blueprint.goals for question in goal.asks_for}
    for action in task.served:
        tool, value = task.world.tools[action.tool], task.values.get(action.id)
        looks = tool.effect == "read" and task.operation(action) != "list" and not task.is_phrased(action)
        empty = value in ({}, None, "") or says_only_that_it_went_well(value)
        if looks and empty and not action.failed and action.withheld is None and action.id not in told:
            yield Doubt(code="idle_question", cost=IDLE, detail=action.tool, action=action.id)


def is_listed(result: Any, pointer: str) -> bool:
    """Tell whether a value is an item of a list, or the list that a result consists of."""
    value = value_at(result, pointer)
    alone = isinstance(value, list) and (pointer == "" or (isinstance(result, dict) and len(result) == 1))
    return alone or isinstance(value_at(result, pointer.rpartition("/")[0]), list)


def empty_writes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield writes that say nothing about the row, although they could: a page without any content."""
    for action in task.blueprint.calls:
        tool, given = task.world.tools[action.tool], _carried(task, action)
        edits, role = task.edits(action), task.role(action)
        told = bool(role.leads_to) or any(_says(task, action, at, to) for at, to in given)
        if told and task.operation(action) == "create" and not task.is_phrased(action):
            told = any(referred(role, at) is None and _says(task, action, at, to) for at, to in given)
        if told:
            continue
        acts = task.operation(action) == "action" and not task.is_phrased(action) and is_about_change(tool)
        if not (edits or acts or task.operation(action) == "create"):
            continue
        taken = tool.properties
        free = [key for key in taken if f"/{key}" not in role.references or (acts and key not in action.arguments)]
        changes = edits and task.operation(action) == "update" and not task.is_phrased(action)
        if free or acts or changes or (not edits and _is_named(task, role)):
            yield Doubt(code="nothing_said", cost=UNSAID, detail=action.tool, action=action.id)


def unshown_changes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield updates whose results show a row, but none of the given values: a `date`, where rows have two others."""
    for action in task.served:
        row = task.values.get(action.id)
        shown = [value for _, value in leaves(row)] if isinstance(row, Mapping) else []
        if task.operation(action) != "update" or task.is_phrased(action) or len(shown) < ROW:
            continue
        said = [at for at, _ in _carried(task, action) if referred(task.role(action), at) is None]
        given = [at_pointer(action.arguments, at) for at in said]
        if given and not any(_same_value(value, told) for value in given for told in shown):
            yield Doubt(code="change_unshown", cost=POINTLESS, detail=action.tool, action=action.id)


def _same_value(given: Any, shown: Any) -> bool:
    """Tell whether a result shows a given value, perhaps with a time after a date."""
    said, told = str(given).casefold(), str(shown).casefold()
    return given == shown or said == told or (is_moment(given) and told.startswith(said))


ROW = 4
"""Number of values from which on a result counts as the changed row, rather than as a report of success."""


def _is_named(task: WeighedTask, role: ToolRole) -> bool:
    """Tell whether rows of a tool's resource have a name, which nobody omits when creating one."""
    return any(is_called(token) for name in task.world.fields(role.resource) for token in name_tokens(name)[-1:])


def missing_files(task: WeighedTask) -> Iterator[Doubt]:
    """Yield writes whose tools take a file, which cannot be handed over in words."""
    for action in task.blueprint.calls:
        taken = task.world.tools[action.tool].properties
        files = [name for name, schema in taken.items() if schema.get("format") == "binary"]
        if files and task.world.tools[action.tool].effect == "write" and not task.is_phrased(action):
            yield Doubt(code="nothing_said", cost=FILE, detail=f"{action.tool} {files[0]}", action=action.id)


def _carried(task: WeighedTask, action: Action) -> list[tuple[str, Origin]]:
    """Return the arguments of a call with their origins, without those in query and header if it has a body."""
    http = task.world.tools[action.tool].http
    places = http.locations if http is not None else {}
    kept = {"query", "header"} if {"body", "form"} & set(places.values()) else set[str]()
    return [(at, origin) for at, origin in action.origins.items() if places.get(at.split("/")[1]) not in kept]


def _says(task: WeighedTask, action: Action, pointer: str, origin: Origin) -> bool:
    """Tell whether an argument says something about the row, rather than naming the row or its parent."""
    role, own = task.role(action), task.role(action).resource
    resource = referred(role, pointer)
    if resource is None:
        return origin.kind not in ("constant", "default") and at_pointer(action.arguments, pointer) != {}
    held = task.world.resources.get(str(own))
    return resource not in (own, held and held.parent)


def plumbing(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals about tools for programs: to log in, to check a code, to tell whether a server runs.

    Tools with authored wishes are exempt.
    """
    for action in task.served:
        tool = task.world.tools[action.tool]
        if is_plumbing(tool) or converses(tool):
            yield Doubt(code="plumbing", cost=NO_WISH, detail=action.tool, action=action.id)


def technical_values(task: WeighedTask) -> Iterator[Doubt]:
    """Yield values for programs that a user says: tokens, URLs, numbers that measure nothing, flags.

    Identities and codes are not counted here.
    """
    said = set[str]()
    for action, pointer, fact in _told(task):
        own = next((part for part in reversed(pointer.split("/")) if part and not part.isdigit()), "")
        schema = schema_at(task.world.tools[action.tool].parameters, pointer)
        named = referred(task.role(action), pointer) is not None or is_opaque(fact.value) or is_keyed(own)
        named = named or bool(task.world.tools[action.tool].phrases.wishes)
        items = schema.get("items")
        cared = is_cared_for(own, schema) or (isinstance(items, Mapping) and is_cared_for(singular(own), items))
        cared = cared and not (isinstance(fact.value, str) and is_marked(fact.value))
        numbered = _is_unnamed_option(schema, fact.value)
        if named or fact.id in said or not own or cared or ("enum" in schema and not numbered):
            continue
        said.add(fact.id)
        required = task.world.tools[action.tool].required
        whole = task.operation(action) == "create" and not required  # no argument is known to matter
        needed = isinstance(fact.value, (int, float, list)) and (whole or pointer[1:] in required) and not numbered
        cost = FLAG if needed or isinstance(fact.value, bool) else TECHNICAL
        yield Doubt(code="technical_value", cost=cost, detail=f"{fact.label}: {fact.value}"[:160], action=action.id)


def _is_unnamed_option(schema: Mapping[str, Any], value: Any) -> bool:
    """Tell whether a value is a number that stands for a name in a program, counted from 0, of which no name is known."""
    options = schema.get("enum", ())
    return type(value) is int and 0 in options and all(type(each) is int for each in options) and not codes_of(schema)


def aimless_searches(task: WeighedTask) -> Iterator[Doubt]:
    """Yield searches without a search term: to look a product up by its barcode, without a barcode."""
    for action in task.served:
        tool = task.world.tools[action.tool]
        searches = not _SEARCHING.isdisjoint(name_tokens(f"{tool.original_name} {tool.summary}"))
        said = any(origin.kind in ("user", "output") for origin in action.origins.values())
        taken = tool.properties
        searches = searches and (not taken or any(first_page(name, schema) is None for name, schema in taken.items()))
        searches = searches and not task.blueprint.goals[action.goal].asks
        if searches and tool.effect == "read" and not said and not task.is_phrased(action):
            yield Doubt(code="nothing_sought", cost=UNSAID, detail=action.tool, action=action.id)


def unnamed_looks(task: WeighedTask) -> Iterator[Doubt]:
    """Yield reads of one row by a call without arguments, so that nobody can say which: a club's name."""
    for action in task.served:
        tool, resource, value = task.world.tools[action.tool], task.role(action).resource, task.values.get(action.id)
        shown = isinstance(value, dict) and any(is_called(token) for key in value for token in name_tokens(key)[-1:])
        looks = task.operation(action) == "compute" and not tool.properties and resource != task.user
        if looks and shown and task.world.fields(resource) and not task.is_phrased(action):
            yield Doubt(code="unnamed_look", cost=UNSAID, detail=action.tool, action=action.id)


def needless_filters(task: WeighedTask) -> Iterator[Doubt]:
    """Yield list filters by an option where the user also names one item of the list."""
    named = {fact.action for fact in task.facts.values() if fact.choice is not None and fact.value}
    for action, pointer, fact in _told(task):
        schema = task.world.tools[action.tool].properties.get(pointer[1:], {})
        optional = pointer[1:] not in task.world.tools[action.tool].required
        if action.id in named and optional and "enum" in str(schema) and isinstance(fact.value, (str, list)):
            yield Doubt(code="narrowed_and_named", cost=NARROWED, detail=fact.label, action=action.id)


def said_alike(task: WeighedTask) -> Iterator[Doubt]:
    """Yield different values that a user says for one goal under the same label."""
    said: dict[tuple[int, str], Fact] = {}
    for action, _, fact in _told(task):
        other = said.setdefault((fact.goal, fact.label), fact)
        if canonical(other.value) != canonical(fact.value) and not fact.instead_of and not other.instead_of:
            yield Doubt(code="said_alike", cost=ALIKE, detail=fact.label, action=action.id)


def many_choices(task: WeighedTask) -> Iterator[Doubt]:
    """Yield a doubt for each choice beyond the number that people would make."""
    chosen = [fact for fact in task.facts.values() if fact.choice is not None]
    for fact in chosen[FEW_GUESSES:]:
        yield Doubt(code="many_choices", cost=GUESS, detail=fact.label, action=fact.action)


def _told(task: WeighedTask) -> Iterator[tuple[Action, str, Fact]]:
    """Yield the arguments that the user tells, with their facts."""
    for action in task.blueprint.actions:
        for pointer, origin in action.origins.items():
            fact = task.facts.get(str(origin.fact)) if origin.kind == "user" else None
            if fact is not None and fact.reveal != "never" and not is_standing(last_name(pointer)):
                yield action, pointer, fact


def _shows(result: Any, value: Any) -> bool:
    wanted = canonical(value)
    return any(canonical(leaf) == wanted for at, leaf in leaves(result) if is_naming(at))
