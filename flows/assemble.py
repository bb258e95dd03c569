"""Toolset specifications -> the concrete parts of a run; the only place that names concrete classes."""

import contextlib
import hashlib
import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interplay.flows.specs import Spec, checked_spec
from interplay.generators.domains.domain import Domain
from interplay.generators.environments.applying import refuse_made_up, revised_model, revised_plan, revised_toolset
from interplay.generators.environments.conditions import near
from interplay.generators.environments.mcp import LiveServer
from interplay.generators.environments.merged import MergedEnvironment, MergedPolicy
from interplay.generators.environments.opening import maker_of, scenario_at
from interplay.generators.environments.overrides import Authored, load_overrides
from interplay.generators.environments.plans import Plan
from interplay.generators.environments.recording import ReplayedSession, SessionFile, load_session
from interplay.generators.environments.resources import infer_plan, resource_model
from interplay.generators.environments.ruling import ruled
from interplay.generators.environments.sandbox import Sandbox
from interplay.generators.environments.search import SearchableTools
from interplay.generators.environments.simulated import Simulated
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.graph.borderline import check_borderline
from interplay.generators.graph.graph import VERIFIED, ToolGraph, graph_nodes, graph_of, verified
from interplay.generators.graph.matching import candidate_edges
from interplay.generators.importers.mcp import import_mcp
from interplay.generators.importers.mcp_session import Address
from interplay.generators.importers.observations import read_observations, with_observations
from interplay.generators.importers.observed_flows import value_flows
from interplay.generators.importers.openapi import import_openapi
from interplay.generators.importers.python import import_python
from interplay.generators.importers.selection import select
from interplay.generators.importers.tool_json import import_tool_json
from interplay.schemas.canonical import digest
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.errors import ConfigError
from interplay.schemas.graph import ValueFlow
from interplay.schemas.protocols import ChatModel, EmbeddingModel, Environment, Policy
from interplay.schemas.tools import ImportReport, ResourceModel, ToolReport, Toolset

DOMAINS = {
    "clinic": "interplay.generators.domains.clinic",
    "rental": "interplay.generators.domains.rental",
    "workspace": "interplay.generators.domains.workspace",
}
"""The bundled domains: packages whose `DOMAIN` each is, imported when one is named."""


@dataclass(frozen=True)
class Part:
    """One opened source: its environment and policy, what was inferred of it, and who corrected that.

    `plan` is there where a sandbox answers; other environments know their resources by themselves.
    """

    spec: Spec
    environment: Environment
    policy: Policy | None
    plan: Plan | None = None
    overrides: str = ""
    flows: tuple[ValueFlow, ...] = ()


@dataclass(frozen=True)
class World:
    """An opened environment with its policy, and the parts that it was made of."""

    environment: Environment
    policy: Policy | None
    parts: tuple[Part, ...] = ()

    @property
    def toolset(self) -> Toolset:
        """The tools that can be offered."""
        return self.environment.toolset

    def learn(self, call: ToolCall, value: Any) -> bool:
        """Take what a recorded call returned for what is there, where a sandbox answers; tell whether one does."""
        sandboxes = (part.environment for part in self.parts if isinstance(part.environment, Sandbox))
        return any(sandbox.learn(call, value) for sandbox in sandboxes)


@dataclass(frozen=True)
class Imported:
    """One source as it was read, then chosen from and corrected."""

    spec: Spec
    report: ImportReport
    authored: Authored
    left_out: int = 0
    flows: tuple[ValueFlow, ...] = ()


def import_spec(spec: str) -> ImportReport:
    """Import the tools of one specification, as its filters and overrides leave them.

    Raises:
        ConfigError: the specification or its overrides are not understood.
        ImportFailure: its source cannot be read.
    """
    return import_source(spec).report


def import_source(given: str) -> Imported:
    """Import the tools of one specification, with what its author says about them; see `import_spec`."""
    spec = checked_spec(given, DOMAINS)
    report, flows = _observed(spec, _read(spec))
    file = spec.overrides_file()
    authored = load_overrides(file) if file is not None else Authored()
    toolset = select(report.toolset, spec.only, spec.without, f"toolset {given!r}")
    if file is not None:
        toolset = revised_toolset(toolset, authored)
    kept = {tool.name for tool in toolset.tools}
    read = {tool.name for tool in report.toolset.tools}
    reports = tuple(item for item in report.reports if item.name in kept or item.name not in read)
    return Imported(spec, ImportReport(toolset=toolset, reports=reports), authored, len(read - kept), flows)


