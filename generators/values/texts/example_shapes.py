"""A text made up by the name of its field, and the examples of the field -> a text of the shape of the examples.

"TX"              refuses "inactive"; another region's code instead
"user.signup"     refuses "quiet"; "budget.review"
"646673153"       is never repeated; "208145937"
"32 120 377 720"  refuses "VA65125"; "74 902 118 365"
"mobile"          refuses "A tenant for day-to-day use."; "mobile" itself
"""

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.code_shapes import LONGEST, shaped
from interplay.generators.values.texts.formatted_texts import by_format, email, in_ascii
from interplay.generators.values.texts.ideas import Idea, draw_idea, is_called, is_message, is_written_about
from interplay.generators.values.texts.names.field_vocabulary import KNOWN
from interplay.generators.values.texts.standard_forms import MEDIA_ENDINGS
from interplay.generators.values.texts.standards import standard_noun, written_alike
from interplay.schemas.words.word_classes import is_known

ONCE = 0.005
"""Probability that an example itself is used although another text can be made; low, since worlds share no rows."""

CODE = 3
"""Maximum length of a code in capitals, all of which have the same length."""

PHRASE, SENTENCE = 4, 3
"""Words up to which a text is no prose, and from which on it is prose if it ends like a sentence."""

_NOTED = re.compile(r"[<>{}\[\]=|\\$%*^~;]|\w\(")
"""Characters of notations that people do not write."""

_IDENTIFYING = re.compile(r"\d{3}|\d.*\d.*\d.*\d")
_FIXED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|v\d+(?:\.\d+)+|\d+(?:\.\d+){2,}|(?<!\d)\d{1,2}:\d\d(?!\d)")
"""Dates, years, versions, IP addresses and times, in which digits cannot be replaced."""


class _Shape(NamedTuple):
    """The shape of a text."""

    words: int
    case: str
    """`upper`, `lower`, `capital` or `mixed`; `none` without letters."""
    digits: int
    joints: frozenset[str]
    """Separators within a single word."""
    kind: str
    """`link`, `mail`, `noted` or `prose`; empty for plain words and codes."""
    starts_with_digit: bool
    lead: str
    """The leading character if it is no letter or digit."""


@lru_cache(maxsize=65_536)
def _shape(text: str) -> _Shape:
    words = len(text.split())
    letters = "".join(filter(str.isalpha, text))
    prose = words > PHRASE or (words >= SENTENCE and text[:1].isalpha() and text[-1:] in (".", "!", "?"))
    return _Shape(
        words,
        _case(text, letters),
        sum(map(str.isdigit, text)),
        frozenset(re.findall(r"(?<=\w)[^\w\s'’]+(?=\w)|_", text)) if words == 1 else frozenset(),
        "link" if "://" in text else "mail" if "@" in text and words == 1 else "prose" if prose else "noted" if _NOTED.search(text) else "",
        text[:1].isdigit(),
        "" if text[:1].isalnum() else text[:1],
    )  # fmt: skip


def _case(text: str, letters: str) -> str:
    if not letters:
        return "none"
    if letters.isupper():
        return "upper"
    if letters.islower():
        return "lower"
    begun = letters[:1].isupper() and letters[1:2].islower()
    return "capital" if begun and (letters[1:].islower() or " " in text) else "mixed"


def alike(text: str, samples: Sequence[str]) -> bool:
    """Tell whether a text has the shape of one of the examples: letters, digits, words and separators."""
    return any(_is_alike(text, sample) for sample in samples)


@lru_cache(maxsize=65_536)
def _is_alike(text: str, sample: str) -> bool:
    made, given = _shape(text), _shape(sample)
    if {made.kind, given.kind} & {"link", "mail", "noted"}:
        return made.kind == given.kind
    if given.kind == "prose":
        return made.words > 1
    if made.kind == "prose":
        return given.words > 1
    if given.words > 1:
        return _is_like_phrase(made, given, text, sample)
    if made.lead != given.lead:
        return False
    if given.case == "none":
        same_length = len(text) == len(sample) or bool(_FIXED.search(sample))
        return made[:2] == given[:2] and made.joints == given.joints and same_length
    if given.case == "upper":
        same = (made.words, made.case, made.joints) == (1, "upper", given.joints) and bool(made.digits) == bool(
            given.digits
        )
        return same and (len(text) == len(sample) or len(sample) > CODE)  # fmt: skip
    joined = _joints(made, given)
    if given.digits:
        return made.words == 1 and made.digits > 0 and joined
    if given.case == "lower":
        long = len(sample) >= CODE or len(text) == len(sample)
        return (made.words, made.case) == (1, "lower") and joined and made.digits < CODE and long
    free = given.joints <= {"-", "&", "."}
    if given.case == "mixed" and free and made.case == "lower" and made.words == 1:
        return made.digits < CODE
    return made.case in ("capital", "mixed") and made.digits < CODE and (free or joined)


