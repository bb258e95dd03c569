"""What models cost for each role: nothing is said in dollars where a price is unknown."""

from interplay.flows.workspaces.role_costs import RoleSpent


def test_what_is_unknown_stays_unknown_and_the_rest_adds_up() -> None:
    spent = RoleSpent("user").plus(5, 0.5).plus(7, 0.25)
    assert (spent.tokens, spent.dollars) == (12, 0.75)
    unknown = spent.plus(1, None).plus(2, 0.5)
    assert (unknown.tokens, unknown.dollars) == (15, None)
