"""What is offered: after a search, a call, a change; and read back from a dialogue."""

from interplay.schemas.calls.offer import HELD, Offer
from interplay.schemas.records.dialogue import Message, Trajectory, offered_after


def names(start: str, count: int) -> tuple[str, ...]:
    return tuple(f"{start}{number}" for number in range(count))


def test_what_a_search_finds_is_offered_in_addition() -> None:
    offer = Offer(names=("search_tools", "a")).after_search(("b", "a", "c"))
    assert offer.names == ("search_tools", "a", "b", "c")


def test_what_was_found_and_not_used_for_longest_goes_first() -> None:
    offer = Offer(names=("search_tools",)).after_search(names("a", HELD - 2))
    kept = offer.after_call("a5").after_search(names("b", 5))
    assert "a5" in kept.names
    assert len(kept.found) == HELD
    _, gone = kept.changed_from(offer)
    assert gone == tuple(f"a{number}" for number in range(HELD - 5, HELD - 2))
    assert set(names("b", 5)) <= set(kept.names)


def test_of_one_search_the_best_stay_longest() -> None:
    offer = Offer(names=()).after_search(names("a", HELD)).after_search(("b",))
    assert "a0" in offer.names
    assert f"a{HELD - 1}" not in offer.names


def test_what_was_there_from_the_start_stays() -> None:
    offer = Offer(names=("search_tools", "a"))
    for number in range(20):
        offer = offer.after_search(("a", *names(f"s{number}_", 5)))
    assert offer.names[:2] == ("search_tools", "a")
    assert len(offer.names) == HELD + 2


def test_a_change_adds_and_removes() -> None:
    offer = Offer(names=("a", "b", "c"), found=("b", "c")).after_change(("d", "a"), ("b",))
    assert offer == Offer(names=("a", "c", "d"), found=("c",))
    assert offer.changed_from(Offer(names=("a", "b", "c"))) == (("d",), ("b",))


def test_a_dialogue_tells_what_is_offered_at_each_message() -> None:
    messages = (
        Message(role="user", offered=("a", "b")),
        Message(role="assistant"),
        Message(role="tool", offered=("b", "c")),
        Message(role="assistant"),
    )
    played = Trajectory(
        blueprint_id="", toolset="", tools=("a",), system_prompt="", messages=messages, final_digest="",
        termination="user_ended",
    )  # fmt: skip
    assert [played.offered_at(index) for index in range(4)] == [("a",), ("a", "b"), ("a", "b"), ("b", "c")]
    assert played.all_tools() == ("a", "b", "c")
    assert offered_after(played.tools, messages) == ("b", "c")
    assert offered_after(played.tools, ()) == ("a",)
