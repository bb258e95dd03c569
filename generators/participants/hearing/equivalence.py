"""Other words for an act -> whether they change it: a yes stays a yes, a no a no, and nothing is retracted.

English and German are understood in full. Of other languages, only words for yes and no are known: if an act depends on these
and they are not found, the words count as not understood.
"""

from interplay.generators.participants.hearing.assent import affirms, declines, denies, yes_and_no
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.records.dialogue import Message
from interplay.schemas.words.lists import beside, table

HEARD = frozenset("english en german deutsch de".split())
"""Names of the languages that are understood in full."""

_REFUSALS = ("negate", "refuse", "response_fail", "report_error")

_NAMES = table(beside(__file__), "languages")


def _corrects(text: str) -> bool:
    """Tell whether a text retracts what was said before."""
    return heard_as("taking_back").search(text.lower()) is not None


def changed(said: Message, text: str, language: str) -> str:
    """Return how other words for a message change its act, or an empty text; an empty `language` is that of the rules."""
    if _corrects(text) and not _corrects(said.content):
        return "meaning_changed"
    name = language.strip().lower()
    if not name or name in HEARD:
        return "meaning_changed" if _turned(said, text) else ""
    if said.act != "affirm" and said.act not in _REFUSALS:
        return ""
    held = yes_and_no(text, _NAMES.get(name, name))
    if held is None:
        return "not_heard"
    agrees, refuses = held
    return "" if (agrees and not refuses if said.act == "affirm" else refuses) else "meaning_changed"


def _turned(said: Message, text: str) -> bool:
    """Tell whether a text in English or German says the opposite of an act."""
    if said.act == "affirm":
        return denies(text) or (affirms(said.content) and not affirms(text))
    if said.act == "negate":
        return affirms(text)
    if said.act in ("refuse", "response_fail"):
        return not declines(text)
    speaks = said.act in ("response", "confirm_request", "request")
    return speaks and declines(text) and not declines(said.content)
