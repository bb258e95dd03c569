"""A bundled domain copied: a package of one's own that runs, and says what is wrong with it."""

import asyncio
from pathlib import Path

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.flows.worlds.scaffold import copy_domain
from interplay.flows.worlds.tool_sources import DOMAINS, import_spec
from interplay.schemas.errors import ConfigError


@pytest.mark.parametrize("name", DOMAINS)
def test_a_copy_has_the_tools_and_the_records_of_its_original(name: str, tmp_path: Path) -> None:
    own = copy_domain(tmp_path, name, f"copy_of_{name}")
    spec = f"domain:{own}"
    assert [tool.name for tool in import_spec(spec).toolset.tools] == [
        tool.name for tool in import_spec(f"domain:{name}").toolset.tools
    ]
    world = open_world([spec])
    made = Generator(RunConfig(toolset=(spec,)), world, asyncio.run(open_graph(world)), "run")
    assert asyncio.run(made.make_record(1)).status == "accepted"
    assert not any(f"interplay.generators.domains.{name}" in path.read_text() for path in own.glob("*.py"))


def test_a_copy_imports_nothing_of_the_product_but_the_package_of_domains(tmp_path: Path) -> None:
    own = copy_domain(tmp_path, "workspace", "copy_with_few_imports")
    imported = {line.split()[1] for path in own.glob("*.py") for line in path.read_text().splitlines()
                if line.startswith("from interplay")}  # fmt: skip
    assert imported == {"interplay.generators.domains"}


@pytest.mark.parametrize("module", ["policy", "tables"])
def test_a_copy_of_an_earlier_version_is_told_what_to_import(module: str, tmp_path: Path) -> None:
    own = copy_domain(tmp_path, "clinic", f"copy_with_{module}")
    old = f"from interplay.generators.domains.{module} import row\n"
    (own / "rules.py").write_text(old + (own / "rules.py").read_text())
    with pytest.raises(ConfigError, match=rf"imports interplay.generators.domains.{module}; write instead: from"):
        import_spec(f"domain:{own}")


def test_a_copy_may_take_its_decorator_from_the_python_importer(tmp_path: Path) -> None:
    own = copy_domain(tmp_path, "clinic", "copy_with_decorator")
    old = "from interplay.generators.importers.python import ToolError, tool\n"
    text = (own / "patients.py").read_text().replace("import ToolError, found, next_id, tool", "import found, next_id")
    assert "ToolError, tool" not in text
    (own / "patients.py").write_text(text.replace("from interplay", f"{old}from interplay", 1))
    names = [tool.name for tool in import_spec(f"domain:{own}").toolset.tools]
    assert names == [tool.name for tool in import_spec("domain:clinic").toolset.tools]


def test_a_copy_is_not_written_over_what_is_there(tmp_path: Path) -> None:
    copy_domain(tmp_path, "clinic")
    with pytest.raises(ConfigError, match="my_clinic: is there already"):
        copy_domain(tmp_path, "clinic")
    assert copy_domain(tmp_path, "clinic", force=True).name == "my_clinic"


@pytest.mark.parametrize(
    ("name", "own"), [("zoo", ""), ("clinic", "my-clinic"), ("clinic", "json"), ("clinic", "class")]
)
def test_refuses_a_name_that_cannot_be_one(name: str, own: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--domain|--name"):
        copy_domain(tmp_path, name, own)


def test_says_what_is_wrong_with_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such domain, and no folder of one"):
        import_spec(f"domain:{tmp_path}/nothing")
    for name, text, told in (
        ("halfway", "", "has no DOMAIN"),
        ("faulty", "1 / 0", "cannot be imported: ZeroDivisionError"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text)
        with pytest.raises(ConfigError, match=told):
            import_spec(f"domain:{tmp_path}/{name}")
