import pytest

from interplay.generators.phrases.wish_grammar import OBJECTIONS, Naming, Objection, objection_to, parsed, without_aside

EXEMPLARY = [objection for objection in OBJECTIONS if objection.example]


@pytest.mark.parametrize("objection", EXEMPLARY, ids=lambda objection: objection.why)
def test_the_example_of_an_objection_is_objected_to_for_it(objection: Objection) -> None:
    assert objection_to(objection.example) == objection.why


@pytest.mark.parametrize(
    "wish",
    [
        "move a task to another section", "see all projects", "check a patient in", "pay for a booking",
        "check whether my laptop is in sync", "see reactions made by a user", "turn on do not disturb mode",
        "get a team's projects", "find cash machines nearby", "get the PDF of an invoice", "see the children of a block",
        "search for messages", "see everybody in a department", "enable roaming for a line", "get an OpenAI API key",
    ],
)  # fmt: skip
def test_nobody_objects_to_what_people_say(wish: str) -> None:
    assert objection_to(wish) == ""


def test_a_verb_is_a_noun_where_the_texts_or_the_address_have_it_as_one() -> None:
    assert objection_to("delete a deploy") != ""
    assert objection_to("delete a deploy", Naming(many=frozenset({"deploy"}))) == ""
    assert objection_to("delete a deploy", Naming(texts="removes a deploy for good.")) == ""


def test_a_short_word_is_explained_by_a_dictionary_or_the_texts() -> None:
    assert objection_to("update the pos of a card") != ""
    assert objection_to("update the pos of a card", Naming(texts="the pos is the place of a card")) == ""


def test_parses_a_verb_its_thing_and_what_follows() -> None:
    found = parsed("move a task to another section")
    assert (found.verb, found.determiner, found.thing, found.rest) == (
        "move",
        "a",
        ("task",),
        ("to", "another", "section"),
    )
    assert parsed("see all of the admins on a workspace").thing == ("admins",)
    assert parsed("see firewalls applied to a droplet").thing == ("firewalls",)


def test_nouns_in_a_row_are_said_as_the_texts_have_them() -> None:
    assert objection_to("create a sales order") != ""
    assert objection_to("create a sales order", Naming(texts="creates a new sales order object.")) == ""


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("see workspaces of the caller making the request", "see workspaces"),
        ("see all orders with total field greater than now", "see all orders"),
        ("see comments for a ticket", "see comments for a ticket"),
        ("see trips within a period", "see trips"),
        ("cancel an order by admin", "cancel an order"),
        ("replace a role set without removing the final admin", "replace a role set"),
        ("add a member to a crew", "add a member to a crew"),
    ],
)
def test_what_the_tool_is_not_told_is_no_part_of_a_wish(wish: str, said: str) -> None:
    named = Naming(
        own=frozenset({"workspace", "order", "comment", "trip", "role", "admin"}), takes=frozenset({"ticket", "id"})
    )
    assert without_aside(wish, named) == said
