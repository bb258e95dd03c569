"""A tool -> verb phrases with which a person would ask for it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from interplay.generators.phrases.escalation import ASKED_FOR, hands_over
from interplay.generators.phrases.path_phrases import phrase_of_place
from interplay.generators.phrases.plain_wishes import SHOWING, as_people_say
from interplay.generators.phrases.service_jargon import plain_path, without_group
from interplay.generators.phrases.summary_phrases import IN_BULK, phrase_of_summary, said_of
from interplay.generators.phrases.wish_grammar import Naming, objection_to, parsed, without_aside
from interplay.schemas.json.fields import IDENTIFYING, object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.articles import DETERMINERS, UNCOUNTABLE, with_article
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import is_plural, plural, singular
from interplay.schemas.words.verbs import FILLING, VERBS
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_predicate, is_verb_alone, phrasal

_LISTS = beside(__file__)

_USERS = word_set("people", "served", "actors")
"""Nouns for callers of a service, by which its paths mean whoever makes the call."""

_PLAIN, _RECEIVED, _READ = table(_LISTS, "plain"), word_set(_LISTS, "received"), word_set(_LISTS, "read")
"""Verb -> its plain synonyms; nouns of things that one gets to keep; nouns of things that one reads."""

_MADE = tuple((verb, frozenset(nouns.split())) for verb, nouns in table(_LISTS, "made").items())
"""Verb -> nouns of what people make with that verb."""


def _intents_of(tool: Tool) -> tuple[str, ...]:
    if tool.phrases.wishes or hands_over(tool):
        return tool.phrases.wishes or ASKED_FOR
    phrase = plain_wish(tool)
    verb, _, rest = phrase.partition(" ")
    if not rest:
        return (phrase,)
    rest = _one_of(tool, rest)
    if tool.http is not None and tool.effect == "write" and verb in SHOWING:
        return (f"{verb} {rest}",)  # the verb of a write is no read: "return an item"
    options = _made_by(verb, rest) or _PLAIN.get(verb, (verb,))
    return tuple(f"{option} {rest}" for option in options if _fits(option, verb, rest))


intents_of = ObjectCache(_intents_of)
"""A tool -> verb phrases that ask for it: its own wishes, else phrases derived from its summary, path or name."""


def _made_by(verb: str, rest: str) -> tuple[str, ...]:
    """Return the verbs for creating a thing whose noun has verbs of its own: "create a comment" -> "write", "add"."""
    noun = parsed(f"{verb} {rest}").head.lower() if verb in _KINDS[0] else ""
    return tuple(own for own, nouns in _MADE if noun in nouns)


def _fits(option: str, verb: str, rest: str) -> bool:
    """Tell whether the verb `option` may replace `verb`.

    What is removed from somewhere is not deleted, a link is got and not seen, nobody reads doctors, and only a single thing is
    looked up.
    """
    if verb == "remove":
        return option == verb or " from " not in rest
    found = parsed(f"{verb} {rest}")
    if verb == "read":
        return (option == "read") == (singular(found.head.lower()) in _READ)
    if verb == "get" and (option == "get") != (
        not _RECEIVED.isdisjoint((found.head.lower(), singular(found.head.lower())))
    ):
        return False
    return option != "look up" or not (is_plural(found.head) or found.determiner.startswith("all"))


def plain_wish(tool: Tool) -> str:
    """Return the first wish without objection, made from a tool's texts, path or name; the first candidate if all have one."""
    naming, owners, judged = naming_of(tool), _owners(tool), dict[str, None]()
    entry = tool.path.rstrip("/").endswith("}")
    for told in _told(tool):
        wish = as_people_say(told, naming.own, owners, entry, _is_sole(tool))
        wish = _of_contents(tool, without_aside(wish, naming) if tool.path else wish)
        wish = _of_one(tool, _of_whole(tool, _of_all(tool, _of_mine(tool, _by_argument(tool, wish))), naming), naming)
        if not wish:
            continue
        if not objection_to(wish, naming):
            return wish
        judged[wish] = None
    return next(iter(judged))


