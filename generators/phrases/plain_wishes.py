"""A wish in the words of a summary -> the same as a user would say it, without what only an API author would add.

"get a list of all projects"             see all projects
"archive a public or private channel"    archive a channel
"get block children", /blocks/{id}/children    get the children of a block
"""

import re
from collections.abc import Collection, Sequence

from interplay.generators.phrases.wish_grammar import LONGEST_WISH, parsed
from interplay.schemas.words.articles import indefinite, with_article
from interplay.schemas.words.lists import alternatives, beside, table, word_set, words
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import is_participle, phrasal

_LISTS = beside(__file__)

_LIST_OF = re.compile(
    r"^(\w+) (?:an? |the )?(?:[a-z]+ )?(?:list of (?!an? )(?=\w)|(?:listing|page|overview|collection) of (?=(?:\w+ )*?\w+s\b))"
    r"|^(\w+) (?:all )?(?:the )?(?:info|information|data) (?:about|on|for) (?:the )?(?=\w+s\b)"
)
_BARE_OF = re.compile(r"^([a-z]+) ([a-z]+) of (?=(?:an?|the|my) )")
_COUNTED = re.compile(rf" (?:{alternatives(words(_LISTS, 'counted'))}) (?=[a-z])")
_POINTED = re.compile(rf"\b(?:an? |the )?(?:{alternatives(words(_LISTS, 'pointed'))}) (?=([\w-]+))")
_NEWLY = re.compile(rf"\ban? (?:{alternatives(words(_LISTS, 'newly'))}) (?=([\w-]+))")
"""A single thing that a summary calls new, which what is done to it says already, or belies: "update a new promo"."""

_POINTED_LAST = re.compile(rf" (?:{alternatives(words(_LISTS, 'pointed'))})(?: (?:as|by|in|with)\b.*)?$")
_OBJECTS = re.compile(r"(?<!\ban)(?<!\bthe)(?<!\ball)(?<!\bany)(?<!\bof) objects?\b(?= |$)")
_QUALIFIED = re.compile(r"\b(an?|the) ([\w-]+) or ((?:[\w-]+ )?[\w-]+) (?=([\w-]+)(?: |$))")
_ARTICLE = re.compile(r"(?<= )(An?|The)(?= )")
_TWICE = re.compile(r"\b([a-z]+) \1\b")
"""A word that follows upon itself, by mistake: "the the webhook"."""
_COMMA = re.compile(r",? (?:filtered|sorted|ordered|grouped|matching|containing) .*$|,(?! (?:or|and) ) .*$|—.*$")
_PAGED = re.compile(rf" (?:{alternatives(words(_LISTS, 'paged'))})\b")
_PREPOSITIONS = word_set("prepositions", "common", "other", "joining")
_ENDS = re.compile(
    rf" (?:{alternatives((*words('prepositions', 'common'), *words('prepositions', 'joining'), 'as'))}) "
)


_SHORT = 3
"""Words up to which a wish keeps all its words."""

_WHOSE = re.compile(r"^(\w+) (?=[a-z-]+['’]s )([a-z-]+)")
_KNOWN = re.compile(r"(\w+) the ((?:[\w-]+ ){0,2}[\w-]+)")

_LOOSE = re.compile(
    rf"(?: (?:{alternatives((*words('prepositions', 'common'), *words('prepositions', 'joining')))})(?: up)?(?: to)?)+$"
)
"""Prepositions left over at the end of a wish that was cut off."""


