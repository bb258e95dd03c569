"""Files of benchmark tasks -> an index of them, and back.

Reads tau-bench and tau2-bench (`instruction` or `user_scenario`, and `actions`) and BFCL (`question` or `turns`, and
`ground_truth` as Python calls): as a list, a list below `tasks`, `entries` or `data`, or one task per line.
"""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from interplay.flows.workspaces.run_files import write_text
from interplay.schemas.errors import ImportFailure
from interplay.schemas.plain_file import plain_text
from interplay.schemas.records.verdict import BenchmarkTask
from interplay.validators.curation.contamination import digested

LARGEST = 512 * 1024**2
"""The largest file that is read, in bytes."""

_HOLDERS = ("tasks", "entries", "data")
_WORDS = ("instruction", "user_scenario", "ticket", "question", "turns", "messages")
_SPOKEN = ("user", "content", "task_instructions", "reason_for_call", "known_info", "instructions")
_CALLS = ("actions", "evaluation_criteria", "ground_truth", "turns")
_SHAPES = "a list of tasks as tau-bench, tau2-bench or BFCL write them, or an index of interplay"


def read_benchmark(path: Path) -> tuple[BenchmarkTask, ...]:
    """Return the tasks of a benchmark file, or of an index made from one.

    Raises:
        ImportFailure: the file cannot be read, or holds no task of a known shape.
    """
    found = []
    for place, entry in enumerate(_entries(path)):
        if "grams" in entry:
            try:
                found.append(BenchmarkTask.model_validate(entry))
            except ValidationError as error:
                raise ImportFailure(f"{path}: line {place + 1} is no entry of an index. Make it again.") from error
            continue
        texts, calls = tuple(_texts(entry)), tuple(_calls(entry))
        if texts or calls:
            name = str(entry.get("id", entry.get("task_id", place)))
            found.append(digested(path.stem, name, texts, calls))
    if not found:
        raise ImportFailure(f"{path}: holds no task of a benchmark. Give {_SHAPES}.")
    return tuple(found)


def write_index(tasks: Sequence[BenchmarkTask], to: Path) -> None:
    """Write an index of tasks, one per line; it holds only digests.

    Raises:
        StoreError: the file cannot be written.
    """
    write_text(to, "".join(f"{task.model_dump_json()}\n" for task in tasks))


def _entries(path: Path) -> list[Mapping[str, Any]]:
    try:
        if path.stat().st_size > LARGEST:
            raise ImportFailure(f"{path}: is larger than {LARGEST // 1024**2} MiB. Split it.")
        text = plain_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise ImportFailure(f"{path}: cannot be read ({reason}). Give a file that holds {_SHAPES}.") from error
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        try:
            content = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            raise ImportFailure(f"{path}: is neither JSON nor JSON Lines. Give {_SHAPES}.") from error
    if isinstance(content, Mapping):
        content = next((content[name] for name in _HOLDERS if isinstance(content.get(name), list)), [content])
    return [entry for entry in content if isinstance(entry, Mapping)] if isinstance(content, list) else []


def _texts(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a task in which the user says what it wants."""
    for name in _WORDS:
        yield from _spoken(entry.get(name), True)


def _spoken(held: Any, told: bool) -> Iterator[str]:
    """Yield the user's texts in a value: strings if `told`, or below a key of `_SPOKEN`; messages of other roles are skipped."""
    if isinstance(held, str):
        yield from [held] if told else []
    elif isinstance(held, list):
        for each in held:
            yield from _spoken(each, told)
    elif isinstance(held, Mapping) and held.get("role", "user") == "user":
        for name, each in held.items():
            yield from _spoken(each, name in _SPOKEN) if name != "calls" else ()


def _calls(entry: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the calls that a task expects, in order."""
    for name in _CALLS:
        yield from _called(entry.get(name))


def _called(held: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(held, str):
        yield from _written(held)
    elif isinstance(held, Mapping):
        arguments = next((held[key] for key in ("arguments", "kwargs") if isinstance(held.get(key), Mapping)), None)
        if isinstance(held.get("name"), str) and arguments is not None:
            yield held["name"], arguments
            return
        for key in ("actions", "calls"):
            yield from _called(held.get(key))
    elif isinstance(held, list):
        for each in held:
            yield from _called(each)


def _written(call: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a call that is written as Python, such as `cd(folder='x')`, if all its arguments are literals by name."""
    try:
        node = ast.parse(call[:10_000], mode="eval").body
        if isinstance(node, ast.Call):
            arguments = {word.arg or "": ast.literal_eval(word.value) for word in node.keywords}
            yield ast.unparse(node.func).rpartition(".")[2], arguments
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError):
        return
