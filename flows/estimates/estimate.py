"""A configuration -> what its models will be asked per accepted record, counted on a sample that the rules play.

For each turn of the sample, the request that a model would get is built and counted; nothing is sent.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from interplay.flows.estimates.dialogue_yield import Yield
from interplay.flows.generation.generator import Generator
from interplay.flows.reviewers.review_cases import case_of_trajectory
from interplay.flows.roles.players import ModelVoice, model_player, rewriting
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.model_settings import RoleSettings
from interplay.flows.worlds.assembly import open_graph, open_world, simulated_world
from interplay.generators.blueprints.by_model.revision import rewrite
from interplay.generators.models.limits.prices import Prices, load_prices
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.providers.usage import payload_tokens
from interplay.generators.models.transport.endpoint_settings import KEYS
from interplay.generators.participants.by_model.assistant import as_chat
from interplay.generators.participants.by_model.dialogue_reviewer import ModelDialogueReviewer
from interplay.generators.participants.by_model.task_reviewer import ModelReviewer
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.json_text import read_result
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.chat import ChatReply, ChatRequest, ModelRole
from interplay.schemas.records.dialogue import Message, Usage
from interplay.schemas.records.review import MEASURES
from interplay.schemas.records.verdict import DatasetRecord, Feedback, Issue
from interplay.validators.review.committee import CommitteeSettings


class RoleEstimate(Record):
    """The cost of one role per accepted record: calls, tokens, and dollars if the prices of all its models are known.

    `repeated` is the share of prompt tokens that an earlier prompt of the dialogue began with, and that a cache may save.
    """

    role: ModelRole
    models: tuple[str, ...]
    calls: float
    prompt_tokens: float
    repeated: float
    completion_tokens: float
    dollars: float | None


class Estimate(Record):
    """The cost of a run, extrapolated from `sample` dialogues: per accepted record at a given yield, and for `records`.

    `run_dollars` is the cost of whole shards, the smallest unit that is made. A task is reviewed once however often it is
    played, and again if the yield says that it is sent back. Roles that are `uncounted` are not asked in the sample.
    """

    sample: int
    at_yield: Yield
    roles: tuple[RoleEstimate, ...]
    calls: float
    tokens: float
    dollars: float | None
    records: int
    run_dollars: float | None
    uncounted: tuple[ModelRole, ...] = ()


ALL = Yield()
"""The yield that is assumed if none was measured: all dialogues are accepted."""

REASON, SITUATION, STEP = 120, 240, 60
"""Characters of a model's reason, of the situation that it invents, and of a reviewer's step."""


@dataclass
class CountedModel:
    """A model that counts the tokens of requests and returns a given answer, varied between candidates."""

    endpoint: SdkEndpoint
    answer: ChatReply = field(default_factory=ChatReply)
    calls: float = 0
    prompt: float = 0
    repeated: float = 0
    completion: float = 0
    _before: str = field(default="", repr=False)
    _words: str = field(default="", repr=False)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Count the request; the beginning that it shares with the request before it counts as repeated."""
        payload = json.dumps(self.endpoint.payload(request), ensure_ascii=False, separators=(",", ":")).encode()
        text = "".join(f"{message.role}{message.content}" for message in request.messages)
        same = len(self._before) if text.startswith(self._before) and self._before else 0
        fixed = len(payload) - len(text.encode())  # the definitions of tools, which come first
        self.calls += 1
        self.prompt += payload_tokens(len(payload))
        self.repeated += payload_tokens(fixed + same) if same else 0
        self._before = text
        chooses = request.output is not None and "best" in request.output.json_schema["properties"]
        if chooses:
            return ChatReply(value={"best": 1})
        self.completion += payload_tokens(len(self._words.encode()))
        if request.sample and self.answer.value is not None and "message" in self.answer.value:
            message = self.answer.value["message"] + " " * request.sample
            return self.answer.model_copy(update={"value": {**self.answer.value, "message": message}})
        return self.answer

    def add(self, other: "CountedModel", part: float) -> None:
        """Add a share of another model's counts."""
        self.calls += part * other.calls
        self.prompt += part * other.prompt
        self.repeated += part * other.repeated
        self.completion += part * other.completion

    def begin(self) -> None:
        """Start the next dialogue: nothing of its first prompt is repeated."""
        self._before = ""

    def told(self, text: str, answer: ChatReply) -> None:
        """Set the next answer, and the `text` that its tokens are counted by."""
        self._words, self.answer = text, answer