def _of_mine(tool: Tool, wish: str) -> str:
    """Rewrite a wish about something each caller has one of, as one about the caller's own.

    PATCH /profile "update a profile" -> "update my profile", POST /profile/edit too
    POST /user/preferences "save user preferences" -> "save my preferences"
    POST /subscription/renew "renew a subscription" -> "renew my subscription"
    GET /user/weight "see a user's weight" -> "see my weight"
    """
    wish = _MINE.sub("my ", wish)
    steps = tool.path.lower().split("/") if tool.path and "{" not in tool.path else []
    owner = _WHOSE.search(wish)
    if owner is not None and owner[1].lower() in steps and owner[1].lower() in _USERS:
        return f"{wish[: owner.start()]}my {wish[owner.end() :]}"
    parts = parsed(wish)
    whose, *what = (*parts.thing, "")
    if what[:-1] and whose.lower() in steps[:-1] and whose.lower() in _USERS and not parts.rest:
        return f"{parts.verb} my {' '.join(what[:-1])}"
    acted = (
        not tool.parameters.get("properties") and steps[-1:] == [parts.verb] and not is_plural("".join(steps[-2:-1]))
    )
    changes = tool.method in ("PUT", "PATCH") or "".join(steps[-1:]) in _KINDS[1]
    emptied = tool.method == "DELETE" and steps[-1:] == [parts.head.lower()]
    changes = changes or (emptied and not tool.parameters.get("properties") and not is_plural(parts.head))
    if not steps or not (acted or changes):
        return wish
    named = any(name_tokens(name)[-1:] in (["id"], ["ids"]) for name in tool.parameters.get("properties", {}))
    if named or parts.determiner not in ("a", "an") or parts.rest:
        return wish
    return f"{parts.verb} my {' '.join(parts.thing)}"


def _of_contents(tool: Tool, wish: str) -> str:
    """Rewrite a wish about a container as one about the thing that the call puts into it, changes in it or takes out.

    POST /cart/add (productId) "add a cart", POST /cart (productId) "add an item to a cart" -> "add a product to my cart"
    PUT /cart/{productId} (quantity) "update a quantity" -> "change the quantity of a product in my cart"
    """
    holder, deed = _holder(tool, wish)
    named = [name_tokens(name) for name in tool.parameters.get("properties", {})]
    things = [" ".join(tokens[:-1]) for tokens in named if tokens[1:] and tokens[-1] in ("id", "ids")]
    thing = next((thing for thing in things if thing not in (holder, "item", f"{holder} item")), "")
    if not holder or not thing:
        return wish
    if tool.method in ("PUT", "PATCH"):
        told = [" ".join(tokens) for tokens in named if tokens[-1:] not in (["id"], ["ids"])]
        return f"change the {told[0]} of {with_article(thing)} in my {holder}" if len(told) == 1 else wish
    out = tool.method == "DELETE" or not _OUT.isdisjoint(name_tokens(deed))
    return f"remove {with_article(thing)} from my {holder}" if out else f"add {with_article(thing)} to my {holder}"


def _holder(tool: Tool, wish: str) -> tuple[str, str]:
    """Return the noun of the caller's container, and the path step that acts on its contents; both may be empty."""
    whole = tool.path.strip("/").split("/") if tool.path and tool.effect == "write" else []
    steps = whole[: next((at for at, step in enumerate(whole) if "{" in step), len(whole))]
    named = {singular(token) for step in whole[len(steps) : len(steps) + 1] for token in name_tokens(step)}
    above = {singular(token) for step in steps for token in name_tokens(step)}
    last = {singular(token) for token in name_tokens("".join(steps[-1:]))}
    if named & last or (named and named - {"id"} <= above) or len(whole) > len(steps) + 1:
        return "", ""  # the path identifies one of several containers, or goes on below it
    said = _PUT.search(wish) or _PUT.search(" ".join(name_tokens(tool.original_name)))
    for at, step in enumerate(steps):
        holder = " ".join(name_tokens(step))
        after = steps[at + 1] if at + 1 < len(steps) else ""
        is_told = said is not None and said[1] == holder
        if holder and not is_plural(holder) and (is_told or (holder in wish and _HELD & {*name_tokens(after)[:1]})):
            return holder, after or wish
        if is_plural("".join(name_tokens(step)[-1:])):
            break
    alone = steps[-1:] and "{" in tool.path and tool.method in ("PUT", "PATCH")
    holder = " ".join(name_tokens(steps[-1])) if alone else ""
    return (holder, "") if holder and not is_plural(holder) and _COUNTED.search(wish) else ("", "")


