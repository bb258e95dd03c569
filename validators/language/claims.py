"""What an assistant says to be done: read from acts, or from the words where acts are missing; and where it is not."""

import re

from interplay.schemas.records.dialogue import Message
from interplay.validators.language.decline import declines, tells_of_failure

_VERBS = (
    r"(?:\w{3,}ed|done|made|sent|set|put|paid|taken|written|left|given|begun|cut|held|sold|bought|let|kept|shut|reset)"
)
_CLAIMS = re.compile(
    rf"\b(?:(?:i|we)(?:['’]ve| have)(?: \w+){{0,2}}? {_VERBS}|(?:has|have|['’]s|['’]ve)(?: \w+)? been(?: \w+)? {_VERBS}|(?:is|are)(?: \w+)? now"
    rf"|(?:is|are)(?: all)? (?:done|booked|cancelled|canceled|confirmed|complete[d]?|paid|set|sent|saved|scheduled|submitted|updated)"
    r"|(?:all|that['’]s|it['’]s|everything['’]s) (?:done|set|taken care of|sorted|settled|saved|in)|successful(?:ly)?|(?:that|it) (?:(?:has )?worked|went through)|seen to (?:it|that)|in place|taken care of)\b"
    r"|(?:^|[.:!;,\n])[^\w.:!;,\n]*(?:done|erledigt|gemacht|fertig|did (?:that|it|so))\b|\bno longer (?:exists?|there|listed|booked)\b|\b(?:is|are) gone\b"
    r"|\b(?:ist|sind|wäre|wurde|wurden|habe? ich|ich habe?)\b[^.!?\n]{0,60}\b(?:erledigt|gemacht|getan|fertig|geändert|angelegt|entfernt|gelöscht"
    r"|gebucht|storniert|abgesagt|verschoben|bezahlt|gespeichert|eingetragen|gesendet|verlängert|gemeldet|geschickt"
    r"|(?:ein|aus|um)geschaltet|gestartet|geleert|erlaubt|zugelassen|aktualisiert|geschehen|geschafft|gekümmert)\b"
    r"|\bhat geklappt\b|\bging durch\b|\balles (?:erledigt|fertig)\b|\bist jetzt da\b|\bsteht\s*(?:[.!]|$)",
    re.IGNORECASE,
)
_QUESTIONS = re.compile(r"(?<![^.!?\n])[^.!?\n]*\?")
_CONDITIONS = re.compile(
    r"\b(?:if|once|when|until|before|unless|would|could|will|not|nothing|never|n['’]t|already|wenn|falls|sobald|bevor|nichts?|kein\w*|schon)\b[^.!?\n]*",
    re.IGNORECASE,
)


def claims(message: Message) -> bool:
    """Tell whether the assistant says in a message that something was done, and nothing of what was not."""
    if message.role != "assistant" or not message.content or message.tool_calls:
        return False
    if message.certain_act is not None:
        return message.certain_act == "response"
    return says_done(message.content) and not declines(message) and not tells_of_failure(message)


def says_done(text: str) -> bool:
    """Tell whether words say that something was done, rather than ask for it or make it depend on something."""
    return _CLAIMS.search(_CONDITIONS.sub(" ", _QUESTIONS.sub(" ", text))) is not None
