"""A user's words, and its planned behaviours -> whether they bring up a request, and in which of the planned ways."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interplay.generators.participants.hearing.state_tracker import Reading, Says
from interplay.generators.participants.hearing.word_overlap import content_stems, share
from interplay.generators.participants.wording.languages import ENGLISH, heard_as, load_grammar
from interplay.generators.phrases.pronouns import pronominal
from interplay.schemas.json.canonical import at_pointer, leaves
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Goal, Origin

_BRINGING_UP = ("inform_intent_clear", "inform_intent_clear_add")
_AGO = 2
"""Number of requests after which something counts as long ago."""
_COMMON = 20
"""Smaller numbers occur for many reasons."""
_WORD = re.compile(r"\w+")
_STEM = 3
"""Minimum letters of a verb without its particle."""
_NOUNS = re.compile(r"\b[A-ZÄÖÜ]\w+")


def says_wish(blueprint: Blueprint, goal: int, content: str, told: Sequence[str], least: float = 0.3) -> bool:
    """Tell whether a text has at least a share `least` of a wish's content words, not counting its topic and facts."""
    wish = blueprint.goals[goal]
    text = _without_facts(blueprint, content, told).lower()
    other = wish.topic if content_stems(wish.intent) - content_stems(wish.topic) else ""
    whole = _with_whole_verbs(text, blueprint.scenario.language)
    asked = share(wish.question, whole, without=other) if wish.question else 0.0
    return max(asked, share(wish.intent, whole, without=other)) >= least


def wants_something(blueprint: Blueprint, content: str, told: Sequence[str]) -> bool:
    """Tell whether a text expresses a wish in words of its own, besides the facts that it tells."""
    text = _without_facts(blueprint, content, told).lower()
    wanting, ignorant = heard_as("wanting"), heard_as("ignorant").search(text) is not None
    return not ignorant and bool(wanting.search(text)) and bool(content_stems(wanting.sub(" ", text)))


def once_more(blueprint: Blueprint, request: int, content: str, told: Sequence[str]) -> bool:
    """Tell whether a text asks for the same as before with other facts, without repeating the wish."""
    goals = blueprint.goals
    before = {goals[goal].tool for earlier in blueprint.scenario.requests[:request] for goal in earlier}
    alike = goals[blueprint.scenario.requests[request][0]].tool in before
    if blueprint.scenario.behaves("changes_mind_late", request) is not None:
        return bool(told) or heard_as("changing").search(content.lower()) is not None
    return bool(told) and alike and heard_as("several").search(content.lower()) is not None


def _with_whole_verbs(text: str, language: str) -> str:
    """Return a text with separable verbs, split or with "zu", also in one word: abzusagen, sagen ... ab."""
    particles, words = load_grammar(language)["hearing"]["particles"], _WORD.findall(text)
    apart = [name + word for name in particles if name in words for word in words if len(word) >= _STEM]
    before = re.sub(rf"\b({'|'.join(particles)})zu(?=\w{{{_STEM}}})", r"\1", text) if particles else text
    return " ".join((before, *apart))


def _without_facts(blueprint: Blueprint, content: str, told: Sequence[str]) -> str:
    """Return a text without the labels and values of told facts: "booking number" does not count as a word of a wish."""
    facts = [blueprint.scenario.fact(name) for name in told]
    for label in sorted({fact.label for fact in facts if fact.label}, key=len, reverse=True):
        content = re.sub(rf"\b{re.escape(label)}", " ", content, flags=re.IGNORECASE)
    return _without_values(facts, content)


def brought_up(
    blueprint: Blueprint, says: Says, read: Reading, content: str, request: int, taken: bool = False
) -> Iterator[Behaviour]:
    """Yield the planned ways in which a request is brought up; `taken` if the assistant suggested it."""
    if not (taken or read.act in _BRINGING_UP) or not 0 <= request < len(blueprint.scenario.requests):
        return
    goals = [blueprint.goals[index] for index in blueprint.scenario.requests[request]]
    planned = {done.kind for done in blueprint.scenario.behaviours if done.request == request}
    if "several_at_once" in planned and _several(blueprint, read, content, request, taken):
        yield "several_at_once"
    if "elliptical" in planned and _leaves_out(
        goals[0], _without_values(blueprint.scenario.facts, content), blueprint.scenario.language
    ):
        yield "elliptical"
    if "long_memory" in planned and _leans_on_memory(blueprint, says, content, request):
        yield "long_memory"


