"""A tool -> verb phrases in which a person would ask for it."""

import re
from collections.abc import Collection

from interplay.generators.values.modelled import plain_path, without_group, without_model
from interplay.generators.values.people import ASKED_FOR, hands_over
from interplay.generators.values.places import phrase_of_place
from interplay.generators.values.plurals import UNCOUNTED
from interplay.generators.values.verbs import FILLING, PARTICLES, TOLD, VERBS
from interplay.schemas.fields import name_tokens, singular
from interplay.schemas.tools import Tool

_LEAD = re.compile(
    r"^(?:(?:(?:this|the)\s+(?:endpoint|method|operation|api|call|function|tool|route)|[\w.]+(?=\s+is\s+used\s+to\s))\s+)?(?:is\s+)?(?:can\s+be\s+)?"
    r"(?:allows?\s+(?:you|users?|clients?|the\s+\w+)\s+to|lets?\s+(?:you|users?)|enables?\s+(?:you|users?)\s+to|"
    r"used?\s+(?:(?:this|the)\s+\w+\s+)?to|use\s+this\s+(?:endpoint|method|tool|call|api)\s+to|endpoint\s+(?:to|for))\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:by|using|with|via|from|for|based\s+on|matching)\s+(?:an?\s+|the\s+|its\s+|their\s+|your\s+|his\s+|her\s+|given\s+|specified\s+|"
    r"provided\s+|single\s+|unique\s+|supplied\s+)*(?:[\w\s]{0,20}\b)?(?:ids?|identifiers?|uuids?|keys?|id\s+supplied|form\s+data|json\s+\w+|"
    r"input\s+array|tokens?|(?:specified|given|provided)\s+\w+)\b.*$",
    re.IGNORECASE,
)
_PLAIN = {"retrieve": ("get", "look up", "pull up"), "fetch": ("get", "pull up"), "return": ("get", "see"), "list": ("see", "get", "list"),
          "get": ("get", "see", "check"), "query": ("search", "look through"), "lookup": ("look up",), "post": ("post",), "patch": ("update",),
          "put": ("update", "set"), "modify": ("change", "update"), "insert": ("add",), "read": ("read", "see"), "show": ("see", "check"),
          "describe": ("see", "look at"), "edit": ("edit", "change"), "update": ("update", "change"), "delete": ("delete", "remove"),
          "remove": ("remove", "delete"), "create": ("create", "set up", "add"), "find": ("find", "look for"), "view": ("view", "see"),
          "display": ("see", "view"), "destroy": ("delete",), "provide": ("get", "see"), "obtain": ("get", "look up"), "determine": ("find out", "check"),
          "perform": ("run", "carry out"), "initiate": ("start",), "instantiate": ("create",), "establish": ("set up",), "wipe": ("clear",), "log": ("log",), "paginate": ("see", "list", "look through")}  # fmt: skip
LONGEST = 70
_DETERMINERS = set(
    "a an the all any each every some my your our their his her its this that these those one two multiple several many more "
    "existing available current it them which what whether if who how when where into out up off to for in on by as user's".split()
)
_UNCOUNTABLE = UNCOUNTED | set(
    "children access help inventory advice money time content usage history availability "
    "details status statistics permission activity mail email weather traffic storage membership billing pricing roaming".split()
)


def intents_of(tool: Tool) -> tuple[str, ...]:
    """Return verb phrases for asking: the tool's own, else made from its summary, else from its name."""
    if tool.phrases or hands_over(tool):
        return tool.phrases or ASKED_FOR
    named = _from_name(tool.original_name, tool.effect)
    described = (tool.summary, tool.description.split("\n")[0], _INNER.split(tool.description, 1)[-1].split("\n")[0])
    told = [text.removeprefix(f"{tool.original_name} ") for text in described]
    mine = tool.http is not None and "me" in tool.http.path.strip("/").split("/")
    own = {singular(token) for token in name_tokens(f"{tool.original_name} {tool.http.path if tool.http else ''}")}
    phrases = [phrase for text in told if (phrase := _from_summary(text, own)) and not _contradicts(phrase, named)]
    phrase = next((phrase for phrase in phrases if phrase.split()[1] not in _LACKING), next(iter(phrases), ""))
    phrase = _of_me(_as_ones_own(phrase, mine) or _from_place(tool) or named)
    verb, _, rest = phrase.partition(" ")
    if not rest:
        return (phrase,)
    return tuple(f"{option} {rest}" for option in _PLAIN.get(verb, (verb,)))


