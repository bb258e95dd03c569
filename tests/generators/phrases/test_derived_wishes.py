"""Wishes beside a call: to know something, to have it otherwise, to have it done to each."""

import pytest

from interplay.generators.phrases.derived_wishes import (
    askable,
    ensure,
    for_each,
    for_each_of,
    know,
    know_which,
    know_which_ones,
)


@pytest.mark.parametrize(
    ("label", "flag", "wish"),
    [
        ("price", False, "know the price of the room"),
        ("room number", False, "know the room number"),
        ("starts at", False, "know when the room starts"),
        ("booked on", False, "know when the room was booked"),
        ("free until", False, "know until when the room is free"),
        ("is open", True, "know whether the room is open"),
        ("has window", True, "know whether the room has a window"),
        ("can move", True, "know whether the room can move"),
    ],
)
def test_asks_for_one_value_of_a_thing(label: str, flag: bool, wish: str) -> None:
    assert know(label, "room", flag) == wish


def test_the_amount_of_a_price_is_the_price() -> None:
    assert know("amount", "price") == "know the price"
    assert know("amount", "invoice") == "know the amount of the invoice"


def test_asks_which_is_the_first_of_all() -> None:
    assert know_which("room", "lowest", "price") == "know which room has the lowest price"
    assert know_which("room", "latest", "") == "know which room is the latest"


@pytest.mark.parametrize(
    ("label", "value", "wish"),
    [
        ("status", "closed", "know which jobs are closed"),
        ("job type", "full-time", "know which jobs have the type full-time"),
        ("status", "IN_PROGRESS", "know which jobs have the status in progress"),
        ("is remote", True, "know which jobs are remote"),
        ("has bonus", True, "know which jobs have a bonus"),
        ("can be shared", True, "know which jobs can be shared"),
    ],
)
def test_asks_which_are_so(label: str, value: str | bool, wish: str) -> None:
    assert know_which_ones("job", label, value) == wish


@pytest.mark.parametrize(
    ("label", "value", "wish"),
    [
        ("mail sync", "up to date", "make sure that the mail sync is up to date"),
        ("alerts", "muted", "make sure that the alerts are muted"),
        ("roaming", False, "make sure that the roaming is off"),
        ("is online", True, "make sure that it is online"),
        ("phone is locked", False, "make sure that the phone is not locked"),
    ],
)
def test_wants_something_otherwise(label: str, value: str | bool, wish: str) -> None:
    assert ensure(label, value) == wish


def test_wants_it_done_to_each() -> None:
    assert for_each("cancel an appointment", "appointment") == "cancel each appointment"
    assert for_each("check my new mail", "unread mail") == "check each new mail"
    assert for_each("call it off", "visit") == "call it off for each visit"


def test_times_that_are_verbs_are_asked_for_as_such() -> None:
    assert know("opens", "clinic hours") == "know when it opens"
    assert know("departs", "trip") == "know when the trip departs"
    assert know("end at", "movie") == "know when the movie ends"
    assert know("due on", "invoice") == "know when the invoice is due"


def test_a_wish_about_a_part_of_a_name_is_one_about_each() -> None:
    assert for_each("check what I owe for a damage", "damage report") == "check what I owe for each damage"
    assert for_each("make my rental longer", "booking") == "make my rental longer for each booking"


@pytest.mark.parametrize(
    ("wishes", "noun", "each"),
    [
        (("call off a visit", "cancel an appointment"), "appointment", "cancel each appointment"),
        (("send somebody a mail", "write a mail"), "contact", "send each contact a mail"),
        (("set up a meeting with somebody",), "slot", "set up a meeting with somebody for each slot"),
        (("settle a bill",), "invoice", "settle a bill for each invoice"),
    ],
)
def test_what_is_done_to_each_names_what_is_in_the_list(wishes: tuple[str, ...], noun: str, each: str) -> None:
    assert for_each_of(wishes, wishes[0], noun) == each


@pytest.mark.parametrize(
    ("label", "wish"),
    [
        ("email verified at", "know when the email was verified"),
        ("last updated at", "know when the user was last updated"),
        ("created at", "know when the user was created"),
    ],
)
def test_what_was_done_was_done_to_what_stands_before_it(label: str, wish: str) -> None:
    assert know(label, "user") == wish


def test_what_stands_in_a_list_is_nothing_of_the_whole() -> None:
    assert askable("/graph/name", "name", "graph")
    assert not askable("/entities/0/name", "name", "graph")
