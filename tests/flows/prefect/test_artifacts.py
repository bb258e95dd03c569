"""Text in artifacts is not trusted: Markdown and HTML show it as it is, and so do pages that read neither."""

import html
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from interplay.flows.prefect.artifacts import LONGEST, escaped, key_of
from interplay.flows.prefect.scheduled_run import part_of
from interplay.flows.workspaces.workspace import Workspace

TEXTS = (
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/p.png)",
    "[a]: https://evil.example",
    "https://evil.example and www.evil.example",
    "# heading **bold** `code` | a | b |",
    "a | b\n--- | ---\nc | d",
    "&lt;b&gt; &amp; <!-- -->",
    "```\nfence\n```",
    "- item\n1. one",
    "12) one",
    "> said",
    ">said",
    "* starred *",
    "*",
    "/*/a and /*/b",
    "__init__ and _b_ and a_b_c",
    "~~gone~~ and a\\*b\\",
    "---",
)
PIECES = st.sampled_from([*"ab1 .#-+=>_*~`[]()!<>&;:|\\/\n", "lt", "1.", "http", "www."])


def read(text: str) -> tuple[set[str], str]:
    """Return the elements that Markdown makes of a text, and what a reader sees of it."""
    shown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)
    return set(re.findall(r"<(\w+)", shown)), html.unescape(re.sub("<.*?>", "", shown)).strip()


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    elements, seen = read(f"- **user**: {escaped(text)}")
    assert elements <= {"ul", "li", "strong", "p"}
    assert seen == f"user: {' '.join(text.split())}"


@given(st.lists(PIECES, min_size=1, max_size=30).map("".join).filter(str.strip))
def test_any_text_is_shown_as_it_is_where_it_stands_alone(text: str) -> None:
    assert read(escaped(text)) == ({"p"}, " ".join(text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "runs/my_own/nightly: 12 of 12, 12 tried",
        'find_patient {"name": "Jorge Kaiser", "birth_date": "1962-09-02", "ids": [1, 2]}',
        "/*/customerId",
        "name 1.00 customer id; both identify the same kind of row, customer",
        "joy.liu@example.com & co. > 5 $, 100 %",
    ],
)
def test_what_means_nothing_is_left_for_pages_that_show_cells_as_they_are(text: str) -> None:
    assert escaped(text) == text


def test_a_long_text_is_cut_and_control_characters_are_left_out() -> None:
    assert len(escaped("a" * 5 * LONGEST)) < LONGEST + 5
    assert escaped("a\x1b[0m\u202eb") == "a [0m b"


def test_the_key_of_an_artifact_is_one_that_prefect_takes(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert re.fullmatch(r"records-my-run-2-[0-9a-f]{4}", key_of("records", Workspace(tmp_path / "My Run_2")))
    assert re.fullmatch(r"records-[0-9a-f]{4}", key_of("records", Workspace(tmp_path / "…")))
    assert key_of("records", Workspace(tmp_path / "a/nightly")) != key_of("records", Workspace(tmp_path / "b/nightly"))


def test_parts_of_two_workspaces_have_keys_of_their_own(tmp_path) -> None:  # type: ignore[no-untyped-def]
    parts = {name: part_of(Workspace(tmp_path / name), "a", "date", date(2026, 11, 24)) for name in ("a", "b")}
    keys = [key_of("records", Workspace(tmp_path / name / part)) for name, part in parts.items()]
    assert [key[:-5] for key in keys] == ["records-a-2026-11-24", "records-b-2026-11-24"]