def _joints(made: _Shape, given: _Shape) -> bool:
    """Tell whether two words have the same separators; hyphens and underscores are ignored beside others."""
    others = given.joints - _HYPHENS
    return made.joints - _HYPHENS == others if others else made.joints == given.joints


_HYPHENS = frozenset("-_")


def _is_like_phrase(made: _Shape, given: _Shape, text: str, sample: str) -> bool:
    if given.case == "none":
        return (made.case, made.words, len(text)) == ("none", given.words, len(sample))
    if made.case == "none" or (made.words == 1 and made.digits):
        return False
    written = made.case == given.case or "upper" not in (made.case, given.case)
    return written and (made.starts_with_digit == given.starts_with_digit or not given.digits)


def identifies(sample: str) -> bool:
    """Tell whether an example is a number or code that identifies a single row."""
    return bool(_IDENTIFYING.search(sample)) and not _shape(sample).kind and not _FIXED.search(sample)


def as_examples_are(
    text: str, samples: Sequence[str], tokens: Sequence[str], rng: Random, idea: Idea | None = None
) -> str:
    """Return a text of the shape of a field's examples: `text` itself if it has that shape, else a variation of an example."""
    sample = samples[0] if len(samples) == 1 else rng.choice(samples)
    if rng.random() < ONCE and not identifies(sample):
        return sample
    written = _respelt(text, samples)
    if written and (alike(written, samples) or _says_nothing(sample, tokens)):
        return written
    if _PROPER.fullmatch(text) and sample.isalpha() and sample.islower():
        return text  # an example like `google` is careless about the case of names
    if _shape(text).kind == "link" and _HOST.fullmatch(sample):
        return by_format("hostname", rng)
    person = idea.person if idea is not None and in_ascii(idea.person).split()[0] in in_ascii(text) else ""
    return varied(sample, tokens, rng, idea, person)


_PROPER = re.compile(r"(?:[A-ZÄÖÜ][\w'’.-]* )+[A-ZÄÖÜ][\w'’.-]*")
"""A name of several words."""

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")


def _says_nothing(sample: str, tokens: Sequence[str]) -> bool:
    """Tell whether an example does not show the shape of others: a brief message, characters that mask a password."""
    return not any(map(str.isalnum, sample)) or (bool(tokens) and is_message(tokens[-1]) and not _shape(sample).kind)


def _respelt(text: str, samples: Sequence[str]) -> str:
    """Return a text in the case that all examples share: lower, upper or capitalised."""
    cases, shape = {_shape(sample).case for sample in samples}, _shape(text)
    if len(cases) > 1 or shape.kind:
        return text
    if cases == {"lower"}:
        return text.lower()
    if cases == {"upper"}:
        return text.upper()
    word = shape.case == "lower" and len(text) >= CODE
    return text[:1].upper() + text[1:] if cases == {"capital"} and word else text


def varied(sample: str, tokens: Sequence[str], rng: Random, idea: Idea | None = None, person: str = "") -> str:
    """Return another text like an example: with other digits, or other words between the same separators; else the example.

    Words are those of a topic, or of the name of `person`.
    """
    shape, last = _shape(sample), tokens[-1] if tokens else ""
    noun = next(filter(standard_noun, reversed(tokens)), "")
    entries = written_alike(noun, sample) if noun else _regions(last, sample)
    if entries:
        return rng.choice(entries)
    if shape.words > 1 and shape.kind in ("", "prose") and (other := _of_others(sample, rng)) != sample:
        return other
    if shape.kind:
        if shape.kind == "mail" and not any(map(str.isalpha, sample.partition("@")[0])):  # a number at a host
            return _other_number(sample.partition("@")[0], rng) + "@" + sample.partition("@")[2]
        return by_format("uri", rng) if shape.kind == "link" else email(rng) if shape.kind == "mail" else sample
    if _HEX.fullmatch(sample):
        digits = "0123456789abcdef" if sample.islower() or sample[1:].isdigit() else "0123456789ABCDEF"
        return "#" + "".join(rng.choice(digits) for _ in sample[1:])
    if shape.digits:
        return sample if _FIXED.search(sample) else _renumbered(sample, tokens, rng)
    words = (in_ascii(person) if person else (idea or draw_idea("", rng)).topic).split()
    if not words:
        return sample  # without a topic, the example stays
    if shape.words > 1:
        brief = shape.case == "capital" and (is_written_about(last) or is_called(last))
        return " ".join(words[: shape.words]).capitalize() if brief else sample
    if not is_called(last) and not person:
        return words[0].capitalize() if shape.case == "capital" and is_written_about(last) else sample
    if shape.joints or _is_camel(sample):
        return _rejoined(sample, words)
    if shape.case in ("lower", "capital"):
        return words[0].capitalize() if shape.case == "capital" else words[0]
    if shape.case == "upper":
        return words[0].upper() if len(sample) > CODE else sample
    scrambled = len(re.findall(r"(?<=[A-Z])(?=[a-z])|(?<=[a-z])(?=[A-Z])", sample)) > _CHANGES and sample.isascii()
    return "".join(rng.choice(_like(letter)) for letter in sample) if scrambled and sample.isalpha() else sample


