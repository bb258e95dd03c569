"""The method and path of an operation -> a verb phrase for it, if no summary gives one.

GET /exports/{id}/status        check the status of an export
POST /exports/{id}/cancel       cancel an export
POST /accounts/{id}/lines       add a line to an account
GET /v1/reports/monthly         get monthly reports
"""

import re
from collections.abc import Sequence

from interplay.generators.phrases.summary_phrases import IN_BULK
from interplay.schemas.words.articles import indefinite
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import UNCOUNTED, is_plural, plural, singular
from interplay.schemas.words.verbs import VERBS
from interplay.schemas.words.word_classes import can_be_noun, is_known, is_verb_alone, phrasal, tells_which

_LISTS = beside(__file__)

_VERSION = re.compile(r"(?i)v?\d+(?:[.-]\d+)*(?:beta\d*|alpha\d*)?|api|rest|public|rpc|index|\.json")
_ENDING = re.compile(r"(?i)(?<=[\w}])\.(json|xml|csv|html?|php|aspx?|jsp)$")
_ENTRY, _WHOLE = table(_LISTS, "entry"), table(_LISTS, "whole")
_ADJECTIVES = word_set(_LISTS, "adjectives")
_FACTS = word_set(_LISTS, "facts")
_TOLD = (["info"], ["details"], ["information"])
_OWN, _MINE = (["me"], ["self"], ["current"]), (["my"], ["mine"])
_NOUNS_TOO = word_set(_LISTS, "nouns_too")
"""Verbs that are nouns in the plural or before an identity."""


def phrase_of_place(method: str, path: str, verb: str = "", thing: bool = False) -> str:
    """Return a verb phrase for an operation; `verb` is used in place of the method's verb if given.

    Set `thing` if the path ends in a noun even where its last word may be a verb: /book lists books, and books nothing.
    """
    method = method.lower()
    parts = [_ENDING.sub("", part) for part in _mounted(path) if part and not _VERSION.fullmatch(part)]
    words = [_read(part) for part in parts]
    position = next((index for index in reversed(range(len(words))) if words[index]), None)
    if position is None:
        return "get an overview" if method == "get" else ""
    last, above, owner = words[position], words[position - 1] if position else [], _owner(words, position)
    if above and len(last) == 1 and last[0] in IN_BULK:
        return f"{verb or {'post': 'create'}.get(method) or _ENTRY.get(method, 'use')} {_many(above)}"
    if position < len(parts) - 1:
        said = _of_row(parts[position:], last, owner, above, method, verb)
        if said:
            return said
        owner = []
    called = _called(parts[position])
    if called:
        last, owner = called[-1], [word for part in called[:-1] for word in name_tokens(singular(" ".join(part)))]
        owner = [*owner[:-1], called[-2][-1]]
        if len(called) > 2 and owner[-1].endswith("ed"):
            owner = [owner[-1], *owner[:-2], called[-3][-1]]  # `requests.approved.list`: approved requests
    shown = _shown(last, verb)
    if shown:
        return f"change whether to {shown}"
    if (
        (last[0] in VERBS or is_verb_alone(last[0]) or last == [verb])
        and not (thing or _is_named(last, verb))
        and not (method == "get" and (_is_collection(last) or (len(last) == 1 and last[0] in _THINGS & _NOUNS_TOO)))
        and not (above and not owner and is_plural(above[-1]) and _tells_which(last, above))
    ):
        return _acting(last, owner or above, method, named=bool(owner))
    if method == "post" and len(last) == 1 and (above or owner) and (deed := phrasal(last[0])):
        return f"{deed} {_one(owner)}" if owner else f"{deed} my {singular(' '.join(above))}"
    if last in _TOLD and above and method == "post":
        return f"look up {_one(above)}"
    if last in _MINE:
        return f"{verb or _ENTRY.get(method, 'use')} my {' '.join(above or ['account'])}"
    if last in _OWN:
        own = above if above and is_known(above[-1]) else ["account"]  # nobody has an "auth"
        return f"{verb or _ENTRY.get(method, 'use')} my {singular(' '.join(own))}"
    return _of_collection(last, owner, above, method, verb)


def _of_row(parts: Sequence[str], last: list[str], owner: list[str], above: list[str], method: str, verb: str) -> str:
    """Return the phrase for a path that ends in an identity; empty if it identifies no row of the collection before it."""
    if owner and method == "delete" and name_tokens(parts[0])[:1] == ["id"]:
        return f"remove {_one(last)} from {_one(owner)}"
    if above and last[0] in _SEARCHING:
        return f"{last[0]} {_many(above)}"
    does, scoped = verb or _ENTRY.get(method, "use"), _scoped(parts[-1], last, single=len(parts) == 2)
    if scoped is None:
        return f"{does} {_one(last)}" + (f" of {_one(owner)}" if owner and does == "get" else "")
    return f"{does} the {scoped} of {_one(last)}" if scoped else ""


