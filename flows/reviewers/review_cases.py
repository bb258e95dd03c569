"""A dialogue that was played from a blueprint, or recorded elsewhere -> the case that reviewers read."""

from interplay.generators.participants.by_model.dialogue_reviewer import scenario_text, tool_line
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.review import ReviewCase
from interplay.schemas.records.tool import Toolset
from interplay.validators.review.checklist import items_of_blueprint, items_of_recorded
from interplay.validators.review.fact_table import facts_of_blueprint, facts_of_recorded

MOST_TOOLS = 60
"""The most offered tools that reviewers are shown; beyond that, only those that are called."""


def case_of_trajectory(trajectory: Trajectory, blueprint: Blueprint, toolset: Toolset) -> ReviewCase:
    """Return the review case of a dialogue that passed the checks by execution."""
    return ReviewCase(
        policy=toolset.policy or trajectory.system_prompt,
        tools=_tools(toolset, trajectory.all_tools(), {call.name for call in trajectory.calls()}),
        scenario=scenario_text(blueprint),
        facts=facts_of_blueprint(blueprint, trajectory.messages, toolset),
        messages=trajectory.messages,
        begins=blueprint.begins,
        items=items_of_blueprint(blueprint, trajectory.messages, toolset),
    )


def case_of_recorded(dialogue: RecordedDialogue) -> ReviewCase:
    """Return the review case of a dialogue recorded elsewhere."""
    names = tuple(tool.name for tool in dialogue.toolset.tools)
    called = {call.name for message in dialogue.messages for call in message.tool_calls}
    return ReviewCase(
        policy=dialogue.system or dialogue.toolset.policy,
        tools=_tools(dialogue.toolset, names, called),
        scenario=dialogue.scenario,
        facts=facts_of_recorded(dialogue),
        messages=dialogue.messages,
        items=items_of_recorded(dialogue),
    )


def _tools(toolset: Toolset, offered: tuple[str, ...], called: set[str]) -> tuple[str, ...]:
    """Return a line for each tool to show, in the order of the toolset, so that prompts share a prefix."""
    names = called if len(offered) > MOST_TOOLS else called | set(offered)
    return tuple(tool_line(tool) for tool in toolset.tools if tool.name in names)
