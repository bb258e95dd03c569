"""Lemmas and inflected forms of English words, from lemminflect's tables.

The library parses both tables completely, which costs each process a third of a second; here a line is parsed on look-up.
"""

import gzip
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

Forms = dict[str, tuple[str, ...]]


class _Table:
    """A sorted table of the library, with the one dictionary method that the library uses."""

    def __init__(self, file: str, parse: Callable[[str], Forms], known: Mapping[str, Forms]) -> None:
        self._lines = gzip.decompress(Path(file).read_bytes()).decode().splitlines()
        self._parse, self._known = parse, known

    def get(self, word: str, default: Forms) -> Forms:
        """Return word class -> forms of `word`, for all its classes; `default` if the word is unknown."""
        if word in self._known:
            return self._known[word]
        first, start = bisect_left(self._lines, word, key=_word_of), f"{word},"
        lines = takewhile(lambda line: line.startswith(start), self._lines[first : first + _CLASSES])
        return {name: forms for line in lines for name, forms in self._parse(line).items()} or default


_CLASSES = 8
"""An upper bound on the lines of one word, which has one per class."""


def _word_of(line: str) -> str:
    return line.partition(",")[0]


@cache
def lexicon() -> Any:
    """Return lemminflect with its tables replaced by lazy ones; imported on first use, since it loads NumPy."""
    import lemminflect
    from lemminflect import config
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec
    from lemminflect.core.LexicalUtils import categoryToUPos

    def lemmas(line: str) -> Forms:
        _, category, forms = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): forms}

    def inflections(line: str) -> Forms:
        found: Forms = InflectionLUCodec.fromString(line)[2]
        return found

    lemminflect.Lemmatizer().lemma_dict = _Table(config.lemma_lu_fn, lemmas, {})
    known = InflectionLUCodec.updateForAuxMod({})
    lemminflect.Inflections().infl_dict = _Table(config.inflection_lu_fn, inflections, known)
    return lemminflect
