"""English articles: put the right one before a noun phrase that lacks one, pet by name -> a pet by name."""

import re
from functools import lru_cache

from interplay.schemas.words.lists import alternatives, word_set, words
from interplay.schemas.words.nouns import UNCOUNTED, english, is_plural, singular
from interplay.schemas.words.verbs import PARTICLES

DETERMINERS = word_set("articles", "determiners")
"""Words that take the place of an article."""

UNCOUNTABLE = UNCOUNTED | word_set("articles", "uncountable")
"""Nouns without a plural, which take no "a"."""

_AS_A, _AS_AN = word_set("articles", "a"), word_set("articles", "an")
_COUNTED = word_set("articles", "counted")
"""Capitalised nouns that can be counted and so take an article."""


@lru_cache(maxsize=16_384)
def article(phrase: str) -> str:
    """Return "a" or "an" by the pronunciation of the phrase's first word: an hour, a user, an API, a URL, an 8-day trip."""
    first = phrase.partition(" ")[0]
    head = re.split(r"[^a-z0-9]", first.lower())[0]
    if head in _AS_A or head in _AS_AN:
        return "a" if head in _AS_A else "an"
    if not head or not head[0].isalpha():
        return "an" if _EIGHT.match(head) else "a"
    return str(english().a(first)).partition(" ")[0]


_EIGHT = re.compile(r"8|1[18](?:\d{3})*(?!\d)")
"""Numbers whose spoken form begins with a vowel: eight, eleven, eighteen thousand."""


def indefinite(phrase: str) -> str:
    """Put "a" or "an" before a phrase."""
    return f"{article(phrase)} {phrase}"


def with_article(noun: str) -> str:
    """Put an article before a singular noun phrase that lacks one or has the wrong one: "pet by name" -> "a pet by name"."""
    noun = _ARTICLE.sub(lambda found: f"{article(found[1])} ", noun)
    if re.fullmatch(r"an? \w+s", noun, re.IGNORECASE) and noun.split()[1].lower() not in UNCOUNTABLE:
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
        or ("and" in head and is_plural(head[-1]))
        or head[0].lower() in DETERMINERS | PARTICLES | {"about"}
        or (head[0].endswith("ing") and head[1:] and head[1].lower() in DETERMINERS)
        or head[-1].lower() in UNCOUNTABLE
        or (head[-1][0].isupper() and head[-1] not in _COUNTED)
    ):
        return noun
    if is_plural(head[-1]):
        return noun
    return indefinite(noun)


_AFTER = rf"(?:{alternatives(words('prepositions'))})\b"
_END = re.compile(rf" {_AFTER}| (?:out|up|off)\b(?= {_AFTER}| (?:the|an?|all|your)\b|$)")
"""The end of the phrase's head noun; "off" within a name does not end it: "time off request"."""

_MADE = re.compile(r"^(?:made|sent|held|given|[a-z]+ed) (?:by|to|in|for|from|on|with)\b")
"""A participle and preposition after a plural noun: "reactions made by a user"."""

_ARTICLE = re.compile(r"\ban? (?=([A-Za-z0-9][\w-]+))")
"""An indefinite article and the word after it, whose pronunciation decides between "a" and "an"."""
