"""Which few rows show most."""

import random

from interplay.validators.curation.representatives import representatives, rows_needed


def test_a_tenth_of_the_rows_shows_all_that_is_not_rarer_than_a_tenth_can_hold() -> None:
    rng = random.Random(2)
    rows = [frozenset({("tool", f"{rng.randrange(60)}"), ("edge", f"{rng.randrange(150)}")}) for _ in range(3000)]
    chosen = representatives(rows, 300)
    assert len(set(chosen)) == 300
    assert {each for place in chosen for each in rows[place]} == {each for row in rows for each in row}


def test_many_wordings_do_not_crowd_out_the_tools() -> None:
    rng = random.Random(4)
    rows = [
        frozenset(
            {("tool", f"{min(rng.randrange(40), rng.randrange(40))}")}
            | {("wording", f"{row}/{said}") for said in range(rng.randrange(2, 20))}
        )
        for row in range(1000)
    ]
    held = {thing for row in rows for thing in row if thing[0] == "tool"}
    assert held == {thing for place in representatives(rows, 100) for thing in rows[place] if thing[0] == "tool"}


def test_the_same_rows_give_the_same_choice_and_the_earlier_of_equals_is_taken() -> None:
    rows = [frozenset(("tool", name) for name in names) for names in ("a", "a", "b", "abc")]
    assert representatives(rows, 2) == [3, 0]
    assert representatives(rows, 9) == [3, 0, 2, 1]


def test_how_many_rows_would_show_a_share_is_told() -> None:
    rows = [frozenset({("tool", str(n)), ("edge", str(n // 2))}) for n in range(100)]
    assert rows_needed(rows, 0.99) == 99
    assert rows_needed(rows, 0.5) == 50
    assert rows_needed([], 0.99) == 0
    assert rows_needed([*rows, frozenset().union(*rows)], 0.99) == 1
