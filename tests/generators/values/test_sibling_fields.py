"""What stands beside a field tells what it holds."""

from random import Random
from typing import Any

import pytest

from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.sibling_fields import of_own_kind

TEXT = {"type": "string"}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def test_links_are_addresses() -> None:
    made = make_valid(thing(links=thing(self=TEXT, related=TEXT)), Random(1))
    assert all(value.startswith("https://") for value in made["links"].values())


def test_a_value_beside_its_currency_is_a_sum_and_its_smallest_units_agree() -> None:
    made = make_valid(thing(currencyCode=TEXT, value=TEXT, valueInBaseUnits={"type": "integer"}), Random(1))
    assert round(float(made["value"]) * 100) == made["valueInBaseUnits"]


def test_a_password_is_confirmed_with_itself() -> None:
    for first, second in (
        ("password", "confirmPassword"),
        ("password1", "password2"),
        ("password", "password_confirmation"),
    ):
        made = reconciled({second: "b", first: "a"}, {first: TEXT, second: TEXT})
        assert made == {first: "a", second: "a"}


def test_an_old_password_is_another_one_than_the_new() -> None:
    made = {"old_password": "a", "new_password": "b", "confirm_password": "c"}
    assert reconciled(dict(made), dict.fromkeys(made, TEXT)) == {**made, "confirm_password": "b"}


def test_mails_go_to_addresses() -> None:
    made = make_valid(thing(subject=TEXT, to={"type": "array", "items": TEXT, "minItems": 1}), Random(1))
    assert all("@" in address for address in made["to"])


@pytest.mark.parametrize(
    "file", [{"name": "plan.png"}, {"filename": "a/plan.PNG"}, {"extension": "png", "name": "plan"}]
)
def test_the_media_type_of_a_file_is_that_of_its_extension(file: dict[str, str]) -> None:
    text = {"type": "string"}
    made = reconciled(
        {**file, "mimeType": "text/csv", "title": "Plan"}, dict.fromkeys((*file, "mimeType", "title"), text)
    )
    assert made["mimeType"] == "image/png"
    assert (
        reconciled({"name": "plan", "mimeType": "text/csv"}, {"name": text, "mimeType": text})["mimeType"] == "text/csv"
    )


KIND = {"enum": ["INCOME", "EXPENSE"]}


@pytest.mark.parametrize(
    ("noun", "made", "properties", "kind"),
    [
        ("income", {"type": "EXPENSE"}, {"type": KIND}, "INCOME"),
        ("income_list", {"entryType": "EXPENSE"}, {"entryType": KIND}, "INCOME"),
        ("transaction", {"type": "EXPENSE"}, {"type": KIND}, "EXPENSE"),
        ("admin_user", {"type": "ADMIN"}, {"type": {"enum": ["USER", "ADMIN"]}}, "ADMIN"),
        ("user", {"role": "ADMIN"}, {"role": {"enum": ["USER", "ADMIN"]}}, "ADMIN"),
        ("income", {"type": None}, {"type": {"type": "string"}}, None),
    ],
)
def test_a_thing_is_of_the_kind_that_it_is_called(
    noun: str, made: dict[str, Any], properties: dict[str, Any], kind: str | None
) -> None:
    assert [*of_own_kind(made, properties, noun).values()] == [kind]
