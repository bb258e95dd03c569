"""Python classes, objects and modules become tools; what cannot is reported."""

import types
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import BaseModel, Field

from interplay.generators.importers.python.docstrings import parse_docstring
from interplay.generators.importers.python.importer import import_python, signature_of, tool
from interplay.schemas.errors import ImportFailure


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Note(TypedDict):
    """A note."""

    note_id: str
    text: str
    due: NotRequired[date]


class Address(BaseModel):
    title: str
    city: str = "Eastport"


@dataclass
class Point:
    x: float
    y: float


class Tree(BaseModel):
    children: list["Tree"]


class Board:
    def list_notes(self, colour: Colour = Colour.RED, limit: int = 10) -> list[Note]:
        """List the notes of a colour.

        The newest come first.

        Args:
            colour: Colour of the notes,
                as it was chosen.
            limit (int): How many at most.

        Returns:
            The notes.
        """
        raise NotImplementedError

    def move_note(self, note_id: str, to: Point, via: Address, when: date | None = None) -> None:
        """Move a note."""

    def add_note(
        self,
        text: Annotated[str, Field(description="Text of the note.", examples=["milk"])],
        tags: list[str],
        kind: Literal["todo", "idea"] = "todo",
        board: Annotated[str, "Name of the board."] = "home",
    ) -> Note:
        raise NotImplementedError

    def _secret(self) -> None: ...


class Loose:
    def get_any(self, value):  # type: ignore[no-untyped-def]
        return value

    def get_many(self, *values: str) -> None: ...

    def get_rest(self, **values: str) -> None: ...

    def get_nowhere(self, value: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    def get_tree(self, tree: Tree) -> None: ...

    def get_function(self, value: types.FunctionType) -> None: ...

    @staticmethod
    def get_static(value: int) -> int:
        return value


class Clashing:
    @tool(name="same")
    def get_one(self) -> None: ...

    @tool(name="same")
    def get_two(self) -> None: ...

    @tool(name="not a name")
    def get_three(self) -> None: ...


class Marked(Board):
    @tool(effect="read", name="ping", phrases=("see whether you are there",))
    def touch_server(self) -> str:
        """Say pong."""
        return "pong"


def properties(owner: object, name: str) -> dict[str, Any]:
    made: dict[str, Any] = import_python(owner).toolset.tool(name).parameters["properties"]
    return made


def test_public_methods_become_tools_in_the_order_of_the_class() -> None:
    toolset = import_python(Board).toolset
    assert [tool.name for tool in toolset.tools] == ["list_notes", "move_note", "add_note"]
    assert toolset.name == "board"


class Verbs:
    signature = staticmethod(signature_of)


def test_a_tool_of_a_class_is_read_there_wherever_its_function_is_written() -> None:
    [tool] = import_python(Verbs).toolset.tools
    assert (tool.source.file, tool.source.pointer) == (__name__, "Verbs.signature")


def test_an_object_gives_the_tools_of_its_class() -> None:
    assert import_python(Board()) == import_python(Board)


def test_a_module_gives_the_functions_that_it_defines() -> None:
    module = types.ModuleType("shop")
    exec("import os\ndef get_price(item: str) -> float:\n    'Get a price.'\n    return 1.0\n", module.__dict__)
    toolset = import_python(module).toolset
    assert [tool.name for tool in toolset.tools] == ["get_price"]
    assert toolset.tools[0].source.file == "shop"


def test_marked_methods_leave_the_others_out() -> None:
    (ping,) = import_python(Marked).toolset.tools
    assert (ping.name, ping.original_name, ping.effect) == ("ping", "touch_server", "read")
    assert ping.phrases.wishes == ("see whether you are there",)
    assert ping.summary == "Say pong."


class Deeds:
    def list_users(self) -> list[str]:
        """List users."""
        return []

    def pay_bill(self, number: str) -> str:
        """Pay a bill."""
        return number

    def order_total(self, number: str) -> float:
        """Compute what an order costs."""
        return float(number)


def test_the_effect_is_guessed_from_the_verb_or_from_what_the_function_says_that_it_does() -> None:
    assert [made.effect for made in import_python(Deeds).toolset.tools] == ["read", "write", "read"]


def test_descriptions_come_from_the_docstring() -> None:
    made = import_python(Board).toolset.tool("list_notes")
    assert made.summary == "List the notes of a colour."
    assert made.description == "List the notes of a colour.\n\nThe newest come first."
    assert made.parameters["properties"]["colour"]["description"] == "Colour of the notes, as it was chosen."
    assert made.returns is not None
    assert made.returns["description"] == "The notes."


def test_parameters_come_from_the_annotations() -> None:
    assert properties(Board, "list_notes")["colour"] == {
        "description": "Colour of the notes, as it was chosen.",
        "type": "string",
        "enum": ["red", "blue"],
        "default": "red",
    }
    made = properties(Board, "add_note")
    assert made["text"] == {"type": "string", "description": "Text of the note.", "examples": ["milk"]}
    assert made["tags"] == {"type": "array", "items": {"type": "string"}}
    assert made["board"] == {"type": "string", "description": "Name of the board.", "default": "home"}
    assert made["kind"] == {"type": "string", "enum": ["todo", "idea"], "default": "todo"}


def test_models_and_dataclasses_are_written_out_without_references() -> None:
    made = properties(Board, "move_note")
    assert made["to"]["properties"] == {"x": {"type": "number"}, "y": {"type": "number"}}
    assert made["via"]["properties"] == {"title": {"type": "string"}, "city": {"type": "string", "default": "Eastport"}}


def test_an_optional_parameter_is_left_out_rather_than_null() -> None:
    made = import_python(Board).toolset.tool("move_note").parameters
    assert made["properties"]["when"] == {"type": "string", "format": "date"}
    assert made["required"] == ["note_id", "to", "via"]
    assert made["additionalProperties"] is False


def test_returns_come_from_the_return_annotation() -> None:
    returns = import_python(Board).toolset.tool("add_note").returns
    assert returns is not None
    assert returns["required"] == ["note_id", "text"]
    assert returns["properties"]["due"] == {"type": "string", "format": "date"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("get_many", "cannot be given by name"),
        ("get_rest", "cannot be given by name"),
        ("get_nowhere", "'Nowhere' is not defined"),
        ("get_tree", "Tree contains itself"),
        ("get_function", "has no JSON Schema"),
    ],
)
def test_a_method_that_cannot_be_a_tool_is_rejected_with_the_reason(name: str, reason: str) -> None:
    report = import_python(Loose)
    fates = {each.name: each for each in report.reports}
    assert fates[name].outcome == "rejected"
    assert reason in fates[name].reasons[0]
    assert name not in [tool.name for tool in report.toolset.tools]


