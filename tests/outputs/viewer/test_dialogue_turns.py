"""Two dialogues -> where they part: in words, and in what is done."""

from tests.outputs.builders import asks, call, make_record, says

from interplay.outputs.viewer.dialogue_turns import Parting, parting
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord


def played(*messages: Message) -> DatasetRecord:
    return make_record(0, list(messages))


ROOM = says("", call(1, "book_hotel"))


def test_other_words_are_no_other_deeds() -> None:
    one = played(asks("A room, please."), ROOM, says("Booked."))
    assert parting(one, one) == Parting()
    assert parting(one, played(asks("I need a room."), ROOM, says("Booked."))) == Parting(words=0)
    assert parting(one, played(asks("I need a room."), says("Booked."))) == Parting(words=0, done=1)
    assert parting(one, played(asks("A room, please."), says("", call(1, "cancel")))).done == 1
    assert parting(one, played(asks("A room, please."), ROOM)) == Parting(words=2, done=2)