_SIGNED_IN = r"(?:the )?(?:(?:current(?:ly)?|authenticated|logged[ -]in|signed[ -]in) )+user"
_ONES_OWN = (re.compile(rf"\b{_SIGNED_IN}['’]s\b"), re.compile(r"\b(?:the |a )?user['’]s\b"))
_WHAT_ONE_DOES = re.compile(
    r"\b(if|whether) (?:(?:the|a) )?(?:current(?:ly)? |authenticated |logged[ -]in )*user (\w+?)s\b"
)
_TOLD_OF = re.compile(
    r"^(notify|remind|alert|warn|inform)(?: (?:the )?users?)? (?=if |when |whenever |once |about |of |that )"
)
_NOTICES = {"notify": "a notification", "remind": "a reminder", "alert": "an alert", "warn": "a warning", "inform": "a notice"}  # fmt: skip
"""What one gets whom a tool tells of something."""
_FOR_ONESELF = re.compile(rf" (?:for|of|by|from|as) {_SIGNED_IN}$")


def _as_ones_own(phrase: str, mine: bool) -> str:
    """Return a phrase as the one says it whom it calls the current user: "get my profile"."""
    phrase = _TOLD_OF.sub(lambda found: f"get {_NOTICES[found[1]]} ", _WHAT_ONE_DOES.sub(r"\1 I \2", phrase))
    phrase = _FOR_ONESELF.sub("", phrase) if len(phrase.split()) > _SHORT + 2 else phrase
    return _ONES_OWN[mine].sub("my", _ONES_OWN[0].sub("my", phrase))


_ME = re.compile(r"^(\w+) (?:an? |the )?me\b ?")


def _of_me(phrase: str) -> str:
    """Return a phrase that calls its user `me`, as paths do, as one about what is the user's own."""
    found = _ME.match(phrase)
    return f"{found[1]} my {phrase[found.end() :] or 'account'}" if found else phrase


def _from_place(tool: Tool) -> str:
    """Return a phrase by the path, or the first argument, where the name does not say what it acts on."""
    tokens = [token for token in name_tokens(tool.original_name) if token not in FILLING and not token.isdigit()]
    verb = tokens[0] if tokens and tokens[0] in VERBS - _METHODS else ""
    if tool.http is None:
        needed = tool.parameters.get("required") or [""]
        stem = [token for token in name_tokens(str(needed[0])) if token not in ("id", "ids", "uuid", "key", "number")]
        return f"{verb} {_with_article(' '.join(stem))}" if verb and len(tokens) == 1 and stem else ""
    path = {singular(token) for token in name_tokens(tool.http.path)} | _LINKING
    if len(tokens) > 1 and tokens[0] in VERBS and any(singular(token) not in path for token in tokens[1:]):
        return ""  # it speaks of what the path does not name
    return phrase_of_place(tool.http.method, plain_path(tool.http.path), verb)


_LACKING = {"from", "to", "by", "of", "with", "for", "into"}
"""Words that do not follow a verb at once where the phrase says what it is done to: "remove from batch"."""
_LINKING = set("by a an the of for to in from with and multiple several all id ids".split())
_METHODS = {"get", "put", "post", "patch", "delete", "run", "list", "show"}
_INNER = re.compile(r"\b(?:tool|function|method)? ?description: ", re.IGNORECASE)
_KINDS = (set("create add insert post".split()), set("update edit change modify patch rename".split()), set("delete remove destroy".split()))  # fmt: skip
_SHORT = 3


