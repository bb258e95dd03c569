"""ObjectCache: what is worked out of an object, once for each."""

from interplay.schemas.json.object_cache import ObjectCache


def test_is_worked_out_once_for_each_object_and_what_is_told_besides() -> None:
    seen: list[tuple[int, str]] = []

    def make(source: dict[str, int], told: str) -> int:
        seen.append((source["a"], told))
        return source["a"]

    kept = ObjectCache(make)
    one, like = {"a": 1}, {"a": 1}
    assert [kept(one, "x"), kept(one, "x"), kept(one, "y"), kept(like, "x")] == [1, 1, 1, 1]
    assert seen == [(1, "x"), (1, "y"), (1, "x")]


def test_another_object_never_takes_the_place_of_one_that_is_gone() -> None:
    kept = ObjectCache(lambda source: source["a"])
    assert [kept({"a": number}) for number in range(1_000)] == list(range(1_000))


def test_what_is_too_much_is_forgotten_and_worked_out_again() -> None:
    made: list[int] = []
    kept = ObjectCache(lambda source: made.append(source["a"]) or source["a"], limit=2)
    sources = [{"a": number} for number in range(3)]
    assert [kept(source) for source in [*sources, sources[0]]] == [0, 1, 2, 0]
    assert made == [0, 1, 2, 0]
