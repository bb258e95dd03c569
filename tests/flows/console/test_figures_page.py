from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from tests.flows.command_line import run_clinic

from interplay.flows.console.figures_page import print_counts, print_coverage, print_figures
from interplay.flows.console.hanging_text import Hanging
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.report.coverage import coverage
from interplay.outputs.report.statistics import statistics


class Asked(Mapping[str, Any]):
    """Figures that remember which of them were asked for."""

    def __init__(self, figures: dict[str, Any]) -> None:
        self.figures, self.asked = figures, set[str]()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self.figures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The figures of a run, and what it covers."""
    workspace = Workspace(tmp_path_factory.mktemp("clinic"))
    run_clinic(workspace.folder, 8)
    with loaded_store(workspace) as store:
        run = workspace.existing_run().run
        return statistics(store, run), coverage(store, run)


def _page(draw: Callable[[Console], None], **options: Any) -> str:
    written = StringIO()
    draw(Console(file=written, width=80, highlight=False, markup=False, **options))
    return written.getvalue()


def test_every_figure_is_told_and_no_line_is_wider_than_the_terminal(measured: tuple[dict[str, Any], ...]) -> None:
    figures = Asked({**measured[0], "reviewed": 3, "safety_triples_begun": 2, "yield_by_round": {
        "0": {"judged": 8, "passed": 6, "share": 0.75}, "1": {"judged": 2, "passed": 2, "share": 1.0}
    }, "rejected_by_issue": {"an_issue_of_many_words_" * 5: 12}, "objections": {"3 contradicts " + "it says so " * 30: 1}})  # fmt: skip
    page = _page(lambda console: print_figures(console, figures))
    assert figures.asked == set(figures.figures)
    assert max(map(cell_len, page.splitlines())) <= 80
    assert "8 accepted" in page


def test_what_is_covered_fits_the_terminal(measured: tuple[dict[str, Any], ...]) -> None:
    page = _page(lambda console: print_coverage(console, measured[1]))
    assert max(map(cell_len, page.splitlines())) <= 80
    assert all(hole in " ".join(page.split()) for hole in measured[1]["patterns"]["holes"])


def test_bars_are_as_long_as_their_counts() -> None:
    lines = _page(
        lambda console: print_counts(console, "Ends", {"user_ended": 40, "given_up": 10, "odd": 0})
    ).splitlines()
    assert [line.count("█") for line in lines[-3:]] == [24, 6, 0]
    shares = _page(lambda console: print_counts(console, "Checks", {"outcome": {"judged": 8, "passed": 4}}))
    assert shares.count("█") == 12


def test_long_lists_are_added_up() -> None:
    page = _page(lambda console: print_counts(console, "Acts", {f"act{place}": 2 for place in range(15)}))
    assert "and 3 more, together 6" in page


def test_text_hangs_below_its_beginning_and_is_whole_in_a_pipe() -> None:
    line = Hanging(Text("user  "), Text("word " * 40))
    wrapped = _page(lambda console: console.print(line)).splitlines()
    assert len(wrapped) == 3
    assert wrapped[1].startswith("      word")
    assert len(_page(lambda console: console.print(line), soft_wrap=True).splitlines()) == 1


def test_what_is_hidden_is_measured_as_it_is_shown() -> None:
    line = Hanging(Text("user  "), Text("\u202e" * 60, style="red"))
    lines = _page(lambda console: console.print(line)).splitlines()
    assert max(map(len, lines)) <= 80
    assert "\\u202e" in lines[0]
