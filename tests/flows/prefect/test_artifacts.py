"""Text in artifacts is not trusted: Markdown and HTML show it as it is."""

import html
import re

import pytest
from markdown_it import MarkdownIt

from interplay.flows.prefect.artifacts import LONGEST, escaped, key_of
from interplay.flows.workspaces.workspace import Workspace

TEXTS = (
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/p.png)",
    "https://evil.example and www.evil.example",
    "# heading **bold** `code` | a | b |",
    "&lt;b&gt; &amp; <!-- -->",
    "```\nfence\n```",
    "- item\n1. one",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(f"- **user**: {escaped(text)}")
    assert set(re.findall(r"<(\w+)", shown)) <= {"ul", "li", "strong", "p"}
    assert html.unescape(re.sub("<.*?>", "", shown)).strip() == f"user: {' '.join(text.split())}"


def test_a_long_text_is_cut_and_control_characters_are_left_out() -> None:
    assert len(escaped("a" * 5 * LONGEST)) < LONGEST + 5
    assert escaped("a\x1b[0m\u202eb") == "a \\[0m b"


def test_the_key_of_an_artifact_is_one_that_prefect_takes(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert key_of("records", Workspace(tmp_path / "My Run_2")) == "records-my-run-2"
    assert key_of("records", Workspace(tmp_path / "…")) == "records"