def _contradicts(phrase: str, named: str) -> bool:
    """Tell whether a summary was copied from another tool: it makes what the name changes, or it speaks of another thing."""
    first, second = phrase.split(), named.split()
    kinds = [kind for kind in _KINDS if first[0] in kind or second[0] in kind]
    if len(kinds) > 1:
        return True
    things = [{singular(word.lower()) for word in words[1:]} - {"a", "an", "the"} for words in (first, second)]
    return (
        len(first) <= _SHORT and first[0] in ("get", "return") and len(second) <= _SHORT and not things[0] & things[1]
    )


_RELATIVE = re.compile(r" (?:that|which|who|whose|where|you(?:'|’)?ve|you have)\b.*$")
_ASIDE = re.compile(r",? and optionally .*$|, or (?:both|either|any|all)(?: of (?:them|these))?$")
"""What a summary adds that nobody says who asks for it."""
_LOOSE = re.compile(
    r"(?:[ ,]+(?:an?|the|associated|related|belonging|identified|based|matching|specified|given|its|their|your|"
    r"with|of|in|on|for|by|to|from|and|or|into|within|using|via|as|at))+$"
)
_CUTS = re.compile(r" (?:using|based|with|by|from|for|in|within|via|at|so|and)\b")


def _shortened(text: str) -> str:
    """Return a phrase without its relative clause, its last parts while it is too long, and its loose end."""
    text = _ASIDE.sub("", _RELATIVE.sub("", text))
    for cut in reversed(list(_CUTS.finditer(text))):
        if len(text) > LONGEST:
            text = text[: cut.start()]
    return _LOOSE.sub("", text).strip(" .,")


_READ = 2_000
"""Characters of a summary that are read; brackets that stay open cost the square of them."""
_OUTDATED = re.compile(r"(?:^|(?<=\s))(?:DEPRECATED|Deprecated:)(?=\s|$)")
_NOMINAL = re.compile(
    r"^(?:(?:an?|the) )?(?:(?:paginated|full|complete) )?(list|listing|retrie?val|creation|deletion|removal|update|cancell?ation) of ",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"^(?:bulk|batch|mass)[ -](?=(?:creat|updat|delet|remov|add|edit|get|list|read|import|export|insert|retriev|fetch|mov|send)\w* )",
    re.IGNORECASE,
)
_DONE_BY = {"list": "list", "listing": "list", "retrieval": "get", "retrival": "get", "creation": "create", "deletion": "delete",
            "removal": "remove", "update": "update", "cancellation": "cancel", "cancelation": "cancel"}  # fmt: skip
"""Nouns by which summaries name what is done -> the verbs that say it."""


def _from_summary(text: str, own: Collection[str] = ()) -> str:
    """Return an imperative phrase from a summary: "Retrieves all project tasks." -> "retrieve all project tasks".

    `own` are the words of the tool's name and path, which are no fillers in its summary.
    """
    text = _OUTDATED.sub(" ", without_model(re.sub(r"[`*_#]|\([^)]*\)|\[|\]|<[^>]*>", " ", text[:_READ])))
    text = re.sub(r"\s+(?=[.;!?](?:\s|$))", "", re.sub(r"\s+", " ", text).strip())
    text = re.sub(r",? given (?:an?|the|its|their) .*$|,? (?:e\.g\.|for example|for instance)(?:,| |$).*$", "", text)
    text = _REQUEST.sub("", _METHOD.sub(lambda found: f"{_BY_METHOD[found[1].upper()]} ", text))
    text = re.split(r"(?<=[a-z0-9\)])[.;:!?](?:\s|$)|\n|, (?:which|and then|so|based)\b| - ", text)[0].strip(" .")
    text = _AT_ONCE.sub("", text)
    text = _NOMINAL.sub(lambda found: f"{_DONE_BY[found[1].lower()]} ", text)
    text = _IS_IN.sub(r"\1the \2 of \3", text)
    text = _shortened(_TAIL.sub("", _LEAD.sub("", text)).strip(" .,"))
    first, _, rest = text.partition(" ")
    first, slash, either = first.partition("/")
    verb = _base_verb(first.lower()) or _own_verb(first.lower(), rest, own)
    if not verb or not rest or len(text) > LONGEST or (slash and not _base_verb(either.lower())):
        return ""
    other = _OR_ELSE.match(rest)
    second = _base_verb(other[2].lower()) if other else ""
    rest = rest[other.end() :] if other and second else rest
    verbs = f"{verb} or {second}" if other and second and other[1] == "or" else verb
    rest = " ".join(
        word if not word[1:].islower() or word in ("I",) else word[0].lower() + word[1:] for word in rest.split()
    )
    rest = re.sub(r"\b(?:an? )?existing,? (?:\w+, )*(\w+)", _fitted, rest)
    rest = re.sub(r"\b(?:one or more|single|specific|specified|given|particular|certain)\s+(?:new\s+)?", "", rest)
    filling = _FILLING_NOUN.search(rest)
    rest = rest[: filling.start()] if filling and filling[1] not in own else rest
    if rest.endswith(_UNFINISHED):
        return ""
    return f"{verbs} {_with_article(_INDIRECT.sub(lambda found: _indirect(found, own), rest))}"


