"""Whether a tool changes anything, by its name and its text."""

import pytest

from interplay.generators.importers.documents.tool_effects import effect_of_name
from interplay.schemas.records.tool import Effect


@pytest.mark.parametrize(
    ("name", "text", "effect"),
    [
        ("pedidos", "Lista los pedidos de un cliente.", "read"),
        ("clima", "Este método devuelve el tiempo.", "read"),
        ("wetter", "Liefert das Wetter.", "read"),
        ("unwatch_stock", "Take a stock off the watch list.", "write"),
        ("queue_status", "", "read"),
        ("queue_job", "", "write"),
    ],
)
def test_a_verb_of_another_language_opens_the_sentence(name: str, text: str, effect: Effect) -> None:
    assert effect_of_name(name, text) == effect
