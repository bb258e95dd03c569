"""Indexes of records by name."""

import pytest

from interplay.schemas.records.tool import _INDEXED, _MOST, ResourceModel, ToolRole, indexed


def _roles(*names: str) -> tuple[ToolRole, ...]:
    return tuple(ToolRole(tool=name, operation="read") for name in names)


def test_finds_records_by_a_field_and_the_first_of_those_called_the_same() -> None:
    roles = _roles("a", "b", "a")
    assert indexed(roles, "tool")["a"] is roles[0]
    assert list(indexed(roles, "tool")) == ["a", "b"]
    assert indexed(roles, "tool") is indexed(roles, "tool")


def test_a_copy_of_a_record_knows_its_own() -> None:
    model = ResourceModel(roles=_roles("a"))
    assert model.role("a").tool == "a"
    other = model.model_copy(update={"roles": _roles("b")})
    assert other.role("b").tool == "b"
    with pytest.raises(KeyError):
        other.role("a")


def test_keeps_a_bounded_number_of_indexes() -> None:
    for number in range(2 * _MOST):
        indexed(_roles(f"tool{number}"), "tool")
    assert len(_INDEXED) <= _MOST
