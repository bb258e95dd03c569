"""A blueprint and who plays which role -> its trajectory."""

from dataclasses import dataclass
from random import Random

from interplay.flows.assemble import World
from interplay.flows.cast import Cast
from interplay.flows.workshop import Workshop
from interplay.generators.dialogue import Limits, simulate
from interplay.generators.environments.branch import open_branch
from interplay.generators.environments.faults import with_faults
from interplay.generators.environments.simulated import Simulated
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


async def play(blueprint: Blueprint, place: Workshop, cast: Cast | None, version: str) -> Trajectory:
    """Play a blueprint; where a model plays, others may use the world while it thinks.

    Raises:
        ModelUnavailable, BudgetExceeded: see `simulate`.
    """
    players = seat(blueprint, place.world, cast)
    if isinstance(players.user, AgendaUser) and isinstance(players.assistant, OracleAssistant):
        async with place.turn() as environment:
            return await _simulate(blueprint, players, environment, place.world, version)
    branch = await open_branch(place.world.environment, place.lock)
    return await _simulate(blueprint, players, branch, place.world, version)


async def _simulate(
    blueprint: Blueprint, players: Players, environment: Environment, world: World, version: str
) -> Trajectory:
    faulty = with_faults(environment, blueprint.faults)
    played = await simulate(
        blueprint, players.user, players.assistant, faulty, Limits(), system_prompt(world), version=version
    )
    sides = {"user": players.user, "assistant": players.assistant}
    usage = {role: side.usage for role, side in sides.items() if isinstance(side, ModelUser | ModelAssistant)}
    models = {role: _who(played, role) for role in sides}
    for part in world.parts:
        if isinstance(part.environment, Simulated):
            usage["tool"] = usage.get("tool", Usage()).plus(part.environment.usage)
            models["tool"] = ", ".join(part.environment.models)
    return played.model_copy(update={"usage": usage, "models": models})


def _who(played: Trajectory, role: str) -> str:
    """Return the models that spoke for a role, or that the rules did."""
    names = dict.fromkeys(message.model for message in played.messages if message.role == role and message.model)
    return ", ".join(names) or RULES
