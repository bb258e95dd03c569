"""The summary of a tool -> an imperative phrase: "Retrieves all project tasks." -> "retrieve all project tasks"."""

import re
from collections.abc import Collection

from interplay.generators.phrases.service_jargon import without_model
from interplay.schemas.words.articles import DETERMINERS, UNCOUNTABLE, indefinite, with_article
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, table, word_set, words
from interplay.schemas.words.nouns import PERSON_NOUNS, singular
from interplay.schemas.words.verbs import PARTICLES, TOLD
from interplay.schemas.words.word_classes import can_be_adverb

_LISTS = beside(__file__)

_LEAD = re.compile(
    r"^(?:(?:(?:this|the)\s+(?:endpoint|method|operation|api|call|function|tool|route)|[\w.]+(?=\s+is\s+used\s+to\s))\s+)?(?:is\s+)?(?:can\s+be\s+)?"
    r"(?:allows?\s+(?:you|users?|clients?|the\s+\w+)\s+to|lets?\s+(?:you|users?)|enables?\s+(?:you|users?)\s+to|"
    r"used?\s+(?:(?:this|the)\s+\w+\s+)?to|use\s+this\s+(?:endpoint|method|tool|call|api)\s+to|endpoint\s+(?:to|for))\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:by|using|with|via|from|for|based\s+on|matching)\s+(?:an?\s+|the\s+|its\s+|their\s+|your\s+|his\s+|her\s+|given\s+|specified\s+|"
    r"provided\s+|single\s+|unique\s+|supplied\s+)*(?:[\w\s'’]{0,20}\b)?(?:ids?|identifiers?|uuids?|keys?|id\s+supplied|data|info(?:rmation)?|payload|json\s+\w+|"
    r"input\s+array|tokens?|(?:specified|given|provided)\s+\w+)\b.*$",
    re.IGNORECASE,
)
LONGEST = 70
"""Maximum length of a phrase, in characters."""

_RELATIVE = re.compile(r" (?:that|which|who|whose|where|you(?:'|’)?ve|you have)\b.*$")
_ASKING = re.compile(r"(?:who|where|what|which)\b")
"""Question words after a verb of seeing: "see who favourited a status"."""

_ASIDE = re.compile(
    r",? (?:and )?optionally .*$|, or (?:both|either|any|all)(?: of (?:them|these))?$|,? or (?:get |list |see )?all (?:the )?\w+$"
    r"|,? by (?:[\w-]+,? ){1,4}(?:and|or|and/or) (?:[\w-]+ ){0,2}[\w-]+$"
    r"|,? by (?:the |an? |its |their )?(?:[\w-]+ ){1,3}of (?:one|any|some|each) of .*$"
    rf"|,? (?:with|using) (?:[\w-]+ ){{0,2}}(?:{alternatives(words(_LISTS, 'paged'))})\b.*$"
    rf"|(?<=\w) (?:in|to|from|within|on) (?:the |our |your )?(?:[\w-]+ ){{0,2}}(?:{alternatives(words(_LISTS, 'kept_in'))})$",
    re.IGNORECASE,
)
"""Additions of a summary that a user would not say."""

_LOOSE = re.compile(
    rf"(?:[ ,]+(?:{alternatives((*words('stop_words', 'articles'), *words('prepositions', 'common'), *words(_LISTS, 'loose')))}))+$",
    re.IGNORECASE,
)
_COMES_IN = re.compile(r"(?:check|clock|sign|log|opt)s? (?:an? |the )?(?:[\w-]+ ){1,3}(?:in|out)$", re.IGNORECASE)
"""A verb whose particle comes last: "check a patient in"."""
_BELONGING = re.compile(rf" (?:{alternatives(words(_LISTS, 'belonging'))}) (?=(?:an?|the|your|my) )", re.IGNORECASE)
_CUTS = re.compile(rf" (?:{alternatives(words(_LISTS, 'cuts'))})\b")


