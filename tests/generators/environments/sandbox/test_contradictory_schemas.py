"""Results whose schemas contradict themselves: told as such, and not tried again for each call."""

import asyncio

import pytest
from tests.generators.environments.inline import TEXT, call, operation, sandbox

from interplay.generators.environments.sandbox import tool_results

AT = {"type": "string", "format": "date-time", "pattern": "^se-[a-z]+$"}
PRICE = operation(
    "price_parcel", "POST", "/prices", {"type": "object", "properties": {"at": AT}, "required": ["at"]}, size=TEXT
)


def test_a_result_that_contradicts_itself_is_tried_for_one_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = sandbox(PRICE)
    first = asyncio.run(call(opened, "price_parcel", size="S"))
    assert first.error is not None
    assert "satisfies the result schema" in first.error
    monkeypatch.setattr(tool_results, "make_valid", None)
    assert asyncio.run(call(opened, "price_parcel", size="M")).error == first.error
