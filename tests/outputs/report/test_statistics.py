"""Statistics: what a run made, counted by the database."""

from pathlib import Path

from tests.outputs.builders import (
    RUN,
    asks,
    hotel_dialogue,
    load_all,
    load_shard,
    make_record,
    make_shard,
    not_composed,
    replace_first,
    safety_twin,
    says,
)

from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import Issue, Verdict


def test_counts_what_was_accepted_and_why_the_rest_was_not(tmp_path: Path) -> None:
    records = [
        make_record(0),
        make_record(1, task=0),
        make_record(2, status="rejected", issues=("wrong_final_state", "wrong_final_state", "replay_differs")),
        make_record(3, status="rejected", issues=("wrong_final_state",)),
        not_composed(4),
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        figures = statistics(store, RUN)
    assert (figures["accepted"], figures["rejected"]) == (2, 3)
    assert figures["rejected_by_issue"] == {"wrong_final_state": 2, "no_path": 1, "replay_differs": 1}
    assert figures["rejected_examples"] == {"wrong_final_state": "2", "no_path": "4", "replay_differs": "2"}
    assert figures["rejected_by_stage"] == {"execution": 2, "compose": 1}
    assert (figures["turns_mean"], figures["calls_mean"], figures["goals_mean"]) == (4.0, 3.0, 1.0)
    assert figures["acts"] == {"call": 4, "inform_intent_clear": 2, "response": 2}
    assert figures["patterns"] == {"sequential": 2}
    assert (figures["tools_total"], figures["tools_covered"]) == (3, 2)
    assert (figures["distinct_tasks"], figures["failed_calls"]) == (1, 2)
    assert figures["splits"] == {"train": 2}


def test_of_several_attempts_the_one_that_was_rejected_is_the_example(tmp_path: Path) -> None:
    failed = make_record(3, status="rejected", issues=("missed_write",))
    records = [make_record(3), failed.model_copy(update={"id": "f" * 32, "attempt": 1})]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        assert statistics(store, RUN)["rejected_examples"] == {"missed_write": "3.1"}


def test_counts_apart_what_cannot_be_told(tmp_path: Path) -> None:
    unknown = Issue.of("unconfirmed", "Who knows?", "/messages/1", severity="warning")
    told = make_record(0).model_copy(update={"verdicts": (Verdict(check="policy", issues=(unknown, unknown)),)})
    failures = [Failure(fault="unclear", stage="structure"), Failure(fault="loop", stage="structure")]
    lost = [
        make_record(index, status="rejected").model_copy(update={"failure": failure})
        for index, failure in enumerate(failures, start=1)
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [told, *lost, not_composed(3)]))
        figures = statistics(store, RUN)
    assert (figures["rejected"], figures["unclear"], figures["unconfirmed_calls"]) == (3, 1, 2)


def test_compares_user_utterances_with_values_masked(tmp_path: Path) -> None:
    said = [("A room in Graz.", ("Graz",)), ("A room in Linz.", ("Linz",)), ("Any room?", ()), ("", ())]
    records = [
        make_record(index, [asks(text, spoken=spoken), says("Yes.")]) for index, (text, spoken) in enumerate(said)
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        figures = statistics(store, RUN)
    assert figures["user_utterances"] == 3
    assert figures["distinct_user_utterances"] == 2
    assert round(figures["most_common_user_utterance_share"], 3) == 0.667
    assert figures["most_common_user_utterance"] == "A room in <value>."
    assert figures["distinct_user_utterances_per_1000_dialogues"] == 500.0
    assert figures["turns_mean"] == 1.75


def test_counts_the_dialogues_in_which_tools_come_and_go(tmp_path: Path) -> None:
    changing = replace_first(hotel_dialogue("Graz", 1), offered=("book_hotel",))
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0), make_record(1, changing)]))
        assert statistics(store, RUN)["changing_tools"] == 1


def test_an_empty_run_has_figures_too(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store)
        figures = statistics(store, RUN)
    assert (figures["accepted"], figures["turns_mean"], figures["distinct_user_utterances"]) == (0, 0.0, 0)
    assert figures["tools_total"] == 3


def test_counts_the_triples_of_safety_scenarios(tmp_path: Path) -> None:
    twins = [
        safety_twin(0, "harmful"),
        safety_twin(1, "borderline"),
        safety_twin(2, "benign"),
        safety_twin(3, "harmful"),
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [*twins, make_record(4)]))
        figures = statistics(store, RUN)
    assert figures["safety_twins"] == {"harmful": 2, "benign": 1, "borderline": 1}
    assert figures["safety_scenarios"] == {"destroy_evidence": 4}
    assert (figures["safety_triples"], figures["safety_triples_begun"]) == (1, 2)


def test_figures_of_a_few_are_those_of_a_run_that_holds_no_others(tmp_path: Path) -> None:
    few = [make_record(0), make_record(2, status="rejected", issues=("a",)), not_composed(3)]
    with DatasetStore(tmp_path / "few.duckdb") as store:
        load_all(store, make_shard(tmp_path, few))
        alone = statistics(store, RUN)
    with DatasetStore(tmp_path / "many.duckdb") as store:
        load_all(store, make_shard(tmp_path, [few[0], make_record(1), *few[1:]]))
        elsewhere = [make_record(index).model_copy(update={"run": "other", "id": f"{index}"}) for index in range(3)]
        load_shard(store, make_shard(tmp_path, elsewhere, "00001.parquet"))
        assert statistics(store, RUN)["acts"] != alone["acts"]
        with store.narrowed([few[0].id]):
            narrowed = statistics(store, RUN)
        assert statistics(store, "other")["accepted"] == 3
    assert narrowed == alone