def test_names_that_are_taken_or_illegal_are_rejected() -> None:
    report = import_python(Clashing)
    assert [each.outcome for each in report.reports] == ["imported", "rejected", "rejected"]
    assert "has its name" in report.reports[1].reasons[0]
    assert "should match pattern" in report.reports[2].reasons[0]


def test_a_parameter_without_annotation_is_repaired() -> None:
    report = import_python(Loose)
    assert report.reports[0].outcome == "repaired"
    assert report.toolset.tool("get_any").parameters["properties"]["value"] == {}


def test_further_keywords_are_left_out_of_a_function_that_names_others() -> None:
    class Open:
        def send(self, text: str, **headers: str) -> None: ...

    tool, report = import_python(Open).toolset.tools[0], import_python(Open).reports[0]
    assert list(tool.parameters["properties"]) == ["text"]
    assert report.reasons == ("parameter **headers left out",)


def test_a_static_method_keeps_its_first_parameter() -> None:
    assert properties(Loose, "get_static") == {"value": {"type": "integer"}}


def test_a_source_without_functions_cannot_be_imported() -> None:
    with pytest.raises(ImportFailure):
        import_python(object())


def test_numpy_docstrings_are_read() -> None:
    made = parse_docstring(
        """Add a note.

        Parameters
        ----------
        text : str
            Text of
            the note.
        a, b : int, optional
            Two numbers.

        Returns
        -------
        str
            The id.
        """
    )
    assert made.parameters == {"text": "Text of the note.", "a": "Two numbers.", "b": "Two numbers."}
    assert (made.description, made.returns) == ("Add a note.", "The id.")


def test_rest_docstrings_are_read() -> None:
    made = parse_docstring(
        """Add a note.

        :param text: Text of
            the note.
        :param int count: How many.
        :type text: str
        :returns: The id.
        """
    )
    assert made.parameters == {"text": "Text of the note.", "count": "How many."}
    assert (made.description, made.returns) == ("Add a note.", "The id.")
