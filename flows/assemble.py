"""Toolset specifications -> the concrete parts of a run; the only place that names concrete classes."""

import contextlib
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interplay.generators.domains.clinic import ClinicPolicy, clinic_toolset, open_clinic
from interplay.generators.environments.caution import cautious
from interplay.generators.environments.mcp import LiveServer
from interplay.generators.environments.merged import MergedEnvironment, MergedPolicy
from interplay.generators.environments.opening import maker_of, scenario_at
from interplay.generators.environments.recording import ReplayedSession, load_session
from interplay.generators.environments.resources import infer_plan, resource_model
from interplay.generators.environments.sandbox import Sandbox
from interplay.generators.environments.search import SearchableTools
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.graph.graph import ToolGraph, build_graph
from interplay.generators.importers.mcp import import_mcp
from interplay.generators.importers.openapi import import_openapi
from interplay.generators.importers.python import import_python
from interplay.generators.importers.tool_json import import_tool_json
from interplay.schemas.errors import ConfigError
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.tools import ImportReport, ToolReport, Toolset

KINDS = ("domain", "openapi", "json", "python", "mcp", "mcp+live", "mcp+recorded")
DOMAINS = {"clinic": (clinic_toolset, open_clinic, ClinicPolicy)}


@dataclass(frozen=True)
class World:
    """An opened environment with its policy."""

    environment: Environment
    policy: Policy | None

    @property
    def toolset(self) -> Toolset:
        """The tools that can be offered."""
        return self.environment.toolset


def import_spec(spec: str) -> ImportReport:
    """Import the tools of one specification.

    Raises:
        ConfigError: the specification is not understood.
        ImportFailure: its source cannot be read.
    """
    kind, _, place = spec.partition(":")
    if kind not in KINDS or not place:
        raise ConfigError(f"toolset {spec!r}: expected KIND:PLACE with KIND one of {', '.join(KINDS)}.")
    if kind == "openapi":
        return import_openapi(Path(place))
    if kind == "json":
        return import_tool_json(Path(place))
    if kind == "python":
        target = place.partition("?")[0]
        return import_python(_python_target(place), target.split(":")[-1].split(".")[-1])
    if kind in ("mcp", "mcp+live"):
        return import_mcp(place)
    if kind == "mcp+recorded":
        toolset = load_session(Path(place)).toolset
    elif place in DOMAINS:
        toolset = DOMAINS[place][0]()
    else:
        raise ConfigError(f"toolset {spec!r}: no such domain. Bundled: {', '.join(DOMAINS)}.")
    reports = tuple(ToolReport(name=tool.name, outcome="imported", source=tool.source) for tool in toolset.tools)
    return ImportReport(toolset=toolset, reports=reports)


def _python_target(place: str) -> object:
    module, _, name = place.partition("?")[0].partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output belongs to answers for machines
            loaded = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever somebody's module may do when it is loaded
        why = f"{type(error).__name__}: {error}"
        raise ConfigError(f"toolset 'python:{place}': module {module!r} cannot be imported: {why}.") from error
    if not name:
        return loaded
    try:
        target: object = getattr(loaded, name)
    except AttributeError as error:
        raise ConfigError(f"toolset 'python:{place}': module {module!r} has no {name!r}.") from error
    return target


def open_world(specs: Sequence[str], world_seed: int = 0) -> World:
    """Import all specifications and open one environment for them, with a tool search on top.

    Raises:
        ConfigError, ImportFailure: see `import_spec`; or there is no tool at all.
    """
    parts = [_open_part(spec, import_spec(spec), world_seed) for spec in specs]
    if len(parts) == 1:
        environment, policy = parts[0]
        return World(SearchableTools(environment), policy)
    merged = MergedEnvironment([environment for environment, _ in parts])
    return World(SearchableTools(merged), MergedPolicy(merged, [policy for _, policy in parts]))


def _open_part(spec: str, report: ImportReport, world_seed: int) -> tuple[Environment, Policy | None]:
    kind, _, place = spec.partition(":")
    if not report.toolset.tools:
        raise ConfigError(f"toolset {spec!r}: no tool could be imported. See: interplay import --toolset {spec}")
    if kind == "domain":
        return DOMAINS[place][1](), DOMAINS[place][2]()
    if kind == "python":
        return _open_python(place, report.toolset), None
    toolset, policy = cautious(report.toolset, resource_model(infer_plan(report.toolset)))
    if kind == "mcp+live":
        return LiveServer(place, toolset, reuses=True), policy
    if kind == "mcp+recorded":
        return ReplayedSession(load_session(Path(place)).model_copy(update={"toolset": toolset})), policy
    return Sandbox(toolset, world_seed), policy


def _open_python(place: str, toolset: Toolset) -> Environment:
    """Open `MODULE[:NAME][?scenario=FILE[#/POINTER]]`: the scenario is the JSON object that the state begins as."""
    scenario = scenario_at(place.partition("?")[2], f"toolset 'python:{place}'")
    return Toolkit(maker_of(_python_target(place), scenario), toolset)


async def open_graph(world: World, seed: int = 0) -> ToolGraph:
    """Build the tool graph of a world, its edges run in the environment."""
    return await build_graph(world.environment, seed)
