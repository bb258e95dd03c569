from typing import Any

from interplay.generators.phrases.plain_phrases import as_implied, derived_nouns, saying_all
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import HttpBinding, Source, Tool, ToolRole

FLAG = {"type": "boolean"}
POST = {"post_id": {"type": "integer"}}


def tool(summary: str, fields: dict[str, Any], phrases: ToolPhrases | None = None) -> Tool:
    parameters = {"type": "object", "properties": {**POST, **fields}, "required": ["post_id", *fields]}
    return Tool(
        name="t", original_name="t", summary=summary, parameters=parameters, effect="write", source=Source(file="x"),
        phrases=phrases or ToolPhrases(),
    )  # fmt: skip


def test_a_flag_that_is_called_as_what_is_asked_for_is_on() -> None:
    assert saying_all(tool("Delete Post", {"deleted": FLAG})).phrases.implied == {"deleted": True}
    assert saying_all(tool("Mark Post as Read", {"read": FLAG})).phrases.implied == {"read": True}


def test_a_flag_that_says_more_is_left_to_the_user() -> None:
    assert saying_all(tool("Create Post", {"nsfw": FLAG})).phrases.implied == {}
    assert saying_all(tool("Delete Post", {"notify": FLAG})).phrases.implied == {}


def test_what_phrases_imply_is_the_only_value_where_the_schema_admits_it() -> None:
    score = {"score": {"type": "integer", "enum": [0, 1]}}
    liked = saying_all(tool("Like Post", score, ToolPhrases(wishes=("like a post",), implied={"score": 1})))
    assert as_implied(liked).parameters["properties"]["score"]["const"] == 1
    wrong = saying_all(tool("Like Post", score, ToolPhrases(wishes=("like a post",), implied={"score": 7})))
    assert wrong.phrases.implied == {}


ROLES = (ToolRole(tool="transfer_verify", operation="read", resource="verify", why="x"),)


def verifying(phrases: ToolPhrases) -> Tool:
    return Tool(
        name="transfer_verify", original_name="transfer_verify", summary="Verify Transfer", phrases=phrases, parameters={},
        source=Source(file="x"), http=HttpBinding(method="GET", path="/transfer/verify/{reference}"),
    )  # fmt: skip


def test_a_resource_that_no_wish_names_is_called_as_the_wishes_say() -> None:
    assert derived_nouns([verifying(ToolPhrases())], ROLES) == {"verify": "transfer"}


def test_phrases_come_first_and_what_an_author_asks_for_is_not_parsed() -> None:
    assert derived_nouns([verifying(ToolPhrases(noun="payout"))], ROLES) == {"verify": "payout"}
    assert derived_nouns([verifying(ToolPhrases(wishes=("hand something over to somebody",)))], ROLES) == {}


def test_a_resource_that_is_called_by_its_name_keeps_it() -> None:
    role = ROLES[0].model_copy(update={"resource": "transfer"})
    assert derived_nouns([verifying(ToolPhrases())], [role]) == {}


def test_a_resource_of_several_words_is_called_as_its_wishes_write_it() -> None:
    order = Tool(
        name="get_order", original_name="get_order", summary="Retrieve a sales order", parameters={},
        source=Source(file="x"), http=HttpBinding(method="GET", path="/sales_orders/{id}"),
    )  # fmt: skip
    role = ToolRole(tool="get_order", operation="read", resource="sales_order", why="x")
    assert derived_nouns([order], [role]) == {"sales_order": "sales order"}


def test_a_flag_that_may_be_left_out_is_on_where_it_is_what_is_asked_for() -> None:
    asked = tool("Archive Post", {"archive": FLAG}).model_copy(
        update={"parameters": {"type": "object", "properties": {**POST, "archive": FLAG}, "required": ["post_id"]}}
    )
    assert saying_all(asked).phrases.implied == {"archive": True}


def test_what_is_added_to_several_gives_them_its_name() -> None:
    adding = Tool(
        name="add", original_name="add", summary="Add recipe to favorites", parameters={}, source=Source(file="x"),
        http=HttpBinding(method="POST", path="/favorites/{recipeId}"),
    )  # fmt: skip
    role = ToolRole(tool="add", operation="create", resource="favorite", why="x")
    assert derived_nouns([adding], (role,)) == {"favorite": "recipe"}
