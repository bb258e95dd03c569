"""Imported sources -> environment, policy and tool graph of a run; for each source, selects the kind of environment."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from multiprocessing import parent_process
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any

from interplay.flows.settings.specs import Spec
from interplay.flows.worlds.result_schemas import learn_results
from interplay.flows.worlds.server_trial import try_server
from interplay.flows.worlds.source_code import code_digests
from interplay.flows.worlds.tool_sources import DOMAINS, Imported, import_source, module_of, named_domain, python_target
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.live_server import LiveServer
from interplay.generators.environments.live.recorded_session import ReplayedSession, SessionFile, load_session
from interplay.generators.environments.live.server_settings import settings_of
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
from interplay.generators.graph.multigraph import VERIFIED, ToolGraph, graph_nodes, graph_of, verified, verified_later
from interplay.generators.participants.by_model.assistant import chat_tools
from interplay.generators.phrases.intents import why_unasked
from interplay.generators.phrases.labels.identity_labels import callers_labels
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.errors import ConfigError
from interplay.schemas.plain_file import at_home
from interplay.schemas.protocols import ChatModel, EmbeddingModel, Environment, Policy
from interplay.schemas.records.chat import ChatTool
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.recipe import MadeWorld
from interplay.schemas.records.tool import SEARCH_TOOL, ResourceModel, Toolset
from interplay.schemas.records.tool_graph import ValueFlow

log = logging.getLogger(__name__)

TOLD_EVERY = 3.0
"""Seconds between two log lines while tools are tried."""


@dataclass(frozen=True)
class WorldPart:
    """One opened source: its environment and policy, what was inferred of it, and the name of its overrides.

    `plan` is set if a sandbox answers; other environments know their resources themselves. `renewed` opens the same tools in
    another world, if there are others; `sized` names the resources whose number of rows can be set. `code` holds digests of
    the files of tools that are code.
    """

    spec: Spec
    environment: Environment
    policy: Policy | None
    plan: Plan | None = None
    overrides: str = ""
    flows: tuple[ValueFlow, ...] = ()
    renewed: Callable[[WorldSeed], Environment] | None = None
    sized: tuple[str, ...] = ()
    code: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenedWorld:
    """An opened environment with its policy, and the parts that it is made of.

    `made` identifies one of many worlds; it is None for the one in which tools are tried.
    """

    environment: SearchableTools
    policy: Policy | None
    parts: tuple[WorldPart, ...] = ()
    phrases: Mapping[str, ToolPhrases] = field(default_factory=dict)
    made: MadeWorld | None = None

    @property
    def varies(self) -> bool:
        """Whether there are other worlds behind the same tools."""
        return any(part.renewed is not None for part in self.parts)

    @property
    def code(self) -> dict[str, str]:
        """The digests of the code of all tools that are code, by module."""
        return {name: told for part in self.parts for name, told in part.code.items()}

    @property
    def lasts(self) -> bool:
        """Whether some parts are the same in all worlds."""
        return any(part.renewed is None for part in self.parts)

    def check_sizes(self, asked: Iterable[str]) -> None:
        """Check that the number of rows can be set for all resources in `asked`.

        Raises:
            ConfigError: there is no such resource, or its rows follow from those of others.
        """
        known = [name for part in self.parts for name in part.sized]
        for name in asked:
            if name != "*" and name not in known:
                raise ConfigError(
                    f"worlds/rows/{name}: no number of rows can be set for that{suggestion(name, known)}. "
                    f"It can for: {', '.join(known) or 'nothing'}."
                )

    def renewed(self, seed: WorldSeed) -> "OpenedWorld":
        """Return another world behind the same tools; parts that have only one world are shared."""
        parts = tuple(
            part if part.renewed is None else replace(part, environment=part.renewed(seed)) for part in self.parts
        )
        return replace(_joined(parts, self.phrases, self.environment), made=seed.world)

    @property
    def toolset(self) -> Toolset:
        """The tools that can be offered."""
        return self.environment.toolset

    @cached_property
    def unasked(self) -> Mapping[str, str]:
        """The tools of the assistant without good phrases, each with the reason."""
        tools = (tool for tool in self.toolset.tools if tool.requestor == "assistant" and tool.name != SEARCH_TOOL)
        return {tool.name: why for tool in tools if (why := why_unasked(tool))}

    @cached_property
    def callers_labels(self) -> frozenset[str]:
        """The names of the identities that only users themselves can know."""
        roles = self.environment.resources.by_tool.values()
        shown = {str(role.resource) for role in roles if role.operation in ("list", "read")}
        return callers_labels((name for tool in self.toolset.tools for name in tool.parameters["properties"]), shown)

    def phrased(self, phrases: Mapping[str, ToolPhrases]) -> "OpenedWorld":
        """Return the world with phrases for tools whose author gives none, by tool name."""
        return _joined(self.parts, phrases)

    def exemplified(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> "OpenedWorld":
        """Return the world with example rows for its sandboxes, by resource."""
        return _joined(tuple(_exemplified(part, rows) for part in self.parts), self.phrases) if rows else self

    @cached_property
    def told(self) -> dict[str, ChatTool]:
        """The tools as a model is shown them, by name."""
        return chat_tools(self.toolset)

    @property
    def never_waits(self) -> bool:
        """Whether all calls are answered by sandboxes in this process."""
        return all(isinstance(part.environment, Sandbox) for part in self.parts)

    def learn(self, call: ToolCall, value: Any) -> bool:
        """Let a sandbox adopt the rows of a recorded result; return whether it held any."""
        sandboxes = (part.environment for part in self.parts if isinstance(part.environment, Sandbox))
        return any(sandbox.learn(call, value) for sandbox in sandboxes)


def open_world(specs: Sequence[str]) -> OpenedWorld:
    """Import all specifications and open one environment for them, with a tool search on top.

    This is the world in which tools are tried; tasks play in others, see `OpenedWorld.renewed`.

    Raises:
        ConfigError, ImportFailure: see `import_spec`; or there is no tool at all.
    """
    return _joined(tuple(open_part(import_source(spec)) for spec in specs))


def _joined(
    parts: tuple[WorldPart, ...],
    phrases: Mapping[str, ToolPhrases] = MappingProxyType({}),
    like: SearchableTools | None = None,
) -> OpenedWorld:
    """Return the world of some parts; tools are taken from `like`, another world of the same parts, if given."""
    if len(parts) == 1:
        return OpenedWorld(SearchableTools(parts[0].environment, phrases, like), parts[0].policy, parts, phrases)
    merged = MergedEnvironment([part.environment for part in parts])
    policy = MergedPolicy(merged, [part.policy for part in parts])
    return OpenedWorld(SearchableTools(merged, phrases, like), policy, parts, phrases)


def _exemplified(part: WorldPart, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> WorldPart:
    """Return a part with example rows, if a sandbox answers it."""
    if part.plan is None or not isinstance(part.environment, Sandbox):
        return part
    known = part.plan.resources.items()
    resources = {name: replace(item, examples=item.examples or tuple(rows.get(name, ()))) for name, item in known}
    plan = replace(part.plan, resources=resources)
    sandbox = Sandbox(part.environment.toolset, plan=plan)
    return replace(part, environment=sandbox, plan=plan, renewed=sandbox.renewed)


def open_part(imported: Imported) -> WorldPart:
    """Open the environment of one source, with its overrides applied.

    Raises:
        ConfigError: there is no tool, or an override does not fit what was imported.
    """
    spec, toolset = imported.spec, imported.report.toolset
    if not toolset.tools:
        raise ConfigError(
            f"toolset '{spec}': no tool could be imported. See: interplay import --toolset {quote(str(spec))}"
        )
    if spec.kind in ("domain", "python"):
        return _open_code(imported)
    authored = imported.authored
    if spec.kind == "mcp+live":
        return _open_server(imported)
    toolset, policy, plan, model = inferred(imported)
    if spec.kind == "mcp+recorded":
        refuse_made_up(authored, "a server")
        session = load_session(Path(spec.place)).with_tools(toolset)
        return WorldPart(spec, ReplayedSession(session, model, plan), policy, None, authored.name, imported.flows)
    sandbox = Sandbox(toolset, plan=plan)
    return WorldPart(spec, sandbox, policy, plan, authored.name, imported.flows, sandbox.renewed, tuple(plan.resources))


def inferred(imported: Imported) -> tuple[Toolset, Policy | None, Plan, ResourceModel]:
    """Return toolset, policy, plan and resource model of a source that is known by its schemas only.

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


