"""Tasks of benchmarks -> an index of their words and calls; a dialogue -> the benchmark task that it contains.

A dialogue contains a task if it has most of the task's runs of words (Brown et al. 2020 looked for runs of 13 words; tasks are
short, so the share of the task's own runs counts), or makes all of its calls with the same arguments in the same order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.verdict import BenchmarkTask, Issue, Verdict
from interplay.schemas.words.text import UNSPACED

RUN, SHORTEST = 5, 3
"""Number of words in a run, and minimum number of words of a text: a shorter one, such as a greeting, has no run."""

SHARE = 0.5
"""Minimum share of a task's runs that a dialogue must have to contain it."""

FEWEST_RUNS = 4
"""Minimum number of common runs, unless the task has fewer: a few common phrases occur in any dialogue."""

FEWEST_CALLS = 2
"""Minimum number of calls of a task that is recognised by its calls: a single call may belong to any task."""

CHECK = "contamination"

_WORD = re.compile(rf"(?=\w)[{UNSPACED}]|[^\W{UNSPACED}]+")


def digested(
    benchmark: str, task: str, texts: Sequence[str], calls: Sequence[tuple[str, Mapping[str, Any]]]
) -> BenchmarkTask:
    """Return a benchmark task in the form in which the index holds it, as digests."""
    runs = {run for text in texts for run in _runs(text)}
    return BenchmarkTask(
        benchmark=benchmark, task=task, grams=tuple(sorted(runs)), calls=tuple(_call(*call) for call in calls)
    )


class Contamination:
    """An index of benchmark tasks, in which dialogues are looked up."""

    def __init__(self, tasks: Iterable[BenchmarkTask]) -> None:
        self.tasks = tuple(tasks)
        self._by_run: dict[int, list[int]] = {}
        self._by_call: dict[int, list[int]] = {}
        for place, task in enumerate(self.tasks):
            for run in task.grams:
                self._by_run.setdefault(run, []).append(place)
            if len(task.calls) >= FEWEST_CALLS:
                self._by_call.setdefault(task.calls[-1], []).append(place)

    def judge(self, texts: Sequence[str], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Verdict:
        """Return a verdict that rejects a dialogue which contains a task, by its `texts` or its `calls` in order."""
        for place in self._worded(texts if self._by_run else ()):
            return _told(self.tasks[place], "words")
        for place in self._called([_call(*call) for call in calls] if self._by_call else []):
            return _told(self.tasks[place], "calls")
        return Verdict(check=CHECK)

    def _worded(self, texts: Sequence[str]) -> Iterable[int]:
        runs = {run for text in texts for run in _runs(text)} & self._by_run.keys()
        found = Counter(place for run in sorted(runs) for place in self._by_run[run])
        return (place for place, count in found.items() if count >= _needed(self.tasks[place]))

    def _called(self, calls: Sequence[int]) -> Iterable[int]:
        places = dict.fromkeys(place for call in calls for place in self._by_call.get(call, ()))
        return (place for place in places if _in_order(self.tasks[place].calls, calls))


def _needed(task: BenchmarkTask) -> float:
    held = len(task.grams)
    return max(SHARE * held, min(held, FEWEST_RUNS))


def _told(task: BenchmarkTask, by: str) -> Verdict:
    message = f"gives away task {task.task!r} of {task.benchmark} by its {by}"
    return Verdict(check=CHECK, issues=(Issue.of(f"benchmark_{by}", message),))


def _in_order(wanted: Sequence[int], made: Sequence[int]) -> bool:
    rest = iter(made)
    return all(call in rest for call in wanted)


def _runs(text: str) -> set[int]:
    """Return the digests of a text's runs of words."""
    words = _WORD.findall(text.casefold())
    starts = range(max(1, len(words) - RUN + 1)) if len(words) >= SHORTEST else ()
    return {_digest(" ".join(words[start : start + RUN])) for start in starts}


def _call(name: str, arguments: Mapping[str, Any]) -> int:
    return _digest(f"{name} {canonical_json(arguments)}")


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=6).digest())