_PUT = re.compile(
    r"^(?:add|put|remove|delete) (?:(?:an? |the )?[\w ]+ )?(?:to|into|in|from) (?:an? |the |my )?([\w ]+)$"
)
_COUNTED = re.compile(r"\b(?:quantity|amount|count|item)\b")


_HELD, _OUT = word_set("holding", "into", "out"), word_set("holding", "out")
"""Path steps after a container that act on its contents, and those of them that take something out."""


def _of_all(tool: Tool, wish: str) -> str:
    """Rewrite a wish about one thing as one about all of them, if the call acts on a collection and identifies no row.

    GET /users "see the user" -> "see the users", POST /feeds/refresh "refresh a feed" -> "refresh all feeds"
    """
    parts = parsed(wish)
    if tool.http is None or parts.determiner not in ("a", "an", "the") or parts.rest or len(parts.thing) != 1:
        return wish
    steps, many = plain_path(tool).lower().strip("/").split("/"), plural(parts.head)
    if many == parts.head or any("{" in step for step in steps):
        return wish
    lists = _is_listing(tool.returns or {}) and can_be_noun(parts.head)
    if tool.method == "GET" and (steps[-1:] == [many] or (lists and steps[-1:] == [parts.head])):
        return f"{parts.verb} the {many}"
    alone = not tool.parameters.get("properties") and tool.effect == "write"
    return f"{parts.verb} all {many}" if alone and steps[-2:-1] == [many] else wish


def _is_listing(returns: Mapping[str, Any]) -> bool:
    """Tell whether a result schema is a list of objects, alone or in an envelope."""
    fields = object_properties(returns)
    lists = [item for item in fields.values() if schema_type(item) == "array"]
    held = [item for item in lists if schema_type(item.get("items") or {}) == "object"]
    return schema_type(returns) == "array" or (len(held) == 1 and _OF_ONE.isdisjoint(fields))


_OF_ONE = {"id", "name", "title"}
"""Fields of a single row, which no envelope has."""


def _of_whole(tool: Tool, wish: str, naming: Naming) -> str:
    """Rewrite a wish to change a field as one to change its owner: "update a chat title" -> "update a chat".

    This needs an argument for the field.
    """
    parts = parsed(wish)
    field = parts.head.lower()
    if (
        parts.verb not in _KINDS[1]
        or parts.rest
        or len(parts.thing) == 1
        or field not in tool.parameters.get("properties", {})
    ):
        return wish
    whole = " ".join(parts.thing[:-1])
    if singular(parts.thing[-2].lower()) not in naming.own:
        return wish
    if singular(field) in naming.own:  # the tool is named after the field, of one of several rows
        if singular(parts.thing[-2].lower()) not in naming.many:
            return wish
        return f"{parts.verb} the {parts.head} of {with_article(singular(whole))}"
    return f"{parts.verb} {with_article(whole)}"


def _by_argument(tool: Tool, wish: str) -> str:
    """Remove "by ..." if it names an argument, which is told separately: "see a food by food name"."""
    found = _BY.search(wish)
    taken = {"".join(name_tokens(name)) for name in tool.parameters.get("properties", {})} if found else set[str]()
    return wish[: found.start()] if found and found[1].replace(" ", "") in taken else wish


_BY = re.compile(r" by (?:an? |the |its |their )?([a-z]+(?: [a-z]+)?)$")
_BARE = re.compile(r" (for|of|in|to|from|on|by) ([a-z]+)$")


def _of_one(tool: Tool, wish: str, naming: Naming) -> str:
    """Put an article before a bare owner at the end: "list seasons by field" -> "list seasons of a field"."""
    found = _BARE.search(wish)
    if found is None or is_plural(found[2]) or not can_be_noun(found[2]):
        return wish
    taken = any(name_tokens(name)[:-1] == [found[2]] for name in tool.parameters.get("properties", {}))
    if not taken and (found[1] == "by" or found[2] not in naming.own):
        return wish
    return f"{wish[: found.start()]} {'of' if found[1] == 'by' else found[1]} {with_article(found[2])}"


def _is_sole(tool: Tool) -> bool:
    """Tell whether a read shows something that there is only one of: its call identifies nothing."""
    fields = tool.parameters.get("properties", {})
    named = any(name_tokens(name)[-1:] in (["id"], ["name"], ["key"], ["code"], ["slug"]) for name in fields)
    needs = bool(tool.parameters.get("required")) or not tool.path or "{" in tool.path
    return tool.effect == "read" and not named and not needs


