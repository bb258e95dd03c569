"""Which dialogues give tasks of benchmarks away."""

from interplay.validators.curation.contamination import Contamination, digested

WISH = "Your user id is mia_42. You want to fly from New York to Seattle on May 20, one way, before noon, in economy."
CALLS = (("find_user", {"id": "mia_42"}), ("book", {"from": "JFK", "to": "SEA", "bags": 3}))
INDEX = Contamination([digested("airline", "t1", [WISH], CALLS), digested("airline", "short", ["Hello there!"], ())])


def codes(texts: list[str], calls: tuple = ()) -> list[str]:
    return [issue.code for issue in INDEX.judge(texts, calls).issues]


def test_words_of_a_task_are_found_though_some_are_others() -> None:
    assert codes(["Hi.", "you want to fly from new york to seattle on May 20, one way, before noon in economy!"]) == [
        "benchmark_words"
    ]


def test_all_calls_of_a_task_in_their_order_are_found() -> None:
    between = (CALLS[0], ("get_weather", {}), CALLS[1])
    assert codes(["Book it."], between) == ["benchmark_calls"]
    assert codes(["Book it."], (CALLS[1], CALLS[0])) == []
    assert codes(["Book it."], (CALLS[0], ("book", {"from": "JFK", "to": "SEA", "bags": 2}))) == []


def test_the_order_of_arguments_tells_nothing() -> None:
    turned = (CALLS[0], ("book", {"bags": 3, "to": "SEA", "from": "JFK"}))
    assert codes([], turned) == ["benchmark_calls"]


def test_other_dialogues_on_the_same_matter_pass() -> None:
    assert codes(["I want to fly from New York to Boston on June 2, in business class, with two bags."]) == []
    assert codes([]) == []


def test_what_everybody_says_gives_no_task_away() -> None:
    index = Contamination(
        [digested("b", "greeting", ["hi", "bye"], ()), digested("b", "bus", ["Can you help me find a bus."], ())]
    )
    assert index.judge(["Hi", "Bye", "Can you help me find a slot?"], ()).passed
    assert not index.judge(["Hi! Can you help me find a bus?"], ()).passed


def test_words_that_stand_without_spaces_are_told_apart() -> None:
    index = Contamination([digested("b", "weather", ["请帮我查一下北京后天的天气如何"], ())])
    assert not index.judge(["你好！请帮我查一下北京后天的天气如何？"], ()).passed
    assert index.judge(["请帮我查一下上海的航班"], ()).passed


def test_an_index_holds_no_words() -> None:
    assert "Seattle" not in INDEX.tasks[0].model_dump_json()
