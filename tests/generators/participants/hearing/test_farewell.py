"""A model's user that says it is done: whether it is, by what it says and by what the assistant has said before."""

import pytest
from tests.generators.participants.hearing.test_state_tracker import BLUEPRINT

from interplay.flows.roles.listener import open_listener
from interplay.generators.participants.hearing.farewell import IN_VAIN, Farewell
from interplay.schemas.records.dialogue import DialogueState, Message

WISH = Message(role="user", content="I'd like to book a visit.")
LOOKED = (
    Message.model_validate(
        {"role": "assistant", "content": "", "tool_calls": [{"id": "abcdefghi", "name": "book", "arguments": {}}]}
    ),
    Message(role="tool", content='{"time": "10:00"}', tool_call_id="abcdefghi"),
)


def goodbyes() -> Farewell:
    return Farewell(open_listener(BLUEPRINT))


def user(words: str) -> Message:
    return Message(role="user", content=words)


def assistant(words: str) -> Message:
    return Message(role="assistant", content=words)


@pytest.mark.parametrize(
    ("asked", "words", "ends"),
    [
        ("Which day would you like?", "May 4th, 2026.", False),
        ("Which day would you like?", "May 4th, 2026, please. Thanks, bye!", False),
        ("Which day would you like?", "I don't know.", False),
        ("Which day would you like?", "Oh, never mind then, bye.", True),
        ("An welchem Tag soll es sein?", "Am 4. Mai 2026, danke.", False),
        ("Quel jour vous conviendrait ?", "Le 2026-05-04, merci, au revoir.", False),
        ("Quel jour vous conviendrait ?", "Laissez tomber, au revoir.", True),
        ("There is 9:00 and 10:00. Which one would you like?", "10:00 is good.", False),
        ("There is 9:00 and 10:00. Which one would you like?", "None of these, that's all, thanks.", True),
        ("Shall I book it for 4 May?", "Yes, thanks, bye!", False),
        ("Soll ich das so buchen?", "Ja, tschüss!", False),
        ("Puis-je continuer ?", "Oui, merci.", False),
        ("Booked for 4 May at 10:00. Anything else?", "No, thanks, that's all.", True),
        ("C'est fait. Autre chose ?", "Non merci, au revoir !", True),
        ("Booked for 4 May at 10:00. Anything else?", "Yes, please pay my bill, thanks.", False),
        ("Booked for 4 May at 10:00.", "Great. Could you tell me how long it takes?", False),
        ("Booked for 4 May at 10:00.", "Great.", True),
        ("I'm sorry, I can't book that.", "Then leave it. Bye.", True),
    ],
)
def test_ends_only_where_nothing_is_wanted_or_answered(asked: str, words: str, ends: bool) -> None:
    looked = LOOKED if "10:00" in asked else ()
    assert goodbyes()((WISH, *looked, assistant(asked)), user(words)) == ends


def test_who_is_asked_again_has_not_ended() -> None:
    asked = assistant("Could you rephrase that?").model_copy(update={"act": "ask_again", "state": DialogueState()})
    before = (WISH, assistant("Which day would you like?"), user("Hm."), asked)
    assert not goodbyes()(before, user("Hm."))
    assert goodbyes()(before, user("Never mind, bye."))


def test_ends_nothing_before_anybody_has_answered() -> None:
    assert not goodbyes()((), user("Book a visit, bye!"))


def test_who_says_it_is_done_again_and_again_ends_soon() -> None:
    leaves, messages, ended = goodbyes(), [WISH], []
    while not any(ended):
        messages += [assistant("Shall I book it for 4 May?")]
        ended.append(leaves(messages, user("Hm.")))
        messages += [user("Hm.")]
    assert len(ended) == IN_VAIN + 2


def test_whoever_gets_on_is_heard_however_often_it_says_that_it_is_done() -> None:
    leaves, messages = goodbyes(), [WISH]
    for _ in range(3 * IN_VAIN):
        messages += [*LOOKED, assistant("Shall I book it for 4 May?")]
        assert not leaves(messages, user("Yes."))
        messages += [user("Yes.")]
