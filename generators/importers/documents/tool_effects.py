"""Method, path, name and text of an operation -> whether it changes anything, and the reason.

POST /v1/pets/search   ->  "read", the word `search`
createSearch           ->  "write", the word `create`

The first rule that applies decides: any method but POST; a word of `reads` that begins the name, or is the verb of the
path (`verbs` in tool_names.yaml), unless the name has a word of `both`; a word of `changes` in the name; a word of
`search_ends` at the end of name or path; a text about a search; else POST is a write. The lists are in tool_effects.yaml.
"""

import re

from interplay.generators.importers.documents.tool_names import called_in, split_words
from interplay.schemas.records.tool import Effect
from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.word_classes import can_be_noun

NO_WORD = "no word says that it only reads"
"""The reason given for a POST that is a write because no other rule applies."""

_LISTS = beside(__file__)
_READ_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "QUERY")
_SEARCH_ENDS = word_set(_LISTS, "search_ends")
_CHANGES = word_set(_LISTS, "changes")
_READS = word_set(_LISTS, "reads")
_BOTH = word_set(_LISTS, "both")
"""Words that make a name with a reading verb a write: get_or_create."""

_SEARCH_TEXT = re.compile(r"\b(search(es)?|quer(y|ies)|look(s)? up|find(s)?)\b", re.IGNORECASE)
_READ_VERBS = word_set(_LISTS, "read_verbs")
_BEGINS = word_set(_LISTS, "begins")
"""Verbs that start something, so that the tool writes, unless the name ends with a word of `_ASPECTS`: `queue_status`."""
_ASPECTS = word_set(_LISTS, "aspects")

_ASKED = word_set(_LISTS, "asked")
"""Nouns that mark a name without a verb as a query."""


def _abroad(does: str, anywhere: bool = False) -> re.Pattern[str]:
    """Return a pattern for verbs of other languages: word beginnings, or anywhere in scripts without spaces.

    Unless they count `anywhere`, a sentence begins with them, or has at most two words before: "Lista los pedidos" reads, and
    so does "Este método lista los pedidos", but not "put it on the watch list".
    """
    opening = r"\b" if anywhere else r"(?:^|[.:;!?]\s)\s*(?:\w+ ){0,2}"
    return re.compile(
        rf"{'|'.join(words(_LISTS, f'{does}_anywhere'))}|{opening}(?:{'|'.join(words(_LISTS, f'{does}_beginnings'))})"
    )


_READ_ABROAD, _CHANGED_ABROAD = _abroad("read"), _abroad("changed", anywhere=True)


_TOLD = re.compile(
    r"(?:use this method to |this (?:operation|method|call|endpoint) (?:is used to )?)?([a-z]+)", re.IGNORECASE
)


def effect_of_request(method: str, path: str, name: str, text: str, all_post: bool = False) -> tuple[Effect, str]:
    """Return the effect of an HTTP operation and the reason; a POST that only searches is a read.

    With `all_post` (all operations of the API are POSTs), the first verb of the text may also mark a read.
    """
    if method != "POST":
        return "read" if method in _READ_METHODS else "write", f"the method {method}"
    words = split_words(name)
    segments = [split_words(segment) for segment in path.split("/") if segment and "{" not in segment]
    ends = {group[-1] for group in (words, segments[-1] if segments else []) if group}
    starts = words[0] if words else ""
    told = set(split_words(text))
    marks = bool(segments) and segments[-1][-2:-1] == ["as"]  # mark_as_read: a state, not a verb
    verb = "" if marks else called_in(path)
    if (starts in _READS or verb in _READS | {"info"}) and not _BOTH & set(words) and not _comes_in(words):
        return "read", f"the word `{starts if starts in _READS else verb}`"
    if changes := [word for word in words if word in _CHANGES and word != "post"]:
        return "write", f"the word `{changes[0]}`"
    opening = _TOLD.match(text) if all_post else None
    if (
        opening
        and {opening[1].lower(), opening[1].lower().removesuffix("s"), opening[1].lower().removesuffix("es")} & _READS
    ):
        return "read", f"its text, which begins with `{opening[1]}`"
    if found := sorted(ends & _SEARCH_ENDS):
        return "read", f"`{found[0]}` at the end of its name or path"
    if (said := _SEARCH_TEXT.search(text)) and not _CHANGES & told and not _inflected(told):
        return "read", f"`{said[0]}` in its text"
    return "write", f"the method POST, since {NO_WORD}"


def _comes_in(words: list[str]) -> bool:
    """Tell whether a name means checking in or out rather than checking: `checkIn`, `check_out_guest`."""
    return words[:1] == ["check"] and not {"in", "out"}.isdisjoint(words[1:2] + words[-1:])


def _inflected(words: set[str]) -> bool:
    """Tell whether a word is an inflected form of a verb of `changes` (creates, created, creating)."""
    stems = {word.removesuffix(end) for word in words for end in ("s", "es", "d", "ed", "ing") if word.endswith(end)}
    return bool(_CHANGES & stems) or any(f"{stem}e" in _CHANGES for stem in stems)


def _names_thing(verb: str, words: list[str], openings: list[str], description: str) -> bool:
    """Tell whether the verb that begins a name is meant as a noun: `order_total`, "Compute what an order costs"."""
    compound = words[:1] == [verb] and bool(words[1:]) and can_be_noun(verb)
    if not compound or not openings or openings[0] not in _READ_VERBS:
        return False
    spoken = _THINGS.sub(" ", description[:500].lower())
    return _CHANGES.isdisjoint(split_words(spoken)) and not _inflected(set(split_words(spoken)))


_THINGS = re.compile(r"\b(?:an?|the|each|every|this|that|its) \w+")
"""Matches nouns after a determiner, which are not verbs of change."""


def effect_of_name(name: str, description: str = "") -> Effect:
    """Guess a tool's effect from the verb in its name, else from a verb that opens a sentence of its description."""
    words = split_words(name)
    if words[1:] and words[0] in _BEGINS:
        return "read" if words[-1] in _ASPECTS else "write"
    if _comes_in(words):
        return "write"
    verb = next((word for word in words if word in _READ_VERBS or word in _CHANGES), "")
    openings = [word.lower() for word in re.findall(r"(?:^|[.:]\s)\s*([A-Za-z]+)", description[:500])]
    if _names_thing(verb, words, openings, description):
        return "read"
    if not verb:
        verb = next((word for word in openings if word in _READ_VERBS or word in _CHANGES), "")
    if not verb:
        told = description[:500].lower()
        asked = not _ASKED.isdisjoint(words) or bool(_READ_ABROAD.search(told))
        return "read" if asked and not _CHANGED_ABROAD.search(told) else "write"
    return "read" if verb in _READ_VERBS else "write"