def _of_others(sample: str, rng: Random) -> str:
    """Return an example of several words with its people, towns and numbers replaced: "Résidence Hugo, Lot 302"."""
    if sample.rstrip().endswith((".", "!", "?")):
        return sample
    kinds = (
        (sample_words.family_names(), sample_words.family_name),
        (sample_words.given_names(), sample_words.given_name),
    )

    def other(found: re.Match[str]) -> str:
        word = found[0]
        if word in _TOWNS or word in _CAPITALS:
            return rng.choice(_TOWNS)
        return next((draw(rng) for names, draw in kinds if word in names and not is_known(word.lower())), word)

    first = re.match(r"\W*\w+", sample)
    begin = first.end() if first else 0  # the first word of a name says what it is
    told = sample[:begin] + re.sub(r"[^\W\d_]{3,}", other, sample[begin:])
    return told if _FIXED.search(sample) else re.sub(r"\d+", lambda found: _other_number(found[0], rng), told)


_TOWNS = tuple(place[0] for place in sample_words.CITIES)
_CAPITALS = {place[3].rpartition("/")[2] for place in sample_words.CITIES}
"""Cities that name time zones."""

_CHANGES = 2
"""Changes of case beyond which a word is a code."""

_CAMEL = re.compile(r"[A-Za-z][a-z]+(?:[A-Z][a-z]+)+")
_WORDY = 4
"""Minimum average length of unknown words in camel case: `invoiceTemplate`, not `RipRmi`."""


def _is_camel(text: str) -> bool:
    if not _CAMEL.fullmatch(text):
        return False
    words = re.findall(r"[A-Z]?[a-z]+", text)
    return len(text) >= _WORDY * len(words) or all(is_known(word.lower()) for word in words)


def _like(letter: str) -> str:
    return string.ascii_uppercase if letter.isupper() else string.ascii_lowercase


def _regions(last: str, sample: str) -> tuple[str, ...]:
    """Return the region codes of the same country as an example; () if it is no region code."""
    return sample_words.region_codes(sample) if last in _REGIONAL and len(sample) <= CODE and sample.isupper() else ()


_REGIONAL = ("state", "province", "region")


def _renumbered(sample: str, tokens: Sequence[str], rng: Random) -> str:
    """Return an example with other digits, and in codes also other letters."""
    if sample.isascii() and " " not in sample and len(sample) <= LONGEST and any(map(str.isalpha, sample)):
        return shaped(sample, tokens, rng)
    dialled = _DIALLED.match(sample)
    kept = dialled[0] if dialled else ""
    return kept + re.sub(r"\d+", lambda found: _other_number(found[0], rng), sample[len(kept) :])


_DIALLED = re.compile(r"\+\d{1,3}(?=[ -])")
"""The country code of a telephone number."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
"""Colours in hexadecimal."""


def _other_number(digits: str, rng: Random) -> str:
    """Return another number with as many digits and the same leading zeros."""
    zeros = len(digits) - len(digits.lstrip("0")) if len(digits) > 1 else 0
    rest = len(digits) - zeros
    if 0 < len(digits) <= _FEW_DIGITS and int(digits):  # short numbers are sizes, as "16+": stay near them
        least, most = 10 ** (rest - 1), 10**rest - 1
        near = rng.randint(max(least, int(digits) // 2), min(most, int(digits) * 3 // 2))
        return "0" * zeros + str(near)
    return "0" * zeros + (str(rng.randint(10 ** (rest - 1), 10**rest - 1)) if rest else "")


_FEW_DIGITS = 2

_FILES = frozenset((*KNOWN["extension"], *MEDIA_ENDINGS))
"""File extensions."""


def _rejoined(sample: str, words: Sequence[str]) -> str:
    """Return `words` in the notation of an example: with its separators or case, after its first parts if it has more."""
    parts = re.split(r"([^A-Za-z]+|(?<=[a-z])(?=[A-Z]))", sample)
    places = [at for at in range(0, len(parts), 2) if parts[at]]
    places = places[:-1] if len(places) > 1 and parts[places[-1]] in _FILES else places
    said = words[max(0, len(words) - len(places)) :]
    for at, word in zip(places[len(places) - len(said) :], said, strict=True):
        parts[at] = word.upper() if parts[at].isupper() else word.capitalize() if parts[at][0].isupper() else word
    return "".join(parts)
