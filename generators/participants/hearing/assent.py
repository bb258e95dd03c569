"""A user's answer to "Shall I?" -> yes, no, or unclear.

A yes has nothing beside it that refuses, sets a condition, changes what was asked, or questions it. It may ask
what comes after ("How long does it take?"), and, if it also tells to go ahead, any question for information. Beside a mild
yes ("Fine", "Right", "Good") nothing else may be said at all. Whatever is unclear is no yes. English and German are
read in full, of some other languages the simplest words.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.json.yaml_text import parse_yaml

Answer = Literal["yes", "no", "unclear"]

LONGEST = 1_000
"""Maximum length of a text that is read: nobody needs more to agree."""

_LANGUAGES = ("en", "de")

_SIGNS = {"’": "'", "‘": "'", "`": "'", "´": "'", "…": "... ", "？": "? ", "！": "! ", "。": ". ", "，": ", ", "w/": "with "} | {
    **dict.fromkeys("👍👌✅💯✔", " yes. "), **dict.fromkeys("👎🙅❌🛑", " no. "), "🆗": " ok. "
}  # fmt: skip
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|„[^“”\n]*[“”]|“[^“”\n]*”|«[^»\n]*»|(?<![\w'])'[^'\n]*'(?![\w'])|https?://\S+|###\w+###"
)
_DECORATION = re.compile(r"[^\w\s.,:;!?'()/\[\]–—-]|_|(?<!\w)'|'(?!\w)")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_CLAUSE = re.compile(r"[,:()\[\]/–—.!?;\n]|\s-+\s")
_TURN = re.compile(r"[,:()–—]\s*|\s-+\s|\s(?=(?:and|und)\s)")
"""Positions in a sentence at which a question may begin."""
_GAP = r"[\s,.;:!–—-]+"

_ONE_BREATH = 120
"""Maximum length of a clause that only agrees."""

_SIMPLE: tuple[Literal["yes", "no"], ...] = ("yes", "no")

_LEADS = 4
"""Maximum number of leading words before a refusal."""


@lru_cache(maxsize=4096)
def answered(text: str) -> Answer:
    """Return what a user's words answer to the question whether to go ahead."""
    said = _plain(text)
    if _refuses(said, _asks(said)):
        return "no"
    rest = _without_asides(said)
    if _asks(rest):
        return "unclear"
    return "yes" if _agrees(rest, mildly=rest == said) else _simply(text)


def affirms(text: str) -> bool:
    """Tell whether a user's words only agree."""
    return answered(text) == "yes"


def denies(text: str) -> bool:
    """Tell whether a user's words refuse."""
    return answered(text) == "no"


def declines(text: str) -> bool:
    """Tell whether an assistant's words say that something will not be done, not counting conditional clauses."""
    said = heard_as("conditional").sub(" ", text.lower())
    return heard_as("declining").search(said) is not None


def yes_and_no(text: str, language: str) -> tuple[bool, bool] | None:
    """Tell whether a text has words for yes, and words for no beside them; None for an unknown language."""
    if language not in _grammar()["others"]:
        return None
    said = unicodedata.normalize("NFC", text).lower()
    rest = _other(language, "yes").sub(" ", said)
    return rest != said, _other(language, "no").search(rest) is not None


def _simply(text: str) -> Answer:
    """Return what a text says that consists only of words for yes, or for no, in another language."""
    if len(text) > _ONE_BREATH:
        return "unclear"
    said = unicodedata.normalize("NFC", text).lower()
    for language in _grammar()["others"]:
        rest = _other(language, "polite").sub(" ", said)
        for answer in _SIMPLE:
            left = _other(language, answer).sub(" ", rest)
            if left != rest and re.fullmatch(r"[\s.,!;:。、！，،।…·-]*", left):
                return answer
    return "unclear"


def _plain(text: str) -> str:
    """Return a text in lower case, without quotations and decoration; empty if it is too long."""
    if len(text) > LONGEST:
        return ""
    said = unicodedata.normalize("NFC", text).lower()
    for sign, word in _SIGNS.items():
        said = said.replace(sign, word)
    rest = _QUOTED.sub(" ", said)
    said = re.sub(" {2,}", " ", _DECORATION.sub(" ", rest if re.search(r"\w", rest) else said)).strip()
    return _words("idle_no").sub("thanks", _words("agreeing_no").sub("fine", said))


def _refuses(said: str, asking: bool) -> bool:
    """Tell whether a text begins with a refusal; hesitation in a question is none."""
    if _words("taking_back").match(said):
        return True
    kinds = ("refusing",) if asking else ("refusing", "hesitating", "contradicting")
    place = 0
    for _ in range(_LEADS + 1):
        if any(_words(kind).match(said, place) for kind in kinds):
            return True
        lead = _lead().match(said, place)
        if lead is None:
            return False
        place = lead.end()
    return False


