"""A blueprint and the configured roles -> its players: rules, rules in a model's words, or a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from interplay.flows.roles.cast import Cast
from interplay.flows.roles.listener import open_listener
from interplay.flows.roles.system_prompt import assistant_name, system_prompt, tools_of_users, world_clock
from interplay.flows.settings.model_settings import RoleSettings
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.participants.by_model.assistant import ModelAssistant
from interplay.generators.participants.by_model.knowledge_prompt import purposes_of
from interplay.generators.participants.by_model.rewrite import RewrittenPlayer
from interplay.generators.participants.by_model.unclear_words import Interpreter
from interplay.generators.participants.by_model.user import ModelUser, manner_of
from interplay.generators.participants.hearing.forthcoming_user import forthcoming, sought_by
from interplay.generators.participants.hearing.mixed_players import ClarifyingPlayer, LatePlayer, TrackedPlayer
from interplay.generators.participants.hearing.state_tracker import StateTracker
from interplay.generators.participants.rules.agenda import AgendaUser
from interplay.generators.participants.rules.device_guidance import DeviceUser, StepRequests
from interplay.generators.participants.rules.oracle import OracleAssistant
from interplay.generators.participants.wording.languages import ENGLISH, load_grammar, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.own_phrases import own_phrases
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.errors import Misunderstood
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.protocols import Assistant, ChatModel, User
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Usage
from interplay.schemas.records.tool import SEARCH_TOOL, Tool

Side = Literal["user", "assistant"]
Player = User | Assistant
ModelPlayer = ModelUser | ModelAssistant | RewrittenPlayer
"""A player that asks a model."""

Seated = tuple[User, StateTracker, Interpreter | None]
"""A user, the tracker that reads an external assistant's words, and the interpreter that is asked if those are unclear."""

POLITELY = "politely and to the point"


@dataclass(frozen=True)
class ModelVoice:
    """A model that plays a role, with the settings of the role."""

    model: ChatModel
    settings: RoleSettings

    @property
    def rewrites(self) -> bool:
        """Whether the rules decide what is done, and the model only finds the words."""
        return self.settings.mode == "rewrite"


@dataclass(frozen=True)
class Players:
    """The two sides of one dialogue.

    `asking` are those that ask a model, `by_rules` those that rules play, with their voices, both by role. The `listener`
    reads what models say.
    """

    user: User
    assistant: Assistant
    asking: Mapping[str, ModelPlayer | Interpreter] = field(default_factory=dict)
    by_rules: Mapping[str, tuple[Player, Voice]] = field(default_factory=dict)
    listener: StateTracker | None = None

    def usage(self) -> dict[str, Usage]:
        """Return the usage of models so far, by role."""
        return {role: side.usage for role, side in self.asking.items()}


async def catch_up(players: Players, blueprint: Blueprint, kept: Sequence[Message]) -> None:
    """Bring the rules to the state of a dialogue after the messages `kept`; from there on, their wording is drawn anew.

    Raises:
        Misunderstood: the rules would have acted differently by then.
    """
    for index, message in enumerate(kept):
        if message.role not in players.by_rules:
            continue
        said = await players.by_rules[message.role][0].respond(tuple(kept[:index]))
        if said.act != message.act or _asked(said) != _asked(message):
            raise Misunderstood(f"The {message.role} by rules would not have said: {message.content[:120]}")
    for role, (_, words) in players.by_rules.items():
        words.rng = Random(f"{blueprint.recipe.seed}/{blueprint.recipe.index}/{role}/branch")
        words.take_spoken()


def _asked(message: Message) -> list[tuple[str, str]]:
    return [(call.name, canonical_json(call.arguments)) for call in message.tool_calls]


def seat(
    blueprint: Blueprint, world: OpenedWorld, cast: Cast | None = None, worded: Blueprint | None = None
) -> Players:
    """Return the players of a blueprint: models where configured, else rules, which speak in the wording of `worded`."""
    voices = {side: _voice(blueprint, cast, side) for side in ("user", "assistant")}
    by_models = {side for side, voice in voices.items() if voice is not None and not voice.rewrites}
    if by_models == {"assistant"}:
        blueprint = forthcoming(blueprint, world.toolset)
    listener = open_listener(blueprint, own_tools(world), world.toolset) if by_models else None
    told, mixed = worded or blueprint, len(by_models) == 1
    helping = _interpreter(blueprint, world, cast, listener) if by_models == {"assistant"} else None
    user, asks, user_rules = _player(told, world, "user", voices["user"], listener, mixed)
    assistant, answers, assistant_rules = _player(
        told, world, "assistant", voices["assistant"], listener, mixed, helping
    )
    asking: dict[str, ModelPlayer | Interpreter | None] = {"user": asks, "assistant": answers, "interpreter": helping}
    rules = {"user": user_rules, "assistant": assistant_rules}
    return Players(
        user, assistant,
        {side: player for side, player in asking.items() if player is not None},
        {side: player for side, player in rules.items() if player is not None},
        listener,
    )  # fmt: skip


def seat_user(blueprint: Blueprint, world: OpenedWorld, cast: Cast | None = None) -> Seated:
    """Return the user for an external assistant, with the tracker of its words and the interpreter of unclear ones."""
    listener, voice = open_listener(blueprint, own_tools(world), world.toolset), _voice(blueprint, cast, "user")
    user, _, _ = _player(blueprint, world, "user", voice, listener, mixed=True, candid=True)
    by_rules = voice is None or voice.rewrites
    return user, listener, _interpreter(blueprint, world, cast, listener) if by_rules else None


