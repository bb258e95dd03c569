"""What the answers of tools rest on -> warnings about answers that are made up, and what to do about it."""

from collections.abc import Iterator, Sequence

from interplay.flows.worlds.assembly import WorldPart, inferred
from interplay.flows.worlds.tool_sources import Imported
from interplay.generators.environments.accounts.fitness import Answering, Fitness, fitness
from interplay.generators.environments.toolkit.toolkit import Toolkit

SHOWN = 5
"""The most names of tools in a line."""

_BY: dict[str, Answering] = {"domain": "code", "python": "code", "mcp+live": "server", "mcp+recorded": "recording"}
_SCHEMA = {"openapi": "a schema of their 2xx responses", "json": "a schema of their results (outputSchema)"}


def fitness_of(imported: Imported) -> Fitness:
    """Return what the answers of a source's tools rest on, without opening it."""
    spec, toolset = imported.spec, imported.report.toolset
    if spec.kind == "python" and toolset.policy and not imported.authored.overrides.rules:
        toolset = toolset.model_copy(update={"unruled": (toolset.policy,)})
    if spec.kind in _BY or not toolset.tools:
        return fitness(toolset, None, _BY.get(spec.kind, "sandbox")).model_copy(update={"toolset": str(spec)})
    ruled_tools, _, plan, _ = inferred(imported)
    return fitness(ruled_tools, plan).model_copy(update={"toolset": str(spec)})


def fitness_of_part(part: WorldPart) -> Fitness:
    """Return what the answers of an opened source's tools rest on."""
    found = fitness(part.environment.toolset, part.plan, _BY.get(part.spec.kind, "sandbox"))
    troubles = dict(part.environment.troubles) if isinstance(part.environment, Toolkit) else {}
    return found.model_copy(update={"toolset": str(part.spec), "troubles": troubles})


def warnings_of(found: Sequence[Fitness]) -> list[str]:
    """Return the lines of warnings about all sources."""
    return [line for item in found for line in _lines(item)]


def _lines(found: Fitness) -> Iterator[str]:
    kind, _, place = found.toolset.partition(":")
    name = f"{kind}:{place.partition('?')[0].rstrip('/').rpartition('/')[2]}"
    schema = _SCHEMA.get(kind, _SCHEMA["json"])
    if found.unbacked:
        rest = f", {found.plain} work out or acknowledge what they are given" if found.plain else ""
        answer = "answers" if len(found.unbacked) == 1 else "answer"
        yield (
            f"{name}: {found.stateful} of {found.tools} tools keep state{rest}; {len(found.unbacked)} {answer} "
            f"with values that nothing backs: {_named(found.unbacked)}."
        )
        described = f"{schema}, " if found.silent else ""
        yield (
            f"    What helps: {described}recorded calls (?observations=FILE), a file of overrides (--write-overrides), "
            "a model that plays the tools (roles: tool), or to leave them out (?without=NAMES)."
        )
    if found.undescribed:
        show = "shows" if len(found.undescribed) == 1 else "show"
        yield (
            f"{name}: {_named(found.undescribed)} {show} rows of which no schema says what they hold. "
            f"What helps: {schema}, or recorded calls (?observations=FILE)."
        )
    set_up = {tool: told for tool, told in found.troubles.items() if told.startswith("is not offered")}
    broke = {tool: told for tool, told in found.troubles.items() if tool not in set_up}
    for tool, told in list(set_up.items())[:SHOWN]:
        yield f"{name}: {tool} {told}."
    for tool, told in list(broke.items())[:SHOWN]:
        yield f"{name}: {tool} {told if told.startswith(('took', 'ends')) else f'broke: {told}'}. Such calls are errors; what never works is left out."
    if len(broke) > SHOWN:
        yield f"{name}: {len(broke) - SHOWN} more tools broke: {_named(list(broke)[SHOWN:])}."
    if found.policy:
        rules = f"{found.rules} rule" if found.rules == 1 else f"{found.rules} rules"
        yield f"{name}: policy of {found.policy:,} characters, {rules} enforced: see interplay policy."
        yield (
            "    Rules keep to what is enforced alone: where they play the assistant, this prose is not in its system prompt "
            "(prose: true puts it there); models that play it read all."
        )


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