def _shortened(text: str) -> str:
    """Return a phrase without relative clause and loose end, cut at prepositions until it is short enough."""
    first, _, rest = text.partition(" ")
    text = _ASIDE.sub("", f"{first} {rest}" if _ASKING.match(rest) else _RELATIVE.sub("", text))
    if _COMES_IN.match(text):
        return text
    for cut in reversed(list(_CUTS.finditer(text))):
        if len(text) > LONGEST:
            text = text[: cut.start()]
    return _LOOSE.sub("", text).strip(" .,")


_READ = 2_000
"""Characters of a summary that are read; unclosed brackets cost quadratic time."""

_SEVERAL = re.compile(r"(?<=\w)\((e?s)\)")
"""A noun with an optional plural: "assignment(s)"."""

_OUTDATED = re.compile(r"(?:^|(?<=\s))(?:DEPRECATED|Deprecated:)(?=\s|$)")
_DONE_BY = table(_LISTS, "done_by")
"""Nouns of actions in summaries -> their verbs."""

_NOMINAL = re.compile(
    rf"^(?:(?:an?|the) )?(?:(?:paginated|full|complete) )?({alternatives(_DONE_BY)}) of ", re.IGNORECASE
)
_NOMINAL_LAST = re.compile(
    rf"^(?:(?:an?|the) )?((?:[\w'-]+ ){{1,3}})({alternatives(noun for noun, verb in _DONE_BY.items() if verb != 'list')})$",
    re.IGNORECASE,
)
"""An action noun after its object: "Customer Registration"."""

IN_BULK = word_set(_LISTS, "in_bulk")
"""Words beside a verb that is done to many things at once."""

_AT_ONCE = re.compile(
    rf"^(?:{alternatives(IN_BULK)})[ -](?=(?:{alternatives(words(_LISTS, 'done_at_once'))})\w* )"
    rf"|\b(?:an?|the) (?:{alternatives(IN_BULK)}) of (?=\w)",
    re.IGNORECASE,
)
"""What only says that many things are handled at once: "bulk delete users", "delete a batch of users"."""


_DETAILS = re.compile(
    r"^(deletes?|removes?|cancels?|updates?|edits?|changes?|modif(?:y|ies)) (?:(?!of\b)[\w-]+ ){0,3}?"
    rf"(?:{alternatives(words(_LISTS, 'contents'))}) of ",
    re.IGNORECASE,
)
"""What a row consists of, which is deleted or changed together with it: "updates all editable attributes of"."""


