"""What nobody could come to say of an argument."""

from interplay.generators.blueprints.arguments.known_values import nobody_says


def test_nobody_says_a_text_of_which_nothing_is_known() -> None:
    assert nobody_says("otp", {"type": "string"}) == ["/otp"]
    assert nobody_says("transfers", {"type": "array", "items": {"type": "string"}}) == ["/transfers"]
