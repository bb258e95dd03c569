"""An argument takes what the field does that it sets, though it stands outside of a body and says nothing of that."""

import asyncio
from random import Random

from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.wrappers.merged import MergedEnvironment
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World

STATUS = {"type": "string", "enum": ["available", "pending", "sold"]}
PET = row(name=TEXT, status=STATUS)
TOOLS = (
    operation("getPet", "GET", "/pets/{petId}", PET),
    operation("updatePetWithForm", "POST", "/pets/{petId}", PET, query_name=TEXT, query_status=TEXT),
)
PETS = sandbox(*TOOLS)


def test_a_status_that_no_pet_has_is_refused_and_one_that_it_has_is_set() -> None:
    key = next(iter(PETS.state()["pet"]))
    refused = asyncio.run(call(PETS, "updatePetWithForm", petId=key, status="Bright Willow"))
    assert str(refused.error).startswith("400 Bad Request: status: 'Bright Willow' is not one of")
    done = asyncio.run(call(PETS, "updatePetWithForm", petId=key, status="sold", name="Bright Willow"))
    assert (done.value["status"], done.value["name"]) == ("sold", "Bright Willow")


def test_values_are_chosen_from_what_the_field_admits() -> None:
    for opened, name in (
        (PETS, "updatePetWithForm"),
        (MergedEnvironment([PETS, sandbox(operation("getFee", "GET", "/fees/{id}", row()))]), "updatePetWithForm"),
    ):
        world = World(opened)
        told = [sample_arguments(world, world.tools[name], Random(seed), optional=2) for seed in range(20)]
        assert {arguments["status"] for arguments in told} == set(STATUS["enum"])
        assert opened.toolset.tool(name).parameters["properties"]["status"] == TEXT
