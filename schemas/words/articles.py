"""A noun phrase -> the same with the article that fits it, where it lacks one: pet by name -> a pet by name."""

import re

from interplay.schemas.json.fields import singular
from interplay.schemas.words.nouns import UNCOUNTED
from interplay.schemas.words.verbs import PARTICLES

DETERMINERS = set(
    "a an the all any each every some my your our their his her its this that these those one two multiple several many more "
    "existing available current it them which what whether if who how when where into out up off to for in on by as user's "
    "another everybody everyone everything anybody anyone anything somebody someone something nobody whoever wherever whatever".split()
)
"""Words before which no article stands."""

UNCOUNTABLE = UNCOUNTED | set(
    "children access help inventory advice money time content usage history availability "
    "details status statistics permission activity mail email weather traffic storage membership billing pricing roaming".split()
)
"""Nouns of which nobody says one."""


def with_article(noun: str) -> str:
    """Put an article before a singular noun phrase that has none, or the wrong one: "pet by name" -> "a pet by name"."""
    noun = _WRONG_AN.sub("a ", _WRONG_A.sub("an ", noun))
    if re.fullmatch(r"an? \w+s", noun, re.IGNORECASE):
        return f"{noun.split()[0]} {singular(noun.split()[1])}"
    head = _END.split(noun, maxsplit=1)[0].split()
    if (
        len(head) > 1
        and head[-2].endswith("s")
        and _MADE.search(f"{head[-1]} {noun.partition(' '.join(head))[2].strip()}")
    ):
        head = head[:-1]
    if len(head) == 2 and head[0] in ("on", "off") and head[1].islower():
        return f"{head[0]} {with_article(head[1])}" if noun == " ".join(head) else noun
    if (
        not head
        or "&" in head
        or head[0].lower() in DETERMINERS | PARTICLES | {"about"}
        or (head[0].endswith("ing") and head[1:] and head[1].lower() in DETERMINERS)
        or head[-1].lower() in UNCOUNTABLE
        or (head[-1][0].isupper() and head[-1] not in _COUNTED)
    ):
        return noun
    if head[-1].endswith("s") and not head[-1].endswith(("ss", "us", "is")):
        return noun
    return f"{'an' if re.match(_VOWEL, noun.lower()) else 'a'} {noun}"


_AFTER = r"(?:by|for|of|in|on|to|from|with|using|into|as|at|per|via|about|inside|under|and|or|that|when|if|not|nearby|near|around)\b"
_END = re.compile(rf" {_AFTER}| (?:out|up|off)\b(?= {_AFTER}| (?:the|an?|all|your)\b|$)")
"""Where the thing ends that a phrase speaks of; "off" within its name does not end it: "time off request"."""

_COUNTED = {"URL", "ID", "PDF", "VPC", "CDN"}
"""Names in capitals of which there may be one or several."""

_MADE = re.compile(r"^(?:made|sent|held|given|[a-z]+ed) (?:by|to|in|for|from|on|with)\b")
"""How several things came about, after their noun: "reactions made by a user"."""

_VOWEL = r"(?:[aeio](?!ne\b|ne-|u)|au|ou|u(?:pd|pl|nre|nk|n(?:us|av)))"
_WRONG_AN = re.compile(r"\ban (?=us(?:er|age)|uni(?:[tqv]|on|fied)|url\b|utili)")
_WRONG_A = re.compile(rf"\ba (?={_VOWEL}[a-z]{{2}})")
"""An article that does not fit the noun after it; of letters alone ("a UI") nobody knows how they are spoken."""
