"""One toolset specification -> the tools of its source, filtered and corrected by its author."""

import contextlib
import faulthandler
import hashlib
import importlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from interplay.flows.settings.specs import Spec, checked_spec
from interplay.generators.domains import Domain
from interplay.generators.environments.live.recorded_session import load_session
from interplay.generators.environments.live.server_settings import settings_of
from interplay.generators.environments.overrides.override_file import Authored, load_overrides
from interplay.generators.environments.overrides.plan_overrides import revised_toolset
from interplay.generators.environments.toolkit.call_limits import LeftProcess, TookTooLong, limited, staying
from interplay.generators.environments.toolkit.call_marks import ENDING
from interplay.generators.environments.toolkit.factory import scenario_at
from interplay.generators.importers.conversations.observed_calls import read_observations, with_observations
from interplay.generators.importers.conversations.observed_flows import value_flows
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.generators.importers.mcp.importer import import_mcp
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.generators.importers.python.importer import import_python, only_class
from interplay.generators.importers.tool_selection import select
from interplay.schemas.errors import ConfigError, ImportFailure
from interplay.schemas.json.canonical import digest
from interplay.schemas.plain_file import at_home
from interplay.schemas.records.override import Overrides
from interplay.schemas.records.tool import ImportReport, ToolReport
from interplay.schemas.records.tool_graph import ValueFlow

DOMAINS = {
    "clinic": "interplay.generators.domains.clinic",
    "rental": "interplay.generators.domains.rental",
    "workspace": "interplay.generators.domains.workspace",
}
"""The packages of the bundled domains, each with a `DOMAIN`; imported when they are named."""

MOVED = (
    " A domain copied from an earlier version imports {missing}; write instead: "
    "from interplay.generators.domains import ... (Domain, DomainPolicy, Rule, row, found, tool and ToolError are there)."
)


@dataclass(frozen=True)
class Imported:
    """One source after import, filters and overrides."""

    spec: Spec
    report: ImportReport
    authored: Authored
    left_out: int = 0
    flows: tuple[ValueFlow, ...] = ()


def import_spec(spec: str) -> ImportReport:
    """Import the tools of one specification, with its filters and overrides applied.

    Raises:
        ConfigError: the specification or its overrides are not understood.
        ImportFailure: its source cannot be read.
    """
    return import_source(spec).report


def import_source(given: str) -> Imported:
    """Import the tools of one specification, with its overrides; see `import_spec`."""
    spec = checked_spec(given, DOMAINS)
    report, flows = _observed(spec, _read(spec))
    if not report.reports and not report.toolset.tools:
        raise ImportFailure(f"toolset {given!r}: describes no tool at all. Name a file that lists some.")
    file = spec.overrides_file()
    authored = load_overrides(file) if file is not None else Authored()
    toolset = select(report.toolset, spec.only, spec.without, f"toolset {given!r}")
    if authored.overrides != Overrides():  # a file with comments only changes nothing
        toolset = revised_toolset(toolset, authored)
    kept = {tool.name for tool in toolset.tools}
    read = {tool.name for tool in report.toolset.tools}
    reports = tuple(item for item in report.reports if item.name in kept or item.name not in read)
    return Imported(spec, ImportReport(toolset=toolset, reports=reports), authored, len(read - kept), flows)


def _observed(spec: Spec, report: ImportReport) -> tuple[ImportReport, tuple[ValueFlow, ...]]:
    """Return an import with what recorded calls show, and the values that went from tool to tool in them."""
    if not spec.observations:
        return report, ()
    path = at_home(Path(spec.observations))
    observations = read_observations(path)
    toolset, learned = with_observations(report.toolset, observations)
    mark = f"observations:{path.name}@{hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()}"
    toolset = toolset.model_copy(update={"provenance": (*toolset.provenance, mark)})
    told = {item.name: item for item in learned}
    reports = []
    for item in report.reports:
        more = told.pop(item.name, item)
        reasons = tuple(dict.fromkeys((*item.reasons, *more.reasons)))
        outcome = more.outcome if item.outcome == "imported" else item.outcome
        reports.append(item.model_copy(update={"outcome": outcome, "reasons": reasons}))
    unknown = (item for item in told.values() if item.outcome == "rejected")
    return ImportReport(toolset=toolset, reports=(*reports, *unknown)), value_flows(toolset, observations)


IMPORTED_WITHIN = 120.0
"""The most seconds for loading a module: libraries for machine learning take tens of seconds on a busy machine."""


def _read(spec: Spec) -> ImportReport:
    if spec.kind == "openapi":
        return import_openapi(Path(spec.place))
    if spec.kind == "json":
        return import_tool_json(Path(spec.place))
    if spec.kind == "python":
        return _read_python(spec)
    if spec.kind in ("mcp", "mcp+live"):
        settings = settings_of(dict(spec.live), f"toolset '{spec}'")
        return import_mcp(spec.source, settings.start_timeout, settings.prepare)
    toolset = load_session(Path(spec.place)).offered if spec.kind == "mcp+recorded" else named_domain(spec).toolset
    reports = tuple(ToolReport(name=tool.name, outcome="imported", source=tool.source) for tool in toolset.tools)
    return ImportReport(toolset=toolset, reports=reports)