def _told(tool: Tool) -> Iterator[str]:
    """Yield candidate wishes from a tool's texts, path and name, the best first."""
    named = _from_name(tool) or _from_place(tool) or "use it"
    if deed := _deed_of_path(tool):
        yield deed
    described = (tool.summary, tool.description.split("\n")[0], _INNER.split(tool.description, 1)[-1].split("\n")[0])
    told = [text.removeprefix(f"{tool.original_name} ") for text in described]
    path = tool.path or "{}"
    mine = "me" in path.strip("/").split("/") or (
        "{" not in path and _OF_SIGNED_IN.search(tool.description) is not None
    )
    own = {singular(token) for token in name_tokens(f"{tool.original_name} {tool.path}")}
    found = [phrase for text in told if (phrase := phrase_of_summary(text, own))]
    found = found or [phrase for text in told if (phrase := phrase_of_summary(text, own, _deed(tool)))]
    misnamed = bool(_shown_for(tool))
    phrases = [phrase for phrase in found if misnamed or not _contradicts(phrase, named)]
    phrases.sort(key=lambda phrase: phrase.split()[1] in _LACKING)
    placed = _from_place(tool)
    if (
        tool.effect == "write"
        and named.split()[1:2] == ["all"]
        and not any(" all " in phrase for phrase in phrases[:1])
    ):
        phrases = [placed if " of " in placed else named]  # it acts on more than its summary says
    steps = path.strip("/").lower().split("/")
    by_path = any(singular(step) == "user" and after.startswith("{") for step, after in pairwise(steps))
    unnamed = not by_path and not any("user" in name_tokens(name) for name in tool.properties)
    if unnamed:
        phrases = [_OF_USER.sub(r"\g<of> the current user", phrase) for phrase in phrases]
    phrases = [_as_ones_own(phrase, mine or unnamed) for phrase in phrases]
    alone = "" if phrases else phrasal(tool.original_name.lower())
    for phrase in (alone, *phrases[:1], placed, named, *phrases[1:]):
        if phrase:
            yield _of_me(_as_shown(phrase) if misnamed else phrase)


def _deed_of_path(tool: Tool) -> str:
    """Return the wish of a POST of which nothing is said but one verb, with the thing that an argument names; else empty.

    POST /park (vehicleNumber) "Park" -> "park a vehicle"
    """
    word = "".join(name_tokens(tool.path.rsplit("/", 1)[-1]))
    if tool.method != "POST" or "{" in tool.path or "".join(name_tokens(tool.summary)) != word or not can_be_verb(word):
        return ""
    named = sorted(map(name_tokens, tool.properties), key=lambda tokens: tokens[-1:] == ["id"])  # ids may name places
    things = (tokens[0] for tokens in named if len(tokens) == _THING and tokens[1] in _NUMBERS and tokens[0] != word)
    thing = next(filter(can_be_noun, things), "")
    return f"{word} {with_article(thing)}" if thing else ""


_THING, _NUMBERS = 2, ("id", "number", "code", "name")
"""Words of an argument that names a thing, and the last of them."""


def is_about_change(tool: Tool) -> bool:
    """Tell whether a tool is asked to create or change something, so that the user has to say what."""
    return any(plain_wish(tool).split()[0] in kind for kind in _KINDS[:2])


def _shown_for(tool: Tool) -> str:
    """Return the write that a read only prepares: "edit" for GET /clients/{id}/edit; empty for other tools."""
    if tool.effect != "read" or tool.method != "GET":
        return ""
    last = tool.path.rstrip("/").rpartition("/")[2]
    return last if any(last in kind for kind in _KINDS) else ""


def _as_shown(phrase: str) -> str:
    """Rewrite the wish of a tool that only shows something as a read: "edit a client" -> "get a client"."""
    verb, _, rest = phrase.partition(" ")
    return _FOR_DOING.sub("", f"get {rest}" if any(verb in kind for kind in _KINDS) else phrase)


_FOR_DOING = re.compile(r" for \w+ing$")


def _owners(tool: Tool) -> tuple[list[str], ...]:
    """Return the words of the last two collections of a path, if it has the form /.../owners/{id}/things; else ()."""
    steps = plain_path(tool).strip("/").split("/") if tool.http is not None else []
    if len(steps) < 3 or "{" not in steps[-2] or "{" in steps[-1] + steps[-3]:
        return ()
    return name_tokens(steps[-3]), name_tokens(steps[-1])


