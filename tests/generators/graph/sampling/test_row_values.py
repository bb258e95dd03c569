"""Rows by what they refer to: an index finds what a look at each row would, before and after a change."""

import asyncio

from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.graph.sampling.row_values import fit_identity, row_value
from interplay.generators.graph.sampling.world import Subject, World
from interplay.schemas.records.dialogue import ToolCall


def looked_through(world: World, resource: str, other: Subject, with_nobodys: bool = False) -> list[str]:
    owners = [(row, world.linked(row, other.resource)) for row in world.subjects(resource)]
    return [row.key for row, owner in owners if owner == other or (with_nobodys and owner is None)]


def test_the_index_finds_what_a_look_at_each_row_finds() -> None:
    world = World(DOMAIN.open())
    patients = world.subjects("patient")[:20]
    for patient in patients:
        for resource in ("appointment", "invoice", "patient"):
            assert [row.key for row in world.referring(resource, patient)] == looked_through(world, resource, patient)
        assert world.keys_belonging("slot", patient) == looked_through(world, "slot", patient, True)
    assert any(world.referring("appointment", patient) for patient in patients)
    referred_to = {patient.key for patient in world.subjects("patient") if world.referring("appointment", patient)}
    assert world.are_referred_to("appointment", "patient") == referred_to


def test_a_row_made_since_is_found_and_gone_with_its_making() -> None:
    environment = DOMAIN.open()
    world, start = World(environment), environment.snapshot()
    patient = world.subjects("patient")[0]
    before = [row.key for row in world.referring("appointment", patient)]
    slot = next(row.key for row in world.subjects("slot") if row.row["free"])
    told = {"patient_id": patient.key, "slot_id": slot, "reason": "a rash"}
    asyncio.run(environment.call(ToolCall(id="book00001", name="book_appointment", arguments=told)))
    assert len(world.referring("appointment", patient)) == len(before) + 1
    environment.restore(start)
    assert [row.key for row in world.referring("appointment", patient)] == before


def test_an_identity_is_given_in_a_kind_that_its_parameter_takes() -> None:
    either = {"oneOf": [{"type": "integer"}, {"type": "string", "format": "uuid"}]}
    assert (fit_identity("8407", either), fit_identity(8407, either)) == (8407, 8407)
    assert fit_identity("8407", {"type": ["string", "integer"]}) == "8407"
    assert (fit_identity("12", {"type": "number"}), fit_identity(12, {"type": "string"})) == (12, "12")
    assert fit_identity("1779335915.061432", {"type": "number"}) == 1779335915.061432
    assert (fit_identity("a1", {"type": "integer"}), fit_identity(12, {"type": "array"})) == ("a1", 12)


def test_an_identity_fits_the_list_that_takes_it() -> None:
    numbers = {"type": "array", "items": {"type": "number"}}
    assert fit_identity("1109", numbers) == 1109
    assert fit_identity(1109, {"type": "array", "items": {"type": "string"}}) == "1109"
    assert fit_identity("A-1", numbers) == "A-1"


def test_people_are_searched_for_by_their_names_however_fields_are_written() -> None:
    row = {"email": "nadia.falk@example.com", "fullName": "Nadia Falk"}
    assert row_value("searchTerm", {"type": "string"}, row) == "Nadia Falk"


def test_a_time_zone_is_no_time() -> None:
    assert row_value("time_zone", {"type": "string"}, {"starts_at": "2026-03-02T09:00:00Z"}) is None
    assert row_value("time_zone", {"type": "string"}, {"time_zone": "Europe/Riga"}) == "Europe/Riga"
