"""The texts of an operation -> its summary and its description, plain and bounded.

summary "", description "Returns **all** pets. <br>Sorted."  ->  summary "Returns all pets"
"""

import html
import re

MAX_SUMMARY = 160
MAX_DESCRIPTION = 1_000


def strip_markup(text: str) -> str:
    """Remove markdown and HTML from a text, and collapse its white space."""
    text = text[:20_000]
    text = re.sub(r"```[^`]{0,4000}```|<!--.{0,2000}?-->", " ", text, flags=re.DOTALL)
    text = re.sub(r"<(https?://[^<>\s]{1,500})>", r"\1", text)
    text = re.sub(r"</?[A-Za-z][^<>]{0,500}>", " ", text)
    text = re.sub(r"!?\[([^\[\]]{0,500})\]\([^()]{0,1000}\)", r"\1", text)
    text = re.sub(r"\[([^\[\]]{1,500})\]\[[^\[\]]{0,200}\]", r"\1", text)
    text = re.sub(r"^\s{0,3}(#{1,6}\s+|>\s?|[-*+]\s+|\|)", "", text, flags=re.MULTILINE)
    text = re.sub(r"(\*\*|__|``?|~~)", "", text)
    text = re.sub(r"(?<![\w*])\*(\S[^*\n]{0,300})\*(?!\w)", r"\1", text)
    text = re.sub(r"(?<!\w)_(\S[^_\n]{0,300})_(?!\w)", r"\1", text)
    return re.sub(r"\s+", " ", html.unescape(text)).strip()


def first_sentence(text: str) -> str:
    """Return the first sentence of a text with markup, without its full stop."""
    paragraphs = [strip_markup(part) for part in re.split(r"\n\s*\n|<br\s*/?>|</?p>", text[:5_000])]
    body = [part for part in paragraphs if part]
    plain = body[0] if body else ""
    match = re.match(r"(.{8,}?[^.\s])(?<!e\.g)(?<!i\.e)(?<!\betc)(?<!\bvs)[.!?](?=\s|$)", plain)
    return bounded(match[1] if match else plain.rstrip("."), MAX_SUMMARY)


def bounded(text: str, limit: int) -> str:
    """Cut a text to at most `limit` characters, at a word boundary."""
    text = text.strip()
    if len(text) <= limit:
        return text
    return text[: limit - 3].rsplit(None, 1)[0].rstrip(",;:") + "..."


def summary_and_description(summary: object, description: object) -> tuple[str, str]:
    """Return (summary, description) of an operation; each is derived from the other if it is missing."""
    told = description if isinstance(description, str) else ""
    short = strip_markup(summary) if isinstance(summary, str) else ""
    short = bounded(short.rstrip("."), MAX_SUMMARY) or first_sentence(told)
    return short, bounded(told, MAX_DESCRIPTION) or short
