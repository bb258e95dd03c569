"""Of a session, the dialogue that holds all others becomes a row, once."""

from pathlib import Path

from tests.outputs.builders import RUN, hotel_dialogue, load_all, make_record, make_shard

from interplay.outputs.exporters.export import export
from interplay.outputs.exporters.selection import Opinions, Tally, selected
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.stored_dialogue import stored_dialogue
from interplay.schemas.records.calibration import PersonLabel
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.verdict import DatasetRecord


def session(*statuses: str) -> list[DatasetRecord]:
    """Return the records of one session, each of which goes on from the one before it."""
    records: list[DatasetRecord] = []
    for index, status in enumerate(statuses):
        record = make_record(index, status=status, issues=("odd",) if status == "rejected" else ())  # type: ignore[arg-type]
        if records and record.blueprint is not None and records[-1].trajectory is not None:
            start = Start(origin="session", source=records[-1].id, messages=records[-1].trajectory.messages)
            record = record.model_copy(update={"blueprint": record.blueprint.model_copy(update={"start": start})})
        records.append(record)
    return records


def exported(folder: Path, records: list[DatasetRecord]) -> int:
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, records))
        return export(store, RUN, "openai", folder / "out").rows


def test_a_session_is_exported_once(tmp_path: Path) -> None:
    assert exported(tmp_path, [*session("accepted", "accepted", "accepted"), make_record(7)]) == 2


def test_what_a_rejected_dialogue_went_on_from_is_a_row(tmp_path: Path) -> None:
    assert exported(tmp_path, session("accepted", "accepted", "rejected")) == 1


def test_dialogues_of_their_own_are_all_rows(tmp_path: Path) -> None:
    assert exported(tmp_path, [make_record(index, hotel_dialogue("Graz", index)) for index in range(3)]) == 3


def test_more_people_than_not_have_to_say_so_and_the_last_word_of_each_counts() -> None:
    said = [
        ("a", "p", True),
        ("a", "q", True),
        ("a", "r", False),
        ("b", "p", True),
        ("b", "q", False),
        ("c", "p", True),
    ]
    labels = [PersonLabel(id=name, person=person, sound=sound) for name, person, sound in [*said, ("c", "p", False)]]
    assert Opinions.of(labels).sound == {"a": True, "c": False}


def test_people_overrule_reviewers_both_ways_and_checks_by_execution_in_one() -> None:
    passed, failed = make_record(0), make_record(1, status="rejected", issues=("wrong_final_state",))
    reviewed = make_record(2, status="rejected", issues=("odd",)).model_copy(update={"stage": "review"})
    opinions, tally = Opinions({passed.id: False, failed.id: True, reviewed.id: True}), Tally()
    found = selected(map(stored_dialogue, (passed, failed, reviewed)), (), opinions, True, tally)
    assert [dialogue.id for dialogue in found] == [reviewed.id]
    assert tally.overruled() == {"left_out": 1, "taken_in": 1}