_IS_IN = re.compile(
    r"^(\w+ )(?:all )?(?:the )?(\w+s) (an? \w+) (?:is|belongs|is a member) (?:in|to|of)$", re.IGNORECASE
)
"""Where something is: "get projects a task is in"."""
_METHOD = re.compile(r"^HTTP (GET|POST|PUT|PATCH|DELETE)\b:?\s*", re.IGNORECASE)
_BY_METHOD = {"GET": "get", "POST": "add", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_REQUEST = re.compile(
    r"[,;:]?\s+(?:by\s+)?(?:do|doing|make|making|send|sending|issue|issuing|perform|performing)\s+(?:an?\s+)?(?:HTTP|GET|POST|PUT|PATCH|DELETE)\b.*$",
    re.IGNORECASE,
)
"""What a summary tells of the wire."""

_OR_ELSE = re.compile(r"(or|and) (\w+) ")
"""A second verb after the first: "creates or updates a tag"."""
_UNFINISHED = (" of", " for", " to", " from", " with", " in")
_FILLING_NOUN = re.compile(
    r"(?<!\ba)(?<!\ban)(?<!\bthe)(?<!\bthis)(?<!\bany)(?<!\beach)(?<!\ball) (resource|object|entity|record)s?$"
)
_INDIRECT = re.compile(r" (to|from|for|of|in|on) ((?:[a-z]+ ){0,2}[a-z]+)$")


def _indirect(found: re.Match[str], own: Collection[str]) -> str:
    """Return a last noun with an article where it is one thing, and the tool's own if it is a single word: "a tag to shipment"."""
    words = found[2].split()
    head = words[-1]
    named = head in own if len(words) == 1 else not head.endswith(("ing", "ed", "ly")) and words[0] not in _DETERMINERS
    many = any(word in _UNCOUNTABLE | PARTICLES | {"and", "or", "own"} for word in words)
    many = many or any(singular(word) != word for word in words)
    return f" {found[1]} {_with_article(found[2])}" if named and not many else found[0]


def _fitted(found: re.Match[str]) -> str:
    """Return the noun that was called existing, with the article that it had."""
    return found[1] if found[0].startswith("existing") else f"{'an' if found[1][0] in 'aeio' else 'a'} {found[1]}"


def _with_article(noun: str) -> str:
    """Put an article before a singular noun phrase that has none, or the wrong one: "pet by name" -> "a pet by name"."""
    noun = _WRONG_AN.sub("a ", _WRONG_A.sub("an ", noun))
    if re.fullmatch(r"an? \w+s", noun, re.IGNORECASE):
        return f"{noun.split()[0]} {singular(noun.split()[1])}"
    head = re.split(
        r" (?:by|for|of|in|on|to|from|with|using|into|as|at|per|via|about|inside|under|and|or|that|when|if|not|out|up|off)\b",
        noun,
    )[0].split()
    if (
        len(head) > 1
        and head[-2].endswith("s")
        and _MADE.search(f"{head[-1]} {noun.partition(' '.join(head))[2].strip()}")
    ):
        head = head[:-1]
    if len(head) == 2 and head[0] in ("on", "off") and head[1].islower():
        return f"{head[0]} {_with_article(head[1])}" if noun == " ".join(head) else noun
    if (
        not head
        or "&" in head
        or head[0].lower() in _DETERMINERS | PARTICLES | {"about"}
        or (head[0].endswith("ing") and head[1:] and head[1].lower() in _DETERMINERS)
        or head[-1].lower() in _UNCOUNTABLE
        or (head[-1][0].isupper() and head[-1] not in _COUNTED)
    ):
        return noun
    if head[-1].endswith("s") and not head[-1].endswith(("ss", "us", "is")):
        return noun
    return f"{'an' if re.match(_VOWEL, noun.lower()) else 'a'} {noun}"


_COUNTED = {"URL", "ID", "PDF", "VPC", "CDN"}
"""Names in capitals of which there may be one or several."""

_MADE = re.compile(r"^(?:made|sent|held|given|[a-z]+ed) (?:by|to|in|for|from|on|with)\b")
"""How several things came about, after their noun: "reactions made by a user"."""
_VOWEL = r"(?:[aeio](?!ne\b|ne-|u)|au|ou|u(?:pd|pl|nre|nk|n(?:us|av)))"
_WRONG_AN = re.compile(r"\ban (?=us(?:er|age)|uni(?:[tqv]|on|fied)|url\b|utili)")
_WRONG_A = re.compile(rf"\ba (?={_VOWEL}[a-z]{{2}})")
"""An article that does not fit the noun after it; of letters alone ("a UI") nobody knows how they are spoken."""


def _base_verb(word: str) -> str:
    return next((candidate for candidate in _forms(word) if candidate in TOLD), "")


_ARTICLES = {"a", "an", "the", "all", "any", "each", "every", "your", "one", "multiple", "several", "existing"}


def _own_verb(word: str, rest: str, own: Collection[str]) -> str:
    """Return the first word of a summary as a verb where the tool is called so and a thing follows: "Optimizes an itinerary"."""
    follows = rest.split(" ", 1)[0].lower() in _ARTICLES
    return next((candidate for candidate in _forms(word) if candidate in own and follows), "")


def _forms(word: str) -> tuple[str, ...]:
    """Return what a verb may be that is written so: it, the third person of it, or its gerund."""
    return (word, word[:-1] if word.endswith("s") else "", word[:-2] if word.endswith("es") else "", word[:-3] + "y" if word.endswith("ies") else "",
            word[:-3] if word.endswith("ing") else "", word[:-3] + "e" if word.endswith("ing") else "")  # fmt: skip


def _from_name(name: str, effect: str) -> str:
    tokens = [token for token in without_group(name_tokens(name.split(".")[-1])) if not re.match(r"^v?\d+$", token)]
    if len(tokens) > 2 and tokens[0] in ("get", "post", "put") and tokens[1] in _ACTS:
        tokens = tokens[1:]  # named after its address: `get-search-members`
    position = next((index for index, token in enumerate(tokens) if token in VERBS), None)
    if position is None and effect == "read" and tokens[1:] and tokens[0] in ("direction", "directions"):
        return f"get {' '.join(tokens[1:])} directions"
    if position is None and len(tokens) > 1 and tokens[-1].endswith("ed"):
        return f"mark {_with_article(' '.join(tokens[:-1]))} as {tokens[-1]}"
    if position is None and effect == "read":
        return f"get {_with_article(' '.join(tokens)) or 'it'}"
    if position is None:
        return f"use {' '.join(tokens) or 'it'}"
    rest = tokens[:position] + tokens[position + 1 :] if position == len(tokens) - 1 else tokens[position + 1 :]
    rest = [token for token in rest if token not in ("a", "an", "the")]
    cut = next((index for index, token in enumerate(rest) if token == "by"), len(rest))
    noun = " ".join(rest[:cut] or rest)
    if not noun:
        thing = " ".join(singular(word) for word in name_tokens(name.split(".")[-2])) if "." in name else ""
        return f"{tokens[position]} {_with_article(thing) if thing else 'it'}"
    return f"{tokens[position]} {_with_article(noun)}"


_ACTS = set("search list find export import send cancel archive restore reset copy move merge convert".split())