def _observed(spec: Spec, report: ImportReport) -> tuple[ImportReport, tuple[ValueFlow, ...]]:
    """Return an import with what was learned from recorded calls, and the values that went from tool to tool in them."""
    if not spec.observations:
        return report, ()
    path = Path(spec.observations).expanduser()
    observations = read_observations(path)
    toolset, learned = with_observations(report.toolset, observations)
    mark = f"observations:{path.name}@{hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()}"
    toolset = toolset.model_copy(update={"provenance": (*toolset.provenance, mark)})
    told = {item.name: item for item in learned}
    reports = [_both(item, told.pop(item.name, item)) for item in report.reports]
    unknown = (item for item in told.values() if item.outcome == "rejected")
    return ImportReport(toolset=toolset, reports=(*reports, *unknown)), value_flows(toolset, observations)


def _both(imported: ToolReport, learned: ToolReport) -> ToolReport:
    """Return what became of a tool, with what was learned of it."""
    reasons = tuple(dict.fromkeys((*imported.reasons, *learned.reasons)))
    outcome = learned.outcome if imported.outcome == "imported" else imported.outcome
    return imported.model_copy(update={"outcome": outcome, "reasons": reasons})


def _read(spec: Spec) -> ImportReport:
    if spec.kind == "openapi":
        return import_openapi(Path(spec.place))
    if spec.kind == "json":
        return import_tool_json(Path(spec.place))
    if spec.kind == "python":
        return _read_python(spec)
    if spec.kind in ("mcp", "mcp+live"):
        return import_mcp(spec.source)
    toolset = load_session(Path(spec.place)).toolset if spec.kind == "mcp+recorded" else _domain(spec).toolset
    reports = tuple(ToolReport(name=tool.name, outcome="imported", source=tool.source) for tool in toolset.tools)
    return ImportReport(toolset=toolset, reports=reports)


def _domain(spec: Spec) -> Domain:
    """Return a bundled domain, or the one in a folder: a package whose `DOMAIN` it is.

    Raises:
        ConfigError: there is none.
    """
    if spec.place in DOMAINS:
        bundled: Domain = importlib.import_module(DOMAINS[spec.place]).DOMAIN
        return bundled
    folder = Path(spec.place).expanduser()
    if not (folder / "__init__.py").is_file():
        raise ConfigError(
            f"toolset '{spec}': no such domain, and no folder of one. Bundled: {', '.join(DOMAINS)}. "
            "Make your own: interplay init --domain clinic"
        )
    if str(folder.parent.absolute()) not in sys.path:
        sys.path.insert(0, str(folder.parent.absolute()))
    try:
        with contextlib.redirect_stdout(sys.stderr):
            found = getattr(importlib.import_module(folder.name), "DOMAIN", None)
    except (Exception, SystemExit) as error:  # whatever somebody's module may do when it is loaded
        raise ConfigError(f"toolset '{spec}': {folder} cannot be imported: {type(error).__name__}: {error}.") from error
    if not isinstance(found, Domain):
        raise ConfigError(f"toolset '{spec}': {folder / '__init__.py'} has no DOMAIN that is a Domain.")
    return found


def _read_python(spec: Spec) -> ImportReport:
    """Import `MODULE[:NAME]`; the scenario that it begins with stands among its sources, since it decides what is answered."""
    report = import_python(_python_target(spec.place), spec.place.split(":")[-1].split(".")[-1])
    scenario = scenario_at(spec.query, f"toolset '{spec}'")
    if scenario is None:
        return report
    name = Path(spec.query.removeprefix("scenario=").partition("#")[0]).name
    mark = f"scenario:{name}@{digest(json.dumps(scenario, sort_keys=True))[:16]}"
    toolset = report.toolset
    toolset = toolset.model_copy(update={"provenance": (*toolset.provenance, mark)})
    return report.model_copy(update={"toolset": toolset})


def _python_target(place: str) -> object:
    module, _, name = place.partition("?")[0].partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output belongs to answers for machines
            loaded = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever somebody's module may do when it is loaded
        why = f"{type(error).__name__}: {error}."
        if module.endswith(".py"):
            why = f"name the module and not its file: python:{module.removesuffix('.py').replace('/', '.')}"
        raise ConfigError(f"toolset 'python:{place}': module {module!r} cannot be imported: {why}") from error
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
    return _joined(tuple(open_part(import_source(spec), world_seed) for spec in specs))


def _joined(parts: tuple[Part, ...]) -> World:
    if len(parts) == 1:
        return World(SearchableTools(parts[0].environment), parts[0].policy, parts)
    merged = MergedEnvironment([part.environment for part in parts])
    return World(SearchableTools(merged), MergedPolicy(merged, [part.policy for part in parts]), parts)


