"""What holds of every bundled domain: tools that keep to their schemas, are described, and can be undone."""

from types import ModuleType

import pytest
from tests.generators.domains.clinic import test_clinic
from tests.generators.domains.rental import test_rental
from tests.generators.domains.workspace import test_workspace

from interplay.schemas.json.validation import errors

DOMAINS = (test_clinic, test_rental, test_workspace)
CALLS = [pytest.param(domain, name, id=name) for domain in DOMAINS for name in domain.CALLS]


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_tool_has_a_call_here(domain: ModuleType) -> None:
    assert set(domain.CALLS) == {tool.name for tool in domain.DOMAIN.toolset.tools}


@pytest.mark.parametrize(("domain", "name"), CALLS)
def test_every_tool_returns_what_its_schema_says_and_nothing_else(domain: ModuleType, name: str) -> None:
    environment = domain.DOMAIN.open()
    tool = environment.toolset.tool(name)
    result = domain.call(environment, name, **domain.CALLS[name])
    assert result.error is None
    assert tool.returns is not None
    assert errors(result.value, tool.returns) == []
    assert bool(environment.changes()) == (tool.effect == "write")
    listed = isinstance(result.value, list)
    rows, schema = (result.value, tool.returns["items"]) if listed else ([result.value], tool.returns)
    assert rows
    for row in rows:
        assert not isinstance(row, dict) or set(row) == set(schema["properties"]) == set(schema["required"])


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_tool_and_parameter_is_described(domain: ModuleType) -> None:
    for tool in domain.DOMAIN.toolset.tools:
        assert tool.summary.endswith(".")
        assert tool.phrases
        for name, schema in tool.parameters["properties"].items():
            assert schema.get("description"), f"{tool.name}.{name}"


@pytest.mark.parametrize("domain", DOMAINS)
def test_undoing_each_write_gives_the_first_digest(domain: ModuleType) -> None:
    environment = domain.DOMAIN.open()
    digest, snapshot = environment.digest(), environment.snapshot()
    for name, arguments in domain.CALLS.items():
        domain.call(environment, name, **arguments)
        environment.restore(snapshot)
        assert environment.digest() == digest, name
