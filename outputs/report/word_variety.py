"""What users say -> how varied its wording is, compared with recorded dialogues.

Source: Li et al. 2016, A diversity-promoting objective function for neural conversation models (distinct-n). The share falls
with the length of the text, so only texts of the same length are compared.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

SIZES = (5000, 2000, 1000, 500, 200)
"""Word counts at which texts are compared; the largest that a run reaches is used."""
WORDS = 3
REFERENCES = Path(__file__).with_name("recorded_variety.yaml")
"""The same share for recorded dialogues, by name and number of words."""
_WORD = re.compile(r"\w+")


def distinct_share(texts: Iterable[str], size: int) -> float | None:
    """Return the share of distinct three-word sequences in the first `size` words; None if there are fewer words.

    Sequences do not cross from one text into the next; case is ignored.
    """
    found: list[tuple[str, ...]] = []
    left = size
    for text in texts:
        words = _WORD.findall(text.lower())[:left]
        found += zip(*(words[start:] for start in range(WORDS)), strict=False)
        left -= len(words)
        if not left:
            return round(len(set(found)) / len(found), 3) if found else None
    return None


def variety(texts: Iterable[str]) -> dict[str, float]:
    """Return the share of a run as "this run", with those of recorded dialogues of the same length; empty if too few words."""
    held = list(texts)
    for size in SIZES:
        own = distinct_share(held, size)
        if own is not None:
            return {"this run": own, **{name: shares[size] for name, shares in references().items() if size in shares}}
    return {}


@cache
def references() -> dict[str, dict[int, float]]:
    """Return name -> number of words -> share, for recorded dialogues."""
    return dict(yaml.safe_load(REFERENCES.read_text(encoding="utf-8")))