def _open_server(imported: Imported) -> WorldPart:
    """Open a live server, described by trying it or by an earlier recording; its set-up tools are not offered.

    Raises:
        ConfigError: its settings are wrong, or none of its tools can be used.
        EnvironmentFailure: it does not start.
    """
    spec, authored = imported.spec, imported.authored
    refuse_made_up(authored, "a server")
    settings = settings_of(dict(spec.live), f"toolset '{spec}'")
    hidden = {*settings.set_up, settings.reset}
    read = imported.report.toolset
    offered = tuple(tool for tool in read.tools if not {tool.name, tool.original_name} & hidden)
    plain = read.model_copy(update={"tools": offered})
    server = LiveServer(spec.source, plain, settings=settings, reuses=True)
    held = at_home(Path(spec.record)) if spec.record else None
    trial = load_session(held).trial if held is not None and held.is_file() else None
    known = trial is not None
    trial = server.settle(trial or try_server(server, _progress()), made=known)
    for note in trial.notes if not known and parent_process() is None else ():
        log.warning("%s %s.", server.name, _in_sight(note.rstrip(".")))
    if not trial.toolset.tools:
        raise ConfigError(f"toolset '{spec}': no tool of {server.name} can be used: {'; '.join(trial.notes)}.")
    if held is not None:
        server.record(SessionFile(held, server.name, plain, trial))
    tried = replace(imported, report=imported.report.model_copy(update={"toolset": trial.toolset}))
    toolset, policy, plan, model = inferred(tried)
    server.describe(toolset, plan, model)
    return WorldPart(spec, server, policy, None, authored.name, imported.flows)


