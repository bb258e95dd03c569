"""How often recipes aim at tools: most at those that change what can be listed, each at least once."""

from collections import Counter

from tests.generators.worlds import generator

from interplay.generators.blueprints.recipes.target_rounds import target_round
from interplay.schemas.records.tool import ResourceModel, Source, Tool, ToolPhrases, ToolRole

LISTED = ToolRole(tool="list_books", resource="book", operation="list")
READ = ToolRole(tool="get_book", resource="book", operation="read")
DELETED = ToolRole(tool="delete_book", resource="book", operation="delete")
LENT = ToolRole(tool="lend", resource="loan", operation="create", references={"/book_id": "book"})
RETURNED = ToolRole(tool="return_all", resource="loan", operation="action")
HEALTH = ToolRole(tool="get_health", operation="compute")


def tool(role: ToolRole, *wishes: str) -> Tool:
    phrases = ToolPhrases(wishes=wishes)
    return Tool(
        name=role.tool, original_name=role.tool, parameters={}, source=Source(file="books.json"), phrases=phrases
    )


def counted(*roles: ToolRole) -> dict[str, int]:
    return dict(Counter(target_round([tool(role) for role in roles], ResourceModel(roles=roles))))


def test_aims_most_at_what_changes_things_that_can_be_listed() -> None:
    found = counted(LISTED, READ, DELETED, LENT, RETURNED, HEALTH)
    assert found == {"delete_book": 3, "list_books": 2, "get_book": 2, "lend": 2, "return_all": 1, "get_health": 1}


def test_aims_at_all_alike_where_none_is_at_home() -> None:
    assert counted(LENT, HEALTH) == {"lend": 1, "get_health": 1}


def test_what_somebody_has_put_into_words_is_wanted_like_anything() -> None:
    roles = (LISTED, READ, DELETED, HEALTH)
    tools = [tool(role, "see whether all is well") if role is HEALTH else tool(role) for role in roles]
    assert Counter(target_round(tools, ResourceModel(roles=roles)))["get_health"] == 3


def test_recipes_follow_the_round() -> None:
    made = generator("petstore_v3.yaml")
    assert set(made.tasks.targets) == {made.tasks.recipe(index).target for index in range(200)}
    model = made.world.environment.resources
    changing = [role.tool for role in model.roles if role.operation in ("update", "delete") and role.resource == "pet"]
    aimed = Counter(made.tasks.recipe(index).target for index in range(200))
    assert changing
    assert all(aimed[name] > 2 * min(aimed.values()) for name in changing)
