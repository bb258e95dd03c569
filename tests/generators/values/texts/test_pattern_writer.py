"""Texts by patterns: each matches, and is the same in every process."""

import os
import re
import re._parser as grammar  # type: ignore[import-not-found]
import subprocess
import sys
from random import Random

import pytest

from interplay.generators.values.texts.pattern_writer import PatternWriter

PATTERNS = (
    "abc", "[a-f0-9]{8}", r"\d{3}-\d{2}", "(?:red|green)", r"(?P<tag>[a-z]{2})=(?P=tag)", r"([A-Z])\1", "[^a-z]{3}", "x+y*?z?", ".{4}",
    r"\W{6}", r"[\W_]\w\S", r"[^\n]", "[\u4e00-\u9fff]{2}",
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_written_matches(pattern: str) -> None:
    texts = [PatternWriter(Random(seed)).text(grammar.parse(pattern)) for seed in range(20)]
    assert [text for text in texts if not re.fullmatch(pattern, text, re.DOTALL)] == []


def test_a_text_is_the_same_in_every_process() -> None:
    code = (
        "import re._parser as grammar, random; from interplay.generators.values.texts.pattern_writer import PatternWriter; "
        r"print([PatternWriter(random.Random(1)).text(grammar.parse(p)) for p in (r'\W{8}', r'[^a]{8}')])"
    )
    environment = os.environ | {"PYTHONPATH": ".typing"}
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env=environment | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(found) == 1


def test_a_part_that_cannot_be_written_is_told() -> None:
    with pytest.raises(KeyError):
        PatternWriter(Random(1)).text(grammar.parse("(?>a)"))
