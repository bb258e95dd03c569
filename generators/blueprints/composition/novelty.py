"""What a new draw must not repeat: stories told before, and what was criticised in earlier revisions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.verdict import Feedback


@dataclass(frozen=True)
class Avoided:
    """Stories (see `Blueprint.story`), calls and intents that must not occur again.

    `draw` numbers the revisions of one index. At 0, a repetition is returned if all draws are one: a gate then rejects it
    by name.
    """

    told: Callable[[str], bool] = lambda _: False
    stories: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    intents: frozenset[str] = frozenset()
    draw: int = 0

    def repeats(self, blueprint: Blueprint) -> str:
        """Return what a blueprint repeats, or ""."""
        if self.calls and any(call_key(action) in self.calls for action in blueprint.actions):
            return "a call that was criticised"
        if any(goal.intent in self.intents for goal in blueprint.goals):
            return "a wording that was criticised"
        story = blueprint.story()
        return "a scenario that was told before" if story in self.stories or self.told(story) else ""


def call_key(action: Action) -> str:
    """Return a key that is equal for calls of one tool with the same arguments."""
    return digest([action.tool, action.arguments])


def avoiding(drafts: Sequence[tuple[Blueprint, Feedback]]) -> Iterator[Avoided]:
    """Yield what the next revision avoids, ever less: criticised intents and calls, the calls alone, the stories alone."""
    stories = frozenset(blueprint.story() for blueprint, _ in drafts)
    calls, intents = set[str](), set[str]()
    for blueprint, feedback in drafts:
        faulty = feedback.goals or tuple(range(len(blueprint.goals)))
        aims = {number: blueprint.goals[number] for number in faulty}
        intents |= {goal.intent for goal in aims.values()}
        calls |= {
            call_key(action)
            for action in blueprint.actions
            if action.goal in aims and action.tool == aims[action.goal].tool
        }
    draw = len(drafts)
    yield Avoided(stories=stories, calls=frozenset(calls), intents=frozenset(intents), draw=draw)
    yield Avoided(stories=stories, calls=frozenset(calls), draw=draw)
    yield Avoided(stories=stories, draw=draw)
