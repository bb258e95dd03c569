"""What is told of results: rows by what people call them, never by how they are or how many."""

from typing import Any

import pytest

from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.blueprints.drafting.reported_values import ItemNaming, ReportedValues, _named
from interplay.generators.blueprints.drafting.result_labels import label_in_result
from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.phrases.topic_nouns import repeats_noun


def told(*items: dict[str, Any], own: str = "", tool: str = "", when: bool = False) -> list[str]:
    """Return the pointers of what names each item."""
    return [below for _, below in _named(items, ItemNaming(own, frozenset(tool.split()), when))]


def test_names_come_first() -> None:
    assert told({"order_id": 1, "label": "Desk", "quantity": 2}, own="/order_id") == ["/label"]


def test_an_identity_names_what_has_no_name() -> None:
    rows = [{"order_id": 1, "quantity": 1, "status": "open"}, {"order_id": 2, "quantity": 4, "status": "shipped"}]
    assert told(*rows, own="/order_id") == ["/order_id", "/order_id"]
    assert told(rows[0], own="/order_id") == ["/order_id"]


def test_an_identity_that_nobody_says_names_nothing() -> None:
    row = {"id": "6f1c2f0e-7f5b-4f44-9f0e-2f6d7c3f9b11", "status": "open"}
    assert told(row, own="/id") == ["/status"]


def test_what_a_tool_speaks_of_names_what_it_stands_in() -> None:
    row = {"project": {"name": "Western Orchid"}, "custom_field": {"name": "Jade Anchor"}, "type": "enum"}
    assert told(row, tool="get custom field settings for goal") == ["/custom_field/name"]
    assert told(row | {"name": "Weekly"}, tool="get custom field settings for goal") == ["/name"]


def test_nothing_is_called_after_who_changed_it() -> None:
    row = {"key": "EN36624", "updated_by": {"full_name": "Kofi Takeda"}}
    assert told(row, own="/key") == ["/key"]
    assert told({"created_by": "Kofi Takeda", "start_date": "2026-05-15"}) == ["/start_date"]
    assert told({"id": "RE1", "created_by": "Kofi Takeda"}, own="/id") == ["/id"]


def test_what_was_said_is_told_by_its_words_and_not_by_who_said_it() -> None:
    comment = {"id": "CO1", "userID": "US2", "username": "ann2", "content": "The second half could be shorter."}
    assert told(comment, own="/id") == ["/content"]
    assert told({"id": "SC1", "movieId": "MO1", "movieName": "Night Train", "hall": "Hall 2"}) == ["/movieName"]
    assert told({**comment, "content": "short"}, own="/id") == ["/username"]


def test_times_name_what_somebody_asks_the_time_of() -> None:
    rows = [
        {"location": "Harbour Street", "starts_at": "2026-02-16T16:15:00"},
        {"location": "Mill Lane", "starts_at": "2026-03-17T11:30:00"},
    ]
    assert told(*rows, when=True) == ["/starts_at", "/starts_at"]
    assert told(*rows) == ["/location", "/location"]


def read(value: dict[str, Any], **arguments: str) -> Step:
    """Return a step that looked a patient up."""
    return Step("a1", 0, 0, 0, "get_patient", arguments, {}, (), value)


def test_one_result_is_told_otherwise_to_whom_knows_part_of_it() -> None:
    reports = ReportedValues(Toolkit(DOMAIN.tools, DOMAIN.toolset))
    value = {"name": "Ann Rossi", "phone": "020 7946 0101"}
    by_number, by_name = read(value, patient_id="P-0001"), read(value, name="Ann Rossi")
    for _ in range(2):
        assert [output.pointer for output in reports.outputs(by_number)] == ["/name", "/phone"]
        assert [output.pointer for output in reports.outputs(by_name)] == ["/phone"]


def test_nobody_asks_for_the_name_of_another_one_of_the_same_kind_within() -> None:
    reports = ReportedValues(Toolkit(DOMAIN.tools, DOMAIN.toolset))
    value = {"name": "Ann Rossi", "phone": "020 7946 0101", "kin": {"patient": {"name": "Bo Rossi"}}}
    told = [output.pointer for output in reports.outputs(read(value, patient_id="P-0001"))]
    assert told == ["/name", "/phone"]


def test_notes_name_nothing_that_goes_by_a_number_or_a_day() -> None:
    note = "Please ring the doorbell."
    orders = [{"id": number, "special_instructions": note, "placed_at": "2026-02-01"} for number in (7, 8)]
    assert told(*orders, own="/id") == ["/id", "/id"]
    days = [{"memo": note, "occurred_on": day, "amount": 4} for day in ("2026-02-01", "2026-02-03")]
    assert told(*days) == ["/occurred_on", "/occurred_on"]
    assert told({"comment": note, "rating": 4}) == ["/comment"]


def test_one_of_several_parts_names_what_has_no_number_to_be_called_by() -> None:
    methods = [{"id": kind, "issuers": [{"name": bank}]} for kind, bank in (("eps", "Ash Bank"), ("twint", "Oak Bank"))]
    assert told(*methods, own="/id") == ["/id", "/id"]
    assert told(*methods) == ["/issuers/0/name", "/issuers/0/name"]


def test_sums_are_told_where_there_is_nothing_else() -> None:
    rows = [{"debtor_id": "a793856f-3454-4367-a07f-d886a901d37c", "amount": amount} for amount in (582, 809)]
    assert told(*rows) == ["/amount", "/amount"]


def test_numbers_by_which_people_call_things_name_them() -> None:
    batches = [
        {"layout": layout, "batch_number": f"BA9960{at}", "errors": [{"field_name": f"shipment.{at}"}]}
        for at, layout in enumerate(("A4", "A6", "A5"))
    ]
    assert told(*batches, tool="list_batches")[0] == "/batch_number"
    invoices = [{"detail": {"invoice_number": f"IN1{at}"}, "seller": {"name": f"Ash {at}"}} for at in range(3)]
    assert told(*invoices, tool="get invoice")[0] == "/detail/invoice_number"


@pytest.mark.parametrize(
    ("value", "pointer", "label"),
    [
        (
            {"id": 1, "payer": {"billing_info": {"full_name": "Ada"}}},
            "/payer/billing_info/full_name",
            "payer full name",
        ),
        ({"id": 1, "guests": [{"email_address": "a@b.c"}]}, "/guests/0/email_address", "guest email address"),
        ({"guests": [{"full_name": "Ada"}]}, "/guests/0/full_name", "full name"),
        ({"user": {"full_name": "Ada"}}, "/user/full_name", "full name"),
    ],
)
def test_what_belongs_to_somebody_in_a_row_is_called_by_its_owner(value: Any, pointer: str, label: str) -> None:
    assert label_in_result(value, pointer) == label


def test_a_type_that_repeats_the_noun_tells_nothing() -> None:
    assert repeats_noun("transactions", ["transaction"])
    assert repeats_noun("group_membership", ["group", "membership"])
    assert not repeats_noun("withdrawal", ["transaction"])
