"""What people call identities, and the arguments that take them."""

import pytest

from interplay.generators.phrases.labels.identity_labels import argument_label, callers_labels, identity_label


def test_calls_an_identity_by_its_resource() -> None:
    assert identity_label("order", "orderId", {}) == "order number"
    assert identity_label("artist", "id", {}) == "artist id"
    assert identity_label("artist", "id", {"artist": "singer"}) == "singer number"
    assert identity_label("user", "username", {}) == "username"
    assert identity_label("patient", "patient_id", {"patient": "patient file"}) == "patient file number"


def test_calls_what_is_an_id_by_itself_so_once() -> None:
    assert identity_label("custom id", "gid", {}) == "custom id"


@pytest.mark.parametrize(
    ("pointer", "resource", "label"),
    [
        ("/environmentKey", "user", "environment id"),
        ("/environmentKey", "flag status", "environment id"),
        ("/featureFlagKey", "flag status", "feature flag id"),
        ("/featureFlagKey", "flag", "flag id"),
        ("/data/assignee", "user", "assignee"),
        ("/task_ids/*", "task", "task id"),
        ("/id", "task", "task id"),
        ("/ids_body/0", "task", "task id"),
        ("/userIdToFollow", "user", "user id"),
        ("/reservation_id", "booking", "reservation number"),
        ("/resourceId", "audit log", "audit log id"),
        ("/api_key", "api key", "api key"),
    ],
)
def test_calls_an_argument_by_its_own_name_where_that_is_not_its_resource(
    pointer: str, resource: str, label: str
) -> None:
    assert argument_label(pointer, resource, "id", {}) == label


def test_tells_rows_of_a_kind_that_are_named_beside_each_other_apart() -> None:
    both = {"/source_ticket_id": "ticket", "/target_ticket_id": "ticket"}
    labels = [argument_label(pointer, "ticket", "ticket_id", {}, both) for pointer in both]
    assert labels == ["source ticket number", "target ticket number"]
    alone = {"/source_ticket_id": "ticket"}
    assert argument_label("/source_ticket_id", "ticket", "ticket_id", {}, alone) == "ticket number"


def test_calls_an_argument_as_its_toolset_calls_the_resource() -> None:
    assert argument_label("/driver_id", "customer", "customer_id", {"customer": "account"}) == "account number"
    assert argument_label("/owner", "user", "username", {}) == "username"


def test_a_thing_is_not_called_by_the_service_that_numbers_it() -> None:
    assert argument_label("/lago_id", "invoice", "lago_id", {}) == "invoice number"
    assert argument_label("/external_id", "subscription", "external_id", {}) == "subscription id"
    assert argument_label("/external_customer_id", "customer", "slug", {}) == "customer number"


def test_only_callers_know_the_identity_of_those_whom_no_tool_shows() -> None:
    names = ("user_id", "customerId", "order_id", "limit", "parent_user_id")
    assert callers_labels(names, {"customer"}) == {"user id"}


def test_an_abbreviation_is_called_by_its_resource() -> None:
    assert argument_label("/adr_id", "address", "id", {}) == "address id"
    assert argument_label("/assignee_id", "user", "id", {}) == "assignee id"
