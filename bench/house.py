"""Measures the layout of a project: folders, functions, word lists in code, names, docstrings and commit subjects.

    python bench/house.py [--json] [--verbose] [--digests] [FOLDER]

FOLDER is any Python project, by default this one; tests, benchmarks and files not tracked by git are left out.
`--verbose` lists the counted items. `--digests` also runs `digests.py`, which compares made records with committed digests; the
exit code is 1 if they differ.
  statements    as Python parses them, so that long lines hide nothing; `data` are lines of YAML, JSON and templates
  word_lists    literals of at least a dozen plain words, and long texts that are split or used as patterns
  used_once     functions, classes and methods whose name occurs in one other place; `unused` in none
  no_map        packages of at least three modules whose docstring does not name most of them
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from layout import measure

ROOT = Path(__file__).resolve().parents[1]
SMALLEST = ("--json", "docs")
"""Arguments of the smallest run, which a test makes."""

COLUMNS = ("modules", "lines", "statements", "data")
COUNTED = ("word_lists", "names_twice", "gerunds", "used_once", "unused", "no_docstring", "no_map", "long_subjects")
"""The figures that are lists."""


def show(found: dict[str, Any], verbose: bool) -> None:
    """Print the figures, a line each, and with `verbose` the counted items."""
    print(f"{'room':24}" + "".join(f"{column:>12}" for column in COLUMNS))
    total: Counter[str] = Counter()
    for counts in found["rooms"].values():
        total.update(counts)
    for room, counts in [*found["rooms"].items(), ("all", total)]:
        print(f"{room:24}" + "".join(f"{counts.get(column, 0):>12}" for column in COLUMNS))
    fullest = list(found["folders"].items())
    print("fullest folders     ", ", ".join(f"{name} {count}" for name, count in fullest[:5]))
    print("functions           ", "  ".join(f"{name} {value}" for name, value in found["functions"].items()))
    print(
        f"words in word lists  {found['words']}, {found['distinct_words']} distinct; definitions {found['definitions']}"
    )
    for name in COUNTED:
        print(f"{name:20} {len(found[name])}")
        for line in found[name] if verbose else ():
            print(f"    {line}")


def digests(as_json: bool) -> tuple[int, str]:
    """Run `digests.py`; return its exit code and output."""
    program = Path(__file__).with_name("digests.py")
    command = [sys.executable, str(program), *(["--json"] if as_json else [])]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def main() -> None:
    """Measure a project and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT, help="another project")
    parser.add_argument("--json", action="store_true", help="print JSON, with all that is counted")
    parser.add_argument("--verbose", action="store_true", help="list what is counted")
    parser.add_argument("--digests", action="store_true", help="also compare the bytes of made records")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder}: is no folder. Name that of a Python project.")
    found = measure(options.folder.resolve())
    code, told = digests(options.json) if options.digests else (0, "")
    if options.json:
        print(json.dumps({**found, **({"digests": json.loads(told)} if told else {})}, indent=2))
    else:
        show(found, options.verbose)
        print(told, end="")
    sys.exit(code)


if __name__ == "__main__":
    main()