async def estimate(config: RunConfig, sample: int, at_yield: Yield = ALL) -> Estimate:
    """Return what a run of `config` would cost, from a sample of `sample` indices; no API key is needed.

    Raises:
        ConfigError: no model plays a role, or none of the sample's dialogues was accepted.
        ImportFailure: a source of tools cannot be read.
    """
    if not config.roles:
        raise ConfigError(
            "The rules play all roles here, which costs nothing. Name models and roles in the configuration."
        )
    world = open_world(config.toolset)
    generator = Generator(config, world, await open_graph(world, config.seed), "estimate")
    made = [await generator.make_record(index) for index in range(sample)]
    played = [record for record in made if record.status == "accepted"]
    if not played:
        raise ConfigError(f"None of {sample} dialogues was accepted: see why with interplay run --records 10.")
    prices = load_prices(config.prices)
    accepted = len(played) * at_yield.share * config.attempts  # accepted dialogues of the sample, all attempts included
    panel = config.panel()
    revisions = sum(at_yield.sent_back**number for number in range(1, panel.rounds + 1)) if panel else 0.0
    roles = [
        _paid(role, settings, config, prices, await _asked(role, generator, played, revisions, at_yield.passing))
        for role, settings in config.roles.items()
    ]
    found = tuple(_scaled(item, 1 / accepted) for item in roles if item.calls)
    dollars = _sum([item.dollars for item in found]) if found else None
    size = config.indices_per_shard()
    by_index = at_yield.share * config.attempts
    whole = ceil(config.records / by_index / size) * size * by_index
    return Estimate(
        sample=len(played), at_yield=at_yield, roles=found, dollars=dollars, records=config.records,
        calls=round(sum(item.calls for item in found), 1),
        tokens=round(sum(item.prompt_tokens + item.completion_tokens for item in found)),
        run_dollars=None if dollars is None else round(dollars * whole, 2),
        uncounted=tuple(item.role for item in roles if not item.calls),
    )  # fmt: skip


def _paid(
    role: ModelRole, settings: RoleSettings, config: RunConfig, prices: Prices, counted: CountedModel
) -> RoleEstimate:
    """Price one role. Models that share it are assumed to be asked the same, and are paid by their weights."""
    shares: dict[str, float] = defaultdict(float)
    for choice in settings.models:
        shares[choice.model] += choice.weight
    models = {name: config.models[name] for name in shares}
    usage = Usage(prompt=round(counted.prompt), completion=round(counted.completion))
    costs = []
    for name, model in models.items():
        price = prices.find(model.address, model.model)
        costs.append(
            None if price is None else price.cost(usage, model.batch) * shares[name] / (sum(shares.values()) or 1)
        )
    return RoleEstimate(
        role=role, models=tuple(models), calls=counted.calls, prompt_tokens=counted.prompt, dollars=_sum(costs),
        repeated=counted.repeated / max(counted.prompt, 1), completion_tokens=counted.completion,
    )  # fmt: skip


async def _asked(
    role: ModelRole, generator: Generator, played: Sequence[DatasetRecord], revisions: float, passing: float
) -> CountedModel:
    """Count what a role is asked for the sample, with `revisions` revisions per task.

    Reviewers of dialogues see the share `passing` of them, which passes the checks by execution.
    """
    config = generator.config
    first = config.models[config.roles[role].models[0].model]
    variable = first.api_key_env or KEYS[first.provider]
    unused = dict.fromkeys((variable, *first.headers_env.values()), "unused")
    counted = CountedModel(open_endpoint(first, unused))
    for record in played:
        counted.begin()
        await _count(role, record, generator, counted)
    if role in ("user", "assistant", "tool"):
        counted.add(replace(counted), config.attempts - 1)
    if role == "reviewer":
        counted.add(replace(counted), revisions)
        counted.add(await _reviewed(played, generator, counted.endpoint), config.attempts * passing)
    if role == "composer":
        counted.add(await _revised(played, counted.endpoint), revisions)
    return counted


async def _count(role: ModelRole, record: DatasetRecord, generator: Generator, counted: CountedModel) -> None:
    """Count the requests that a role gets for one record."""
    blueprint, trajectory = record.blueprint, record.trajectory
    assert blueprint is not None
    assert trajectory is not None
    if role == "tool":
        environment = simulated_world(generator.world, counted).environment
        for _, call, answer in trajectory.calls_with_results():
            text = answer.content if answer is not None else ""
            failed = answer is not None and answer.failed
            served = {"error": text if failed else None, "result": None if failed else read_result(text)}
            counted.told(text, ChatReply(value=served))
            await environment.call(call)
        return
    if role == "reviewer":
        settings = generator.config.panel() or CommitteeSettings()
        for seat in range(settings.reviewers):
            best: dict[str, Any] = {metric: {"reason": "x" * REASON, "score": 5} for metric in settings.metrics}
            best["goals_at_fault"] = []
            counted.told(json.dumps(best), ChatReply(value=best))
            await ModelReviewer(str(seat), counted, generator.world.toolset, settings.metrics).review(blueprint)
        return
    if role == "composer":
        if blueprint.recipe.written:
            await _invent(blueprint, generator, counted)
        return
    if role == "interpreter":
        return  # how often it is asked is known only in the run
    voice = ModelVoice(counted, generator.config.roles[role])
    said = ReplayedPlayer(trajectory.messages)
    player = (
        rewriting(said, blueprint, generator.world, role, voice)
        if voice.rewrites
        else model_player(blueprint, generator.world, role, voice)
    )
    for index, message in enumerate(trajectory.messages):
        if message.role == role:
            value = {"text": message.content}
            counted.told(*((json.dumps(value), ChatReply(value=value)) if voice.rewrites else _as_told(message)))
            await player.respond(trajectory.messages[:index])


