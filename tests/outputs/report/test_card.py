"""The dataset card: front matter that the Hub reads, honest figures, and nothing of a foreign text that acts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from tests.outputs.builders import RUN, load_all, make_record, make_shard, make_toolset, safety_twin

from interplay.outputs.exporters.export_formats import FORMATS, named_format
from interplay.outputs.exporters.row_format import COMMON_LOSSES
from interplay.outputs.report.card import FormatFacts, card_figures, dataset_card, plain
from interplay.outputs.report.coverage import coverage
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.tool import Toolset, joint_licence

OPENAI = FormatFacts("openai", "", "dialogues", named_format("openai").features())


def make_card(tmp_path: Path, toolset: Toolset | None = None, shape: str = "jsonl", **left_out: int) -> str:
    toolset = toolset or make_toolset()
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0), make_record(1, status="rejected")]), toolset=toolset)
        figures = {**statistics(store, RUN), **card_figures(store, RUN, [900, 1100]), "coverage": coverage(store, RUN)}
    return dataset_card(toolset, figures, OPENAI, shape, {"train": 1}, list(left_out.items()))


def front_matter(card: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(card.split("---\n")[1])
    return found


def test_the_front_matter_is_what_the_hub_reads(tmp_path: Path) -> None:
    data = front_matter(make_card(tmp_path))
    assert data["license"] == "apache-2.0"
    assert data["pretty_name"] == "Hotels"
    assert data["size_categories"] == ["n<1K"]
    assert data["configs"] == [
        {"config_name": "default", "data_files": [{"split": "train", "path": "train.jsonl"}]}
    ]  # fmt: skip
    assert [column["name"] for column in data["dataset_info"]["features"]] == [
        "id",
        "messages",
        "tools",
        "tool_changes",
        "language",
    ]


def test_says_what_was_made_and_from_what(tmp_path: Path) -> None:
    card = make_card(tmp_path, **{"words that stand beside a call": 1})
    assert "calling 2 of\n3 tools" in card
    assert "| turns per dialogue | 4.0 |" in card
    assert "| sequential | 1 |" in card
    assert "| characters of a result: median, most |" in card
    assert "hotels.json" in card
    assert "1 of the 3 tools are never called" in card
    assert "words that stand beside a call: 1" in card


def test_a_saved_dataset_is_loaded_from_disk(tmp_path: Path) -> None:
    card = make_card(tmp_path, shape="dataset")
    assert 'load_from_disk("path/to/this/folder")' in card
    assert "configs" not in front_matter(card)


def test_an_unknown_licence_is_other_and_its_text_stands_in_the_card(tmp_path: Path) -> None:
    card = make_card(tmp_path, make_toolset(licence="Ask *us* first"))
    assert front_matter(card)["license"] == "other"
    assert r"Licence as stated by the source: Ask \*us\* first." in card
    assert "not stated; ask the owner" in make_card(tmp_path, make_toolset(licence=""))


def test_foreign_text_cannot_act(tmp_path: Path) -> None:
    evil = 'x\n---\nlicense: mit\n# <script>alert(1)</script> [a](javascript:b) {{ 7 * 7 }} {% raw %} "quoted": yes'
    card = make_card(tmp_path, make_toolset(name=evil, provenance=(evil,)))
    data = front_matter(card)
    assert data["license"] == "apache-2.0"
    assert data["pretty_name"] == " ".join(evil.split())
    body = card.split("---\n", 2)[2]
    assert "<script" not in body
    assert r"{{ 7 \* 7 }}" in body
    assert "](javascript" not in body


def test_a_path_on_a_machine_stays_private(tmp_path: Path) -> None:
    card = make_card(
        tmp_path, make_toolset(provenance=("/home/someone/api.yaml", r"C:\someone\b.json", "specs/other.yaml"))
    )
    assert "someone" not in card
    assert "api.yaml, b.json, specs/other.yaml" in card


def test_plain_text_is_one_short_line() -> None:
    assert plain("a\n b\t<c> & |d|") == r"a b &lt;c&gt; &amp; \|d\|"
    assert len(plain("x" * 1_000)) < 350


def test_every_format_has_a_note_and_every_loss_a_sentence() -> None:
    for name in FORMATS:
        format = named_format(name)
        assert format.note.endswith(".")
        assert all({**COMMON_LOSSES, **format.loss_words}.values())


def test_tells_of_safety_scenarios_where_there_are_any(tmp_path: Path) -> None:
    assert "Safety scenarios" not in make_card(tmp_path)
    with DatasetStore(tmp_path / "safety.duckdb") as store:
        twins = [safety_twin(0, "harmful"), safety_twin(1, "borderline"), safety_twin(2, "benign")]
        load_all(store, make_shard(tmp_path, twins), toolset=make_toolset())
        figures = {**statistics(store, RUN), "coverage": coverage(store, RUN)}
    card = dataset_card(make_toolset(), figures, OPENAI, "jsonl", {"train": 3}, [])
    assert "1 of\n1 triples are complete" in card
    assert "| borderline | 1 |" in card
    assert "| destroy\\_evidence | 3 |" in card


def test_tells_language_citation_lengths_and_pictures(tmp_path: Path) -> None:
    card = make_card(tmp_path)
    assert front_matter(card)["language"] == ["en"]
    assert "@misc{hotels,\n  title = {Hotels: multi-turn tool-calling dialogues}" in card
    assert "| 1,100, 900, 1,100 |" in card
    assert "![turns of the dialogues](pictures/turns.svg)" in card


def test_different_licences_are_told_one_by_one(tmp_path: Path) -> None:
    one, other = make_toolset(), make_toolset(name="Taxis", licence="")
    assert joint_licence([one, one]) == one.licence
    card = make_card(tmp_path, make_toolset(licence=joint_licence([one, other])))
    assert front_matter(card)["license"] == "other"
    assert "- Apache-2.0 \\(Hotels\\)\n- not stated \\(Taxis\\)" in card


def test_what_chat_templates_lose_is_told_where_rows_have_it(tmp_path: Path) -> None:
    facts = replace(OPENAI, template_losses={"parallel_calls": ["Llama", "GPT"]})
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0)]))
        figures = {**statistics(store, RUN), **card_figures(store, RUN, []), "coverage": coverage(store, RUN)}
    assert figures["together"] == {"words_beside_calls": 0, "parallel_calls": 1}
    assert "(1 dialogues here): Llama, GPT" in dataset_card(make_toolset(), figures, facts, "jsonl", {"train": 1}, [])
