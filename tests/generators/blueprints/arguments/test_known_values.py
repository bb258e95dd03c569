"""What nobody could come to say of an argument."""

from interplay.generators.blueprints.arguments.known_values import is_unlikely, nobody_says


def test_nobody_says_a_text_of_which_nothing_is_known() -> None:
    assert nobody_says("otp", {"type": "string"}) == ["/otp"]
    assert nobody_says("transfers", {"type": "array", "items": {"type": "string"}}) == ["/transfers"]


def test_nobody_says_an_expression_for_programs() -> None:
    assert is_unlikely("/filter", "equals(messages.channel,'email')")
    assert not is_unlikely("/title", "Results (first draft)")
