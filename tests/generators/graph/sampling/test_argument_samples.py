"""Arguments that are made up: what the names of tools promise of them."""

from random import Random

from interplay.generators.graph.sampling.argument_samples import skeleton
from interplay.schemas.records.tool import Source, Tool


def test_the_path_of_a_directory_is_no_file() -> None:
    parameters = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    made = {}
    for name in ("list_directory", "read_file"):
        tool = Tool(name=name, original_name=name, parameters=parameters, source=Source(file="x"))
        made[name] = str(skeleton(tool, Random(1), set())["path"])
    assert made["read_file"].endswith(".txt")
    assert "." not in made["list_directory"]
