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


def test_a_look_at_what_a_list_has_shown_is_wanted_least() -> None:
    fields = {"id": {"type": "integer"}, "title": {"type": "string"}}
    one = {"type": "object", "properties": fields}
    roles = ResourceModel(roles=(LISTED, READ, DELETED))

    def aimed(list_shows: object, read_shows: object) -> tuple[int, ...]:
        tools = [tool(LISTED), tool(READ, "see a book"), tool(DELETED)]
        tools = [
            tools[0].model_copy(update={"returns": list_shows}),
            tools[1].model_copy(update={"returns": read_shows}),
            tools[2],
        ]
        counts = Counter(target_round(tools, roles))
        return tuple(counts[each.name] for each in tools)

    assert aimed({"type": "array", "items": one}, one) == (4, 1, 6)
    assert aimed({"type": "array", "items": {"type": "object", "properties": {"id": {}}}}, one) == (2, 3, 3)
    assert aimed(None, one) == aimed({"type": "array", "items": one}, None) == (2, 3, 3)


def test_recipes_follow_the_round() -> None:
    made = generator("petstore_v3.yaml")
    assert set(made.tasks.targets) == {made.tasks.recipe(index).target for index in range(200)}
    model = made.world.environment.resources
    changing = [role.tool for role in model.roles if role.operation in ("update", "delete") and role.resource == "pet"]
    aimed = Counter(made.tasks.recipe(index).target for index in range(200))
    assert changing
    assert all(aimed[name] > 2 * min(aimed.values()) for name in changing)