def phrase_of_summary(text: str, own: Collection[str] = (), done: str = "") -> str:
    """Return an imperative phrase from a summary; empty if none can be made.

    "Retrieves all project tasks." -> "retrieve all project tasks"

    `own` holds the words of the tool's name and path, which are kept in the summary; `done` is the last path step if that may
    be the verb of the action: "debit".
    """
    text = _SEVERAL.sub(r"\1", text[:_READ])
    text = _OUTDATED.sub(" ", without_model(re.sub(r"[`*_#]|\([^)]*\)|\[|\]|<[^>]*>", " ", text[:_READ])))
    text = re.sub(r"\s+(?=[.;!?](?:\s|$))", "", re.sub(r"\s+", " ", text).strip())
    if _WIRE.match(text):
        return ""
    text = re.sub(r",? given (?:an?|the|its|their) .*$|,? (?:e\.g\.|for example|for instance)(?:,| |$).*$", "", text)
    text = _FIELDS_OF.sub(r"\1 ", _PURPOSE.sub("", _INFORMED.sub(r"\1", text)))
    text = _REQUEST.sub("", _METHOD.sub(lambda found: f"{_BY_METHOD[found[1].upper()]} ", text))
    text = _RETURNED.sub(r"\1", text)
    text = re.split(r"(?<=[a-z0-9\)])[.;:!?](?:\s|$)|\n|, (?:which|and then|so|based)\b| - ", text)[0].strip(" .")
    text = _DETAILS.sub(r"\1 ", _AT_ONCE.sub("", _without_subject(text)))
    text = _NOMINAL.sub(lambda found: f"{_DONE_BY[found[1].lower()]} ", text)
    text = _NOMINAL_LAST.sub(_as_deed, text)
    text = _IS_IN.sub(r"\1the \2 of \3", text)
    text = _BELONGING.sub(" of ", _shortened(_TAIL.sub("", _LEAD.sub("", text)).strip(" .,")))
    first, _, rest = text.partition(" ")
    first, slash, either = first.partition("/")
    verb = _base_verb(first.lower()) or _own_verb(first.lower(), rest, own)
    named = any(singular(word) in own for word in name_tokens(rest))
    verb = verb or (done if named and done in _forms(first.lower()) else "")
    if not verb or not rest or len(text) > LONGEST or (slash and not _base_verb(either.lower())):
        return ""
    rest = _LISTED.sub("", rest)
    if rest.lower() in _QUANTIFIERS:
        return ""  # it has no object
    other = _OR_ELSE.match(rest)
    second = _base_verb(other[2].lower()) if other else ""
    rest = rest[other.end() :] if other and second else rest
    upserts = verb in _MAKING and second in _CHANGING  # a user who asks to create something means a new thing
    verbs = f"{verb} or {second}" if other and second and other[1] == "or" and not upserts else verb
    rest = _JOINED.sub(lambda found: _apart(found[0], own), rest)
    rest = " ".join(
        word if not word[1:].islower() or word in ("I",) else word[0].lower() + word[1:] for word in rest.split()
    )
    rest = re.sub(r"\b(?:an? )?existing,? (?:\w+, )*(\w+)", _fitted, rest)
    rest = re.sub(r"\b(?:one or more|single|specific|specified|given|particular|certain)\s+(?:new\s+)?", "", rest)
    filling = _FILLING_NOUN.search(rest)
    rest = rest[: filling.start()] if filling and filling[1] not in own else rest
    if rest.endswith(_UNFINISHED) and not _COMES_IN.match(text):
        return ""
    said = said_of(rest, own)
    particle, _, thing = said.partition(" ")
    if thing.partition(" ")[0] in DETERMINERS and can_be_adverb(particle) and particle not in DETERMINERS:
        return f"{verbs} {said}"  # "take back a borrowed book"
    if particle in PARTICLES - _BETWEEN and thing and thing.partition(" ")[0] not in (*_BETWEEN, "and", "or"):
        return f"{verbs} {particle} {with_article(thing)}"  # "check out rental"
    return f"{verbs} {said if particle in _BETWEEN else with_article(said)}"


def _as_deed(found: re.Match[str]) -> str:
    """Rewrite an action noun as a verb: "Customer Registration" -> "register Customer"."""
    thing, noun = found[1].strip(), found[2].lower()
    return found[0] if _base_verb(thing.split()[0].lower()) else f"{_DONE_BY[noun]} {thing}"


def _without_subject(text: str) -> str:
    """Remove the subject of a summary: "Admin creates a tournament" -> "creates a tournament"."""
    found = _SUBJECT.match(text)
    verb = _base_verb(found[2].lower()) if found is not None and found[1].lower() in _SUBJECTS else ""
    return text[found.start(2) :] if found is not None and verb not in ("", found[2].lower()) else text


_SUBJECT = re.compile(r"(?:the |an? )?(\w+) (\w+s)\b", re.IGNORECASE)
_SUBJECTS = PERSON_NOUNS | word_set("people", "running")

_LISTED = re.compile(r"^(?:(?:a|the) )?list (?!of\b)(?=(?:\w+ )*\w+s$)", re.IGNORECASE)
"""A word about the form of the answer: "Get list connected devices"."""

_JOINED = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")


def _apart(word: str, own: Collection[str]) -> str:
    """Split the name of a schema if the tool has its words: "CompanyGateway" -> "company gateway"."""
    parts = name_tokens(word)
    return " ".join(parts) if {singular(part) for part in parts} <= {singular(part) for part in own} else word


_RETURNED = re.compile(r"^(\w+ \S.*?),? and (?:then )?returns? .*$", re.IGNORECASE)
"""A clause about the return value: "register a member and return the member id"."""

_PURPOSE = re.compile(r" in order to .*$| so that .*$")
_INFORMED = re.compile(r"^(\w+ (?:an?|the) [\w -]+?) given \w+\b(?=[.;]|$).*$")
"""A clause about the input: "creates a letter given information"."""

