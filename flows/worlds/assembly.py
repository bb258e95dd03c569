"""Imported sources -> the environment, policy and tool graph of a run; with `sources`, all that names concrete classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from interplay.flows.settings.specs import Spec
from interplay.flows.worlds.result_schemas import learn_results
from interplay.flows.worlds.tool_sources import Imported, import_source, named_domain, python_target
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.mcp_server import LiveServer
from interplay.generators.environments.live.recorded_session import ReplayedSession, SessionFile, load_session
from interplay.generators.environments.live.simulated_tools import Simulated
from interplay.generators.environments.overrides.code_overrides import refuse_made_up, revised_model
from interplay.generators.environments.overrides.conditions import suggestion
from interplay.generators.environments.overrides.override_file import Authored
from interplay.generators.environments.overrides.plan_overrides import revised_plan
from interplay.generators.environments.policy.authored_policy import with_rules
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.environments.toolkit.factory import maker_of, scenario_at
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.environments.wrappers.merged import MergedEnvironment, MergedPolicy
from interplay.generators.environments.wrappers.tool_search import SearchableTools
from interplay.generators.graph.borderline_edges import check_borderline
from interplay.generators.graph.candidate_edges import candidate_edges
from interplay.generators.graph.multigraph import VERIFIED, ToolGraph, graph_nodes, graph_of, verified
from interplay.generators.importers.mcp.connection import Address
from interplay.generators.participants.by_model.assistant import chat_tools
from interplay.generators.phrases.intents import why_unasked
from interplay.schemas.errors import ConfigError
from interplay.schemas.protocols import ChatModel, EmbeddingModel, Environment, Policy
from interplay.schemas.records.chat import ChatTool
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import SEARCH_TOOL, ResourceModel, Toolset
from interplay.schemas.records.tool_graph import ValueFlow


@dataclass(frozen=True)
class WorldPart:
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
class OpenedWorld:
    """An opened environment with its policy, and the parts that it was made of."""

    environment: Environment
    policy: Policy | None
    parts: tuple[WorldPart, ...] = ()
    phrases: Mapping[str, ToolPhrases] = field(default_factory=dict)

    @property
    def toolset(self) -> Toolset:
        """The tools that can be offered."""
        return self.environment.toolset

    @cached_property
    def unasked(self) -> Mapping[str, str]:
        """The tools of the assistant for which no good words are known, each with the reason."""
        tools = (tool for tool in self.toolset.tools if tool.requestor == "assistant" and tool.name != SEARCH_TOOL)
        return {tool.name: why for tool in tools if (why := why_unasked(tool))}

    def phrased(self, phrases: Mapping[str, ToolPhrases]) -> "OpenedWorld":
        """Return the world with phrases for its tools, by their names, where their author has none."""
        return _joined(self.parts, phrases)

    @cached_property
    def told(self) -> dict[str, ChatTool]:
        """The same as a model is told of them, by name."""
        return chat_tools(self.toolset)

    def learn(self, call: ToolCall, value: Any) -> bool:
        """Take what a recorded call returned for what is there, where a sandbox answers; tell whether one does."""
        sandboxes = (part.environment for part in self.parts if isinstance(part.environment, Sandbox))
        return any(sandbox.learn(call, value) for sandbox in sandboxes)


def open_world(specs: Sequence[str], world_seed: int = 0) -> OpenedWorld:
    """Import all specifications and open one environment for them, with a tool search on top.

    Raises:
        ConfigError, ImportFailure: see `import_spec`; or there is no tool at all.
    """
    return _joined(tuple(open_part(import_source(spec), world_seed) for spec in specs))


def _joined(parts: tuple[WorldPart, ...], phrases: Mapping[str, ToolPhrases] = MappingProxyType({})) -> OpenedWorld:
    if len(parts) == 1:
        return OpenedWorld(SearchableTools(parts[0].environment, phrases), parts[0].policy, parts, phrases)
    merged = MergedEnvironment([part.environment for part in parts])
    policy = MergedPolicy(merged, [part.policy for part in parts])
    return OpenedWorld(SearchableTools(merged, phrases), policy, parts, phrases)


def open_part(imported: Imported, world_seed: int = 0) -> WorldPart:
    """Open the environment of one source, as its author corrected it.

    Raises:
        ConfigError: there is no tool, or an override does not fit what was imported.
    """
    spec, toolset = imported.spec, imported.report.toolset
    if not toolset.tools:
        raise ConfigError(f"toolset '{spec}': no tool could be imported. See: interplay import --toolset {spec}")
    if spec.kind in ("domain", "python"):
        return _open_code(imported)
    authored = imported.authored
    toolset, policy, plan, model = inferred(imported)
    if spec.kind in ("mcp+live", "mcp+recorded"):
        refuse_made_up(authored, "a server")
        return WorldPart(spec, _open_server(imported, toolset, model), policy, None, authored.name, imported.flows)
    return WorldPart(spec, Sandbox(toolset, world_seed, plan), policy, plan, authored.name, imported.flows)


def inferred(imported: Imported) -> tuple[Toolset, Policy | None, Plan, ResourceModel]:
    """Return the tools of a source that are known by their schemas, with their policy and what they act on.

    Raises:
        ConfigError: an override does not fit what was imported.
    """
    toolset, authored = imported.report.toolset, imported.authored
    plan = infer_plan(toolset)
    if authored.name:
        plan = revised_plan(toolset, plan, authored)
    fields = {name: list(item.schema["properties"]) for name, item in plan.resources.items()}
    model = resource_model(plan)
    toolset, policy = with_rules(toolset, model, authored, fields)
    _check_people(model, authored)
    return toolset, policy, plan, model


def _open_server(imported: Imported, toolset: Toolset, model: ResourceModel) -> Environment:
    """Open a server, or what was recorded of one; a recording holds the tools as they are before policy rules."""
    spec = imported.spec
    if spec.kind == "mcp+live":
        name, plain = Address.read(spec.source).name, imported.report.toolset
        records = SessionFile(Path(spec.record).expanduser(), name, plain) if spec.record else None
        return LiveServer(spec.source, toolset, reuses=True, records=records, resources=model)
    session = load_session(Path(spec.place)).model_copy(update={"toolset": toolset})
    return ReplayedSession(session, model)


def _open_code(imported: Imported) -> WorldPart:
    """Open a bundled domain, or `MODULE[:NAME][?scenario=FILE[#/POINTER]]` with the JSON object that its state begins as."""
    spec, toolset, authored = imported.spec, imported.report.toolset, imported.authored
    given: Policy | None = None
    if spec.kind == "domain":
        domain = named_domain(spec)
        environment, given = domain.open(toolset), domain.policy
    else:
        scenario = scenario_at(spec.query, f"toolset '{spec}'")
        environment = Toolkit(maker_of(python_target(spec.place), scenario), toolset)
        learn_results(environment)
    careful = spec.kind == "python" and not toolset.policy and not toolset.rules
    if authored.name:
        environment.resources = revised_model(environment.resources, authored, f"{spec.kind}:{spec.place}")
    if authored.name or careful:
        known = environment.toolset
        environment.toolset, given = with_rules(known, environment.resources, authored, {}, given, careful=careful)
    _check_people(environment.resources, authored)
    return WorldPart(spec, environment, given, None, authored.name, imported.flows)


def _check_people(model: ResourceModel, authored: Authored) -> None:
    """Check that what the author calls things, and whom they call the user, are resources."""
    known = [resource.name for resource in model.resources]
    said = authored.overrides
    for at, name in [("/user_resource", said.user_resource), *((f"/nouns/{noun}", noun) for noun in said.nouns)]:
        if name is not None and name not in known:
            raise authored.error(at, f"there is no resource {name!r}{suggestion(name, known)}")


def simulated_world(world: OpenedWorld, model: ChatModel) -> OpenedWorld:
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
    return _joined(tuple(parts), world.phrases)


async def open_graph(
    world: OpenedWorld,
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
        from interplay.generators.graph.embedded_edges import with_embeddings  # noqa: PLC0415 - numpy, for few runs alone

        edges = await with_embeddings(edges, toolset, resources, near)
    if judge is not None:
        edges = await check_borderline(edges, toolset, judge)
    edges = await verified(edges, environment, seed, VERIFIED if verify else 0)
    return graph_of(graph_nodes(toolset, resources), edges)