def as_people_say(
    told: str, own: Collection[str], owners: Sequence[Sequence[str]] = (), entry: bool = False, sole: bool = False
) -> str:
    """Return a wish without lists, counts, alternatives and asides; `own` holds the words of the tool's name and path.

    `owners` are the nouns of the last two collections of the path, of which the second belongs to the first: block, children.
    Set `entry` if the path ends in the identity of its object, and `sole` if a read takes nothing that identifies a row.
    """
    wish = _TWICE.sub(r"\1", _ARTICLE.sub(lambda found: found[1].lower(), told))
    if asked := _ASKED.fullmatch(wish):
        return f"know {asked[1]}"
    wish = _POINTED_LAST.sub("", _PAGED.sub("", _COMMA.sub("", wish)))
    wish = _YOURS.sub("my", wish)
    wish = _ALL_OF_ONE.sub(lambda found: f"{found[1]}{found[3]} of {indefinite(found[2])}", wish)
    first, _, rest = wish.partition(" ")
    wish = f"{phrasal(first) or first} {rest}".strip()
    if parsed(wish).verb in _SOUGHT and is_plural(parsed(wish).head):
        wish = f"{first} for {rest}"
    wish = _BARE_OF.sub(lambda found: f"{found[1]} {found[2] if is_plural(found[2]) else f'the {found[2]}'} of ", wish)
    wish = _LIST_OF.sub(lambda found: f"{'see' if (verb := found[1] or found[2]) in SHOWING else verb} ", wish)
    wish = _COUNTED.sub(" ", wish)
    wish = _POINTED.sub(
        lambda found: found[1][:0] if is_plural(found[1]) else f"{indefinite(found[1])[: -len(found[1])]}", wish
    )
    wish = _NEWLY.sub(lambda found: f"{indefinite(found[1])[: -len(found[1])]}", wish)
    if "object" not in own:
        wish = _OBJECTS.sub("", wish) if not is_plural(_last(wish)) else _OBJECTS.sub("s", wish)
    wish = _chosen(wish, own)
    while len(wish.split()) > LONGEST_WISH:
        cuts = list(_ENDS.finditer(wish))
        if len(cuts) == 0:
            break
        wish = wish[: cuts[-1].start()]
        while is_participle(_last(wish)) or _last(wish).endswith("ing"):
            wish = wish.rpartition(" ")[0]
    if wish != told:
        wish = _LOOSE.sub("", wish)
        while len(wish.split()) > _SHORT and is_participle(_last(wish)):
            wish = _LOOSE.sub("", wish.rpartition(" ")[0])
    wish = _WHOSE.sub(lambda found: f"{found[1]} {indefinite(found[2])}", wish)
    if entry and (known := _KNOWN.fullmatch(wish)) and not is_plural(known[2]):
        wish = f"{known[1]} {with_article(known[2])}"  # the path says which one
    wish = _owned(wish, owners) if owners else wish
    wish = _unwrapped(wish, own)
    if not sole:
        return _detailed(wish)
    if (shown := _SHOWN.fullmatch(wish)) and not is_plural(shown[2]):
        wish = f"{shown[1]} the {shown[2]}"  # there is only one
    return wish


_ASKED = re.compile(
    r"(?:compute|calculate|determine|get|return|check|show|tell|find out) ((?:what|which|who|whether|how) .+)"
)
"""A read that answers a question: "compute what an order costs"."""

_SOUGHT = word_set(_LISTS, "sought")
_YOURS = re.compile(r"(?<!and )\b(?:your|owned)\b")
_ALL_OF_ONE = re.compile(r"^(\w+ all )([\w-]+)['’]s ([\w -]+)$")
"""All things of one owner: "list all customer's payments"."""
_SHOWN = re.compile(r"(get|see|view|check|return|retrieve|fetch|show) an? ((?:[\w-]+ ){0,2}[\w-]+)")


def _detailed(wish: str) -> str:
    """Rewrite "see room details" as "see the details of a room", and "order status" as "the status of an order"."""
    found = parsed(wish)
    owner = " ".join(found.thing[:-1])
    one = with_article(owner) if owner else owner
    held = "details" if found.head in _OF_ONE else found.head if found.head in _STATES else ""
    told = found.determiner and (found.determiner not in ("a", "an") or found.head != "detail")
    if told or found.rest or one == owner or not held:
        return wish
    return f"{found.verb} the {held} of {one}"


