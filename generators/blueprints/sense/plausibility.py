"""A task with its results -> how plausible it is that somebody wants it, and the reasons to doubt that."""

from collections.abc import Callable, Iterable, Iterator
from math import prod

from interplay.generators.blueprints.sense.goal_doubts import (
    bare_makings,
    other_places,
    same_twice,
    scattered_goals,
    strange_homes,
    unnamed_changes,
    unrelated_goals,
    wholesale_writes,
)
from interplay.generators.blueprints.sense.look_doubts import (
    coded_choices,
    doubtful_links,
    listed_and_used,
    long_ways,
    looks_into_new,
    shown_before,
    strange_sources,
    taken_by_the_way,
)
from interplay.generators.blueprints.sense.order_doubts import (
    after_the_end,
    changes_back,
    not_made,
    own_endings,
    registers_late,
    repeated_deeds,
    repeated_requests,
    silent_choices,
    unasked_endings,
    undone_makings,
    wanted_before_deleted,
)
from interplay.generators.blueprints.sense.told_doubts import (
    aimless_searches,
    coded_answers,
    codes,
    empty_writes,
    idle_questions,
    known_answers,
    many_choices,
    missing_files,
    needless_filters,
    noted_lists,
    plumbing,
    said_alike,
    silent_answers,
    technical_values,
    unlikely_values,
    unnamed_looks,
    unshown_changes,
)
from interplay.generators.blueprints.sense.weighed_task import WeighedTask
from interplay.schemas.records.blueprint import Doubt, Sense

DOUBTS: tuple[Callable[[WeighedTask], Iterator[Doubt]], ...] = (
    unlikely_values,
    codes,
    coded_answers,
    idle_questions,
    noted_lists,
    silent_answers,
    empty_writes,
    unshown_changes,
    missing_files,
    known_answers,
    needless_filters,
    aimless_searches,
    unnamed_looks,
    plumbing,
    technical_values,
    many_choices,
    said_alike,
    undone_makings,
    looks_into_new,
    coded_choices,
    shown_before,
    registers_late,
    not_made,
    changes_back,
    repeated_deeds,
    repeated_requests,
    wanted_before_deleted,
    after_the_end,
    own_endings,
    unasked_endings,
    listed_and_used,
    strange_sources,
    taken_by_the_way,
    doubtful_links,
    long_ways,
    other_places,
    strange_homes,
    unrelated_goals,
    scattered_goals,
    silent_choices,
    wholesale_writes,
    unnamed_changes,
    same_twice,
    bare_makings,
)
"""All finders of doubts, in the order in which their doubts are listed."""


LASTING: tuple[Callable[[WeighedTask], Iterator[Doubt]], ...] = (silent_answers, plumbing)
"""The finders whose doubts about a goal stay, whatever is added after it."""


def reaches(
    task: WeighedTask, bar: float, finders: Iterable[Callable[[WeighedTask], Iterator[Doubt]]] = DOUBTS
) -> bool:
    """Tell whether the sense of a task is at least `bar`; the search for doubts stops when it is not."""
    score = 1.0
    for doubt in (doubt for find in finders for doubt in find(task)):
        score *= 1 - doubt.cost
        if round(score, 3) < bar:
            return False
    return True


def sense_of(task: WeighedTask) -> Sense:
    """Return the sense of a task by rules: 1, reduced by the share that each doubt costs."""
    return with_doubts(Sense(score=1.0), [doubt for find in DOUBTS for doubt in find(task)])


def with_doubts(sense: Sense, doubts: Iterable[Doubt]) -> Sense:
    """Return a sense with further doubts, and its score reduced by them."""
    found = (*sense.doubts, *doubts)
    return sense.model_copy(update={"score": round(prod(1 - doubt.cost for doubt in found), 3), "doubts": found})