def _tells_which(last: Sequence[str], above: Sequence[str]) -> bool:
    """Tell whether the last step of a path selects some of the things above it: `/invitations/pending`."""
    return last[0] in _ADJECTIVES or (len(last) == 1 and is_plural(above[-1]) and tells_which(last[0]))


def _mounted(path: str) -> list[str]:
    """Return the steps of a path from its version on, if a service name precedes that: `/crm/v2/notes`."""
    parts = path.strip("/").split("/")
    at = next((place for place, part in enumerate(parts) if _NUMBERED.fullmatch(part)), 0)
    after = _read(parts[at + 1]) if at and parts[at + 1 :] else []
    return parts[at:] if after and after[0] not in VERBS and "{" not in "".join(parts[:at]) else parts


_NUMBERED = re.compile(r"(?i)v\d+(?:\.\d+)*")


def _is_named(last: list[str], verb: str) -> bool:
    """Tell whether words that begin with a verb name a thing: a collection, or a field that is updated.

    `display name`, `check items`
    """
    filled = verb in _FILLED and len(last) > 1 and last[0] in _NOUNS_TOO | _BEFORE_NOUNS and last[1] not in _JOINING
    return (last[-1].endswith("s") and singular(last[-1]) in _NOUNS_TOO) or last[1:] == ["id"] or filled


def _is_collection(last: list[str]) -> bool:
    """Tell whether words whose first is also a verb name a collection that is read: `deploy keys`."""
    return len(last) > 1 and last[0] in _THINGS and is_plural(last[-1])


_THINGS = word_set(_LISTS, "things")
"""Verbs that are nouns before a plural: `deploy keys` are listed, but `import users` is an action.

Those that are nouns alone too are read where a call only reads: `GET /club/schedule`.
"""
_BEFORE_NOUNS = word_set(_LISTS, "before_nouns")
"""Verbs that are modifiers in the names of fields."""
_SEARCHING = frozenset("search find filter query".split())
_FILLED = frozenset("add update set change edit modify".split())
_JOINING = frozenset("as by for to from with in into".split())


def _shown(last: list[str], verb: str) -> str:
    """Return what a setting controls, if its name says so: `show sidebar` -> "show the sidebar"; else empty."""
    allowed = verb in _FILLED - {"add"} and len(last) > 1 and last[0] in ("show", "allow", "enable", "hide")
    return f"{last[0]} {'' if last[-1].endswith('s') else 'the '}{' '.join(last[1:])}" if allowed else ""


def _scoped(parameter: str, words: list[str], single: bool) -> str | None:
    """Return what the parameter at the end of a path identifies.

    - `/orders/{orderId}`: a row of the collection before it; None is returned.
    - `/orders/{customerId}`: the owner of such rows; "" is returned.
    - `/shelves/{shelf}/{colour}`: a field of the row; its words are returned.
    """
    tokens = name_tokens(parameter)
    stem = [token for token in tokens if token not in _IDENTIFYING]
    if not stem or stem[-1] in _ANY or {singular(token) for token in stem} & {singular(word) for word in words}:
        return None
    if len(stem) < len(tokens):
        return ""
    return None if single else " ".join(stem)


_IDENTIFYING = word_set("identities", "codes") - {"number", "numbers", "no", "nr"}
_ANY = frozenset("resource item object entity record parent name code slug number".split())


def _called(part: str) -> list[list[str]]:
    """Return the words of each step of a dotted method name, as in `admin.conversations.rename`; [] for other path steps."""
    steps = [name_tokens(step) for step in part.split(".")]
    return steps if len(steps) > 1 and all(steps) and "{" not in part else []


