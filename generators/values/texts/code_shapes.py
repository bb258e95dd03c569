"""An example of a code -> another code of its shape: the same prefix, other digits and letters.

cus_9s6XKzkNRiz8i3    cus_4t1QMbwZPos5y7        HAT001          HAT482
sara_doe_496          nadia_falk_817            U012AB3CD       U738QX5LN
credit_card_7815826   credit_card_2290147       #W0000000       #W5183026
"""

import re
import string
import uuid
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.described_values import described_examples
from interplay.generators.values.texts.formatted_texts import in_ascii
from interplay.schemas.words.nouns import PERSON_NOUNS

_SHAPED = re.compile(r"(?=.*\d)#?[A-Za-z0-9]+(?:[_:.-][A-Za-z0-9]+){0,6}")
_NO_CODE = re.compile(r"\d{4}-\d{2}(?:-\d{2}.*)?|v?\d+(?:\.\d+)+|\d{1,2}:\d{2}.*|\d{1,5}|\d{4}/.*|[a-z]+\d?")
_CODE = re.compile(r"(?=.*\d)[A-Z][A-Z0-9]{5,15}|(?=.*\d)[a-z]{2,8}_[A-Za-z0-9]{8,40}")
_PERSON = re.compile(r"([a-z]+)([_.-])([a-z]+)([_.-])(\d+)")
_HEX = re.compile(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{8,64}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PARTS = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9]+")
LONGEST = 48


def code_like_examples(schema: Mapping[str, Any], tokens: Collection[str], rng: Random, is_code: bool) -> str:
    """Return a code of the shape of a field's examples; empty if there are none or they are no codes.

    Set `is_code` if the field's name promises a code; else the examples themselves must be unmistakable.
    """
    given = [item for item in schema["examples"][:8] if isinstance(item, str)] if "examples" in schema else []
    samples = given or described_examples(schema)
    if not samples:
        return ""
    fitting = [sample for sample in samples if _is_shaped(sample, is_code)]
    return shaped(rng.choice(fitting), tokens, rng) if fitting and len(fitting) == len(samples) else ""


def shaped(sample: str, tokens: Collection[str], rng: Random) -> str:
    """Return another code like `sample`; a person's name in it becomes another person's."""
    if _UUID.fullmatch(sample):
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    person = _PERSON.fullmatch(sample)
    if person and PERSON_NOUNS.intersection(tokens):
        given, family = in_ascii(sample_words.person(rng)).split()
        return f"{given}{person[2]}{family}{person[4]}{_digits(len(person[5]), rng)}"
    parts = _PARTS.findall(sample)
    return "".join(_part(part, position, parts, rng) for position, part in enumerate(parts))


def _part(part: str, position: int, parts: Sequence[str], rng: Random) -> str:
    """Make one part anew; separators and words stay, and so does a prefix of letters before a number."""
    if not part.isalnum() or (part.isalpha() and len(parts) > 1):
        return part
    if part.isdigit():
        return _digits(len(part), rng)
    if _HEX.fullmatch(part):
        return "".join(rng.choice("0123456789abcdef") for _ in part)
    lead = re.match(r"[A-Za-z]{1,4}(?=\d)", part) if position <= 1 and parts[0] in (part, "#") else None
    kept = lead[0] if lead else ""
    return kept + "".join(_character(character, rng) for character in part[len(kept) :])


def _character(character: str, rng: Random) -> str:
    if character.isdigit():
        return rng.choice(string.digits)
    return rng.choice(string.ascii_uppercase if character.isupper() else string.ascii_lowercase)


def _digits(length: int, rng: Random) -> str:
    return rng.choice("123456789") + "".join(rng.choice(string.digits) for _ in range(length - 1))


def _is_shaped(sample: str, is_code: bool) -> bool:
    if len(sample) > LONGEST or not sample.isascii():
        return False
    if not is_code:
        return bool(_CODE.fullmatch(sample))
    return bool(_UUID.fullmatch(sample) or (_SHAPED.fullmatch(sample) and not _NO_CODE.fullmatch(sample)))
