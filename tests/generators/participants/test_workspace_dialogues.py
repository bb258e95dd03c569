"""Dialogues by rules about the workspace, whose users have tools of their own."""

from tests.generators.worlds import generator, records

from interplay.schemas.records.dialogue import Message

WORKSPACE = "domain:workspace"
COUNT = 150


def said() -> list[Message]:
    trajectories = [record.trajectory for record in records(WORKSPACE, COUNT) if record.trajectory is not None]
    return [message for trajectory in trajectories for message in trajectory.messages if message.role != "tool"]


def test_accepts_at_least_98_of_100_workspace_dialogues() -> None:
    assert sum(record.status == "accepted" for record in records(WORKSPACE, COUNT)) >= 0.98 * COUNT


def test_uses_every_tool_of_the_assistant_and_offers_none_of_the_users() -> None:
    tools = generator(WORKSPACE).world.toolset.tools
    own = {tool.name for tool in tools if tool.requestor == "user"}
    blueprints = [record.blueprint for record in records(WORKSPACE, COUNT) if record.blueprint is not None]
    offered = {name for blueprint in blueprints for name in blueprint.tools}
    assert own
    assert offered.isdisjoint(own)
    assert {action.tool for blueprint in blueprints for action in blueprint.actions} | own >= {
        tool.name for tool in tools if tool.name != "search_tools"
    }


def test_asks_for_a_person_rather_than_for_the_username_where_several_are_found() -> None:
    asked = [message.content for message in said() if message.act == "suggest"]
    assert any("contacts" in text for text in asked)
    assert not any("username" in text for text in asked)
