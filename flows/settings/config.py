"""The configuration of a run, and which of its settings decide the bytes of records."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from interplay.flows.settings import MOST_RECORDS
from interplay.flows.settings.curation_settings import CurationSettings
from interplay.flows.settings.dialogue_settings import BranchSettings, StartSettings
from interplay.flows.settings.gym_settings import GymSettings
from interplay.flows.settings.model_settings import (
    ModelSettings,
    Roles,
    check_names,
    models_identity,
    open_dialogues,
)
from interplay.flows.settings.specs import without_folders
from interplay.flows.settings.world_settings import WorldSettings
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.dialogue_limits import Limits
from interplay.generators.models.limits.budget import BudgetSettings
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.participants.wording.languages import ENGLISH, LANGUAGES, load_grammar
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.recipe import Direction, MadeWorld
from interplay.validators.review.committee import CommitteeSettings
from interplay.validators.review.dialogue_committee import ReviewSettings

NOT_IN_RECORDS = {"records", "workers", "max_tries_per_record", "budget", "prices", "dialogues", "curate", "gym"}
"""Settings of how much and how fast, which do not change any single record."""


SHARDS = 10
"""The least number of shards of a run with paid models or live servers."""


SMALLEST, SPARE = 8, 5
"""The least indices in a shard that is made by rules alone; and one index more for so many records."""


class Evolution(Record):
    """Which tasks a run evolves (by a digest), and in which direction."""

    direction: Direction = Field(description="Where tasks go: easier, harder or sideways.")
    parents: str = Field(description="A digest of the tasks that are evolved.")


class RunConfig(Record):
    """What a run makes; everything that decides a record's bytes, and a few settings that do not."""

    version: Literal[1] = Field(1, exclude=True, description="Version of the format of this file.")
    toolset: tuple[str, ...] = Field(("domain:clinic",), min_length=1, description="Sources of tools, as KIND:PLACE.")
    seed: int = Field(
        0, ge=0, le=2**63 - 1, description="Another seed gives other records; the same one, the same bytes."
    )
    records: int = Field(100, ge=1, le=MOST_RECORDS, description="Accepted records to make.")
    workers: int = Field(1, ge=1, le=256, description="Processes that work side by side.")
    shard_size: int = Field(
        50,
        ge=1,
        le=10_000,
        description="Indices in one shard file; fewer where models play or few records are wanted, and this is not given.",
    )
    max_tries_per_record: float = Field(
        10.0, ge=1, description="The run gives up when it tried this many indices per record."
    )
    world_seed: int | None = Field(
        None, ge=0, le=2**63 - 1, description="Seed of the made-up worlds; without it, that of the run."
    )
    worlds: WorldSettings = Field(
        WorldSettings(), description="How many records share a made-up world, and what these worlds are like."
    )
    language: dict[str, float] = Field(
        {ENGLISH: 1.0},
        description="In which the rules speak: a code such as de, or several with the share of each.",
    )
    prose: bool = Field(
        False, description="Whether rules that play the assistant are told policy of which no rule was made."
    )
    recipes: RecipeSettings = Field(RecipeSettings(), description="What tasks are asked for, and in what shares.")
    attempts: int = Field(
        1, ge=1, le=64, description="How often each task is played: the share that passes is how hard it is to solve."
    )
    solve_band: tuple[float, float] | None = Field(
        None,
        description="The lowest and the highest share of a task's attempts that may pass; others are left out.",
    )
    tasks_per_session: int = Field(
        1, ge=1, le=16, description="Tasks that one user brings up one after the other, the state kept between them."
    )
    start: StartSettings | None = Field(
        None, description="Where dialogues begin, if not from a blank state: conversations, or a workspace."
    )
    branches: BranchSettings | None = Field(
        None, description="How dialogues branch from one of their turns: continuations to prefer and to reject."
    )
    branched: str = Field("", description="What `interplay branch` sets: the dialogues that branch.")
    indices: int | None = Field(None, ge=1, description="How many indices there are; without it, as many as it takes.")
    limits: Limits = Field(Limits(), description="How long a dialogue may get before it is ended.")
    evolution: Evolution | None = Field(None, description="What `interplay evolve` sets.")
    models: dict[str, ModelSettings] = Field(default_factory=dict, description="Models, by names of your choice.")
    roles: Roles = Field(default_factory=dict, description="Who plays which role; the rules play the others.")
    embeddings: EndpointSettings | None = Field(None, description="A model by which fields of near meaning are found.")
    dialogues: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="Dialogues that are open at a time where models play; twice what is asked at once, or 1000 in batches.",
    )
    committee: CommitteeSettings | None = Field(
        None, description="Who reviews blueprints; with the defaults where models play reviewers and this is not set."
    )
    review: ReviewSettings = Field(
        ReviewSettings(),
        description="Who reviews dialogues, where models play reviewers, and what becomes of faulty ones.",
    )
    curate: CurationSettings = Field(
        CurationSettings(), description="What `interplay curate` leaves out of exports though it was accepted."
    )
    gym: GymSettings = Field(GymSettings(), description="Rewards and bounds of `interplay serve`.")
    copies: int = Field(1, ge=1, description="Accepted records that may tell the same scenario, by other people.")
    budget: BudgetSettings = Field(BudgetSettings(), description="The most that models may cost, in all and by role.")
    prices: Path | None = Field(None, description="A file of prices, in dollars for a million tokens.")

    @field_validator("seed", mode="before")
    @classmethod
    def _no_truth(cls, given: Any) -> Any:
        if isinstance(given, bool):
            raise PydanticCustomError("int_type", "Input should be a valid integer")
        return given

    @field_validator("language", mode="before")
    @classmethod
    def _shares(cls, given: Any) -> Any:
        """Read one language, a list of languages with equal shares, or shares; each by its code or its English name."""
        listed = [given] if isinstance(given, str) else given
        shares = dict.fromkeys(listed, 1.0) if isinstance(listed, list) else listed
        if not isinstance(shares, Mapping):
            return shares
        named = {str(name).lower(): share for name, share in shares.items()}
        if not set(named) <= set(LANGUAGES):  # a grammar is slow to load
            known = {load_grammar(code)["name"].lower(): code for code in LANGUAGES}
            named = {known.get(name, name): share for name, share in named.items()}
        unknown = sorted(set(named) - set(LANGUAGES))
        if unknown:
            raise ValueError(
                f"the rules do not speak {unknown[0]!r}; they speak {', '.join(LANGUAGES)}. For any other language let a "
                "model find the words: roles: {user: {rewrite: MODEL, language: French}}"
            )
        return named

    @field_validator("language")
    @classmethod
    def _weights(cls, shares: dict[str, float]) -> dict[str, float]:
        if min(shares.values(), default=0) < 0 or sum(shares.values()) <= 0:
            raise ValueError("shares of languages must not be negative, and one must be positive")
        return shares

    @model_validator(mode="after")
    def _band(self) -> Self:
        low, high = self.solve_band or (0.0, 1.0)
        if not 0 <= low <= high <= 1:
            raise ValueError("solve_band: two shares from 0 to 1, the lower one first, such as [0.1, 0.6]")
        if self.solve_band is not None and self.attempts < 2:
            raise ValueError("solve_band: one attempt alone tells nothing; set attempts to 2 or more")
        return self

    @model_validator(mode="after")
    def _names(self) -> Self:
        check_names(self.models, self.roles)
        if self.recipes.written and "composer" not in self.roles:
            raise ValueError("recipes/written: name the model that invents tasks, as in roles: {composer: local}")
        return self

    def asking(self, records: int) -> Self:
        """Return the same settings for another number of accepted records.

        Raises:
            ConfigError: a run cannot be asked for so many.
        """
        if not 1 <= records <= MOST_RECORDS:
            raise ConfigError(f"records: {records} are asked for; name a number from 1 to {MOST_RECORDS:,}.")
        return self.model_copy(update={"records": records})

    def indices_per_shard(self) -> int:
        """Return the size of shards: the given one, else one by the records wanted, since a shard is made as a whole.

        It has some indices to spare, for those without an accepted record; with models or live servers, it is at most a tenth
        of the records.
        """
        if "shard_size" in self.model_fields_set:
            return self.shard_size
        costly = self.roles or any(spec.startswith("mcp+live:") for spec in self.toolset)
        wanted = -(-self.records // SHARDS) if costly else max(SMALLEST, self.records + self.records // SPARE + 1)
        sessions = -(-min(self.shard_size, wanted) // self.tasks_per_session)
        return sessions * self.tasks_per_session

    def shard(self, number: int) -> range:
        """Return the indices of a shard; they do not depend on the number of records asked for."""
        end = (number + 1) * self.shard_size
        return range(number * self.shard_size, end if self.indices is None else min(end, self.indices))

    def part(self, index: int) -> int:
        """Return the place of an index in its session; a session never spans two shards."""
        return index % self.shard_size % self.tasks_per_session

    def session(self, index: int) -> int:
        """Return the number of the session that an index belongs to."""
        per_shard = -(-self.shard_size // self.tasks_per_session)
        return index // self.shard_size * per_shard + index % self.shard_size // self.tasks_per_session

    def world(self, index: int) -> MadeWorld:
        """Return the made-up world of an index, which is that of its session."""
        number = self.world_begins(index) // self.worlds.span(self.tasks_per_session)
        return self.worlds.world(self.seed if self.world_seed is None else self.world_seed, number, self.language)

    def world_begins(self, index: int) -> int:
        """Return the first index that plays in the world of an index."""
        span = self.worlds.span(self.tasks_per_session)
        return (index - self.part(index)) // span * span

    def panel(self) -> CommitteeSettings | None:
        """Return the settings of the committee; None if there is none."""
        return self.committee or (CommitteeSettings() if "reviewer" in self.roles else None)

    def reviews_dialogues(self) -> bool:
        """Tell whether models review dialogues."""
        return "reviewer" in self.roles and self.review.reviewers > 0

    def open_dialogues(self) -> int:
        """Return how many dialogues are open at a time: more than requests are allowed, since tools and checks take time too."""
        return self.dialogues or open_dialogues(self.models, self.roles)

    def identity(self) -> dict[str, Any]:
        """Return all settings that decide a record's bytes; files are reduced to their names, as folders differ."""
        settings = self.model_dump(
            mode="json", exclude={*NOT_IN_RECORDS, "models", "roles", "embeddings", "committee", "review"}
        )
        if self.tasks_per_session == 1:
            del settings["tasks_per_session"]
        if self.solve_band is None:
            del settings["solve_band"]
        if self.branches is None:
            del settings["branches"]
        if self.start is None:
            del settings["start"]
        else:
            settings["start"] = self.start.identity()
        if not self.branched:
            del settings["branched"], settings["indices"]
        del settings["limits"]["seconds"]  # a time limit, not a property of records
        if self.limits.length == Limits().length:
            del settings["limits"]["length"]  # keeps the fingerprint from before the setting existed
        if self.embeddings is not None:
            settings["embeddings"] = {"model": self.embeddings.model, "base_url": self.embeddings.address}
        panel = self.panel()
        if panel is not None:
            settings["committee"] = panel.model_dump(mode="json")
        if "reviewer" in self.roles:
            settings["review"] = self.review.model_dump(mode="json")
        if not self.prose:
            del settings["prose"]
        if self.language == {ENGLISH: 1.0}:
            del settings["language"]  # keeps the fingerprint from before there were other languages
        settings |= models_identity(self.models, self.roles)
        return {**settings, "toolset": [without_folders(spec) for spec in self.toolset]}

    def fingerprint(self) -> str:
        """Return the digest of all settings that decide a record's bytes."""
        return digest(self.identity())
