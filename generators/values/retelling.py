"""Texts that are made up for whatever takes one -> the same in another language, as somebody who speaks it would write them."""

from collections.abc import Mapping

from interplay.generators.values.words import SENTENCES, TOPICS
from interplay.schemas.tools import Toolset

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


def texts_in(language: str, toolset: Toolset) -> Mapping[str, str]:
    """Return what users of a language write for the texts that are made up for them; nothing in English."""
    return {**MADE_UP.get(language, {}), **toolset.translation(language).texts}
