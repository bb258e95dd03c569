"""Path templates -> segments, each a literal or one parameter, in whatever style keys and functions are written.

    /v1/orders/{id}:cancel                        ->  orders {id} :cancel
    /crm/v3/deals/{id}, /crm/deals/2026-03/{id}   ->  crm deals {id}
    /Invoices('{No}')/Sales.Post                  ->  Invoices {No} Post
    /Lines(Invoice='{invoice}',No={no})           ->  Lines {invoice} {no}
    /tags/{id}.{format}, /tags/{id}{format}       ->  tags {id}
    /files/{id}#add_shared_link                   ->  files {id} add_shared_link
    /articles/search/{query}                      ->  articles search
    /articles/get/{id}, /GetArticle/{id}          ->  articles {id}, Article {id}
    /profiles/id/{userId}                         ->  profiles {userId}
    /v1/ProductsApi/{id}                          ->  Products {id}
    /getArrivalsByStation/{station}               ->  Arrivals
    /events/byPerformer/{id}                      ->  events performer {id}
    /events/byperformer/{performerId}             ->  events performer {performerId}

Source: OData 4.01, Part 2: URL Conventions, 4.3 Addressing Entities and 4.5 Addressing Actions.
"""

import re
from functools import lru_cache

from interplay.generators.environments.inference.tool_words import SELECTORS, SELF, VERSION, literal_verb, stem_of
from interplay.generators.phrases.service_jargon import without_class
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_SEARCHES = {"search", "find", "lookup", "browse", "searchall", "findall"}
_READS = {"get", "fetch", "retrieve", "read", "show", "find"}
_CHANGES = {"update", "edit", "modify"}
"""Verbs at the end of paths that name functions: those that list, read one row (`_READS`), or change one (`_CHANGES`)."""

_IDENTITIES = {"id", "uuid", "guid"}
"""Steps that only say what the parameter behind them is: `/profiles/id/{id}`."""

_ENDING = re.compile(r"\.(json|xml|png|csv|html?|php|aspx?|jsp)$", re.IGNORECASE)
_WRITTEN_AS = re.compile(r"(?<=.)(?:\.\{[^{}]+\}|\{(?:format|ext|extension|suffix)\})$", re.IGNORECASE)
"""A parameter that says in which form an answer is written, behind a segment."""
_NUMBERED = re.compile(r"v\d+|\d+([.-]\d+)+", re.IGNORECASE)
"""A version behind other segments: `/crm/v3/deals`, `/crm/deals/2026-03`."""
_KEYED = re.compile(r"^([^(){}]+)\(([^()]*\{[^()]*)\)$")
_PLACEHOLDER = re.compile(r"\{[^{}]+\}")
_NAMED_KEY = re.compile(r"(?<![\w.@-])([\w.@-]+)\s*=\s*(?:'|%27)?\{([^{}]+)\}")
_QUALIFIED = re.compile(r"^(?:[A-Za-z_]\w*\.)+([A-Za-z_]\w*)$")


def path_segments(path: str) -> list[str]:
    """Split a path template, leaving out versions, file endings and the caller's own `me`; `{id}:cancel` gives two segments."""
    return list(_segments(path))


@lru_cache(maxsize=65_536)
def _segments(path: str) -> tuple[str, ...]:
    parts: list[str] = []
    path, _, mark = path.partition("#")  # the fragment distinguishes operations on the same path
    for part in path.split("?")[0].split("/"):
        if part:
            parts += _pieces(_WRITTEN_AS.sub("", part), bool(parts) and is_param(parts[-1]))
    told = mark.rpartition("=")[2]
    parts += [told] if parts and literal_verb(told) is not None else []
    while parts and VERSION.match(parts[0]):
        parts = parts[1:]
    parts = [part for number, part in enumerate(parts) if not number or not _NUMBERED.fullmatch(part)]
    kept = [
        part for number, part in enumerate(parts) if part.strip("@").lower() not in SELF or number == len(parts) - 1
    ]
    while len(kept) > 1 and is_param(kept[-1]) and set(name_tokens(kept[-1])) <= SELECTORS:
        kept = kept[:-1]
    return tuple(_without_reading_verbs(kept))


def _without_reading_verbs(segments: list[str]) -> list[str]:
    """Return path segments without a verb before the last parameters: `orders, getById, {id}` -> `orders, {id}`."""
    end = len(segments)
    while end and is_param(segments[end - 1]):
        end -= 1
    if end in (0, len(segments)) or is_param(segments[end - 1]):
        return segments
    verb, *rest = name_tokens(segments[end - 1]) or [""]
    before = segments[: end - 1]
    if verb == "by" and rest and before:
        return [*before, "_".join(rest), *segments[end:]]
    meant = stem_of(segments[end][1:-1])
    if meant is not None and before and verb == f"by{meant.replace('_', '')}" and not rest:
        return [*before, meant, *segments[end:]]
    if verb in _IDENTITIES and not rest and before and not is_param(before[-1]):
        return [*before, *segments[end:]]
    if verb in _SEARCHES and rest in ([], ["all"]):
        return [*before, verb]
    if verb in _READS | _CHANGES and not rest and before and not is_param(before[-1]):
        return [*before, *segments[end:]]
    if verb not in _READS or not rest:
        return segments
    cut = rest.index("by") if "by" in rest[1:] else len(rest)
    things = rest[:cut] if rest[:cut] != ["all"] else []
    if not things:
        return segments
    listed = cut < len(rest) and singular(things[-1]) != things[-1]
    return [*before, "_".join(things), *([] if listed else segments[end:])]


def _pieces(part: str, below: bool) -> list[str]:
    """Split one part of a path; `below` means that it is directly below a row."""
    keyed = _KEYED.match(part)
    if keyed:
        function = _QUALIFIED.match(keyed[1])
        return [function[1]] if function else [keyed[1], *_PLACEHOLDER.findall(keyed[2])]
    part = part.removesuffix("()")
    if part.startswith("{") and "}:" in part:
        return [*part.split(":", 1)]
    if is_param(part):
        return [part]
    action = _QUALIFIED.match(part) if below and not _ENDING.search(part) else None
    if action and (action[1] != action[1].lower() or literal_verb(action[1])):
        return [action[1]]
    return [without_class(_ENDING.sub("", part))]


def is_param(segment: str) -> bool:
    """Tell whether a path segment is a parameter."""
    return segment.startswith("{") and segment.endswith("}")


def key_names(path: str) -> dict[str, str]:
    """Return parameter -> field for named keys in parentheses: `(Code='{c}')` -> c: Code."""
    return {parameter: field for field, parameter in _NAMED_KEY.findall(path) if "(" in path}