def without_details(thing: str) -> str:
    """Return a noun phrase without "the details of": "the details of a room" -> "a room"; others are unchanged."""
    return _DETAILS_OF.sub("", thing)


def _unwrapped(wish: str, own: Collection[str]) -> str:
    """Remove a last noun that only says how things are stored: "update teacher fields", "see the students list"."""
    found = parsed(wish)
    wrapper = found.head.lower()
    kept = found.thing[:-1]
    if not kept or found.rest or singular(wrapper) in own:
        return wish
    many = is_plural(kept[-1])
    if found.determiner == "my" and wrapper in _OF_ONE and wrapper not in own:
        return f"{found.verb} my {' '.join(kept)}"
    changes = found.verb not in SHOWING and wrapper in _WRAPPERS and singular(kept[-1].lower()) in own
    if not changes and not (many and wrapper in _GATHERED):
        return wish
    thing = " ".join(kept)
    said = f"the {thing}" if many else with_article(thing)
    return f"{found.verb} {said}"


_DETAILS_OF = re.compile(rf"^(?:the |all )*(?:{alternatives(words(_LISTS, 'of_one'))}) (?:of|about|on|for) ")
_WRAPPERS, _GATHERED = word_set(_LISTS, "wrappers"), word_set(_LISTS, "gathered")
"""Nouns for the stored form of one thing, and for a collection of things."""

_STATES = {"status", "state"}
_OF_ONE = word_set(_LISTS, "of_one")
"""Nouns for the details of one thing."""

SHOWING = ("get", "list", "see", "return", "retrieve", "fetch")
"""Verbs of summaries that only read."""


def _last(wish: str) -> str:
    return wish.rpartition(" ")[2]


def _chosen(wish: str, own: Collection[str]) -> str:
    """Reduce alternatives: of "a or b" keep the one that the tool is named after, and drop "x or y" before a noun."""
    wish = _QUALIFIED.sub(_unqualified, wish)
    found = _EITHER.search(wish)
    if found is None:
        return wish
    first, second = (singular(word.lower()) in own for word in (found[2], found[4]))
    if first == second:
        return wish
    kept = found[2] if first else found[4]
    before = (found[1] or "") if first else found[3] or found[1] or ""
    return f"{wish[: found.start()]}{before}{kept}{wish[found.end() :]}"


def _unqualified(found: re.Match[str]) -> str:
    if not _PREPOSITIONS.isdisjoint((found[4], _last(found[3]))):
        return found[0]
    return "the " if found[1] == "the" else indefinite(found[4])[: -len(found[4])]


_EITHER = re.compile(r"(?:\b(an? |the )|^)([\w-]+) (?:or|and/or) (an? |the )?([\w-]+)")


def _owned(wish: str, owners: Sequence[Sequence[str]]) -> str:
    """Rewrite "get block children", for a path /blocks/{id}/children, as "get the children of a block"."""
    found = parsed(wish)
    owner, things = ([singular(word) for word in words] for words in owners)
    said = [singular(word.lower()) for word in found.thing]
    mine = {"my", "your"} & set(found.determiner.split())
    if mine or found.rest or found.verb not in {*_GIVING, *_KEEPING} or said != [*owner, *things]:
        return wish
    preposition, size = _GIVING.get(found.verb, "of"), len(owner)
    thing, whose = " ".join(found.thing[size:]), indefinite(singular(" ".join(found.thing[:size])))
    one_of_many = not is_plural(thing) and is_plural(owners[1][-1])
    if preposition == "of" and not one_of_many:
        thing = f"the {thing}"
    return f"{found.verb} {with_article(thing)} {preposition} {whose}"


_KEEPING = word_set(_LISTS, "keeping")
"""Verbs after which the thing stays with its owner."""

_GIVING = table(_LISTS, "giving")
"""Verbs that move a thing to or from another one -> the preposition between them."""
