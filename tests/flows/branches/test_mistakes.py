"""Mistakes that are planted in sound dialogues."""

import asyncio
from random import Random

from tests.generators.worlds import generator, place_of, played

from interplay.flows.branches.mistakes import replayed
from interplay.flows.branches.sound_dialogue import Messages, SoundDialogue
from interplay.flows.branches.wrong_steps import early_stop
from interplay.flows.generation.generator import Generator

ASKED_FIRST = "delete_file", "cancel_meeting"


def unasked(played: SoundDialogue, index: int) -> Messages:
    """Return the dialogue without a question and the yes to it."""
    return [*played.messages[:index], *played.messages[index + 2 :]]


async def planted(made: Generator, count: int) -> list[tuple[str, bool]]:
    """Return the calls that lost their confirmation, each with whether that breaks a rule."""
    found = []
    for number in range(count):
        record = await made.make_record(number)
        if record.status != "accepted" or record.blueprint is None or record.trajectory is None:
            continue
        played = SoundDialogue(record.trajectory, record.blueprint, place_of(made, record.blueprint).world, Random(0))
        for index, message in enumerate(played.messages):
            after = played.messages[index + 1 : index + 3]
            if message.act == "confirm_request" and len(after) == 2 and after[0].act == "affirm":
                names = [call.name for call in after[1].tool_calls]
                broken = await replayed(unasked(played, index), played, "policy_broken")
                found += [(name, broken is not None) for name in names[:1] if len(names) == 1]
    return found


def test_a_rule_is_broken_only_where_it_asks_for_what_is_left_out() -> None:
    found = asyncio.run(planted(generator("domain:workspace", seed=0), 60))
    assert all(broken for name, broken in found if name in ASKED_FIRST)
    others = [broken for name, broken in found if name in ("send_mail", "schedule_meeting")]
    assert 0 < len(others) > 2 * sum(others)  # mails to many and late meetings are asked about
    assert any(name in ASKED_FIRST for name, _ in found)


def test_an_assistant_errs_in_its_own_calls_and_gives_up_what_it_was_asked_for_and_could_do() -> None:
    made, found = generator("domain:workspace"), []
    for number, (blueprint, trajectory) in enumerate(played("domain:workspace", 60)):
        sound = SoundDialogue(trajectory, blueprint, place_of(made, blueprint).world, Random(number))
        assert all(action.requestor == "assistant" for action, _ in sound.done())
        broken = early_stop(sound)
        if broken is None or broken[-2].act != "user_bye":
            continue
        index = len(broken) - 3
        due = next(action for action, call in sound.needed() if call.index >= index)
        spoken = [m.state.goal for m in broken[:index] if m.role == "user" and m.state is not None]
        request = next(group for group in blueprint.scenario.requests if due.goal in group)
        found.append((spoken[-1] in request, due.tool in trajectory.offered_at(index)))
    assert found
    assert all(asked and able for asked, able in found)