def _interpreter(
    blueprint: Blueprint, world: OpenedWorld, cast: Cast | None, listener: StateTracker | None
) -> Interpreter | None:
    model = cast.player("interpreter", blueprint.recipe.seed, blueprint.recipe.index) if cast else None
    return None if model is None or listener is None else Interpreter(model, listener, own_tools(world))


def _voice(blueprint: Blueprint, cast: Cast | None, side: Literal["user", "assistant"]) -> ModelVoice | None:
    model = cast.player(side, blueprint.recipe.seed, blueprint.recipe.index) if cast else None
    return ModelVoice(model, cast.settings(side)) if cast is not None and model is not None else None


def _player(
    blueprint: Blueprint,
    world: OpenedWorld,
    side: Side,
    voice: ModelVoice | None,
    listener: StateTracker | None,
    mixed: bool,
    helping: Interpreter | None = None,
    candid: bool = False,
) -> tuple[Player, ModelPlayer | None, tuple[Player, Voice] | None]:
    """Return the player of a side, its part that asks a model, and its part that is rules.

    If `mixed`, one side is a model and the other is rules: the listener, helped by `helping`, translates between them. A
    `candid` user gives no reasons beyond its scenario.
    """
    if voice is not None and not voice.rewrites:
        played = model_player(blueprint, world, side, voice)
        if not mixed or listener is None:
            return played, played, None
        made_out = None if helping is None else helping.made_out
        return TrackedPlayer(played, listener, blueprint.begins, made_out), played, None
    seed = f"{blueprint.recipe.seed}/{blueprint.recipe.index}/{blueprint.toolset}/{side}"
    toolset, persona, code = world.toolset, blueprint.scenario.persona, blueprint.scenario.language
    language = load_language(code, persona.tone)
    translated = None if code == ENGLISH else Lexicon(language, toolset.translation(code))
    own = own_phrases([toolset.tool(name) for name in dict.fromkeys(action.tool for action in blueprint.actions)])
    words = Voice(
        language.grammar[side], Random(seed), persona, {**own.sayings, **toolset.sayings}, toolset.spoken_nouns, language, translated,
        now=world_clock(toolset), assistant=assistant_name(toolset.name),
        askings={**own.askings, **toolset.askings}, clauses=own.clauses, deeds=own.deeds, things=own.nouns, told=own.told, reasons=own.reasons, codes=own.codes, candid=candid, personal=bool(toolset.sayings), own=world.callers_labels,
    )  # fmt: skip
    by_rules: Player = _by_rules(blueprint, world, side, words)
    if mixed:
        by_rules = ClarifyingPlayer(by_rules, side, words)
    reworded = None if voice is None else rewriting(by_rules, blueprint, world, side, voice)
    playing: Player = reworded or by_rules
    heard = LatePlayer(playing, blueprint.begins) if blueprint.start else playing
    return heard, reworded, (by_rules, words)


def model_player(blueprint: Blueprint, world: OpenedWorld, side: Side, voice: ModelVoice) -> ModelUser | ModelAssistant:
    """Return a side played by a model."""
    if side == "assistant":
        return ModelAssistant(
            voice.model,
            world.told,
            blueprint.tools,
            system_prompt(world.toolset, blueprint.scenario.language, given=blueprint.given),
        )
    return ModelUser(
        blueprint.scenario,
        blueprint.goals,
        voice.model,
        voice.settings.reminders,
        voice.settings.candidates,
        [world.told[name] for name in own_tools(world)],
        blueprint.begins,
        purposes_of(blueprint),
    )


def rewriting(
    player: Player, blueprint: Blueprint, world: OpenedWorld, side: Side, voice: ModelVoice
) -> RewrittenPlayer:
    """Return a player by rules whose messages a model rewords."""
    manner = manner_of(blueprint.scenario.persona) if side == "user" else POLITELY
    tools = tuple(tool.name for tool in world.toolset.tools)
    code = blueprint.scenario.language
    language = voice.settings.language or ("" if code == ENGLISH else load_grammar(code)["name"])
    return RewrittenPlayer(player, side, voice.model, blueprint, manner, language, tools)


def own_tools(world: OpenedWorld) -> dict[str, Tool]:
    """Return the tools on the user's own device, by name."""
    return tools_of_users(world.toolset)


def _by_rules(blueprint: Blueprint, world: OpenedWorld, side: Side, words: Voice) -> Player:
    own = own_tools(world)
    if side == "user":
        left = None if blueprint.start is None else blueprint.start.unsettled
        actions = {action.id: action for action in blueprint.calls if action.requestor == "user"}
        hands = DeviceUser(blueprint.scenario, actions, own, words)
        sought = sought_by(blueprint)
        return AgendaUser(blueprint.scenario, blueprint.goals, words, blueprint.recipe.vague, left, hands, sought)
    resources, rules, guide = world.environment.resources, world.toolset.rules, StepRequests(blueprint, words, own)
    return OracleAssistant(blueprint, resources, world.policy, words, SEARCH_TOOL, rules, guide)
