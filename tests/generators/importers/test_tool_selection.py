import pytest

from interplay.generators.importers.tool_selection import select
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import HttpBinding, PolicyRule, Source, Tool, Toolset


def tool(name: str, method: str, path: str) -> Tool:
    return Tool(
        name=name,
        original_name=name.replace("_", "."),
        parameters={"type": "object", "$defs": {"Pet": {"type": "object"}}},
        effect="read" if method == "GET" else "write",
        source=Source(file="pets.yaml"),
        http=HttpBinding(method=method, path=path),
    )


PETS = Toolset(
    name="pets",
    tools=(
        tool("get_pet", "GET", "/pets/{id}"),
        tool("add_pet", "POST", "/pets"),
        tool("drop_user", "DELETE", "/users/{id}"),
    ),
    rules=(
        PolicyRule(id="ask", kind="confirm_before", text="Ask.", tools=("add_pet", "drop_user")),
        PolicyRule(id="never", kind="forbids", text="Never.", tools=("drop_user",)),
    ),
    provenance=("openapi:pets.yaml",),
    licence="MIT",
)


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        (["get_*"], [], ["get_pet"]),
        (["get.pet"], [], ["get_pet"]),
        ([], ["effect:write"], ["get_pet"]),
        (["path:/pets*"], ["method:post"], ["get_pet"]),
        (["requestor:assistant"], ["*_user"], ["get_pet", "add_pet"]),
    ],
)
def test_keeps_the_tools_that_fit(include: list[str], exclude: list[str], kept: list[str]) -> None:
    assert [item.name for item in select(PETS, include, exclude, "here").tools] == kept


def test_keeps_definitions_provenance_and_licence_and_narrows_rules() -> None:
    chosen = select(PETS, ["*_pet"], [], "here")
    assert chosen.tools[0].parameters["$defs"] == {"Pet": {"type": "object"}}
    assert (chosen.provenance, chosen.licence) == (PETS.provenance, "MIT")
    assert [(rule.id, rule.tools) for rule in chosen.rules] == [("ask", ("add_pet",))]


def test_a_pattern_that_fits_nothing_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"here: 'get_user\*' fits no tool of pets"):
        select(PETS, ["get_user*"], [], "here")
    with pytest.raises(ConfigError, match="leaves no tool"):
        select(PETS, [], ["*"], "here")
