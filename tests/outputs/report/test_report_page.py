"""The report that can be mailed: figures and dialogues in one file, in which nothing of others acts."""

from html.parser import HTMLParser
from pathlib import Path

from tests.outputs.builders import RUN, asks, load_all, make_record, make_shard, not_composed, says

from interplay.outputs.report.report_page import LONGEST, MOST_MESSAGES, report_page
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.verdict import DatasetRecord


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}


def make_page(tmp_path: Path, *records: DatasetRecord, name: str = "hotels") -> str:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        return report_page(name, statistics(store, RUN), records)


def test_shows_figures_dialogues_and_why_one_was_rejected(tmp_path: Path) -> None:
    page = make_page(tmp_path, make_record(0), make_record(1, status="rejected", issues=("wrong_state",)))
    assert "Dialogues: 1 accepted, 1 rejected" in page
    assert "Graz" in page
    assert "find_hotel" in page
    assert "It is wrong_state." in page


def test_shows_a_task_that_was_never_played(tmp_path: Path) -> None:
    assert "No path." in make_page(tmp_path, not_composed(0))


def test_what_others_wrote_stays_text(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m\u202e\"'{{ 7*7 }}"
    page = make_page(tmp_path, make_record(0, [asks(hostile), says(hostile)]), name="</title><script>x</script>")
    elements = _Elements()
    elements.feed(page)
    assert not {"script", "img", "link", "iframe", "form"} & set(elements.names)
    assert not [name for name in elements.attributes if name.startswith("on")]
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "{{ 7*7 }}" in page


def test_a_long_message_and_a_long_dialogue_are_cut(tmp_path: Path) -> None:
    messages = [asks("x" * (LONGEST + 7)), *(says("y") for _ in range(MOST_MESSAGES + 50))]
    page = make_page(tmp_path, make_record(0, messages))
    assert "and 7 characters more" in page
    assert page.count('<div class="turn') == MOST_MESSAGES
    assert "51 messages more" in page