_FIELDS_OF = re.compile(r"^(\w+) (?:the |an? )?[\w', -]+ and/or [\w' -]+? of (?=the |an? )")
"""Fields that a summary enumerates: "updates the description and/or the title of a note"."""

_IS_IN = re.compile(
    r"^(\w+ )(?:all )?(?:the )?(\w+s) (an? \w+) (?:is|belongs|is a member) (?:in|to|of)$", re.IGNORECASE
)
"""A clause about membership: "get projects a task is in"."""

_WIRE = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) /?[\w{}-]+/[\w{}/.-]*$")
"""A summary that is only method and path: "GET api/videos/{id}"."""

_MAKING, _CHANGING = {"create", "add", "insert"}, {"update", "edit", "change", "replace"}
_BETWEEN = word_set("prepositions", "common")
_QUANTIFIERS = word_set("stop_words", "quantifiers")

_METHOD = re.compile(r"^HTTP (GET|POST|PUT|PATCH|DELETE)\b:?\s*", re.IGNORECASE)
_BY_METHOD = {"GET": "get", "POST": "add", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_REQUEST = re.compile(
    r"[,;:]?\s+(?:by\s+)?(?:do|doing|make|making|send|sending|issue|issuing|perform|performing)\s+(?:an?\s+)?(?:HTTP|GET|POST|PUT|PATCH|DELETE)\b.*$",
    re.IGNORECASE,
)
"""A clause about the HTTP request."""

_OR_ELSE = re.compile(r"(or|and) (\w+) ")
"""A second verb after the first: "creates or updates a tag"."""

_UNFINISHED = (" of", " for", " to", " from", " with", " in")
_FILLING_NOUN = re.compile(
    r"(?<!\ba)(?<!\ban)(?<!\bthe)(?<!\bthis)(?<!\bany)(?<!\beach)(?<!\ball) (resource|object|entity|record)s?$"
)
_INDIRECT = re.compile(
    r" (to|from|for|of|in|on|with) ((?:(?!(?:to|from|for|of|in|on|with|by|at|and|or) )[A-Za-z]+ ){0,2}[a-z]+)$"
)


def said_of(thing: str, own: Collection[str]) -> str:
    """Return a noun phrase with an article before its last prepositional object if that is singular: "account for a user"."""
    return _INDIRECT.sub(lambda found: _indirect(found, own), thing)


def _indirect(found: re.Match[str], own: Collection[str]) -> str:
    """Return preposition and noun with an article if the noun is singular; a single word must be among the tool's `own`."""
    words = found[2].split()
    head = words[-1]
    if not DETERMINERS.isdisjoint(words[1:]):
        return found[0]  # a clause: "an invitation to join the organization"
    named = head in own if len(words) == 1 else not head.endswith(("ing", "ed", "ly")) and words[0] not in DETERMINERS
    many = any(word in UNCOUNTABLE | PARTICLES | {"and", "or", "own"} for word in words)
    many = many or any(singular(word) != word for word in words if word.islower())
    return f" {found[1]} {with_article(found[2])}" if named and not many else found[0]


def _fitted(found: re.Match[str]) -> str:
    """Return the noun after "existing", with a fitting article if it had one."""
    return found[1] if found[0].startswith("existing") else indefinite(found[1])


def _base_verb(word: str) -> str:
    return next((candidate for candidate in _forms(word) if candidate in TOLD), "")


_ARTICLES = word_set("stop_words", "articles", "quantifiers") | {"your", "multiple", "several", "existing"}


def _own_verb(word: str, rest: str, own: Collection[str]) -> str:
    """Return a summary's first word as a verb if it is in the tool's name and an object follows: "Optimizes an itinerary"."""
    follows = rest.split(" ", 1)[0].lower() in _ARTICLES
    return next((candidate for candidate in _forms(word) if candidate in own and follows), "")


def _forms(word: str) -> tuple[str, ...]:
    """Return the possible base forms of a verb: the word itself, or without the ending of the third person or gerund."""
    return (word, word[:-1] if word.endswith("s") else "", word[:-2] if word.endswith("es") else "", word[:-3] + "y" if word.endswith("ies") else "",
            word[:-3] if word.endswith("ing") else "", word[:-3] + "e" if word.endswith("ing") else "")  # fmt: skip
