"""A row that an earlier wish was about -> whether it is the one that is meant by "the same", or has to be told anew.

look at booking 1, look at booking 2, cancel it   ->   2, for it was spoken of last; of 1 the user says that it means it
"""

from interplay.generators.blueprints.draft import Draft
from interplay.generators.graph.world import World
from interplay.schemas.blueprint import Origin
from interplay.schemas.talk import Talk


def is_another(draft: Draft, world: World, goal: int, resource: str, key: str, origin: Origin) -> bool:
    """Tell whether a row came up with an earlier wish, and is not the one that "the same" means now."""
    own = world.environment.toolset.user_resource
    condition = draft.goals[goal].condition
    instead = condition is not None and condition.otherwise  # what is wanted instead is about the same thing
    if resource == own or instead or origin.kind not in ("user", "output"):
        return False
    values = {step.id: step.value for step in draft.steps if step.withheld is None}
    told = {fact.id: fact.goal for fact in draft.facts}
    talk = Talk(draft.goals, draft.requests, draft.steps, values, told, world.roles, world.resources, own)
    return talk.is_earlier(goal, origin) and talk.same(goal, resource) != key