def _clauses(said: str) -> Iterator[str]:
    return filter(None, (part.strip(" '-") for part in _CLAUSE.split(said)))


def _agrees(said: str, mildly: bool) -> bool:
    """Tell whether a text contains a yes, or `mildly` a mild one, and nothing that contradicts it."""
    plain = mild = odd = False
    for clause in _clauses(said):
        if len(clause) <= _ONE_BREATH and _whole("plain", "ordering").fullmatch(clause):
            plain, odd = True, False
        elif len(clause) <= _ONE_BREATH and _whole("plain", "ordering", "mild").fullmatch(clause):
            mild = True
        elif len(clause) <= _ONE_BREATH and _whole("beside").fullmatch(clause):
            continue
        elif _words("against").search(_words("reason").sub(" ", clause) if plain else clause):
            return False
        elif _begins().match(clause) and not odd:
            plain = True
        elif not plain and not (mild and _words("bidding").match(clause)):
            odd = True
    return (plain or (mild and mildly)) and not odd


def _without_asides(said: str) -> str:
    """Return a text without questions that do not affect what is to be done."""
    orders = any(_orders(clause) for clause in _clauses(said))

    def shortened(found: re.Match[str]) -> str:
        sentence = found[0]
        pattern = _aside("following", "learning") if orders and "?" in sentence else _aside("following")
        begins = (0, *(turn.end() for turn in _TURN.finditer(sentence)))
        asides = (place for place in begins if pattern.fullmatch(sentence, place))
        place = next((place for place in asides if not _words("doubting").search(sentence, place)), None)
        return sentence if place is None else f"{sentence[:place]}. "

    return _SENTENCE.sub(shortened, said)


def _orders(clause: str) -> bool:
    """Tell whether a clause is an instruction to go ahead, or repeats what is to be done."""
    told = len(clause) <= _ONE_BREATH and _whole("ordering").fullmatch(clause)
    return bool(told or _words("bidding").match(clause))


def _asks(said: str) -> bool:
    """Tell whether a text has a question other than a polite instruction to go ahead."""
    return any("?" in part and not _tells_to(part) for part in _SENTENCE.findall(said))


def _tells_to(question: str) -> bool:
    """Tell whether a question is only a polite instruction to go ahead."""
    clauses = [part for part in (part.strip(" '") for part in _CLAUSE.split(question)) if part]
    return bool(clauses) and _whole("asking_to").fullmatch(clauses[-1]) is not None


@lru_cache(maxsize=1)
def _grammar() -> dict[str, Any]:
    grammar: dict[str, Any] = parse_yaml((Path(__file__).parent / "assent.yaml").read_text(encoding="utf-8"))
    return grammar


@lru_cache(maxsize=64)
def _other(language: str, kind: str) -> re.Pattern[str]:
    """Return the pattern of a kind of words in a language that is not read in full."""
    words = _grammar()["others"][language]
    return re.compile(f"(?:{words[kind]})" if words.get("joined") else rf"(?<!\w)(?:{words[kind]})(?!\w)")


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    """Return the patterns by kind, for all languages together."""
    lists: dict[str, str] = {}
    for language in _LANGUAGES:
        for kind, patterns in _grammar()[language].items():
            joined = "|".join(patterns)
            for name in ("deed", "good", "much"):
                joined = joined.replace(f"{{{name}}}", lists.get(name, ""))
            lists[kind] = f"{lists[kind][:-1]}|{joined})" if kind in lists else f"(?:{joined})"
    return lists


@lru_cache(maxsize=16)
def _words(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w']){_lists()[kind]}(?![\w'])")


@lru_cache(maxsize=8)
def _whole(*kinds: str) -> re.Pattern[str]:
    """Return the pattern of words of some kinds, with optional words around them."""
    around = _lists()["around"]
    return re.compile(rf"(?:{around} ){{0,6}}(?:{'|'.join(_lists()[kind] for kind in kinds)})(?: {around}){{0,6}}")


@lru_cache(maxsize=1)
def _begins() -> re.Pattern[str]:
    """Return the pattern of the beginning of a plain yes."""
    lists = _lists()
    return re.compile(
        rf"(?:{lists['around']} ){{0,6}}(?:{lists['plain']}(?![\w'-])|{lists['ordering']} {lists['going_on']}(?![\w']))"
    )


@lru_cache(maxsize=2)
def _aside(*kinds: str) -> re.Pattern[str]:
    """Return the pattern of questions of some kinds, one after the other."""
    lists = _lists()
    one = rf"\s*(?:{lists['aside']}[,: ]+){{0,4}}(?:{'|'.join(lists[kind] for kind in kinds)})(?![\w'])[^,:;.!?]*"
    return re.compile(rf"{one}(?:,{one})*[\s.!?;]*")


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    return re.compile(_lists()["leading"] + _GAP)
