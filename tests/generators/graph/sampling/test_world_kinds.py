"""Goals of one task belong together."""

from tests.generators.worlds import generator, records

CLINIC = "domain:clinic"


def test_tools_go_together_by_what_they_are_about() -> None:
    world = generator(CLINIC).workshop(0).composer.context.world
    names = sorted(world.roles)
    near = world.kindred(names, ["cancel_appointment"])
    assert {"cancel_appointment", "list_appointments"} <= set(near)
    assert world.kindred(names, ["no_such_tool"]) == []


def test_hardly_any_goal_has_nothing_to_do_with_the_others() -> None:
    tasks = [record.blueprint for record in records(CLINIC, 40) if record.blueprint is not None]
    alone = [doubt for task in tasks if task.sense for doubt in task.sense.doubts if doubt.code == "unrelated_goal"]
    assert len(alone) <= 0.1 * len(tasks)
