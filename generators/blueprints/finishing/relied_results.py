"""Steps in the order of their calls -> checks that the results they use, or report, are not outdated by then."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.drafting.outdated_reads import concerns, read_again, still_holds, writes
from interplay.generators.blueprints.growth.dialogue_moments import interrupted
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.protocols import Environment
from interplay.schemas.records.tool import ToolRole


def repeated(steps: Sequence[Step]) -> dict[str, str]:
    """Return the steps that repeat an earlier call, each with the latest step that made it."""
    found, made = dict[str, str](), list[Step]()
    for step in (step for step in steps if step.withheld is None):
        alike = [other for other in made if other.tool == step.tool and other.arguments == step.arguments]
        found.update((step.id, other.id) for other in alike)
        made.append(step)
    return found


async def check_evidence(
    draft: Draft,
    steps: Sequence[Step],
    place: int,
    environment: Environment,
    values: Mapping[str, Any],
    roles: Mapping[str, ToolRole],
) -> None:
    """Check that what a step takes from earlier results, or depends on, still holds when the step is made.

    This concerns choices from lists and all values except identities, which never change. `values` are the results by
    step id.

    Raises:
        DeadEnd: it was read before a write that concerns it, and is outdated.
    """
    step, now = steps[place], interrupted(draft, steps[place])
    written = [other for other in _writes(steps[:place], environment) if interrupted(draft, other) < now]
    for name, pointer in _relied_on(draft, steps, place, roles) if written else ():
        source = draft.step(name)
        since = [other for other in written if steps.index(other) > steps.index(source)]
        if not since:
            continue
        known = any(concerns(other.tool, source.tool, environment) for other in since)
        if known or not await still_holds(environment, source.exchange[0], values[name], pointer):
            raise DeadEnd(f"what {step.tool} takes from {source.tool} is out of date")


def _relied_on(
    draft: Draft, steps: Sequence[Step], place: int, roles: Mapping[str, ToolRole]
) -> Iterator[tuple[str, str]]:
    """Yield step id and pointer of each list that something is chosen from for a step, and of each value that it takes."""
    step = steps[place]
    choices = {fact.id: fact for fact in draft.facts if fact.choice is not None}
    chosen_before = {origin.fact for other in steps[:place] for origin in other.origins.values()}
    for pointer, origin in step.origins.items():
        choice = choices.get(str(origin.fact))
        if choice is not None and choice.id not in chosen_before:
            yield str(choice.action), str(choice.choice).rpartition("/")[0]
        elif origin.kind == "output" and choice is None and referred(roles.get(step.tool), pointer) is None:
            yield str(origin.action), str(origin.pointer)
    condition = draft.goals[step.goal].condition
    if condition is not None and all(other.goal != step.goal for other in steps[:place]):
        yield condition.action, condition.pointer


async def values_when_reported(
    draft: Draft, steps: Sequence[Step], place: int, environment: Environment
) -> dict[str, Any]:
    """Return, by step id, what reads of a request would return when it is reported, if a write came after them.

    A request is reported after its last step; the result is empty if the step at `place` is not that one.
    """
    request = steps[place].request
    if any(other.request == request for other in steps[place + 1 :]):
        return {}
    found: dict[str, Any] = {}
    for number, step in enumerate(steps[: place + 1]):
        told = step.request == request and draft.goals[step.goal].tool == step.tool and step.withheld is None
        if told and not writes(step.tool, environment) and _writes(steps[number : place + 1], environment):
            found[step.id] = await read_again(environment, step.exchange[0])
    return found


def _writes(steps: Sequence[Step], environment: Environment) -> list[Step]:
    return [step for step in steps if step.withheld is None and writes(step.tool, environment)]
