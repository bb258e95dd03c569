import pytest

from interplay.generators.phrases.plain_wishes import as_people_say


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("get a list of all projects", "see all projects"),
        ("get multiple portfolio memberships", "get portfolio memberships"),
        ("archive a public or private channel", "archive a channel"),
        ("remove a property from the passed transition", "remove a property from a transition"),
        ("see all country spec objects", "see all country specs"),
        ("get attachments from an object", "get attachments from an object"),
        ("disable a site, preventing it from serving content", "disable a site"),
        ("start A block storage action", "start a block storage action"),
        ("get track's audio features", "get a track's audio features"),
        ("check a patient in", "check a patient in"),
        ("update a new offer", "update an offer"),
        ("see the new releases", "see the new releases"),
    ],
)
def test_what_only_an_api_would_say_goes(told: str, said: str) -> None:
    assert as_people_say(told, frozenset()) == said


def test_of_two_things_the_one_stays_that_its_tool_is_called_after() -> None:
    assert as_people_say("move or insert sections", {"insert", "section"}) == "insert sections"
    assert as_people_say("add a user to a workspace or organization", {"workspace"}) == "add a user to a workspace"
    assert as_people_say("follow artists or users", {"user"}) == "follow artists or users"


def test_what_belongs_to_one_of_the_address_is_said_to() -> None:
    owners = (["blocks"], ["children"])
    assert as_people_say("get block children", {"block", "child"}, owners) == "get the children of a block"
    assert as_people_say("append block children", {"block", "child"}, owners) == "append children to a block"
    assert as_people_say("get my block children", {"block"}, owners) == "get my block children"


def test_one_that_the_address_identifies_is_not_known_yet() -> None:
    assert as_people_say("get the plan", {"plan"}, entry=True) == "get a plan"
    assert as_people_say("get the plan", {"plan"}) == "get the plan"


@pytest.mark.parametrize(
    ("told", "own", "said"),
    [
        ("update teacher fields", {"teacher"}, "update a teacher"),
        ("delete a student record", {"student"}, "delete a student"),
        ("see the class categories list", {"class"}, "see the class categories"),
        ("update a user profile", {"user", "profile"}, "update a user profile"),
        ("update custom fields", {"task"}, "update custom fields"),
        ("set the profile information for a user", {"profile"}, "set the profile information for a user"),
        ("see a playlist", {"playlist"}, "see a playlist"),
    ],
)
def test_what_only_says_that_a_thing_is_kept_goes(told: str, own: set[str], said: str) -> None:
    assert as_people_say(told, own) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("get all photos about the event passed", "get all photos about the event"),
        ("see the rooms of a hotel given by id", "see the rooms of a hotel"),
        ("write a public or authorized internal comment", "write a comment"),
        ("update the price or quantity of an item", "update the price or quantity of an item"),
    ],
)
def test_what_is_passed_and_kinds_of_which_any_will_do_go(told: str, said: str) -> None:
    assert as_people_say(told, {"photo", "room", "comment", "item"}) == said