def _why_unasked(tool: Tool) -> str:
    if tool.phrases.unasked:
        return tool.phrases.unasked
    if _shown_for(tool) in _KINDS[0]:
        return "it shows what is to be filled in, for programs"
    return "" if tool.phrases.wishes or hands_over(tool) else objection_to(intents_of(tool)[0], naming_of(tool))


why_unasked = ObjectCache(_why_unasked)
"""A tool -> why no user would ask for it with its known wishes; empty if one would."""


def naming_of(tool: Tool) -> Naming:
    """Return the words by which a tool's source names it."""
    tokens = name_tokens(f"{tool.original_name} {tool.path}")
    own = frozenset(singular(token) for token in tokens)
    many = frozenset(singular(token) for token in tokens if is_plural(token))
    takes = frozenset(singular(token) for name in tool.properties for token in name_tokens(name))
    return Naming(own, many, f"{tool.summary} {tool.description[:TOLD]}".lower(), takes)


TOLD = 300
"""Characters of a description that are searched for words."""


def _is_entry_of(tool: Tool, things: str) -> bool:
    """Tell whether a path ends in one item of a collection: /templates/{id}, templates."""
    steps = tool.path.strip("/").split("/")[-2:]
    if len(steps) < 2 or not steps[1].startswith("{") or not steps[1].endswith("}"):
        return False
    told = name_tokens(steps[0])[-1:]
    return is_plural(things) and [singular(token) for token in told] == [singular(things)]


def _one_of(tool: Tool, things: str) -> str:
    """Return the object in the singular if the call identifies one.

    purchases_delete(id), DELETE /purchases/{id}   "a purchase"
    """
    needed, words = tool.parameters.get("required", ()), things.split()
    if _is_entry_of(tool, words[-1]) and words[0] not in DETERMINERS | UNCOUNTABLE and len(words) <= _SHORT:
        return with_article(" ".join([*words[:-1], singular(words[-1])]))
    if tool.effect != "write" or tool.http is not None or len(needed) != 1 or len(words) > _SHORT:
        return things
    taken = name_tokens(str(needed[0]))
    alone = schema_type(tool.parameters.get("properties", {}).get(needed[0], {})) in IDENTIFYING
    named = taken in (["id"], ["uuid"], [singular(words[-1]), "id"])
    if not alone or not named or singular(words[-1]) == words[-1] or words[0] in DETERMINERS | UNCOUNTABLE:
        return things
    return with_article(" ".join([*words[:-1], singular(words[-1])]))


_SIGNED_IN = r"(?:the |an? )?(?:(?:current(?:ly)?|calling|authenticated|logged(?:[ -]in)?|signed[ -]in) )+user"
_OF_USER = re.compile(r"(?P<of> (?:for|of)) the user$")
_OF_SIGNED_IN = re.compile(rf"\b{_SIGNED_IN}['’]s\b", re.IGNORECASE)
_ONES_OWN = (re.compile(rf"\b{_SIGNED_IN}['’]s\b"), re.compile(r"\b(?:the |a )?user['’]s\b"))
_WHAT_ONE_DOES = re.compile(
    r"\b(if|whether) (?:(?:the|a) )?(?:current(?:ly)? |authenticated |logged[ -]in )*user (\w+?)s\b"
)
_TOLD_OF = re.compile(
    r"^(notify|remind|alert|warn|inform)(?: (?:the )?users?)? (?=if |when |whenever |once |about |of |that )"
)
_NOTICES = {"notify": "a notification", "remind": "a reminder", "alert": "an alert", "warn": "a warning", "inform": "a notice"}  # fmt: skip
"""Verb with which a tool informs a user -> what the user gets."""
_ONESELF = re.compile(r"(?<=^get) (?:the |an? )?(?:(?:current(?:ly)?|authenticated|logged[ -]in|signed[ -]in) )+user$")
_SIGNED_IN_ONE = re.compile(
    r"\b(?:the |an? )?(?:(?:authenticated|logged[ -]in|signed[ -]in) (?:user )?|(?:current|calling) user )(?=(?!['’])[a-z])"
)
_MINE = re.compile(r"\b(?:the|an?) my ")
_WHOSE = re.compile(r"\b(?:the |an? )?(\w+)['’]s (?=[a-z])")
_FOR_SIGNED_IN = re.compile(r" (?:for|of|about) (?:the |an? )?(?:authenticated|logged(?:[ -]in)?|signed[ -]in) \w+$")
_THEIRS = re.compile(rf"^(\w+) (?:(?:all|the|all the|an?) )?(\w+(?: \w+)?) (?:for|of) {_SIGNED_IN}$")
"""A wish about things of the caller: "see trips for current user"."""
_OWN_OF_ONE = re.compile(r"\b(?:the |an? )?(?:\w+['’]s )?own (?=[a-z])")
""""own" before a thing of the caller: "a recruiter's own jobs"."""
_FOR_ONESELF = re.compile(rf" (?:for|of|by|from|as) {_SIGNED_IN}$")


