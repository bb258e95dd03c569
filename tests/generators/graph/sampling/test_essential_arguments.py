"""What is always said of a thing that is made."""

from tests.generators.environments.inline import TEXT, operation

from interplay.generators.graph.sampling.essential_arguments import essentials_of
from interplay.schemas.records.tool import ToolRole


def test_what_has_a_beginning_and_an_end_is_made_with_both() -> None:
    tool = operation("createClosure", "POST", "/closures", None, name=TEXT, start=TEXT, end=TEXT, colour=TEXT)
    assert essentials_of(tool, ToolRole(tool="createClosure", operation="create")).names == ("name", "start", "end")


def test_somebody_is_made_with_an_address_and_a_first_and_a_last_name_are_no_span() -> None:
    tool = operation("addGuest", "POST", "/guests", None, first_name=TEXT, last_name=TEXT, email=TEXT, phone=TEXT)
    names = essentials_of(tool, ToolRole(tool="addGuest", operation="create")).names
    assert names == ("first_name", "last_name", "email")


def test_what_is_worked_out_is_about_something() -> None:
    tool = operation("getTimeLeft", "GET", "/reader/time-left", None).model_copy(
        update={"parameters": {"type": "object", "properties": {"series": TEXT, "unit": TEXT}}}
    )
    role = ToolRole(tool="getTimeLeft", operation="compute", references={"/series": "series"})
    assert essentials_of(tool, role).references == ("series",)
