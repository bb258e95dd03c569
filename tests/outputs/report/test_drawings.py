"""Pictures: what they count, where their bars lead, and that what others wrote stays text in them."""

from itertools import pairwise
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest

from interplay.outputs.report.drawings import Bin, bars, binned, histogram, line, shades

HOSTILE = "<script>alert(1)</script>\"'&\u202e]]>"
ASKED = urlencode({"tool": HOSTILE})
NAMES = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "counts",
    [{3: 1}, {1: 4, 2: 5, 9: 1}, {0.05: 1, 0.61: 2, 1.0: 3}, {812: 1, 14_000: 2, 90_500: 7}, {0: 5, 1: 2}, {0.5: 9}],
)
def test_bins_hold_every_value_once(counts: dict[float, int]) -> None:
    bins = binned(counts)
    assert sum(bin.count for bin in bins) == sum(counts.values())
    assert len(bins) <= 18
    for value, count in counts.items():
        assert any(bin.low <= value < bin.high + 1e-9 and bin.count >= count for bin in bins)
    assert all(one.high == other.low for one, other in pairwise(bins))


def test_few_whole_numbers_have_a_bin_each() -> None:
    assert [(bin.low, bin.count) for bin in binned({1: 4, 3: 5})] == [(1, 4), (2, 0), (3, 5)]


def drawn() -> list[str]:
    return [
        histogram(HOSTILE, [Bin(0, 1, 3, f"/records?{ASKED}"), Bin(1, 2, 0)]),
        line(HOSTILE, [(0, 5.0), (20, 2.5)], HOSTILE, HOSTILE),
        bars(HOSTILE, [(HOSTILE, 0.5), ("other", 1.0)]),
        shades(HOSTILE, {(HOSTILE, "a"): 3, ("b", HOSTILE): 1}),
        histogram("framed", [Bin(0, 1, 1)], framed=True),
    ]


def test_texts_of_others_stay_texts() -> None:
    for picture in drawn():
        read = ElementTree.fromstring(picture)
        assert {element.tag for element in read.iter()} <= {
            NAMES + name for name in ("svg", "text", "rect", "path", "title", "a", "polyline", "circle")
        }
        assert "style" not in picture  # a policy forbids it where pictures are parts of pages
        assert "\u202e" not in picture


def test_a_bar_leads_to_its_records_and_tells_its_figure() -> None:
    read = ElementTree.fromstring(drawn()[0])
    (link,) = read.iter(f"{NAMES}a")
    assert link.get("href") == f"/records?{ASKED}"
    assert [title.text for title in link.iter(f"{NAMES}title")] == ["0: 3"]
