"""A tool -> its plain wishes, noun, question and implied arguments; tools -> nouns for the resources they act on.

list_tasks, "Get tasks in a project"   ->   see tasks in a project; task, tasks; Which tasks are there in the project?
deletePost(deleted), "Delete Post"       ->   "delete a post" implies deleted=true, which no user says
verify, "verify a transfer"              ->   transfer, since none of the wishes names the resource
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.generators.phrases.topic_nouns import hinted, noun_of
from interplay.generators.phrases.wish_grammar import parsed
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import is_plural, plural, singular
from interplay.schemas.words.word_classes import infinitives

_OF_ONE = re.compile(r"\b(?:an?|the) ")


def plain_phrases(tool: Tool, role: ToolRole, nouns: Mapping[str, str]) -> ToolPhrases:
    """Return a tool's wishes, the noun for its resource, and the question that a list answers."""
    wishes = intents_of(tool)
    noun = noun_of(role.resource, nouns) if role.resource else hinted(tool.original_name, wishes[0])
    one = singular(noun)
    return ToolPhrases(
        wishes=wishes,
        noun=one[:LONGEST_NOUN],
        plural=plural(one)[:LONGEST_NOUN],
        questions=tuple(question for question in (plain_question(wishes[0], role),) if question),
    )


LONGEST_NOUN = 60
"""Maximum length of a noun, in characters."""


def plain_question(wish: str, role: ToolRole) -> str:
    """Return the question that a list answers: "see all tasks of a project" -> "What are the tasks of the project?"."""
    found = parsed(wish)
    if role.operation != "list" or not found.thing or not is_plural(found.head) or " " in found.verb:
        return ""
    if "'" in wish or "’" in wish:
        return ""  # the possessor comes before the thing
    if found.rest and found.rest[0] not in PLACES:
        return ""
    rest = _OF_ONE.sub("the ", " ".join(found.rest))
    own = "my " if "my" in found.determiner.split() else ""
    things = f"{own}{' '.join(found.thing)}"
    if own or found.rest[:1] == ("of",):
        return f"What are {' '.join((things if own else f'the {things}', rest)).strip()}?"
    return f"Which {' '.join((things, 'are there', rest)).strip()}?"


PLACES = ("in", "on", "for", "of", "from", "at")
"""Prepositions before the container or owner of several things."""


MOST_WORDS, FEWEST_LETTERS = 3, 3
"""Maximum words of a noun taken from a wish, and minimum letters of its last word."""


def derived_nouns(tools: Sequence[Tool], roles: Sequence[ToolRole]) -> dict[str, str]:
    """Return a noun for each resource: the most frequent one in its tools' phrases, else the one their wishes use.

    Resources for which neither gives one, or which already are called so by their name, are left out.
    """
    by_name, acting = {tool.name: tool for tool in tools}, dict[str, list[Tool]]()
    things = {role.resource for role in roles if role.operation != "list" or role.resource in role.yields.values()}
    for role in roles:
        if role.resource and role.tool in by_name and not by_name[role.tool].phrases.unasked:
            acting.setdefault(role.resource, []).append(by_name[role.tool])
    nouns = {
        resource: _most([tool.phrases.noun for tool in some])
        or ("" if resource in things else _entry(resource, some))
        or _wished(resource, some)
        for resource, some in acting.items()
    }
    return {resource: noun for resource, noun in nouns.items() if noun and noun != noun_of(resource, {})}


def _entry(resource: str, tools: Sequence[Tool]) -> str:
    """Return the noun for a row of what is only listed and called by one thing; else empty: an entry of the leaderboard."""
    last = {next((part for part in reversed(tool.path.split("/")) if part and part[0] != "{"), "") for tool in tools}
    noun = noun_of(resource, {})
    single = all(part and singular(words_of(part)) == words_of(part) for part in last)
    return f"{noun} entry" if single and plural(noun) != noun else ""


