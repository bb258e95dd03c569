"""Which calls of a dialogue the user agreed to just before, read from acts, or from the words where acts are missing."""

import re
from collections.abc import Sequence

from interplay.schemas.dialogue import Message

_AFFIRMS = re.compile(
    r"\W*(?:(?:oh|ah|well|um|hm+|lovely|wonderful|brilliant|excellent|super|ach|na|sehr|schön|gut|prima|toll|wunderbar)\b\W*)?(?:yes|yeah|yep|yup|ya|aye|sure|certainly|of course|absolutely|definitely|ok|okay|alright|all right|fine|right"
    r"|correct|exactly|confirmed?|i confirm|agreed|i agree|go ahead|(?:please|pls) (?:do|go|proceed)|do it|do that|proceed"
    r"|sounds (?:good|great|right|fine|perfect)|that(?:['’]s| is| works| would| looks| sounds)|looks (?:good|right|great)"
    r"|perfect|great|good|by all means|works for me|ja|jep|jawohl|gern(?:e)?|genau|richtig|korrekt|stimmt"
    r"|das (?:stimmt|passt|ist (?:es|richtig|korrekt|in ordnung|gut so))|so (?:ist es|passt es|machen wir es)|sicher|freilich|alles klar|abgemacht"
    r"|(?:schön|gut|prima|toll|wunderbar|super)(?=\W*(?:[.,!;…]|$))|go for it|please(?=\W*$)|bitte(?=\W*$)|einverstanden|in ordnung|nur zu|klar|perfekt|klingt gut|passt|mach das"
    r"|(?:machen|tun) sie (?:das|es)|(?:mach|tu) (?:das|es)|bitte (?:fahren|machen|mach|tun|tu)|ich bestätige|bestätigt|selbstverständlich|natürlich)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\W*(?:(?:yes|yeah|ja)\W+(?:(?:but|actually|aber|doch)\W+)?(?:no|nope|wait|hold on|nein|warten sie|warte|moment)\b(?! \w)|(?:that(?:['’]s| is)|sounds|looks) (?:not|wrong|incorrect)|(?:ok|okay|sure|fine|right|great|good|gut|schön)?\W*"
    r"(?:but|actually|aber|eigentlich)?\W*(?:no(?! (?:changes?|problem|objections?|worries|more questions))|nope|nah|not(?! a problem)|don['’]t|wait|stop|cancel that|hold on"
    r"|nein|nö|nicht(?! (?:schlecht|falsch))|moment|halt|warten sie|warte|stopp)\b)",
    re.IGNORECASE,
)

_TOLD_TO_AGREE = re.compile(
    r"\b(?:please|pls|kindly|bitte)\b[^.!?\n]{0,40}?\b(?:confirm|bestätig\w*|zustimmen|(?:reply|answer|say|respond)\b[^.!?\n]{0,12}\byes|mit\W+ja)\b"
    r"|\bconfirm (?:this|that|it|so that|and i)\b|\bbestätig(?:en sie|e bitte|e mir)\b"
    r"|\b(?:need|await|waiting for) (?:your|a) (?:confirmation|ok|okay|go-ahead|approval|yes)\b|\b(?:yes|ja)(?:/| or | oder )(?:no|nein)\b"
    r"|\b(?:brauche|benötige)\b[^.!?\n]{0,20}\b(?:bestätigung|zustimmung|einverständnis|ja)\b",
    re.IGNORECASE,
)
"""Words that ask for a yes without a question mark."""


def affirms(text: str) -> bool:
    """Tell whether a user's words begin by agreeing."""
    return _AFFIRMS.match(text) is not None and _DENIES.match(text) is None


def denies(text: str) -> bool:
    """Tell whether a user's words begin by disagreeing."""
    return _DENIES.match(text) is not None


def asks(text: str) -> bool:
    """Tell whether an assistant's words end with a question."""
    return text.rstrip(" \n\t\"'”’)*_").endswith(("?", "？"))


def confirmations(messages: Sequence[Message]) -> tuple[bool, ...]:
    """Return for each call, in order, whether the user's last words before it agreed to what was asked; those of the user need no
    agreement."""
    found: list[bool] = []
    question: Message | None = None
    agreed = False
    for message in messages:
        if message.role == "user":
            found.extend(False for _ in message.tool_calls)
            agreed = question is not None and _asked(question) and _agreed(message)
        elif message.role == "assistant":
            found.extend(agreed for _ in message.tool_calls)
            if message.content.strip():
                question = message
    return tuple(found)


def _asked(message: Message) -> bool:
    return message.certain_act == "confirm_request" if message.certain_act is not None else _wants_yes(message.content)


def _agreed(message: Message) -> bool:
    return message.certain_act == "affirm" if message.certain_act is not None else affirms(message.content)


def _wants_yes(text: str) -> bool:
    return asks(text) or _TOLD_TO_AGREE.search(text) is not None
