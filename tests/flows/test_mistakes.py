"""Mistakes that are planted in sound dialogues."""

import asyncio
from random import Random

from tests.generators.worlds import generator

from interplay.flows.generation import Generator
from interplay.flows.mistakes import replayed
from interplay.flows.scene import Messages, Scene

ASKED_FIRST = "delete_file", "cancel_meeting"


def unasked(scene: Scene, index: int) -> Messages:
    """Return the dialogue without a question and the yes to it."""
    return [*scene.messages[:index], *scene.messages[index + 2 :]]


async def planted(made: Generator, count: int) -> list[tuple[str, bool]]:
    """Return the calls that lost their confirmation, each with whether that breaks a rule."""
    found = []
    for number in range(count):
        record = await made.make_record(number)
        if record.status != "accepted" or record.blueprint is None or record.trajectory is None:
            continue
        scene = Scene(record.trajectory, record.blueprint, made.world, Random(0))
        for index, message in enumerate(scene.messages):
            after = scene.messages[index + 1 : index + 3]
            if message.act == "confirm_request" and len(after) == 2 and after[0].act == "affirm":
                names = [call.name for call in after[1].tool_calls]
                broken = await replayed(unasked(scene, index), scene, "policy_broken")
                found += [(name, broken is not None) for name in names[:1] if len(names) == 1]
    return found


def test_a_rule_is_broken_only_where_it_asks_for_what_is_left_out() -> None:
    found = asyncio.run(planted(generator("domain:workspace", 0), 60))
    assert all(broken for name, broken in found if name in ASKED_FIRST)
    others = [broken for name, broken in found if name in ("send_mail", "schedule_meeting")]
    assert 0 < len(others) > 2 * sum(others)  # mails to many and late meetings are asked about
    assert any(name in ASKED_FIRST for name, _ in found)