def _several(blueprint: Blueprint, read: Reading, content: str, request: int, taken: bool) -> bool:
    """Tell whether more than one wish is said: by words that only one of them has, by facts of several, or by "both"."""
    indices = [index for index in blueprint.scenario.requests[request] if blueprint.goals[index].tool]
    intents = {index: blueprint.goals[index].intent for index in indices}
    own = {
        index: [
            word
            for word in content_stems(intent)
            if all(share(word, other) == 0 for other in set(intents.values()) - {intent})
        ]
        for index, intent in intents.items()
    }
    facts = {fact.goal for fact in blueprint.scenario.facts if fact.id in read.told}
    said = {intent for index, intent in intents.items() if own[index] and share(" ".join(own[index]), content) >= 0.5}
    if taken and indices:
        said.add(intents[indices[0]])
    if len(said) > 1 or len(facts & set(indices)) > 1:
        return True
    tools = {blueprint.goals[index].tool for index in indices}
    return len(tools) < len(indices) and heard_as("several").search(content.lower()) is not None


def _without_values(facts: Iterable[Fact], content: str) -> str:
    """Return a text without the values of facts, which may contain words of a wish."""
    for fact in facts:
        if isinstance(fact.value, str) and fact.value:
            content = re.sub(re.escape(fact.value), " ", content, flags=re.IGNORECASE)
    return content


def _leaves_out(goal: Goal, content: str, language: str) -> bool:
    """Tell whether a wish is said without its object."""
    if language == ENGLISH:
        short = pronominal(goal.intent, goal.topic)
        left = content_stems(goal.intent) - content_stems(short) if short else frozenset()
    else:
        left = frozenset(word for noun in _NOUNS.findall(goal.intent) for word in content_stems(noun))
        if heard_as("stands_in").search(content.lower()):  # "the details of it" leaves out the owner
            left = frozenset(word for word in left if share(word, content) == 0)
    words = [*left, goal.topic]
    return bool(left) and all(share(word, content) == 0 for word in words if word)


def _leans_on_memory(blueprint: Blueprint, says: Says, content: str, request: int) -> bool:
    """Tell whether the values that a request takes from long before are not repeated."""
    goals = blueprint.scenario.requests[request]
    known: list[tuple[Any, str]] = []
    for action in (action for action in blueprint.actions if action.goal in goals):
        for pointer, origin in action.origins.items():
            if _long_ago(blueprint, origin, request):
                known += _ways_to_say(blueprint, action, pointer, origin)
    return bool(known) and not any(says(content, value, {}, name) for value, name in known)


def _long_ago(blueprint: Blueprint, origin: Origin, request: int) -> bool:
    goals = [blueprint.scenario.fact(origin.fact).goal] if origin.fact else []
    goals += [blueprint.action(origin.action).goal] if origin.action else []
    places = [place for place, group in enumerate(blueprint.scenario.requests) for goal in goals if goal in group]
    return bool(places) and max(places) <= request - _AGO


def _ways_to_say(blueprint: Blueprint, action: Action, pointer: str, origin: Origin) -> list[tuple[Any, str]]:
    """Return the values by which a user would repeat an argument, each with its name."""
    told: list[tuple[Any, str]] = [(at_pointer(action.arguments, pointer), pointer.rpartition("/")[2])]
    if origin.fact:
        fact = blueprint.scenario.fact(origin.fact)
        found = leaves(fact.value) if fact.choice is not None else [("", fact.value)]
        told += [(value, path.rpartition("/")[2] or fact.label) for path, value in found]
    return [(value, name) for value, name in told if _tells(value)]


def _tells(value: Any) -> bool:
    if isinstance(value, (int, float)):
        return not isinstance(value, bool) and abs(value) >= _COMMON
    return bool(value)
