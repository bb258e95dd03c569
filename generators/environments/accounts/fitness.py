"""A plan -> what the answers of its tools are based on: rows that are kept, or nothing.

tools 14, stateful 7, plain 3, unbacked: search_direct_flight, list_all_airports, ...
"""

from typing import Literal

from pydantic import Field

from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.generators.environments.inference.resources.guessed_results import (
    asked_for,
    guessed_fields,
    guessed_result,
)
from interplay.generators.environments.inference.result_rows import is_silent
from interplay.generators.environments.rows.name_lists import listed_resource
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.results.acknowledgement import is_thought, text_within
from interplay.generators.results.calculation import expression_of
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import Toolset

Answering = Literal["sandbox", "code", "server", "recording"]


class Fitness(Record):
    """What the answers of a source's tools are based on.

    Each tool of a sandbox is of one of three kinds. `stateful` tools show or change rows that other tools show as well.
    `plain` tools compute something from their arguments, or only confirm that something is done. `unbacked` tools answer with
    values that nothing else depends on; those without a result schema come first. `undescribed` tools are stateful but have no
    result schema either: the fields of the rows they show are guessed. Where code, a server or a recording answers, nothing is
    made up.
    """

    toolset: str
    answers: Answering = "sandbox"
    tools: int
    stateful: int = 0
    plain: int = 0
    unbacked: tuple[str, ...] = ()
    silent: int = Field(0, description="How many of the unbacked ones have no schema of their result.")
    undescribed: tuple[str, ...] = ()
    policy: int = Field(0, description="Characters of policy in prose of which no rule was made.")
    rules: int = Field(0, description="Rules that are enforced.")
    troubles: dict[str, str] = Field(
        default_factory=dict, description="Tool of code -> what it broke by when it was called."
    )


def fitness(toolset: Toolset, plan: Plan | None, answers: Answering = "sandbox") -> Fitness:
    """Return the fitness of a toolset; `plan` is given only where a sandbox answers."""
    prose, rules = sum(map(len, toolset.unruled)), len(toolset.rules)
    if plan is None:
        return Fitness(toolset=toolset.name, answers=answers, tools=len(toolset.tools), policy=prose, rules=rules)
    kept = [plan.tools[tool.name] for tool in toolset.tools if tool.name in plan.tools]
    stateful = {held.tool.name for held in kept if _keeps_state(held, plan)}
    plain = {held.tool.name for held in kept if held.tool.name not in stateful and _says_little(held)}
    loose = [held.tool for held in kept if held.tool.name not in stateful | plain]
    loose.sort(key=lambda tool: not is_silent(tool.returns))
    return Fitness(
        toolset=toolset.name,
        tools=len(kept),
        stateful=len(stateful),
        plain=len(plain),
        unbacked=tuple(tool.name for tool in loose),
        silent=sum(is_silent(tool.returns) for tool in loose),
        policy=prose,
        rules=rules,
        undescribed=tuple(held.tool.name for held in kept if held.tool.name in stateful and _is_bare(held, plan)),
    )


def _keeps_state(held: ToolPlan, plan: Plan) -> bool:
    """Tell whether a tool shows or changes rows that are kept."""
    if held.resource not in plan.resources:
        return listed_resource(held, plan) is not None
    if held.operation == "compute":
        return held.counts or listed_resource(held, plan) is not None
    named = held.target is not None or held.every or held.single
    return held.operation != "action" or named or held.batch is not None


def _says_little(held: ToolPlan) -> bool:
    tool = held.tool
    if expression_of(tool) is not None:
        return True
    if tool.returns is None and guessed_result(tool) is None and asked_for(held) is None:
        return True
    quiet = tool.effect == "write" or is_thought(tool) or hands_over(tool)
    return quiet and (tool.returns is None or text_within(tool.returns) is not None)


def _is_bare(held: ToolPlan, plan: Plan) -> bool:
    """Tell whether a read without a result schema shows rows that have nothing but an identity and guessed fields."""
    resource = plan.resources.get(str(held.resource))
    if not is_silent(held.tool.returns) or held.tool.effect != "read" or resource is None:
        return False
    return object_properties(resource.schema).keys() - {resource.identity} <= guessed_fields(held.tool).keys()