def open_part(imported: Imported, world_seed: int = 0) -> Part:
    """Open the environment of one source, as its author corrected it.

    Raises:
        ConfigError: there is no tool, or an override does not fit what was imported.
    """
    spec, toolset = imported.spec, imported.report.toolset
    if not toolset.tools:
        raise ConfigError(f"toolset '{spec}': no tool could be imported. See: interplay import --toolset {spec}")
    if spec.kind in ("domain", "python"):
        return _open_code(imported)
    authored, plan = imported.authored, infer_plan(toolset)
    if authored.name:
        plan = revised_plan(toolset, plan, authored)
    fields = {name: list(item.schema["properties"]) for name, item in plan.resources.items()}
    model = resource_model(plan)
    toolset, policy = ruled(toolset, model, authored, fields)
    _check_people(model, authored)
    if spec.kind in ("mcp+live", "mcp+recorded"):
        refuse_made_up(authored, "a server")
        return Part(spec, _open_server(imported, toolset, model), policy, None, authored.name, imported.flows)
    return Part(spec, Sandbox(toolset, world_seed, plan), policy, plan, authored.name, imported.flows)


def _open_server(imported: Imported, toolset: Toolset, model: ResourceModel) -> Environment:
    """Open a server, or what was recorded of one; a recording holds the tools as they are before policy rules."""
    spec = imported.spec
    if spec.kind == "mcp+live":
        name, plain = Address.read(spec.source).name, imported.report.toolset
        records = SessionFile(Path(spec.record).expanduser(), name, plain) if spec.record else None
        return LiveServer(spec.source, toolset, reuses=True, records=records, resources=model)
    session = load_session(Path(spec.place)).model_copy(update={"toolset": toolset})
    return ReplayedSession(session, model)


def _open_code(imported: Imported) -> Part:
    """Open a bundled domain, or `MODULE[:NAME][?scenario=FILE[#/POINTER]]` with the JSON object that its state begins as."""
    spec, toolset, authored = imported.spec, imported.report.toolset, imported.authored
    given: Policy | None = None
    if spec.kind == "domain":
        domain = _domain(spec)
        environment, given = domain.open(toolset), domain.policy
    else:
        scenario = scenario_at(spec.query, f"toolset '{spec}'")
        environment = Toolkit(maker_of(_python_target(spec.place), scenario), toolset)
    if authored.name:
        environment.resources = revised_model(environment.resources, authored, f"{spec.kind}:{spec.place}")
        environment.toolset, given = ruled(toolset, environment.resources, authored, {}, given, careful=False)
    _check_people(environment.resources, authored)
    return Part(spec, environment, given, None, authored.name, imported.flows)


def _check_people(model: ResourceModel, authored: Authored) -> None:
    """Check that what the author calls things, and whom they call the user, are resources."""
    known = [resource.name for resource in model.resources]
    said = authored.overrides
    for at, name in [("/user_resource", said.user_resource), *((f"/nouns/{noun}", noun) for noun in said.nouns)]:
        if name is not None and name not in known:
            raise authored.error(at, f"there is no resource {name!r}{near(name, known)}")


def simulated_world(world: World, model: ChatModel) -> World:
    """Return a world with the same tools, played by a model.

    Raises:
        ConfigError: some tools are code, or a server's own.
    """
    parts = []
    for part in world.parts:
        if part.plan is None:
            raise ConfigError(
                f"roles/tool: '{part.spec}' answers by itself; a model can play only tools that are known by their schemas "
                "(openapi:, json:, mcp:). Leave `tool` out of roles."
            )
        parts.append(replace(part, environment=Simulated(part.environment.toolset, model, part.plan)))
    return _joined(tuple(parts))


async def open_graph(
    world: World,
    seed: int = 0,
    verify: bool = True,
    near: EmbeddingModel | None = None,
    judge: ChatModel | None = None,
) -> ToolGraph:
    """Build the tool graph of a world, its edges run in the environment if `verify`.

    Models may help: `near` finds fields whose descriptions mean nearly the same, `judge` is asked about doubtful edges.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `with_embeddings` and `check_borderline`.
    """
    environment = world.environment
    toolset, resources = environment.toolset, environment.resources
    flows = [flow for part in world.parts for flow in part.flows]
    edges = candidate_edges(toolset, resources, flows)
    if near is not None:
        from interplay.generators.graph.embedding import with_embeddings  # noqa: PLC0415 - numpy, for few runs alone

        edges = await with_embeddings(edges, toolset, resources, near)
    if judge is not None:
        edges = await check_borderline(edges, toolset, judge)
    edges = await verified(edges, environment, seed, VERIFIED if verify else 0)
    return graph_of(graph_nodes(toolset, resources), edges)
