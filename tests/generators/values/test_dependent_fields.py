"""Values follow from those beside them."""

from typing import Any

import pytest

from interplay.generators.values.reconciliation import reconciled


@pytest.mark.parametrize(
    ("made", "field", "value"),
    [
        ({"subtotal": 40.0, "tax": 8.0, "total": 12.5}, "total", 48.0),
        ({"subtotal_amount": 40.0, "shipping_cost": 5.0, "discount": 10.0, "total_amount": 1.5}, "total_amount", 35.0),
        ({"lines": [{"quantity": 2, "unit_price": 4.5}, {"quantity": 1, "unit_price": 3.0}], "total": 1.0}, "total", 12.0),
        ({"quantity": 3, "unitPrice": 4.5, "total": 1.0}, "total", 13.5),
        ({"likes": ["a", "b"], "num_likes": 26}, "num_likes", 2),
        ({"likes": ["a", "b"], "likeCount": 26}, "likeCount", 2),
        ({"birth_date": "1990-05-02", "age": 75}, "age", 35),
        ({"amount": 833, "currency": "USD", "amount_formatted": "amount formatted"}, "amount_formatted", "8.33"),
        ({"distance": 1250, "formatted_distance": "x"}, "formatted_distance", "1,250"),
        ({"名称": 7, "note": "Ring twice."}, "note", "Ring twice."),
        ({"discountType": "PERCENTAGE", "discountValue": 373.82}, "discountValue", 20.0),
        ({"discountType": "FIXED", "discountValue": 373.82}, "discountValue", 373.82),
        ({"currency": "USD", "currency_symbol": "SEK"}, "currency_symbol", "$"),
        ({"currency": "EUR", "price": {"amount": 4, "currency": "USD"}}, "price", {"amount": 4, "currency": "EUR"}),
    ],
)  # fmt: skip
def test_a_value_follows_from_those_beside_it(made: dict[str, Any], field: str, value: Any) -> None:
    assert reconciled(made, {})[field] == value


def test_sums_within_an_object_are_in_one_currency() -> None:
    made = reconciled({"fee": {"currency": "EUR", "value": 1}, "rate": {"currency": "SEK", "value": 2}}, {})
    assert made["rate"]["currency"] == made["fee"]["currency"] == "EUR"


def test_what_has_not_happened_has_no_time() -> None:
    made = {"completed": False, "completed_at": "2026-01-04T10:00:00Z", "completed_by": "Nora Falk"}
    assert reconciled(dict(made), {}, required=()) == {"completed": False}
    assert reconciled({**made, "状态": 7}, {}, required=()) == {"completed": False, "状态": 7}
    assert reconciled(dict(made), {"completed_by": {"type": "string"}}, required=("completed_by",)) == {
        "completed": False,
        "completed_by": "Nora Falk",
    }
    assert reconciled(dict(made), {}) == {"completed": False, "completed_at": None, "completed_by": None}
    text = {"type": "string"}
    kept = {"completed_at": text, "completed_by": text}
    assert reconciled(dict(made), kept, required=("completed_at", "completed_by")) == made
    done = {"completed": True, "completed_at": "2026-01-04T10:00:00Z"}
    assert reconciled(dict(done), {}, required=()) == done


def test_no_value_leaves_its_schema_for_a_sum() -> None:
    made = {"subtotal": 40.0, "tax": 8.0, "total": 12.5}
    assert reconciled(dict(made), {"total": {"type": "number", "maximum": 20}}) == made