def _as_ones_own(phrase: str, mine: bool) -> str:
    """Rewrite a phrase about "the current user" in the first person: "get my profile"."""
    phrase = _TOLD_OF.sub(lambda found: f"get {_NOTICES[found[1]]} ", _WHAT_ONE_DOES.sub(r"\1 I \2", phrase))
    phrase = _FOR_ONESELF.sub("", phrase) if len(phrase.split()) > _SHORT + 2 else phrase
    phrase = _THEIRS.sub(r"\1 my \2", _FOR_SIGNED_IN.sub("", phrase))
    phrase = _OWN_OF_ONE.sub("my ", _SIGNED_IN_ONE.sub("my ", _ONESELF.sub(" my profile", phrase)))
    return _MINE.sub("my ", _ONES_OWN[mine].sub("my", _ONES_OWN[0].sub("my", phrase)))


_ME = re.compile(r"^(\w+) (?:an? |the )?me\b ?")


def _of_me(phrase: str) -> str:
    """Rewrite a phrase with `me` as its object, as paths have it, with "my": "get me" -> "get my account"."""
    found = _ME.match(phrase)
    return f"{found[1]} my {phrase[found.end() :] or 'account'}" if found else phrase


def _from_place(tool: Tool) -> str:
    """Return a phrase from the path, or from the first argument, if the name does not say what the tool acts on; else empty."""
    tokens = [token for token in _words_of_name(tool) if token not in FILLING and not token.isdigit()]
    verb = tokens[0] if tokens and (tokens[0] in VERBS - _METHODS or _is_done_there(tokens, tool)) else ""
    verb = verb or next((token for token in tokens[1:] if token in _KINDS[1]), "")
    if tool.http is None:
        needed = tool.parameters.get("required") or [""]
        stem = [token for token in name_tokens(str(needed[0])) if token not in ("id", "ids", "uuid", "key", "number")]
        return f"{verb} {with_article(' '.join(stem))}" if verb and len(tokens) == 1 and stem else ""
    path = {singular(token) for token in name_tokens(tool.path)} | _LINKING
    told = [
        token
        for token, after in pairwise([*tokens, ""])
        if verb != token and not (verb == after and is_predicate(token))
    ]
    beside = told[1:] if tokens[:1] == told[:1] else told
    if len(tokens) > 1 and (verb or tokens[0] in VERBS) and any(singular(token) not in path for token in beside):
        return ""  # the name mentions something that the path does not
    of_rows = len(tokens) == 1 and tokens[0] in _OF_ROWS and tokens[0] not in name_tokens(tool.path)
    return phrase_of_place(tool.method, plain_path(tool), verb, thing=of_rows)


def _deed(tool: Tool) -> str:
    """Return the last step of a write's path if it may be a verb: POST /budget/debit -> "debit"; else empty."""
    last = tool.path.rstrip("/").rpartition("/")[2] if tool.effect == "write" else ""
    return last if can_be_verb(last) and not is_plural(last) and not phrasal(last) else ""


def _is_done_there(tokens: Sequence[str], tool: Tool) -> bool:
    """Tell whether the name confirms that the last path step is done to the row above it: segmentFile, /files/{id}/segment."""
    steps = tool.path.strip("/").split("/")
    if tool.effect == "read" or len(steps) < 3 or name_tokens(steps[-1]) != tokens[:1] or not can_be_verb(tokens[0]):
        return False
    above = {singular(token) for token in name_tokens(steps[-3])}
    return {singular(token) for token in tokens[1:]} - {"id"} in (above, set())