async def _revised(played: Sequence[DatasetRecord], endpoint: SdkEndpoint) -> CountedModel:
    """Count one rewording of each task of the sample."""
    counted = CountedModel(endpoint)
    said = Feedback(points=("x" * REASON,), goals=(0,))
    for record in played:
        assert record.blueprint is not None
        goals = [{"number": number, "intent": goal.intent} for number, goal in enumerate(record.blueprint.goals)]
        told = {"mendable": True, "goals": goals, "tell_at_once": []}
        counted.told(json.dumps(told), ChatReply(value=told))
        counted.begin()
        await rewrite(record.blueprint, said, counted)
    return counted


async def _reviewed(played: Sequence[DatasetRecord], generator: Generator, endpoint: SdkEndpoint) -> CountedModel:
    """Count one review of each dialogue of the sample, if models speak in dialogues."""
    counted, config = CountedModel(endpoint), generator.config
    speaks = config.review.dialogues == "all" or {"user", "assistant"} & set(config.roles)
    for record in played if speaks else ():
        assert record.blueprint is not None
        assert record.trajectory is not None
        case = case_of_trajectory(record.trajectory, record.blueprint, generator.world.toolset)
        walk = ["x" * STEP for message in case.messages if message.role == "assistant"]
        agreed: dict[str, Any] = {"walk": walk, "no": [], "yes": [item.id for item in case.items]}
        agreed |= dict.fromkeys(MEASURES, 5)
        counted.begin()
        for _ in range(config.review.reviewers):
            counted.told(json.dumps(agreed), ChatReply(value=agreed))
            await ModelDialogueReviewer("", counted, config.review.window).review(case)
    return counted


async def _invent(blueprint: Blueprint, generator: Generator, counted: CountedModel) -> None:
    """Count the request to invent the task that the rules composed, and the question whether it is complete.

    Both are assumed to succeed the first time.
    """
    composer = generator.workshop(blueprint.recipe.index).composer
    done = {action.goal: action for action in blueprint.actions}
    goals = [
        {"wish": goal.intent, "tool": done[number].tool, "arguments": json.dumps(done[number].arguments)}
        for number, goal in enumerate(blueprint.goals)
        if number in done
    ]
    task = {"situation": "x" * SITUATION, "goals": goals}
    counted.told(json.dumps(task), ChatReply(value=task))
    await counted.complete(composer.ask_for_task(blueprint.recipe))
    made = await composer.take_task(blueprint.recipe, task)
    if not isinstance(made, Issue):
        complete = {"completes": True, "reason": "x" * REASON}
        counted.told(json.dumps(complete), ChatReply(value=complete))
        await counted.complete(made[1])


@dataclass(frozen=True)
class ReplayedPlayer:
    """A player that repeats the recorded messages."""

    messages: Sequence[Message]

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the recorded message that followed."""
        return self.messages[len(messages)]


def _as_told(message: Message) -> tuple[str, ChatReply]:
    """Return the text that a model would write for a message, and its answer."""
    if message.role == "user":
        value = {"about": 1, "message": message.content, "done": message.act == "user_bye"}
        return json.dumps(value), ChatReply(value=value)
    written = as_chat(message)
    return written.content + "".join(call.name + call.arguments for call in written.tool_calls), ChatReply(
        content=written.content, tool_calls=written.tool_calls
    )


def _scaled(item: RoleEstimate, by: float) -> RoleEstimate:
    names = ("calls", "prompt_tokens", "completion_tokens", "dollars")
    values = {name: getattr(item, name) for name in names}
    scaled = {
        name: None if value is None else round(value * by, 6 if name == "dollars" else 1)
        for name, value in values.items()
    }
    return item.model_copy(update=scaled | {"repeated": round(item.repeated, 3)})


def _sum(parts: Sequence[float | None]) -> float | None:
    """Return the sum; None if a part is unknown."""
    known = [part for part in parts if part is not None]
    return round(sum(known), 6) if len(known) == len(parts) else None
