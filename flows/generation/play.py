"""A blueprint and its players -> its trajectory."""

import time
from collections.abc import Callable

from interplay.flows.branches.branch_point import BranchStart
from interplay.flows.generation.workshop import Workshop
from interplay.flows.roles.cast import Cast
from interplay.flows.roles.listener import with_acts
from interplay.flows.roles.players import Players, catch_up, own_tools, seat
from interplay.flows.roles.system_prompt import system_prompt
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.dialogue_limits import Limits
from interplay.generators.environments.live.simulated_tools import Simulated
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.environments.wrappers.isolated_state import isolated
from interplay.generators.participants.by_model.rewrite import RewrittenPlayer
from interplay.generators.simulation import simulate
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory, Usage

RULES = "rules"
OnMessage = Callable[[Message], None]
LIMITS = Limits()


class Stopwatch:
    """Measures the tokens and seconds that a dialogue has taken so far."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._began = time.monotonic()

    def tokens(self) -> int:
        """Return the tokens of all models of the dialogue."""
        return sum(usage.total for usage in self._players.usage().values())

    def seconds(self) -> float:
        """Return the time since the dialogue began."""
        return time.monotonic() - self._began


async def play(
    blueprint: Blueprint,
    place: Workshop,
    cast: Cast | None,
    version: str,
    limits: Limits = LIMITS,
    hear: OnMessage = lambda _: None,
    branch: BranchStart | None = None,
    prose: bool = False,
) -> Trajectory:
    """Play a blueprint; while a model thinks, others may use the world. `hear` is called with each message.

    A `branch` continues from the kept messages of another dialogue about the blueprint. With `prose`, the system prompt of an
    assistant by rules also holds the policy of which no rule was made; that of a model always does.

    Raises:
        ModelUnavailable, BudgetExceeded: see `simulate`.
        Misunderstood: rules cannot continue from what a branch keeps.
    """
    players = seat(blueprint, place.world, cast, branch.worded if branch else None)
    kept = branch.kept if branch else ()
    if branch is not None:
        await catch_up(players, blueprint, kept)
    prose = prose or "assistant" not in players.by_rules  # models read it; the rules only follow what is enforced
    prompt = system_prompt(place.world.toolset, blueprint.scenario.language, prose, blueprint.given)

    async def play_in(environment: Environment) -> Trajectory:
        faulty = with_faults(environment, blueprint.faults)
        for call in (call for message in kept for call in message.tool_calls if not call.malformed):
            await faulty.call(call)
        meter = Stopwatch(players) if players.asking else None
        played = await simulate(
            blueprint, players.user, players.assistant, faulty, limits, prompt, version=version, meter=meter, hear=hear,
            kept=kept,
        )  # fmt: skip
        return _with_models(played, players, place.world)

    if not players.asking:
        async with place.turn():
            environment = place.remembering  # it caches most calls from composing the task
            before = environment.snapshot()
            try:
                return await play_in(environment)
            finally:
                environment.restore(before)
    if cast is not None and cast.batches:
        limits = limits.model_copy(update={"seconds": None})
    played = await play_in(await isolated(place.world.environment, place.lock, place.arrived))
    return with_acts(played, blueprint, own_tools(place.world), place.world.toolset, players.listener)


def _with_models(played: Trajectory, players: Players, world: OpenedWorld) -> Trajectory:
    """Return a trajectory with the models of each role, their usage, and how often their rewordings were used."""
    usage = players.usage()
    models = {role: _who(played, role, players.asking.get(role)) for role in ("user", "assistant")}
    rewriting = {
        role: dict(sorted(side.counts.items()))
        for role, side in players.asking.items()
        if isinstance(side, RewrittenPlayer)
    }
    for part in world.parts:
        if isinstance(part.environment, Simulated):
            usage["tool"] = usage.get("tool", Usage()).plus(part.environment.usage)
            models["tool"] = ", ".join(part.environment.models)
    return played.model_copy(update={"usage": usage, "models": models, "rewriting": rewriting})


def _who(played: Trajectory, role: str, side: object) -> str:
    """Return who spoke for a role, as text: the rules, models, or both."""
    names = dict.fromkeys(message.model for message in played.messages if message.role == role and message.model)
    own = [RULES] if isinstance(side, RewrittenPlayer) else []
    return ", ".join([*own, *names]) or RULES