_LACKING = {"from", "to", "by", "of", "with", "for", "into"}
"""Words that, right after the verb, show that the object is missing: "remove from batch"."""
_LINKING = word_set(_LISTS, "linking")
_METHODS = {"get", "put", "post", "patch", "delete", "run", "list", "show"}
_INNER = re.compile(r"\b(?:tool|function|method)? ?description: ", re.IGNORECASE)
_KINDS = (set("create add insert post".split()), set("update edit change modify patch rename".split()), set("delete remove destroy".split()))  # fmt: skip
_OF_ROWS = set[str]().union({"list"}, *_KINDS) - (_METHODS - {"list"})
"""Verbs that act on rows: if the name is just one of them, the path says on which."""
_SHORT = 3


def _contradicts(phrase: str, named: str) -> bool:
    """Tell whether a summary seems copied from another tool: it names another kind of change or another thing than `named`."""
    first, second = phrase.split(), named.split()
    told = {first[0], second[0]} - {"post"}  # it may just be the HTTP method
    kinds = [kind for kind in _KINDS if told & kind]
    if len(kinds) > 1 or (kinds and first[0] in SHOWING):
        return True
    things = [{singular(word.lower()) for word in words[1:]} - {"a", "an", "the"} for words in (first, second)]
    return (
        len(first) <= _SHORT and first[0] in ("get", "return") and len(second) <= _SHORT and not things[0] & things[1]
    )


def _words_of_name(tool: Tool) -> list[str]:
    """Return the words of a tool's name; none if a generator made it from path and method: `orders_status_create`."""
    tokens = name_tokens(tool.original_name)
    if tool.method and tool.effect == "write" and tokens[2:] and tokens[0] in VERBS:
        ends = tool.original_name.endswith(tool.method)  # Swagger Codegen appends the method: `createAccountPOST`
        tokens = tokens[:-1] if ends else tokens
    steps = tool.path.split("/")
    placed = [token for step in steps if "{" not in step for token in name_tokens(step)]
    rest = " ".join(tokens[len(placed) :])
    return [] if placed and tokens[: len(placed)] == placed and rest in _GENERATED else tokens


_GENERATED = frozenset(("create", "retrieve", "update", "partial update", "destroy"))
"""Names that Django REST framework gives to the actions of a view. Source: drf-spectacular, `AutoSchema.get_operation_id`."""


def _from_name(tool: Tool) -> str:
    words, name = _words_of_name(tool), tool.original_name
    if not words:
        return ""
    said = name_tokens(name.split(".")[-1]) if "." in name else words
    tokens = [token for token in without_group(said) if not re.match(r"^v?\d+$", token)]
    tokens = tokens[1:] if tokens[1:] and tokens[0] in IN_BULK else tokens
    if len(tokens) > 2 and tokens[0] in ("get", "post", "put") and tokens[1] in _ACTS:
        tokens = tokens[1:]  # named after method and path: `get-search-members`
    position = next((index for index, token in enumerate(tokens) if token in VERBS), None)
    if position != 0 and tokens and (is_verb_alone(tokens[0]) or _is_done_there(tokens, tool)):
        position = 0
    if position is None:
        return _from_nouns(tokens, tool.effect == "read")
    verb, after = tokens[position], tokens[position + 1 :]
    if len(after) > 2 and after[0] in ("or", "and") and after[1] in VERBS:
        verb, after = f"{verb} {after[0]} {after[1]}", after[2:]  # createOrJoinLobby
    rest = tokens[:position] if position == len(tokens) - 1 else after
    rest = [token for token in rest if token not in ("a", "an", "the")]
    cut = next((index for index, token in enumerate(rest) if token == "by"), len(rest))
    noun = " ".join(rest[:cut] or rest)
    if not noun:
        thing = " ".join(singular(word) for word in name_tokens(name.split(".")[-2])) if "." in name else ""
        return f"{verb} {with_article(thing) if thing else 'it'}"
    return f"{verb} {with_article(said_of(noun, tokens))}"


def _from_nouns(tokens: list[str], reads: bool) -> str:
    """Return a phrase for a name without a verb."""
    if reads and tokens[1:] and tokens[0] in ("direction", "directions"):
        return f"get {' '.join(tokens[1:])} directions"
    if len(tokens) > 1 and tokens[-1].endswith("ed"):
        return f"mark {with_article(' '.join(tokens[:-1]))} as {tokens[-1]}"
    return f"get {with_article(' '.join(tokens)) or 'it'}" if reads else f"use {' '.join(tokens) or 'it'}"


_ACTS = word_set(_LISTS, "acts")
