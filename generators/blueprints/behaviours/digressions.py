"""Users who do not simply answer: they ask back, hold back, press, wander off, or want something else first."""

from typing import Any

from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.blueprints.growth.dialogue_moments import (
    confirmation,
    first_use,
    free_facts,
    questions,
    users,
)
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.phrases.speakable_values import schema_at
from interplay.schemas.records.behaviour import Behave
from interplay.schemas.records.blueprint import Fact, Withheld

OPTIONS = 8
"""Options at most that an assistant names when asked what there is."""

FOR_GOOD = 0.5
"""Chance that a user who holds back who it is does not give in."""


def comes_back(growth: Growth) -> bool:
    """Let the user interrupt a request by the next one, when it is asked something, and come back to it then."""
    draft = growth.draft
    late = {done.request for done in draft.behaviours if done.kind == "changes_mind_late"}
    for request in range(len(draft.requests) - 1):
        if {request + 1, request + 2} & late:
            continue  # what is taken back would no longer be what was done last
        found = [
            (fact, level) for fact, level in questions(draft, request) if not _needs(draft, request + 1, request, level)
        ]
        wished = [{draft.goals[goal].intent for goal in draft.requests[place]} for place in (request, request + 1)]
        if wished[0] & wished[1]:
            continue  # "something else first" would be what was asked for already
        if found and not any(draft.goals[goal].condition for goal in draft.requests[request]):
            fact, _ = growth.rng.choice(found)
            draft.behaviours.append(Behave(kind="comes_back", request=request, when="question", at=fact.id))
            return True
    return False


def _needs(draft: Draft, request: int, other: int, level: int) -> bool:
    """Tell whether a request needs what another one does from a level on."""
    late = {step.id for step in draft.steps if step.request == other and step.level >= level}
    told = {
        origin.fact
        for step in draft.steps
        if step.id in late
        for origin in step.origins.values()
        if origin.fact is not None
    }
    return any(
        late & set(step.depends_on) or told & {origin.fact for origin in step.origins.values()}
        for step in draft.steps
        if step.request == request
    )


def refuses_identity(growth: Growth) -> bool:
    """Let the user hold back what would tell who it is, until it hears why it is needed."""
    draft, environment = growth.draft, growth.world.environment
    own = environment.toolset.user_resource
    if not own or not any(rule.kind == "identify_first" for rule in environment.toolset.rules):
        return False
    for fact in free_facts(draft, "opening", "asked"):
        step = users(draft, fact.id)[0]
        if growth.role(step.tool).resource != own or growth.role(step.tool).operation not in ("list", "read"):
            continue
        if any(done.when == "question" and done.at == fact.id for done in draft.behaviours) or step.misses:
            continue
        if _at_once(draft, fact):
            continue
        used = first_use(draft, fact.id)
        assert used is not None
        draft.revise_fact(fact.id, reveal="asked")
        done = Behave(kind="refuses_identity", request=used[0], fact=fact.id, when="question", at=fact.id)
        draft.behaviours.append(done)
        return True
    return False


def gives_nothing_away(growth: Growth) -> bool:
    """Let a user who holds back who it is do so for good: nothing can be done then."""
    draft = growth.draft
    done = next((done for done in draft.behaviours if done.kind == "refuses_identity"), None)
    if done is None or any(fact.instead_of for fact in draft.facts):
        return False
    fact = next(fact for fact in draft.facts if fact.id == done.fact)
    step = users(draft, fact.id)[0]
    if not _can_be_dropped(growth, step) or growth.rng.random() > FOR_GOOD:
        return False
    draft.behaviours[:] = [done.model_copy(update={"for_good": True})]
    _drop(draft, step, fact)
    return True


def _can_be_dropped(growth: Growth, step: Step) -> bool:
    draft = growth.draft
    wish = draft.goals[0]
    plain = step.goal == 0 and step.request == 0
    served = not any(other.withheld for other in draft.steps) and not wish.condition and not wish.each and not wish.asks
    return plain and served and step.level == 0 and step.tool != wish.tool


def _drop(draft: Draft, step: Step, fact: Fact) -> None:
    """Leave of a task what is known of it when the user does not say who it is: a look-up that cannot be made."""
    draft.steps[:], draft.goals[:], draft.requests[:] = [step], draft.goals[:1], [(0,)]
    own = {origin.fact for origin in step.origins.values()}
    draft.facts[:] = [other for other in draft.facts if other.id in own]
    for other in list(draft.facts):
        draft.revise_fact(other.id, reveal="asked", goal=0)
    draft.revise_fact(fact.id, reveal="never", value=None)
    draft.revise(step, withheld=Withheld(reason="unknown", fact=fact.id), value=None)


def asks_back(growth: Growth) -> bool:
    """Let the user answer a question by asking what there is to choose from, or what it is needed for."""
    draft = growth.draft
    facts = [
        fact
        for fact in free_facts(draft, "opening", "asked")
        if not isinstance(fact.value, bool) and not _at_once(draft, fact)
    ]
    facts.sort(key=lambda fact: not _options(growth, fact))
    for fact in facts:
        used, options = first_use(draft, fact.id), _options(growth, fact)
        if used is None or (not options and fact.reveal != "asked"):
            continue
        draft.revise_fact(fact.id, reveal="asked")
        done = Behave(kind="asks_back", request=used[0], fact=fact.id, when="question", at=fact.id, options=options)
        draft.behaviours.append(done)
        return True
    return False


def _at_once(draft: Draft, fact: Fact) -> bool:
    """Tell whether a fact must come with its request, since a question for it would not say which is meant."""
    used = first_use(draft, fact.id)
    goals = draft.requests[used[0]] if used else ()
    tools = [draft.goals[goal].tool for goal in goals]
    same = [
        other for other in draft.facts if other.goal in goals and other.label == fact.label and other.choice is None
    ]
    return fact.reveal == "opening" and (len(same) > 1 or len(set(tools)) < len(tools))


def _options(growth: Growth, fact: Fact) -> tuple[Any, ...]:
    step = users(growth.draft, fact.id)[0]
    pointer = next(pointer for pointer, origin in step.origins.items() if origin.fact == fact.id)
    options = tuple(schema_at(growth.world.tools[step.tool].parameters, pointer).get("enum", ()))
    return options if 1 < len(options) <= OPTIONS and fact.value in options else ()


def wanders_off(growth: Growth) -> bool:
    """Let the user speak of something else when it is asked something."""
    draft = growth.draft
    requests = list(range(len(draft.requests)))
    growth.rng.shuffle(requests)
    for request in requests:
        found = [fact for fact, _ in questions(draft, request)]
        if found:
            at = growth.rng.choice(found).id
            draft.behaviours.append(Behave(kind="wanders_off", request=request, when="question", at=at))
            return True
        if confirmation(growth, request) is not None:
            draft.behaviours.append(Behave(kind="wanders_off", request=request, when="confirmation"))
            return True
    return False


def impatient(growth: Growth) -> bool:
    """Let the user press: all at once, or with a complaint when it is asked too often."""
    draft = growth.draft
    at_once = growth.rng.random() < 0.5
    busy = {name for done in draft.behaviours for name in (done.fact, done.at)}
    for fact in list(draft.facts):
        if at_once and fact.reveal == "asked" and fact.choice is None and not fact.instead_of and fact.id not in busy:
            draft.revise_fact(fact.id, reveal="opening")
    draft.behaviours.append(Behave(kind="impatient", request=0))
    return True
