"""What two tools have to do with each other: the kinds of things that they are about, or have to be told one of.

get_order(order_id), cancel_order(order_id)   both about orders
list_customers(), create_order(customer_id)   the second names what the first is about
list_webhooks(), get_order(order_id)          nothing
"""

from collections.abc import Iterable, Sequence

from interplay.generators.graph.sampling.world import World


def kinds_of(world: World, name: str, loosely: bool = False) -> frozenset[str]:
    """Return the resources that a tool is about or has to be told one of; `loosely`, also those it may be told one of."""
    if (name, loosely) not in world.kinds:
        world.kinds[name, loosely] = _kinds_of(world, name, loosely)
    return world.kinds[name, loosely]


def _kinds_of(world: World, name: str, loosely: bool) -> frozenset[str]:
    role, required = world.roles[name], world.tools[name].parameters.get("required", ())
    told = {kind for pointer, kind in role.references.items() if loosely or pointer.split("/")[1] in required}
    return frozenset(told | ({role.resource} if role.resource else set()))


def kindred(world: World, names: Sequence[str], to: Iterable[str], loosely: bool = False) -> list[str]:
    """Return those of some tools that share a resource with one of those that they are to go with; see `kinds_of`."""
    kinds = set[str]().union(*(kinds_of(world, name, loosely) for name in to if name in world.roles))
    return [name for name in names if kinds & kinds_of(world, name, loosely)]
