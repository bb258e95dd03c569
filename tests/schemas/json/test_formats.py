import subprocess
import sys

import pytest
from jsonschema import FormatChecker

from interplay.schemas.json.formats import FORMATS, conforms
from interplay.schemas.json.validation import errors, is_valid

TEXTS = (
    "", " ", "a", "@", "a@b", "2026-03-02", "2026-02-30", "2026-3-2", "20260302", "٢٠٢٦-03-02", "2026-03-02\n", "0000-01-01",
    "2026-03-02T10:00:00Z", "2026-03-02t10:00:00z", "2026-03-02T10:00:00", "2026-03-02 10:00:00Z", "2026-03-02T24:00:00Z",
    "2026-02-29T10:00:00.25+01:00", "0000-01-01T10:00:00Z", "1.2.3.4", "1.2.3", "01.2.3.4", "256.1.1.1", "::1", "fe80::1%eth0",
    "1::2::3", "https://a.example/b?c=d#e", "//a.example", "a:b", "https://a example", "urn:isbn:1", "mailto:a@b",
    "8c1f3b0e-0000-4000-8000-000000000000", "8c1f3b0e000040008000000000000000", "{8c1f3b0e-0000-4000-8000-000000000000}",
    "8c1f3b0e-0000-4000-8000-00000000000g",
)  # fmt: skip


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"time"}))
def test_says_what_the_library_says(name: str) -> None:
    library = FormatChecker(formats=[name])
    assert [conforms(text, name) for text in TEXTS] == [library.conforms(text, name) for text in TEXTS]


@pytest.mark.parametrize("text", ["10:00:00", "23:59:59", "10:00:00Z", "10:00:00.5+02:00", "10:00:00z"])
def test_a_time_of_day_may_have_an_offset(text: str) -> None:
    assert is_valid(text, {"type": "string", "format": "time"})
    assert errors(text, {"type": "string", "format": "time"}) == []


@pytest.mark.parametrize("text", ["", "10:00", "24:00:00", "10:60:00", "10:00:00+1", "1:2:3", "2026-03-02T10:00:00Z"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    assert not is_valid(text, {"type": "string", "format": "time"})
    assert errors(text, {"type": "string", "format": "time"})


def test_judging_formats_does_not_import_the_interpreted_library() -> None:
    code = (
        "import sys; from interplay.schemas.json.validation import is_valid; "
        "assert not is_valid('a', {'format': 'date'}); assert 'jsonschema' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)
