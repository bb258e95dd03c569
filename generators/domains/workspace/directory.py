"""Tools about people: the directory."""

from interplay.generators.domains import MOST_ROWS, has_words, tool
from interplay.generators.domains.workspace.data_model import Contact, Department, FullName
from interplay.generators.domains.workspace.state import State


@tool(effect="read", phrases=("look somebody up", "find a person in the directory"))
def find_contacts(office: State, full_name: FullName, department: Department | None = None) -> list[Contact]:
    """Find people in the directory by name, colleagues and partners alike.

    Args:
        full_name: Name of the person, in full or a part of it.
        department: Only people of this department.
    """
    rows = [row for row in office.contacts.values() if has_words(row["full_name"], full_name)]
    return [row for row in rows if department in (None, row["department"])][:MOST_ROWS]


@tool(effect="read", phrases=("find out who works in a department",))
def list_contacts(office: State, department: Department) -> list[Contact]:
    """List the people of a department, or the external partners.

    Args:
        department: Department to list.
    """
    return [row for row in office.contacts.values() if row["department"] == department][:MOST_ROWS]
