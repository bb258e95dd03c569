"""A user's words in answer to "Shall I?" -> whether they are a yes or a no."""

import re

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


def affirms(text: str) -> bool:
    """Tell whether a user's words begin by agreeing."""
    return _AFFIRMS.match(text) is not None and _DENIES.match(text) is None


def denies(text: str) -> bool:
    """Tell whether a user's words begin by disagreeing."""
    return _DENIES.match(text) is not None
