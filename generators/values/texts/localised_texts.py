"""Texts that users make up -> the same in another language, as somebody who speaks it would write them."""

from collections.abc import Mapping

from interplay.generators.values.texts.sample_words import SENTENCES, TOPICS
from interplay.schemas.records.tool import Toolset

_GERMAN_SENTENCES = (
    "Bitte noch vor Ende der Woche erledigen.|Geprüft und bereit für den nächsten Schritt.|"
    "Sollte noch einmal angesehen werden.|In der letzten Besprechung vereinbart.|Bitte am Empfang abgeben.|"
    "Bitte vor dem Kommen anrufen.|Alles ist glattgegangen.|Wartet auf eine Antwort des Lieferanten.|"
    "Nach dem Telefonat aktualisiert.|Bitte vorsichtig behandeln.|Der erste Entwurf ist fertig.|"
    "Das ersetzt die frühere Fassung."
).split("|")
_GERMAN_TOPICS = (
    "Budgetprüfung|Teamausflug|Produkteinführung|Aufnahme neuer Kunden|Quartalsbericht|Neugestaltung der Website|"
    "Bestandsprüfung|Schulung der Belegschaft|Vertrag mit dem Lieferanten|Jahresumfrage|Sicherheitsprüfung|Urlaubsplan|"
    "Renovierung der Küche|Rückmeldungen der Kunden|Lieferplanung|Werbekampagne|Datenumzug|Umzug des Büros|"
    "Personalplanung|Gartenprojekt"
).split("|")
MADE_UP: Mapping[str, Mapping[str, str]] = {
    "de": {
        **dict(zip(SENTENCES, _GERMAN_SENTENCES, strict=True)),
        **dict(zip((topic.capitalize() for topic in TOPICS), _GERMAN_TOPICS, strict=True)),
    }
}

NOT_SERVED: Mapping[str, tuple[str, str, str]] = {
    "en": (
        "I wanted to {wish}, which was not possible.",
        "I asked you to {wish}, which was not possible.",
        "What I wanted was not possible here.",
    ),
    "de": (
        "Ich wollte {wish}, und das ging nicht.",
        "Ich wollte {wish}, und das ging nicht.",
        "Was ich wollte, ging hier leider nicht.",
    ),
}
"""What users write of a wish that was not served: their own, one for somebody to do, one that there are no words for."""


def texts_in(language: str, toolset: Toolset) -> Mapping[str, str]:
    """Return what users of a language write for the texts that are made up for them; nothing in English."""
    return {**MADE_UP.get(language, {}), **toolset.translation(language).texts}


def not_served(wish: str, own: bool, language: str, toolset: Toolset) -> str:
    """Return what a user writes to a person of a wish (its `own`, or one for somebody to do) that was not served."""
    wanted, asked, unnamed = NOT_SERVED[language]
    said = wish if language == "en" else toolset.translation(language).infinitive(wish)
    return (wanted if own else asked).format(wish=said) if said else unnamed
