"""How much a user tells in one message of what its scenario has it tell bit by bit: read from the words."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import COMMON
from interplay.schemas.words.text import Text, fold, normalised, words
from interplay.validators.language.phrases import pattern

MOST = 2
"""So many facts may be told in a message that nobody asked for and that are not part of what it brings up."""
_LEAST = 3
"""Letters of a text that is heard as a value."""
_OPEN = pattern("open_questions")
"""Words by which anything is asked for."""


def disclosure_issues(trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    """Yield a warning for each message in which a user tells more than it was asked for, and than belongs to its wish.

    Asked for is what the message before names by its label, or is read to ask for. The facts with which a wish is brought up
    belong to it, whenever it is; values that were said before, by whomever, tell nothing. Labels are English.
    """
    english = blueprint.scenario.language == "en"
    heard = [normalised(blueprint.scenario.out_of_scope), *(normalised(goal.intent) for goal in blueprint.goals)]
    facts = [fact for fact in blueprint.scenario.facts if _can_be_heard(fact)]
    asked: Message | None = None
    if len(facts) <= MOST:
        return
    for index, message in enumerate(trajectory.messages):
        text = normalised(message.content)
        if message.role == "user" and message.certain_act is None and (english or message.state is not None):
            wanted = _asked_for(asked, facts)
            extra = [fact for fact in facts if fact.id not in wanted and not _opens(blueprint, message, fact)]
            extra = [fact for fact in extra if _says(text, fact)] if len(extra) > MOST else []
            if len(extra) > MOST:
                extra = [fact for fact in extra if not said(heard, fact.value, fact.hint, fact.label)]
            count = len({canonical_json(fact.value) for fact in extra})
            if count > MOST:
                names = ", ".join(dict.fromkeys(fact.label for fact in extra))
                words_of = f"The user tells {count} things at once that nobody asked for: {names}."
                yield Issue.of("told_at_once", words_of[:300], f"/messages/{index}", severity="warning")
        if message.content and message.role != "tool":
            heard.append(text)
        asked = message if message.role == "assistant" and message.content else asked


def _can_be_heard(fact: Fact) -> bool:
    """Tell whether a fact has a value that is not said by chance; what is chosen comes after an offer."""
    if fact.choice is not None or fact.description is not None or fact.reveal in ("never", "before"):
        return False
    if isinstance(fact.value, bool):
        return False
    if isinstance(fact.value, (int, float)):
        return abs(fact.value) >= COMMON
    return not isinstance(fact.value, str) or len(fact.value) >= _LEAST


def _says(text: Text, fact: Fact) -> bool:
    return said([text], fact.value, fact.hint, fact.label)


def _asked_for(message: Message | None, facts: Sequence[Fact]) -> frozenset[str]:
    """Return the facts that the assistant asks for: as it is read to, or by the words of their labels."""
    if message is None:
        return frozenset()
    if _OPEN.search(message.content):
        return frozenset(fact.id for fact in facts)
    heard = set(normalised(message.content).words)
    named = {
        fact.id for fact in facts if sum(word in heard for word in _words(fact.label)) * 2 > len(_words(fact.label))
    }
    return frozenset(named | set(message.state.asked if message.state is not None else ()))


@lru_cache(maxsize=4096)
def _words(label: str) -> tuple[str, ...]:
    return tuple(words(fold(label)))


def _opens(blueprint: Blueprint, message: Message, fact: Fact) -> bool:
    """Tell whether a fact is one with which the wish is brought up that the message is about."""
    if fact.reveal != "opening":
        return False
    about = message.state.goal if message.state is not None else None
    request = next((group for group in blueprint.scenario.requests if about in group), None)
    return request is None or fact.goal in request
