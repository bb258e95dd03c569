"""The user does not say who it is until it hears why that is needed, or never."""

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, Turn, UserBehaviour, Utterance
from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.blueprints.growth.dialogue_moments import first_use, free_facts, is_told_at_once, users
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Fact, Withheld
from interplay.schemas.records.dialogue import DialogueAct

FOR_GOOD = 0.5
"""Chance that a user who withholds its identity never gives in."""


def refuses_identity(growth: Growth) -> bool:
    """Plan that the user withholds an identifying fact until it hears why it is needed."""
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
        if is_told_at_once(draft, fact):
            continue
        used = first_use(draft, fact.id)
        assert used is not None
        draft.revise_fact(fact.id, reveal="asked")
        done = PlannedBehaviour(kind="refuses_identity", request=used[0], fact=fact.id, when="question", at=fact.id)
        draft.behaviours.append(done)
        return True
    return False


def gives_nothing_away(growth: Growth) -> bool:
    """Let a user who withholds its identity do so for good, by chance; nothing can then be done."""
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
    """Reduce a task to the look-up that cannot be made without the identity."""
    draft.steps[:], draft.goals[:], draft.requests[:] = [step], draft.goals[:1], [(0,)]
    own = {origin.fact for origin in step.origins.values()}
    draft.facts[:] = [other for other in draft.facts if other.id in own]
    for other in list(draft.facts):
        draft.revise_fact(other.id, reveal="asked", goal=0)
    draft.revise_fact(fact.id, reveal="never", value=None)
    draft.revise(step, withheld=Withheld(reason="unknown", fact=fact.id), value=None)


def _withhold(performance: Performance, done: PlannedBehaviour, again: bool) -> Turn | None:
    if again and not done.for_good:
        return None
    return Turn("withhold", performance.draw("withhold_again" if again else "withhold"))


def _give_in(performance: Performance, done: PlannedBehaviour) -> tuple[DialogueAct, str]:  # noqa: ARG001
    return "inform", performance.draw("give_in")


def _recognise(said: Utterance, done: PlannedBehaviour) -> float:
    """Return how surely a message withholds, from 0 to 1: in so many words, or as it names nothing that was asked for."""
    if said.sounds("withholding"):
        return 0.8
    refused = "withhold" in said.acts and not done.for_good
    return 0.0 if "?" in said.text or refused or any(map(said.names, said.asked)) else 0.6


WITHHELD_IDENTITY = UserBehaviour(
    name="refuses_identity",
    plan=refuses_identity,
    leave_undone=gives_nothing_away,
    prompt="When you are asked for the {label}, you would rather not say. {gives_in}",
    act="withhold",
    instead=_withhold,
    lead=_give_in,
    recognise=_recognise,
)
