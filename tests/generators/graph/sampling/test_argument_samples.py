"""Arguments that are made up: what the names of tools promise of them."""

from random import Random

from interplay.generators.graph.sampling.argument_samples import skeleton
from interplay.schemas.records.tool import HttpBinding, Source, Tool


def test_the_path_of_a_directory_is_no_file() -> None:
    parameters = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    made = {}
    for name in ("list_directory", "read_file"):
        tool = Tool(name=name, original_name=name, parameters=parameters, source=Source(file="x"))
        made[name] = str(skeleton(tool, Random(1), set())["path"])
    assert made["read_file"].endswith(".txt")
    assert "." not in made["list_directory"]


def test_what_a_visit_is_for_is_no_reason_to_cancel_it() -> None:
    parameters = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "reason": {"type": "string"}},
        "required": ["id", "reason"],
    }
    http = HttpBinding.model_validate({"method": "PATCH", "path": "/appointments/{id}/cancel", "locations": {"id": "path", "reason": "body"}})  # fmt: skip
    tool = Tool(name="cancel", original_name="cancel", parameters=parameters, source=Source(file="x"), http=http)
    visit = {
        str(skeleton(tool, Random(seed), set(), "medical_appointment", {}, ("id", "reason"))["reason"])
        for seed in range(20)
    }
    deed = {
        str(skeleton(tool, Random(seed), set(), "medical_appointment", {}, ("id", "comment"))["reason"])
        for seed in range(20)
    }
    assert visit
    assert not visit & deed
    assert any("appointment" in reason for reason in deed)


def test_rows_in_a_list_are_called_as_rows_of_their_resource_are() -> None:
    fields = {"name": {"type": "string"}, "animal_type": {"type": "string"}}
    rows = {"type": "array", "minItems": 1, "items": {"type": "object", "properties": fields, "required": [*fields]}}
    parameters = {"type": "object", "properties": {"AnimalUserModel": rows}, "required": ["AnimalUserModel"]}
    tool = Tool(name="add", original_name="add", parameters=parameters, source=Source(file="x"))
    made = [skeleton(tool, Random(seed), set(), "animal", {}, ("id", *fields))["AnimalUserModel"] for seed in range(10)]
    assert not any("model" in item["name"].lower() for rows in made for item in rows)
