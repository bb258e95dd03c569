"""Finds word lists, rows of inference tables and parts of the grammar that change nothing, by switching off each in turn.

    python bench/ablation.py [--quick] [--json] [--kind lists|rules|grammar] [--only NAME] [--together] [UNIT ...]

Compared are the accounts of `import --explain` for all descriptions in the shared data, without reasons, and records of the
domains and of the descriptions. Cheap comparisons come first, and the first difference ends the trial of a unit. Prints the
units that change nothing: they can be deleted, unless the example of a row comes from another real description. `--together`
switches off all named units at once. A unit is `lists FILE LIST`, `rules MODULE ROW` or `grammar LANGUAGE SECTION KEY`.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from shared_data import DATA, OPENAPI, descriptions
from switches import KINDS, Unit, switch_off, units, watch

DOMAINS = ("clinic", "rental", "workspace")
WHOLE, QUICK = (200, 50), (10, 3)
"""Numbers of records of each domain, and of each description."""
FIRST = 5
"""Records of each source that are compared first, before more are made."""
LARGE = 200_000
"""Size in bytes from which no records of a description are made, and with `--quick` no account either."""
_TOOLS: Any = {"__all__": {"why", "effect_why"}}
REASONS: Any = {
    "resources": {"__all__": {"because": True, "tools": _TOOLS}},
    "computations": _TOOLS,
    "doubts": {"__all__": {"what"}},
}
"""Parts of an account that name the deciding row, and so change when it is off even if nothing else does."""
SMALLEST = ("--quick", "--json", "--only", "account petstore_v3.yaml", "rules", "--processes", "1", "--together")
"""Arguments of the smallest run, which a test makes: all rows of the tables off at once, seen in one account."""

Step = tuple[str, Callable[[], str]]


def trial(off: Sequence[Unit], quick: bool, only: str, expected: Mapping[str, str] | None) -> dict[str, str]:
    """Return the digests of the comparisons with some units switched off, up to the first that differs from `expected`.

    Only comparisons whose names begin with `only` are made.
    """
    try:
        switch_off(off)
    except Exception as error:
        if not off:
            raise
        return {f"import of the modules ({type(error).__name__}: {error})"[:200]: ""}
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


def _steps(quick: bool) -> Iterator[Step]:
    """Yield (name, function) of each comparison, cheap ones first."""
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
    return "\n".join(account.model_dump_json(exclude=REASONS) for account in asyncio.run(explain([spec], run=False)))


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


def read_units(quick: bool, only: str) -> tuple[dict[str, str], set[Unit]]:
    """Make all comparisons; return their digests, and the units that were read during them."""
    seen = watch()
    return trial((), quick, only, None), seen


def _tried(off: Sequence[Unit], quick: bool, only: str, expected: Mapping[str, str]) -> str | None:
    """Return the first comparison that changes with these units switched off, or None."""
    found = trial(off, quick, only, expected)
    return next((name for name, digest in found.items() if digest != expected.get(name)), None)


def _idle_together(
    wanted: Sequence[Unit], first_change: Callable[[Sequence[Unit]], str | None]
) -> Iterator[tuple[Unit, str | None]]:
    """Yield each unit with the first comparison that it changes, or None; groups that change something are bisected."""
    pending = [tuple(wanted)] if wanted else []
    while pending:
        group = pending.pop()
        changed = first_change(group)
        if changed is None or len(group) == 1:
            yield from ((unit, changed) for unit in group)
        else:
            pending += [group[len(group) // 2 :], group[: len(group) // 2]]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="Units, or the beginnings of their names; else all.")
    parser.add_argument("--quick", action="store_true", help="Small descriptions, and few records of each source.")
    parser.add_argument("--json", action="store_true", help="Print what was found as JSON.")
    parser.add_argument("--kind", choices=KINDS, help="Switch off units of this kind alone.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="Trials at once.")
    parser.add_argument("--together", action="store_true", help="Switch all units off at once.")
    parser.add_argument("--unread", action="store_true", help="End after what is never read.")
    parser.add_argument("--state", type=Path, metavar="FILE", help="Keep the outcomes here, and go on from them.")
    parser.add_argument("--only", default="", metavar="NAME", help="Make the comparisons whose names begin so.")
    return parser.parse_args()


def main() -> None:
    options = _options()
    told = sys.stderr if options.json else sys.stdout
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        known = pool.submit(units)
        reading = pool.submit(read_units, options.quick, options.only)
        wanted = [
            unit
            for unit in known.result()
            if (options.kind == unit[0] or (options.kind is None and unit[0] != "words"))
            and (not options.units or any(" ".join(unit).startswith(name) for name in options.units))
        ]
        print(f"{len(wanted)} units; looking which of them are read", file=told, flush=True)
        expected, read = reading.result()

        def first_change(off: Sequence[Unit]) -> str | None:
            return pool.submit(_tried, off, options.quick, options.only, expected).result()

        if options.together:
            print(json.dumps({"off": len(wanted), "first_change": first_change(wanted)}, indent=2))
            return
        outcomes: dict[Unit, str | None] = _kept(options.state)
        left = [unit for unit in wanted if unit not in outcomes]
        unread, rest = [unit for unit in left if unit not in read], [unit for unit in left if unit in read]
        print(f"{len(expected)} comparisons; {len(unread)} units are never read", file=told, flush=True)

        def keep(unit: Unit, change: str | None) -> None:
            outcomes[unit] = change
            print(f"{' '.join(unit):90} {change or 'CHANGES NOTHING'}", file=told, flush=True)
            if options.state:
                with options.state.open("a", encoding="utf-8") as state:
                    state.write(json.dumps([unit, change]) + "\n")

        for unit, change in _idle_together(unread, first_change):
            keep(unit, change)
        if not options.unread:
            trials = {pool.submit(_tried, [unit], options.quick, options.only, expected): unit for unit in rest}
            for done in as_completed(trials):
                keep(trials[done], done.result())
    idle = [" ".join(unit) for unit, change in outcomes.items() if change is None and unit in wanted]
    if options.json:
        print(json.dumps({"comparisons": len(expected), "units": len(wanted), "change_nothing": idle}, indent=2))
    else:
        print(f"{len(wanted)} units, {len(expected)} comparisons; {len(idle)} change nothing")


def _kept(state: Path | None) -> dict[Unit, str | None]:
    """Return the outcomes saved by an earlier run."""
    if state is None or not state.is_file():
        return {}
    return {tuple(unit): change for unit, change in map(json.loads, state.read_text(encoding="utf-8").splitlines())}


if __name__ == "__main__":
    main()
