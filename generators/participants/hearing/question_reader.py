"""An assistant's words, and the untold facts -> the facts that they ask for, by label.

"What time should it start?"                             the new time, if no other fact is called a time
"How many days?"                                         the number of extra days
"Still missing: 1. your name 2. your date of birth"      both
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from interplay.generators.participants.hearing.state_tracker import Says
from interplay.generators.participants.hearing.word_overlap import content_stems, names, plain, sentences
from interplay.generators.participants.wording.languages import heard_as
from interplay.generators.phrases.labels.field_labels import is_own_name
from interplay.generators.phrases.speakable_values import is_moment
from interplay.schemas.records.blueprint import Fact

_WORD = re.compile(r"([\w'-]+)([^\w'-]*)")
"""A word, and the text up to the next one."""

_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$", re.MULTILINE)
"""An item of a list."""


class QuestionReader:
    """Reads what a text asks for; `askings` holds known questions by label."""

    def __init__(self, says: Says, askings: Mapping[str, Sequence[str]]) -> None:
        self._says = says
        self._askings = askings

    def asked(self, missing: list[Fact], text: str) -> list[Fact]:
        """Return the facts that a text asks for, by label or by a known question."""
        asking = _asking(text)
        found = self.named(missing, asking)
        if not found and heard_as("asks_when").search(asking):
            moments = ("date", "date-time")
            days = [
                fact
                for fact in missing
                if fact.choice is None and (is_moment(fact.value) or fact.hint.get("format") in moments)
            ]
            found = days if len(days) == 1 else []
        if found:
            rest = text.partition("?")[2]  # "What is your name? It would also help to know the day."
            beside = [fact for fact in self.spoken_of(missing, rest) if fact not in found]
            return found + [fact for fact in beside if not self._says(text, fact.value, fact.hint, fact.label)]
        if "?" in text:
            return found
        items = _ITEM.findall(text)
        listed = self.spoken_of(missing, " ".join(items)) if len(items) > 1 else []
        untold = [fact for fact in listed if not self._says(text, fact.value, fact.hint, fact.label)]
        return untold if len(untold) > 1 else []  # "Still missing: 1. your name 2. your date of birth"

    def named(self, facts: list[Fact], asking: str) -> list[Fact]:
        """Return the facts that a question asks for, by label, else by the last word of a label."""
        return self.spoken_of(facts, asking) or _by_head(facts, asking)

    def spoken_of(self, missing: list[Fact], asking: str) -> list[Fact]:
        """Return the facts that a text mentions, by label or by a known question."""
        own = (fact for fact in missing if fact.choice is None and fact.description is None)
        found = [fact for fact in own if is_named(fact, missing, asking) or self._asks_for(fact, asking)]
        found += [fact for fact in _counted(missing, asking) if fact not in found]
        found = [fact for fact in found if fact.label not in [other.label for other in found[: found.index(fact)]]]
        longer = [fact for fact in found if not any(_within(fact.label, other.label, asking) for other in found)]
        return longer or found

    def _asks_for(self, fact: Fact, asking: str) -> bool:
        """Tell whether a text has a known question for a fact, literally or by at least two content words."""
        questions = self._askings.get(fact.label, ())
        telling = (question for question in questions if len(content_stems(question)) > 1)
        return any(plain(question) in asking for question in questions) or any(names(asking, own) for own in telling)


def _asking(text: str) -> str:
    """Return the sentences of a text that ask for something, with a list that follows one: "I need two things: ..." """
    found, listing = [], False
    parts = sentences(text)
    for part, following in zip(parts, [*parts[1:], ""], strict=False):
        asks = heard_as("asking").search(part) is not None or (part.endswith(":") and following.endswith("?"))
        if asks or listing or (part.endswith("?") and not heard_as("anything").search(part)):
            found.append(part)
        listing = (listing and not part.endswith("?")) or (asks and part.endswith(":"))
    return " ".join(found)


def is_named(fact: Fact, missing: Sequence[Fact], asking: str) -> bool:
    """Tell whether a text names a fact: in full, or, if that is unambiguous, without its owner: the order's username.

    The name of a row is also asked for by its noun: "Which member is it?" for the member's name.
    """
    owner, _, field = fact.label.rpartition("'s ")
    alone = all(other.id == fact.id or other.label.rpartition("'s ")[2] != field for other in missing)
    only = all(other.id == fact.id or not other.label.startswith(owner) for other in missing)
    thing = bool(owner) and is_own_name(field) and only and names(asking, owner)
    return names(asking, fact.label) or (alone and names(asking, field)) or thing


def _counted(missing: Sequence[Fact], asking: str) -> list[Fact]:
    """Return the number facts that a text asks for by what they count: "How many days?" for the number of extra days."""
    told = [found[found.lastindex or 0] for found in heard_as("asks_how_many").finditer(asking)]
    numbers = [fact for fact in missing if fact.choice is None and isinstance(fact.value, (int, float))]
    return [fact for fact in numbers if any(names(things, fact.label.split()[-1]) for things in told)]


def _by_head(missing: Sequence[Fact], asking: str) -> list[Fact]:
    """Return the facts whose last word occurs alone in a text, if no other fact has it: "What time?" for the new time."""
    heads = [fact.label.split()[-1] for fact in missing]
    words = _WORD.findall(asking)
    bare = " ".join(
        word for (last, gap), (word, _) in pairwise([("", ""), *words]) if gap != " " or not content_stems(last)
    )
    return [
        fact
        for fact, head in zip(missing, heads, strict=True)
        if fact.choice is None
        and not fact.description
        and "'s " not in fact.label
        and heads.count(head) == 1
        and names(bare, head)
    ]


def _within(label: str, other: str, text: str) -> bool:
    """Tell whether a label occurs in a text only as part of a longer one: date, birth date."""
    if label == other or not set(label.split()) < set(other.split()):
        return False
    return not names(text.replace(other.lower(), " "), label)
