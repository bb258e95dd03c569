"""The cost of an accepted record over time, from the times of answers in a journal and of shards."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.cost_course import cost_course
from interplay.flows.workspaces.manifest import identify
from interplay.flows.workspaces.run_files import make_folder, write_record
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_file import SCHEMA
from interplay.outputs.report.pictures import STRETCHES

PRICES = "date: 2026-01-01\nprices: [{model: known, input: 4, cached_input: 1, output: 10}]\n"

Answer = tuple[float, str, int, int, int]
"""When it came, whose it is, and its tokens: read, read from a cache, and written."""


def paid(folder: Path, answers: Sequence[Answer], finished: Sequence[float]) -> Workspace:
    """Return a workspace with a journal, and with shards that were finished at these times, by number."""
    place = Workspace(folder / "w")
    make_folder(place.shard(0).parent)
    (folder / "prices.yaml").write_text(PRICES)
    write_record(place.run_file, identify(RunConfig(prices=folder / "prices.yaml"), "toolset", "0"))
    with closing(sqlite3.connect(place.journal_file)) as journal, journal:
        journal.executescript(SCHEMA)
        for number, (at, model, prompt, cached, completion) in enumerate(answers):
            journal.execute(
                "INSERT INTO answers VALUES (?, ?, 'user', ?, 'http://a/v1', 0, 0, 'answered', '', ?, ?, ?, 0, 0, X'', '', ?, X'')",
                [number, bytes([number]), model, prompt, cached, completion, at],
            )
    for number, at in enumerate(finished):
        place.shard(number).write_bytes(b"")
        os.utime(place.shard(number), (at, at))
    return place


def test_what_was_paid_until_a_shard_was_finished_is_shared_by_all_that_passed_till_then(tmp_path: Path) -> None:
    answers = [(100.2, "free", 7, 0, 3), (105.0, "free", 10, 0, 10), (111.7, "free", 30, 0, 0)]
    place = paid(tmp_path, answers, finished=[112.0, 105.5, 101.0])
    course = cost_course(place, {0: 2, 1: 1, 2: 0})
    assert course is not None
    assert course.unit == "tokens"
    assert course.points == [(5.5, 30.0), (12.0, 20.0)]


def test_a_long_course_is_told_in_few_points_and_to_its_end(tmp_path: Path) -> None:
    count = 2 * STRETCHES + 5
    place = paid(tmp_path, [(100.0, "free", 90, 0, 0)], [101.0 + number for number in range(count)])
    course = cost_course(place, dict.fromkeys(range(count), 1))
    assert course is not None
    assert STRETCHES // 2 < len(course.points) <= STRETCHES
    assert course.points[-1] == (float(count), 90 / count)


def test_what_came_from_a_cache_costs_less_and_an_unknown_price_leaves_tokens(tmp_path: Path) -> None:
    known: Answer = (100.0, "known", 1000, 400, 100)
    course = cost_course(paid(tmp_path / "a", [known], [101.0]), {0: 1})
    assert course is not None
    assert course.unit == "dollars"
    assert course.points[-1][1] == pytest.approx((600 * 4 + 400 * 1 + 100 * 10) / 1_000_000)
    course = cost_course(paid(tmp_path / "b", [known, (100.0, "unknown", 5, 0, 0)], [101.0]), {0: 1})
    assert course is not None
    assert (course.unit, course.points) == ("tokens", [(1.0, 1105.0)])
