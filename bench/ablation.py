"""Which word lists, rows of the inference tables and parts of the grammar change anything: each is switched off in turn.

    python bench/ablation.py [--quick] [--json] [--kind lists|rules|grammar] [--only NAME] [--together] [UNIT ...]

What is compared: the accounts of `import --explain` of all descriptions in the shared data, and records of the domains and
of the descriptions. The cheap comparisons come first, and the first that differs ends the trial of a unit. Prints the units
that change nothing: they can go, unless the example of a row comes from another real description. `--together` switches all
units named off at once. A unit is `lists FILE LIST`, `rules MODULE ROW` or `grammar LANGUAGE SECTION KEY`.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from shared_data import DATA, OPENAPI, descriptions

from interplay.schemas.words import lists

KINDS = ("lists", "rules", "grammar")
DOMAINS = ("clinic", "rental", "workspace")
WHOLE, QUICK = (200, 50), (10, 3)
"""Records of each domain, and of each description."""
FIRST = 5
"""Records of each source that are compared before more of them are made."""
LARGE = 200_000
"""Bytes of a description from which on its records are left out, and `--quick` leaves out its account too."""
SMALLEST = ("--quick", "--json", "--only", "account petstore_v3.yaml", "rules", "--processes", "1", "--together")
"""Arguments of the smallest run, which a test makes: all rows of the tables off at once, seen in one account."""

Unit = tuple[str, ...]
Step = tuple[str, Callable[[], str]]


def units() -> list[Unit]:
    """Return all that can be switched off; this imports the whole of interplay."""
    read: dict[Path, Mapping[str, Any]] = {}
    _watch(lambda path, held: read.setdefault(path, held))
    _import_all()
    found: list[Unit] = [("lists", _short(path), name) for path, held in sorted(read.items()) for name in held]
    found += [("rules", module, row.name) for module, row in _rules()]
    for language in ("en", "de"):
        grammar = import_module("interplay.generators.participants.wording.languages").load_grammar(language)
        found += [
            ("grammar", language, section, key)
            for section, held in grammar.items()
            for key in (held if isinstance(held, Mapping) else ())
        ]
    return list(dict.fromkeys(found))


def trial(off: Sequence[Unit], quick: bool, only: str, expected: Mapping[str, str] | None) -> dict[str, str]:
    """Return the digests of the comparisons with some units switched off, up to the first that is not as `expected`.

    Of the comparisons those are made whose names begin with `only`.
    """
    dropped = {unit[1:] for unit in off if unit[0] == "lists"}
    _watch(lambda _, held: held, dropped)
    _import_all()
    for module, row in _rules():
        if ("rules", module, row.name) in off:
            object.__setattr__(row, "when", lambda *_: False)
    for unit in off:
        if unit[0] == "grammar":
            _silence(*unit[1:])
    found: dict[str, str] = {}
    for name, made in _steps(quick):
        if not name.startswith(only):
            continue
        try:
            found[name] = sha256(made().encode()).hexdigest()[:16]
        except Exception as error:
            if not off:
                raise  # the comparison itself is broken
            found[name] = f"{type(error).__name__}: {error}"[:200]
        if expected is not None and found[name] != expected[name]:
            break
    return found


def _watch(seen: Callable[[Path, Mapping[str, Any]], Any], dropped: Sequence[Unit] | set[Unit] = ()) -> None:
    """Let the reader of lists tell what it reads, and read the `dropped` lists as empty."""
    read = lists._lists

    def patched(idea: lists.Idea, language: str) -> Mapping[str, Any]:
        path = lists._path(idea, language)
        held = {
            name: type(value)() if (_short(path), name) in dropped else value
            for name, value in read(idea, language).items()
        }
        seen(path, held)
        return held

    lists._lists = patched  # type: ignore[assignment]


def _short(path: Path) -> str:
    rooms = Path(__file__).resolve().parents[1]
    return str(path.resolve().relative_to(rooms))


def _import_all() -> None:
    for name in ("generation.generator", "worlds.corrections", "worlds.assembly", "settings.config"):
        import_module(f"interplay.flows.{name}")


def _rules() -> Iterator[tuple[str, Any]]:
    """Yield the rows of all tables: tuples of records with a name, a condition and an example."""
    for name, module in sorted(sys.modules.items()):
        for value in vars(module).values() if name.startswith("interplay.") else ():
            if (
                isinstance(value, tuple)
                and value
                and all(hasattr(row, "when") and hasattr(row, "example") for row in value)
            ):
                yield from ((name.removeprefix("interplay."), row) for row in value)


def _silence(language: str, section: str, key: str) -> None:
    languages = import_module("interplay.generators.participants.wording.languages")
    languages.load_grammar(language)[section].pop(key, None)


def _steps(quick: bool) -> Iterator[Step]:
    """Yield the comparisons, the cheap ones first."""
    files = descriptions()
    small = [path for path in files if path.stat().st_size < LARGE and path.parent == OPENAPI]
    served = [DATA / "tau" / "airline.json", DATA / "tau" / "mock.json", DATA / "bfcl" / "classes.json"]
    served += sorted((DATA / "mcp").glob("*.json"))
    specs = {path.name: f"openapi:{path}" for path in small} | {path.name: f"json:{path}" for path in served}
    for name, spec in specs.items():
        yield f"account {name}", lambda spec=spec: _account(spec)  # type: ignore[misc]
    sources = {name: (f"domain:{name}", 0) for name in DOMAINS} | {name: (spec, 1) for name, spec in specs.items()}
    for name, (spec, _) in sources.items():
        yield f"first records {name}", lambda spec=spec: _records(spec, FIRST)  # type: ignore[misc]
    yield "first records in German", lambda: _records("domain:clinic", FIRST, "de")
    if not quick:
        for path in [path for path in files if path not in small]:
            yield f"account {path.name}", lambda path=path: _account(f"openapi:{path}")  # type: ignore[misc]
    for name, (spec, kind) in sources.items():
        count = (QUICK if quick else WHOLE)[kind]
        if count > FIRST:
            yield f"records {name}", lambda spec=spec, count=count: _records(spec, count)  # type: ignore[misc]
    if not quick:
        for name in DOMAINS:
            yield f"German {name}", lambda name=name: _records(f"domain:{name}", 60, "de")  # type: ignore[misc]


def _account(spec: str) -> str:
    explain = import_module("interplay.flows.worlds.corrections").explain_tools
    return "\n".join(account.model_dump_json() for account in asyncio.run(explain([spec], run=False)))


def _records(spec: str, count: int, language: str = "en") -> str:
    flows = {
        name: import_module(f"interplay.flows.{name}")
        for name in ("generation.generator", "worlds.assembly", "settings.config")
    }
    order_of = import_module("interplay.flows.generation.tasks").ScenarioOrder
    duplicates = import_module("interplay.validators.blueprints.duplicates").Duplicates
    config = flows["settings.config"].RunConfig.model_validate(
        {"toolset": [spec], "seed": 5, "language": {language: 1.0}}
    )

    async def made() -> list[str]:
        world = flows["worlds.assembly"].open_world(config.toolset)
        graph = await flows["worlds.assembly"].open_graph(world)
        generator = flows["generation.generator"].Generator(config, world, graph, "ablation")
        order = order_of(range(count), duplicates(config.copies))
        return [record.model_dump_json() for i in range(count) for record in await generator.make_records(i, order)]

    return "\n".join(asyncio.run(made()))


def _tried(unit: Unit, quick: bool, only: str, expected: Mapping[str, str]) -> str | None:
    """Return the first comparison that a unit changes."""
    found = trial([unit], quick, only, expected)
    return next((name for name, digest in found.items() if digest != expected[name]), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="Units, or the beginnings of their names; else all.")
    parser.add_argument("--quick", action="store_true", help="Small descriptions, and few records of each source.")
    parser.add_argument("--json", action="store_true", help="Print what was found as JSON.")
    parser.add_argument("--kind", choices=KINDS, help="Switch off units of this kind alone.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="Trials at once.")
    parser.add_argument("--together", action="store_true", help="Switch all units off at once.")
    parser.add_argument("--only", default="", metavar="NAME", help="Make the comparisons whose names begin so.")
    options = parser.parse_args()
    context = get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context, max_tasks_per_child=1) as pool:
        known = pool.submit(units)
        base = pool.submit(trial, (), options.quick, options.only, None)
        wanted = [
            unit
            for unit in known.result()
            if options.kind in (None, unit[0])
            and (not options.units or any(" ".join(unit).startswith(name) for name in options.units))
        ]
        expected = base.result()
        if options.together:
            found = pool.submit(trial, wanted, options.quick, options.only, None).result()
            changed = [name for name, digest in found.items() if digest != expected[name]]
            print(json.dumps({"off": len(wanted), "changed": changed}, indent=2))
            return
        trials = {unit: pool.submit(_tried, unit, options.quick, options.only, expected) for unit in wanted}
        changed_by = {}
        for unit, done in trials.items():
            changed_by[unit] = done.result()
            if not options.json:
                print(f"{' '.join(unit):90} {changed_by[unit] or 'CHANGES NOTHING'}", flush=True)
    idle = [" ".join(unit) for unit, first in changed_by.items() if first is None]
    if options.json:
        print(json.dumps({"comparisons": len(expected), "units": len(wanted), "change_nothing": idle}, indent=2))
    else:
        print(f"{len(wanted)} units, {len(expected)} comparisons; {len(idle)} change nothing")


if __name__ == "__main__":
    main()
