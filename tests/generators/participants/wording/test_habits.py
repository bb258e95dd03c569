"""How somebody writes: habits change the words, and never a value."""

from random import Random

from interplay.generators.participants.wording.habits import styled
from interplay.schemas.records.recipe import Persona

LOWER = Persona(name="Ada", habits=("lowercase",))


def test_values_stay_to_the_letter_the_longest_first() -> None:
    text = "Please Move The Visit Of Ann Lee To Room B, Not To Room B2, Ann."
    made = styled(text, ("Ann", "Room B", "Ann Lee", "Room B2", ""), LOWER, Random(0))
    assert [value in made for value in ("Ann Lee", "Room B,", "Room B2", "Ann.")] == [True] * 4
    assert made.startswith("please")


def test_without_values_all_may_change() -> None:
    assert styled("Thank You.", (), LOWER, Random(0))[0] == "t"
