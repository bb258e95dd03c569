"""What docstrings say of results becomes fields of their schemas."""

from typing import Any

import pytest

from interplay.generators.importers.python.docstrings import parse_docstring, with_documented
from interplay.generators.importers.python.importer import import_python

ID, MONEY = {"type": "string", "description": "Id of it."}, {"type": "number"}
GOOGLE = """Returns:
    dict: The account, with:
        - user_id (str): Id of it.
        - balance (float)
"""
BULLETS = """Returns:
    A dictionary containing:
    - user_id: Id of it.
    - balance
"""
NAMED = """Returns:
    user_id (str): Id of it.
    balance (float): In euros.
"""
NUMPY = """Returns
-------
user_id : str
    Id of it.
balance : float
"""
SPHINX = """:returns: a dict with keys ``user_id`` and 'balance'
:rtype: dict
"""
LISTED = """Returns:
    list[dict]: Accounts, each with keys 'user_id' and 'balance'.
"""
ONE = """Returns:
    user_id (str): Id of it.
"""


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        (GOOGLE, {"user_id": ID, "balance": MONEY}),
        (BULLETS, {"user_id": {"description": "Id of it."}, "balance": {}}),
        (NAMED, {"user_id": ID, "balance": {**MONEY, "description": "In euros."}}),
        (NUMPY, {"user_id": ID, "balance": MONEY}),
        (SPHINX, {"user_id": {}, "balance": {}}),
        (ONE, {"user_id": ID}),
    ],
)
def test_fields_that_a_section_names_are_fields_of_the_result(section: str, fields: dict[str, Any]) -> None:
    assert parse_docstring(f"Get it.\n\n{section}").result == {"type": "object", "properties": fields}


def test_a_list_is_one_of_the_objects_that_are_described() -> None:
    found = parse_docstring(f"Get them.\n\n{LISTED}").result
    assert found == {"type": "array", "items": {"type": "object", "properties": {"user_id": {}, "balance": {}}}}


@pytest.mark.parametrize(
    "section",
    [
        "Returns:\n    bool: True if it worked.",
        "Returns:\n    The user id: a text.",
        "Returns:\n    str: 'x' with 'y'.",
    ],
)
def test_a_sentence_names_no_field(section: str) -> None:
    assert parse_docstring(f"Get it.\n\n{section}").result is None


def test_fields_of_an_annotation_count_for_more_than_those_of_a_docstring() -> None:
    told = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert with_documented(told, {"type": "object", "properties": {"b": {}}}) == told
    assert with_documented({"type": "string"}, {"type": "object", "properties": {"b": {}}}) == {"type": "string"}


def test_a_result_without_a_schema_is_no_reason_to_leave_a_tool_out() -> None:
    class Ticket:
        def __init__(self, title: str) -> None:
            self._title = title

    class Desk:
        def open_ticket(self, title: str) -> Ticket:
            """Open one."""
            return Ticket(title)

        def read_ticket(self, ticket_id: str) -> dict[str, object]:
            """Read one.

            Returns:
                dict: With the keys 'id' and 'title'.
            """
            return {"id": ticket_id}

    opened, read = import_python(Desk).toolset.tools
    assert opened.returns is None
    assert set(read.returns["properties"]) == {"id", "title"} if read.returns else False