def _of_collection(last: list[str], owner: list[str], above: list[str], method: str, verb: str) -> str:
    """Return the phrase for a path that ends in a noun: a collection, or one property of its owner."""
    noun = " ".join(last)
    if above in _OWN:
        return f"{verb or _WHOLE.get(method, 'use')} my {noun}"
    if above and _tells_which(last, above):
        noun = f"{noun} {' '.join(above)}"
    elif above and not owner:
        noun = f"{singular(above[-1])} {noun}"
    head = noun.rpartition(" ")[2]
    many = is_plural(head) and head not in _FACTS
    if not any(map(is_plural, last)) and method == "post" and verb == "add" and owner:
        return f"add {_with_article(noun)} to {_one(owner)}"
    if method == "post" and verb not in _FILLED - {"add"} and not (many or owner or above or head in _FACTS):
        return f"{verb or 'create'} {_with_article(noun)}"  # some paths name a collection in the singular
    if not many:
        chosen = verb or ("check" if method == "get" else _ENTRY.get(method, "use"))
        return f"{chosen} the {noun}" + (f" of {_one(owner)}" if owner else "")
    if method == "post":
        made = _with_article(singular(noun))
        return f"{verb or 'add'} {made} {_towards(verb)} {_one(owner)}" if owner else f"{verb or 'create'} {made}"
    chosen = verb or _WHOLE.get(method, "use")
    return f"{chosen} the {noun} of {_one(owner)}" if owner else f"{chosen} {noun}"


def _towards(verb: str) -> str:
    """Return the preposition between a thing and its owner: a card is added "to" a list, and created "for" it."""
    return "for" if verb == "create" else "to"


_PLAIN = word_set(_LISTS, "plain")
"""Verbs that take a direct object and no particle: `createAccount`, unlike `signUp`."""


def _acting(last: list[str], owner: list[str], method: str, named: bool) -> str:
    """Return the phrase for a path that ends in a verb; `named` says that an identity selects the owner."""
    if not owner and last[1:2] == ["all"]:
        return f"{last[0]} all {_many(last[2:] or ['items'])}"
    if not owner and len(last) > 1:
        plain = last[0] in _PLAIN and can_be_noun(last[-1]) and last[1] not in _JOINING
        return f"{last[0]} {_with_article(' '.join(last[1:]))}" if plain else " ".join(last)
    if not owner:
        return f"run {_with_article(last[0])}"
    if [singular(word) for word in owner] == [singular(word) for word in last[1:] if word != "all"]:
        return f"{last[0]} {f'all {_many(owner)}' if 'all' in last else _one(owner)}"  # `fields/createField`
    listed = last[0] in ("search", "query", "list", "export", "filter", "count", "import", "find")
    if len(last) > 1 and last[1] in _JOINING:
        return f"{last[0]} {' '.join(owner) if listed else _one(owner)} {' '.join(last[1:])}"
    if last[1:2] == ["all"]:
        return f"{last[0]} {' '.join(last[1:])} of {_one(owner)}"
    parts = len(last) > 2 and any(map(is_plural, last[1:]))
    if len(last) > 1 and (parts or last[0] in ("get", "list", "set")):
        return f"{last[0]} the {' '.join(last[1:])} of {_one(owner)}"
    if len(last) > 1:
        told = f"{last[0]} {_with_article(' '.join(last[1:]))}"
        return f"{told} for {_one(owner)}" if named else told
    return f"{last[0]} {_many(owner) if listed and method != 'delete' else _one(owner)}"


_LATIN = re.compile(r"[a-z0-9\u00df-\u024f]+")
"""A word that may be part of a phrase; others, as `用户`, become "item"."""


def _read(part: str) -> list[str]:
    """Return the words of a path step; [] for a parameter."""
    part = part.rpartition(":")[2] if ":" in part.strip(":") and not part.endswith("}") else part
    words = (
        [] if "{" in part or part.startswith((":", "<")) else [*filter(_LATIN.fullmatch, name_tokens(part))] or ["item"]
    )
    if words[:1] != ["id"] or len(words) == 1:
        return words
    return [*words[1:], "id"] if words[1] in VERBS else words[1:]


def _owner(parts: Sequence[list[str]], position: int) -> list[str]:
    """Return the words of the collection whose row the parameter before this step identifies; [] if there is none."""
    if position < 2 or parts[position - 1]:
        return []
    return next((words for words in reversed(parts[: position - 1]) if words), [])


def _many(words: Sequence[str]) -> str:
    """Return words as a plural noun; some paths name a collection in the singular."""
    noun = " ".join(words)
    return noun if singular(words[-1]) != words[-1] or words[-1] in _OF_ALL else plural(noun)


_OF_ALL = UNCOUNTED | word_set(_LISTS, "of_all")
"""Words that mean all of a kind without a plural form."""


def _one(words: Sequence[str]) -> str:
    return _with_article(singular(" ".join(words)))


def _with_article(noun: str) -> str:
    return noun if noun.startswith("my ") or noun.rpartition(" ")[2] in UNCOUNTED else indefinite(noun)
