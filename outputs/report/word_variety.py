"""What users say -> how varied it is, beside recorded dialogues.

Source: Li et al. 2016, A diversity-promoting objective function for neural conversation models (distinct-n). The share falls
with the length of the text, so that texts of one length are compared.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

SIZES = (5000, 2000, 1000, 500, 200)
"""Numbers of words at which texts are compared; the largest that a run has."""
WORDS = 3
REFERENCES = Path(__file__).with_name("recorded_variety.yaml")
"""The same share in recorded dialogues, by name and number of words."""
_WORD = re.compile(r"\w+")


def distinct_share(texts: Iterable[str], size: int) -> float | None:
    """Return the share of sequences of three words that are distinct, in the first `size` words; none where there are fewer.

    Sequences do not reach from one text into the next, and letters count as small ones.
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
    """Return the share of a run, by the name "this run", with those of recorded dialogues; nothing where too little is said."""
    held = list(texts)
    for size in SIZES:
        own = distinct_share(held, size)
        if own is not None:
            return {"this run": own, **{name: shares[size] for name, shares in references().items() if size in shares}}
    return {}


@cache
def references() -> dict[str, dict[int, float]]:
    """Return the shares of recorded dialogues, by name and number of words."""
    return dict(yaml.safe_load(REFERENCES.read_text(encoding="utf-8")))
