"""Checks that inference on real descriptions is unchanged: compares the account of each with a committed summary.

    python bench/accounts.py [--write] [--lines FOLDER] [--compare FOLDER] [NAME ...]

`bench/accounts.yaml` holds for each description the number of tools by operation, the table rows that decided them, and a
digest of the account without the latter. `--lines` writes the accounts, a line for each tool and resource, to a folder outside
the project; `--compare` prints the lines that differ from those that another checkout wrote there. If a change is meant to
change accounts, rewrite the file with `--write`. The exit code is 1 if anything differs.

    createOrder  create  order  refers=/customer_id=customer  why=a new row of a collection; the noun of an identifier
"""

import argparse
import difflib
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from shared_data import DATA, descriptions

from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.generators.importers.openapi.importer import import_openapi

COMMITTED = Path(__file__).with_suffix(".yaml")
SMALLEST = ("museum.yaml",)
"""Arguments of the smallest run, which a test makes."""

BY_NAME = (
    "tau/airline.json",
    "tau/mock.json",
    "bfcl/classes.json",
    "mcp/filesystem.json",
    "mcp/memory.json",
    "mcp/time.json",
)


def sources() -> dict[str, Path]:
    """Return the real descriptions by name: all of openapi/, and sources whose tools have no paths."""
    known = {path.name: path for path in sorted(descriptions())}
    return known | {name: DATA / name for name in BY_NAME if (DATA / name).exists()}


def account_lines(path: Path) -> list[str]:
    """Return the account of one description: a line for each tool and each resource."""
    read = import_openapi if "openapi" in path.parts else import_tool_json
    return list(_lines(infer_plan(read(path).toolset)))


def _lines(plan: Plan) -> Iterator[str]:
    for name, tool in plan.tools.items():
        marks: dict[str, Any] = {
            "target": tool.target, "parents": [*map("=".join, tool.parents)], "keys": [*map("=".join, tool.keys)],
            "edit": tool.edit and f"{tool.edit.does} {'/'.join(tool.edit.path)}", "batch": tool.batch and tool.batch.field,
            "rows": tool.rows and f"{tool.rows.pointer or '/'}{'*' * tool.rows.many}",
            "refers": [f"{pointer}={to}" for pointer, to in plan.references[name].items()],
        }  # fmt: skip
        flags = [flag for flag in ("single", "every", "counts") if getattr(tool, flag)]
        why = "; ".join([tool.why, *plan.why[name].values()])
        yield _line(name, tool.operation, tool.resource or "-", *flags, **marks, why=why)
    for name, resource in plan.resources.items():
        marks = {
            "identity": resource.identity, "parent": resource.parent, "mirrors": resource.mirrors,
            "refers": [f"{pointer}={to}" for pointer, to in resource.references.items()],
            "relations": resource.relations, "handles": resource.handles, "fields": [*resource.schema["properties"]],
        }  # fmt: skip
        flags = [flag for flag in ("single", "scope") if getattr(resource, flag)]
        yield _line("resource", name, *flags, **marks, why="; ".join(resource.why.values()))


def _line(*words: str, **marks: Any) -> str:
    said = (f"{key}={value if isinstance(value, str) else ','.join(value)}" for key, value in marks.items() if value)
    return "  ".join((*words, *said))


def summary(lines: list[str]) -> dict[str, Any]:
    """Return the committed summary of an account: counts by operation and by table row, and the digest of its lines."""
    tools = [line.split("  ") for line in lines if not line.startswith("resource  ")]
    said = [line.partition("  why=")[::2] for line in lines]
    rows = Counter(row for _, why in said for row in why.split("; ") if row)
    unreasoned = "\n".join(line for line, _ in said)
    return {
        "tools": dict(sorted(Counter(tool[1] for tool in tools).items())),
        "resources": len(lines) - len(tools),
        "rows": dict(sorted(rows.items())),
        "digest": sha256(unreasoned.encode()).hexdigest()[:16],
    }


def committed() -> dict[str, Any]:
    """Return the committed summaries by description."""
    held: dict[str, Any] = yaml.safe_load(COMMITTED.read_text("utf-8")) if COMMITTED.exists() else {}
    return held


def main() -> int:
    """Compare the accounts, or write them anew, as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help="write the summaries anew")
    parser.add_argument("--lines", type=Path, help="write the accounts to a folder")
    parser.add_argument("--compare", type=Path, help="print the lines that differ from accounts in a folder")
    given = parser.parse_args()
    accounts = {name: account_lines(path) for name, path in sources().items() if not given.names or name in given.names}
    if not accounts:
        parser.error(f"no such description is below {DATA}; set INTERPLAY_SHARED to the folder with data/")
    changed = {name for name, lines in accounts.items() if summary(lines) != committed().get(name)}
    if given.write:
        held = committed() | {name: summary(lines) for name, lines in accounts.items()}
        COMMITTED.write_text(yaml.safe_dump(held, sort_keys=True, allow_unicode=True, width=120), "utf-8")
    print(f"{len(accounts)} descriptions, {len(changed)} changed: {', '.join(sorted(changed)) or 'none'}")
    for name, lines in accounts.items():
        file = f"{name.replace('/', '_')}.txt"
        if given.lines is not None:
            given.lines.mkdir(parents=True, exist_ok=True)
            (given.lines / file).write_text("\n".join(lines), "utf-8")
        if given.compare is not None:
            before = (given.compare / file).read_text("utf-8").split("\n")
            differing = [line for line in difflib.unified_diff(before, lines, lineterm="", n=0) if line[0] in "+-"]
            print("\n".join([f"{name}: {len(differing)} lines", *differing]) if differing else f"{name}: the same")
    return int(bool(changed) and not given.write)


if __name__ == "__main__":
    sys.exit(main())
