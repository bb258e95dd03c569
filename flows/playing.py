"""A blueprint and who plays which role -> its trajectory."""

import time
from dataclasses import dataclass
from random import Random

from interplay.flows.assemble import World
from interplay.flows.cast import Cast
from interplay.flows.workshop import Workshop
from interplay.generators.dialogue import simulate
from interplay.generators.environments.branch import open_branch
from interplay.generators.environments.faults import with_faults
from interplay.generators.environments.simulated import Simulated
from interplay.generators.limits import Limits
from interplay.generators.participants.assistant import OracleAssistant
from interplay.generators.participants.model_assistant import ModelAssistant
from interplay.generators.participants.model_user import ModelUser
from interplay.generators.participants.user import AgendaUser
from interplay.generators.participants.wording import Words, load_grammar
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.chat import ModelRole
from interplay.schemas.dialogue import Trajectory, Usage
from interplay.schemas.protocols import Assistant, Environment, User
from interplay.schemas.tools import SEARCH_TOOL

RULES = "rules"
LIMITS = Limits()


def system_prompt(world: World) -> str:
    """Return what the assistant is told, with the policy."""
    title = world.toolset.name.replace("_", " ").replace("-", " ")
    text = load_grammar()["system_prompt"].format(title=title)
    return f"{text}\n{world.toolset.policy}".strip()


@dataclass(frozen=True)
class Players:
    """The two sides of one dialogue."""

    user: User
    assistant: Assistant

    def usage(self) -> dict[str, Usage]:
        """Return what the models among them took so far, by role."""
        sides = {"user": self.user, "assistant": self.assistant}
        return {role: side.usage for role, side in sides.items() if isinstance(side, ModelUser | ModelAssistant)}


class Stopwatch:
    """Tells what the models of a dialogue took, and for how long it is under way."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._began = time.monotonic()

    def tokens(self) -> int:
        """Return the tokens of both sides."""
        return sum(usage.total for usage in self._players.usage().values())

    def seconds(self) -> float:
        """Return the time since the dialogue began."""
        return time.monotonic() - self._began


def seat(blueprint: Blueprint, world: World, cast: Cast | None = None) -> Players:
    """Return who plays a blueprint: models where the configuration says so, else the rules."""
    seed, index = blueprint.recipe.seed, blueprint.recipe.index
    user = cast.player("user", seed, index) if cast else None
    assistant = cast.player("assistant", seed, index) if cast else None
    return Players(
        ModelUser(blueprint.scenario, blueprint.goals, user) if user else _agenda_user(blueprint, world),
        ModelAssistant(assistant, world.toolset, blueprint.tools, system_prompt(world))
        if assistant
        else _oracle_assistant(blueprint, world),
    )


def _agenda_user(blueprint: Blueprint, world: World) -> AgendaUser:
    words = _words(blueprint, world, "user")
    return AgendaUser(blueprint.scenario, blueprint.goals, words, blueprint.recipe.vague)


def _oracle_assistant(blueprint: Blueprint, world: World) -> OracleAssistant:
    words = _words(blueprint, world, "assistant")
    return OracleAssistant(
        blueprint, world.environment.resources, world.policy, words, SEARCH_TOOL, world.toolset.rules
    )


def _words(blueprint: Blueprint, world: World, side: ModelRole) -> Words:
    seed = f"{blueprint.recipe.seed}/{blueprint.recipe.index}/{side}"
    toolset = world.toolset
    return Words(load_grammar()[side], Random(seed), blueprint.scenario.persona, toolset.sayings, toolset.nouns)


async def play(
    blueprint: Blueprint, place: Workshop, cast: Cast | None, version: str, limits: Limits = LIMITS
) -> Trajectory:
    """Play a blueprint; where a model plays, others may use the world while it thinks.

    Raises:
        ModelUnavailable, BudgetExceeded: see `simulate`.
    """
    players = seat(blueprint, place.world, cast)
    if isinstance(players.user, AgendaUser) and isinstance(players.assistant, OracleAssistant):
        async with place.turn() as environment:
            return await _simulate(blueprint, players, environment, place.world, version, limits)
    branch = await open_branch(place.world.environment, place.lock)
    if cast is not None and cast.batches:
        limits = limits.model_copy(update={"seconds": None})
    return await _simulate(blueprint, players, branch, place.world, version, limits)


async def _simulate(
    blueprint: Blueprint,
    players: Players,
    environment: Environment,
    world: World,
    version: str,
    limits: Limits,
) -> Trajectory:
    faulty = with_faults(environment, blueprint.faults)
    meter = Stopwatch(players) if players.usage() else None
    played = await simulate(
        blueprint, players.user, players.assistant, faulty, limits, system_prompt(world), version=version,
        meter=meter,
    )  # fmt: skip
    usage = players.usage()
    models = {role: _who(played, role) for role in ("user", "assistant")}
    for part in world.parts:
        if isinstance(part.environment, Simulated):
            usage["tool"] = usage.get("tool", Usage()).plus(part.environment.usage)
            models["tool"] = ", ".join(part.environment.models)
    return played.model_copy(update={"usage": usage, "models": models})


def _who(played: Trajectory, role: str) -> str:
    """Return the models that spoke for a role, or that the rules did."""
    names = dict.fromkeys(message.model for message in played.messages if message.role == role and message.model)
    return ", ".join(names) or RULES