def _in_sight(text: str) -> str:
    """Return a server's text without control characters."""
    return "".join(character if character.isprintable() else " " for character in text)


def _progress() -> Callable[[str], None]:
    """Return a function that logs progress now and then; only the main process logs."""
    last = time.monotonic()

    def tell(line: str) -> None:
        nonlocal last
        if time.monotonic() - last >= TOLD_EVERY and parent_process() is None:
            last = time.monotonic()
            log.info(_in_sight(line))

    return tell


def _calls_told(what: str) -> Callable[[str], None]:
    """Return a function that takes the name of the tool being called, and logs it now and then."""
    tell, began = _progress(), time.monotonic()

    def told(tool: str) -> None:
        if tool:
            tell(f"{what}, for {time.monotonic() - began:.0f} s so far; now {tool}")

    return told


TOLD = 3
"""Broken tools that an error explains if none is left."""


def _open_code(imported: Imported) -> WorldPart:
    """Open a bundled domain, or `MODULE[:NAME][?scenario=FILE[#/POINTER]]`, whose state begins as that JSON object."""
    spec, toolset, authored = imported.spec, imported.report.toolset, imported.authored
    given: Policy | None = None
    renewed: Callable[[WorldSeed], Environment] | None = None
    sized: tuple[str, ...] = ()
    if spec.kind == "domain":
        domain = named_domain(spec)
        environment, given = domain.open(toolset), domain.policy
        renewed = None if domain.tables is None else partial(domain.renewed, environment)
        sized = tuple(domain.sizes)
    else:
        opened = partial(_toolkit, spec, toolset)
        environment = opened()
        learn_results(environment, _calls_told(f"{toolset.name}: tools are tried"), opened)
        if not environment.toolset.tools:
            told = "; ".join(f"{tool} broke: {why}" for tool, why in list(environment.troubles.items())[:TOLD])
            raise ConfigError(f"toolset '{spec}': no tool can be used: {told.rstrip('.')}.")
    careful = spec.kind == "python" and not toolset.policy and not toolset.rules
    if authored.name:
        environment.resources = revised_model(environment.resources, authored, f"{spec.kind}:{spec.place}")
    if authored.name or careful:
        known = environment.toolset
        environment.toolset, given = with_rules(known, environment.resources, authored, {}, given, careful=careful)
    _check_people(environment.resources, authored)
    code = {} if spec.place in DOMAINS else code_digests(module_of(spec))
    return WorldPart(spec, environment, given, None, authored.name, imported.flows, renewed, sized, code)


def _toolkit(spec: Spec, toolset: Toolset) -> Toolkit:
    scenario = scenario_at(spec.query, f"toolset '{spec}'")
    return Toolkit(maker_of(python_target(spec.place), scenario), toolset, forgiving=True)


def _check_people(model: ResourceModel, authored: Authored) -> None:
    """Check that the author's `nouns` and `user_resource` name existing resources."""
    known = [resource.name for resource in model.resources]
    said = authored.overrides
    for at, name in [("/user_resource", said.user_resource), *((f"/nouns/{noun}", noun) for noun in said.nouns)]:
        if name is not None and name not in known:
            raise authored.error(at, f"there is no resource {name!r}{suggestion(name, known)}")


def simulated_world(world: OpenedWorld, model: ChatModel) -> OpenedWorld:
    """Return a world with the same tools, played by a model.

    Raises:
        ConfigError: some tools are code or a server's, which answer by themselves.
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
    """Build the tool graph of a world; with `verify`, its edges are run in the environment, in a sandbox only when needed.

    Models may help: `near` finds fields with descriptions of similar meaning, `judge` is asked about doubtful edges.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `with_embeddings` and `check_borderline`.
    """
    environment = world.environment
    toolset, resources = environment.toolset, environment.resources
    flows = [flow for part in world.parts for flow in part.flows]
    edges = candidate_edges(toolset, resources, flows)
    if near is not None:
        from interplay.generators.graph.embedded_edges import with_embeddings  # noqa: PLC0415 - numpy; few runs need it

        edges = await with_embeddings(edges, toolset, resources, near)
    if judge is not None:
        edges = await check_borderline(edges, toolset, judge)
    nodes = graph_nodes(toolset, resources)
    if verify and world.never_waits:
        return verified_later(nodes, edges, environment, seed)
    tell = _calls_told("tool graph: edges are run")
    return graph_of(nodes, await verified(edges, environment, seed, VERIFIED if verify else 0, tell))