def named_domain(spec: Spec) -> Domain:
    """Return a bundled domain, or the one in a folder: the `DOMAIN` of its package.

    Raises:
        ConfigError: there is none.
    """
    if spec.place in DOMAINS:
        bundled: Domain = importlib.import_module(DOMAINS[spec.place]).DOMAIN
        return bundled
    folder = at_home(Path(spec.place))
    if not (folder / "__init__.py").is_file():
        raise ConfigError(
            f"toolset '{spec}': no such domain, and no folder of one. Bundled: {', '.join(DOMAINS)}. "
            "Make your own: interplay init --domain clinic"
        )
    if str(folder.parent.absolute()) not in sys.path:
        sys.path.insert(0, str(folder.parent.absolute()))
    try:
        found = getattr(_imported(folder.name), "DOMAIN", None)
    except (Exception, SystemExit, LeftProcess) as error:  # whatever somebody's module may do when it is loaded
        missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
        moved = MOVED.format(missing=missing) if missing.startswith("interplay.") else ""
        raise ConfigError(
            f"toolset '{spec}': {folder} cannot be imported: {type(error).__name__}: {error}.{moved}"
        ) from error
    if not isinstance(found, Domain):
        raise ConfigError(f"toolset '{spec}': {folder / '__init__.py'} has no DOMAIN that is a Domain.")
    return found


def _imported(name: str) -> ModuleType:
    """Import a module of tools, with its output redirected: standard output is reserved for answers to programs.

    Raises:
        TimeoutError: it took too long.
        LeftProcess: it tried to end the process.
    """
    if not faulthandler.is_enabled() and not ENDING:  # if the module crashes the process, show where
        faulthandler.enable(2, all_threads=False)
    try:
        with contextlib.redirect_stdout(sys.stderr), staying(), limited(IMPORTED_WITHIN):
            return importlib.import_module(name)
    except TookTooLong:
        raise TimeoutError(f"it was not loaded within {IMPORTED_WITHIN:g} s") from None


def _read_python(spec: Spec) -> ImportReport:
    """Import `MODULE[:NAME]`; its scenario is noted in the provenance, since it decides the answers."""
    report = import_python(python_target(spec.place), spec.place.split(":")[-1].split(".")[-1])
    scenario = scenario_at(spec.query, f"toolset '{spec}'")
    if scenario is None:
        return report
    name = Path(spec.query.removeprefix("scenario=").partition("#")[0]).name
    mark = f"scenario:{name}@{digest(json.dumps(scenario, sort_keys=True))[:16]}"
    toolset = report.toolset
    toolset = toolset.model_copy(update={"provenance": (*toolset.provenance, mark)})
    return report.model_copy(update={"toolset": toolset})


def module_of(spec: Spec) -> str:
    """Return the name of the module that holds the code of a source."""
    place = spec.place.partition("?")[0].partition(":")[0]
    return at_home(Path(place)).name if spec.kind == "domain" else place


def python_target(place: str) -> object:
    """Return the module, class or object that `MODULE[:NAME]` names.

    Raises:
        ConfigError: it cannot be imported, has no such name, or belongs to the standard library.
    """
    module, _, name = place.partition("?")[0].partition(":")
    if module.partition(".")[0] in sys.stdlib_module_names:
        raise ConfigError(
            f"toolset 'python:{place}': {module} belongs to Python itself, and its functions would be run with values "
            "that are made up. Name a module of your own."
        )
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        loaded = _imported(module)
    except (Exception, SystemExit, LeftProcess) as error:  # whatever somebody's module may do when it is loaded
        why = f"{type(error).__name__}: {error}."
        if isinstance(error, ModuleNotFoundError) and module.startswith(error.name or "?"):
            why = f"there is none of that name in {Path.cwd()}, nor where PYTHONPATH says."
        if module.endswith(".py") or "/" in module:
            file = Path(module)
            dotted, elsewhere = ".".join(file.with_suffix("").parts), file.is_absolute() or ".." in file.parts
            away = f"{file.stem}, in the folder {file.parent} or with PYTHONPATH={file.parent}"
            why = f"name the module and not its file: python:{away if elsewhere else dotted}"
        raise ConfigError(f"toolset 'python:{place}': module {module!r} cannot be imported: {why}") from error
    if not name:
        return only_class(loaded) or loaded
    try:
        target: object = getattr(loaded, name)
    except AttributeError as error:
        raise ConfigError(f"toolset 'python:{place}': module {module!r} has no {name!r}.") from error
    return target