def _most(nouns: Sequence[str]) -> str:
    """Return the most frequent of some nouns, the first one on a tie; empty if there is none."""
    counted = Counter(noun for noun in nouns if noun).most_common(1)
    return counted[0][0] if counted else ""


def _wished(resource: str, tools: Sequence[Tool]) -> str:
    """Return the noun that the wishes of some tools use for their resource; empty if they give none.

    A wish with the whole name of the resource decides, since it shows how people write it ("sales order"). The result is empty
    if an author gave the wishes, or if a wish has only the last word of the name ("order").
    """
    wishes = [parsed(intents_of(tool)[0]) for tool in tools]
    if any(tool.phrases.wishes for tool in tools):
        return ""
    own = words_of(resource).split()
    head = singular(own[-1])
    among = (wish.thing for wish in wishes if wish.verb in ("add", "remove") and wish.rest[-1:] == (plural(head),))
    if kinds := [singular(" ".join(thing)) for thing in among if thing]:
        return _most(kinds)  # "add a recipe to favorites": a favorite is a recipe
    whole = [wish.thing for wish in wishes if list(map(singular, wish.thing)) == list(map(singular, own))]
    if whole:
        return _most([singular(" ".join(thing)) for thing in whole])
    if any(head in {singular(word) for word in (*wish.thing, *wish.rest)} for wish in wishes):
        return ""
    things = (wish.thing for wish in wishes if 0 < len(wish.thing) <= MOST_WORDS and len(wish.head) >= FEWEST_LETTERS)
    return _most([singular(" ".join(thing)) for thing in things if all(word.isalpha() for word in thing)])


def implied_arguments(tool: Tool, role: ToolRole | None = None) -> dict[str, Any]:
    """Return the values of arguments that a wish implies, by name.

    They come from the tool's phrases, from the state its `role` leads to, and from flags named like the verb of the wish.
    """
    fields: Mapping[str, Any] = tool.parameters.get("properties", {})
    said = {name: value for name, value in tool.phrases.implied.items() if is_valid(value, fields.get(name, False))}
    asked = fields if tool.effect == "write" else tool.parameters.get("required", ())
    flags = [name for name in asked if schema_type(fields.get(name, {})) == "boolean"]
    led_to = role.leads_to if role is not None else {}
    after = {name: value for name, value in led_to.items() if is_valid(value, fields.get(name, False))}
    return {**(dict.fromkeys(_asked_by_name(tool, flags), True) if flags else {}), **after, **said}


def _asked_by_name(tool: Tool, flags: list[str]) -> list[str]:
    """Return the flags whose name is a form of the wish's verb, or of the last word in "mark ... as ..."."""
    wishes = [wish.lower().split() for wish in intents_of(tool)[:1]]
    return [flag for flag in flags if all(_is_form(flag, wish) for wish in wishes)]


def _is_form(flag: str, wish: list[str]) -> bool:
    tokens = [token for token in name_tokens(flag) if token != "is"]
    asked = {wish[0], wish[-1] if "as" in wish else wish[0]}
    return len(tokens) == 1 and bool({tokens[0], *infinitives(tokens[0])} & asked)


def saying_all(tool: Tool, role: ToolRole | None = None) -> Tool:
    """Return a tool whose phrases hold every argument that its wish implies."""
    implied = implied_arguments(tool, role)
    if implied == tool.phrases.implied:
        return tool
    return tool.model_copy(update={"phrases": tool.phrases.model_copy(update={"implied": implied})})


def as_implied(tool: Tool) -> Tool:
    """Return a tool whose schema fixes the implied arguments to their values, and requires these and the `needed` ones."""
    implied, fields = tool.phrases.implied, tool.parameters.get("properties", {})
    needed = [name for name in tool.phrases.needed if name in fields]
    if not implied and not needed:
        return tool
    fixed = {name: {**fields[name], "const": value} for name, value in implied.items()}
    required = list(dict.fromkeys((*tool.parameters.get("required", ()), *implied, *needed)))
    return tool.model_copy(
        update={"parameters": {**tool.parameters, "properties": {**fields, **fixed}, "required": required}}
    )
