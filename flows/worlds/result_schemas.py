"""Tools that are code -> the same with what trying them showed: results, valid arguments, and calls that must come first.

def list_products() -> list[dict]    ->  {"type": "array", "items": {"type": "object", "properties": {"product_id": ...}}}
def start_engine(mode: str)          ->  mode is START or STOP; lock_doors and press_brake_pedal come before
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from interplay.flows.worlds.trial_process import Crashed, Mark, tried_apart
from interplay.generators.environments.inference.tool_words import stem_of
from interplay.generators.environments.toolkit.table_roles import infer_resources
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.graph.sampling.world import World
from interplay.generators.graph.trials.bounded_calls import TrialCalls
from interplay.generators.graph.trials.first_rows import holds_rows, make_first_rows
from interplay.generators.graph.trials.preconditions import Explorer, Found, needs
from interplay.generators.graph.trials.set_up_tools import set_up_tools
from interplay.generators.graph.trials.shown_identities import names_row, shown_identities
from interplay.generators.importers.normalisation.observed_schemas import says_nothing, schema_of_values
from interplay.generators.results.acknowledgement import text_within
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import ResourceModel, Tool, ToolRole

ITSELF = "is not offered: it gives the object whose functions the tools are"
"""Why a function that returns the object itself is not offered as a tool."""

WHOLE = 30_000
"""The most calls made to try tools; each one begins in the initial state of the code."""

PATIENCE = 2.0
"""The most seconds that such a call may take."""


@dataclass(frozen=True)
class _Tried:
    """The result of trying all tools: findings, valid arguments, tools that set the state up, and tools that broke."""

    found: dict[str, Found]
    values: dict[str, dict[str, list[Any]]]
    set_up: dict[str, str]
    troubles: dict[str, str]
    stuck: set[str]
    itself: set[str]


def learn_results(
    environment: Toolkit, tell: Mark = lambda _: None, opened: Callable[[], Toolkit] | None = None
) -> None:
    """Try all tools and describe them by what that shows; afterwards the state is as before, except for first rows if it had none.

    Functions that wait for something are left as they are, and so are those without a successful call. Left out are those
    that always break, take too long, or crash the process, and those that set the state up; the environment's `troubles`
    say why. `tell` is called with the tool that is called. `opened` opens the same toolkit in another process, and must be
    picklable.
    """
    patience, environment.patience = environment.patience, PATIENCE
    while True:
        anew = None if opened is None else partial(_tried_anew, opened, environment.stuck, environment.troubles)
        try:
            tried = tried_apart(lambda mark: _tried(environment, mark), tell, anew)
            break
        except Crashed as crash:
            environment.stuck.add(crash.tool)
            environment.troubles[crash.tool] = f"ends the process ({crash.by})"
    _fill(environment, tell)  # rows made in the other process are not in this one
    environment.patience = patience
    environment.stuck |= tried.stuck
    environment.troubles |= tried.troubles
    broken = environment.stuck | tried.itself | {name for name in tried.troubles if not tried.found[name].ways}
    broken |= tried.set_up.keys()
    environment.troubles |= tried.set_up | dict.fromkeys(tried.itself, ITSELF)
    kept = [tool for tool in environment.toolset.tools if tool.name not in broken]
    tools = tuple(_described(tool, tried.found[tool.name].answers) for tool in kept)
    environment.toolset = environment.toolset.model_copy(update={"tools": tools})
    model, state = infer_resources(environment.toolset, environment.state()), environment.state()
    roles = [
        _learnt(
            role, tried.found[role.tool], tried.values[role.tool], environment.toolset.tool(role.tool), model, state
        )
        for role in model.roles
    ]
    environment.resources = model.model_copy(update={"roles": tuple(roles)})


def _tried(environment: Toolkit, mark: Mark) -> _Tried:
    """Try all tools; afterwards the state is as before, except for first rows if it had none."""
    _fill(environment, mark)
    trials = TrialCalls(environment, WHOLE, environment.stuck, mark)
    explorer = Explorer(World(environment), trials, lambda: {**environment.holds(), **environment.state()})
    found = explorer.explore()
    values = {tool.name: explorer.values(tool) for tool in environment.toolset.tools}
    set_up = set_up_tools(trials, found, environment.state)
    trials.reset()
    return _Tried(found, values, set_up, environment.troubles, environment.stuck, environment.itself)


def _tried_anew(opened: Callable[[], Toolkit], stuck: set[str], troubles: dict[str, str], mark: Mark) -> _Tried:
    """Try all tools in a new process."""
    environment = opened()
    environment.patience, environment.stuck, environment.troubles = PATIENCE, stuck, troubles
    return _tried(environment, mark)


def _fill(environment: Toolkit, mark: Mark) -> None:
    """Let code whose state has no rows begin with some, made by its own tools."""

    def holding() -> dict[str, Any]:
        return {**environment.holds(), **environment.state()}

    def opened() -> World:
        environment.begin_here()
        return World(environment)

    if holds_rows(environment.state(), environment.holds()):
        return
    make_first_rows(TrialCalls(environment, WHOLE, environment.stuck, mark), opened, holding)
    environment.begin_here()


def _described(tool: Tool, answers: list[Any]) -> Tool:
    """Return a tool with the schema of its observed results, if its own schema says less or contradicts them."""
    values = [value for value in answers if value not in ({}, [], None)]
    known = tool.returns
    if known and values and not any(isinstance(value, (dict, list)) or is_valid(value, known) for value in values):
        return tool.model_copy(update={"returns": loosened(schema_of_values(values[:1]))})
    if not values or not all(isinstance(value, (dict, list)) for value in values):
        return tool
    silent = says_nothing(known) or text_within(known) == "" or _names_no_field(known)
    if known is not None and not silent and all(is_valid(value, known) for value in values):
        return tool
    seen = loosened(schema_of_values(values))
    if known is not None and known.get("description"):
        seen = {"description": known["description"], **seen}
    return tool if says_nothing(seen) else tool.model_copy(update={"returns": seen})


def _names_no_field(schema: Mapping[str, Any] | None) -> bool:
    """Tell whether a result schema is an object without named fields."""
    return schema is not None and schema_type(schema) == "object" and not object_properties(schema)


def _learnt(
    role: ToolRole,
    found: Found,
    values: Mapping[str, list[Any]],
    tool: Tool,
    model: ResourceModel,
    state: Mapping[str, Any],
) -> ToolRole:
    """Return a role with what the calls of its tool showed."""
    yields = {**shown_identities(found.answers, model, state), **role.yields}
    references, admits = dict(role.references), dict(role.admits)
    for name, taken in values.items():
        rows = [
            each.name
            for each in model.resources
            if (held := state.get(each.table)) and all(_is_key(value, name, each.name, held) for value in taken)
        ]
        if len(rows) == 1:
            references[f"/{name}"] = rows[0]
        else:
            admits[name] = _admitted(tool.parameters["properties"][name], taken)
    learnt = role.model_copy(update={"yields": yields, "references": references, "admits": admits})
    return needs(learnt, found)


def _is_key(value: Any, argument: str, resource: str, rows: Mapping[Any, Any]) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and names_row(value, argument, resource, rows)


def _admitted(schema: Mapping[str, Any], taken: list[Any]) -> dict[str, Any]:
    """Return a schema of the values that a parameter was seen to admit."""
    if schema_type(schema) == "array":
        items = list(dict.fromkeys(item for value in taken for item in value if isinstance(item, (str, int))))
        return {"items": {**(schema.get("items") or {}), "enum": items}} if items else {}
    return {"enum": taken}


def loosened(schema: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """Return a schema of observed values that also admits missing fields, nulls and fractions."""
    kept = {
        key: value for key, value in schema.items() if key not in ("required", "format", "propertyNames", "examples")
    }
    kind = kept.get("type")
    if kind == "object":
        fields = {key: loosened(value, key) for key, value in kept.get("properties", {}).items()}
        more = kept.get("additionalProperties")
        return {
            **kept,
            **({"properties": fields} if fields else {}),
            **({"additionalProperties": loosened(more)} if isinstance(more, Mapping) else {}),
        }
    if kind == "array":
        return {**kept, "items": loosened(kept.get("items", {}), name)}
    if kind == "null":
        return {}  # nothing is known of a value that was always null
    if isinstance(kind, str) and name:
        counted = kind == "integer" and name != "id" and stem_of(name) is None
        return {**kept, "type": ["number" if counted else kind, "null"]}
    return {} if "anyOf" in kept else kept
