"""The `worlds` section of a configuration: how many records share a made-up world, its size, and its locale."""

from collections.abc import Mapping
from importlib.util import find_spec
from random import Random
from typing import Any

from pydantic import Field, field_validator

from interplay.generators.blueprints.recipes.draws import weighted
from interplay.generators.blueprints.recipes.index_recipe import GROUP
from interplay.generators.values.texts.sample_words import BY_LANGUAGE
from interplay.generators.values.world_seed import Size
from interplay.schemas.json.record import Record
from interplay.schemas.records.recipe import MadeWorld


class WorldSettings(Record):
    """The made-up worlds of a run: each has rows of its own, and some records share it."""

    records: int = Field(
        20, ge=GROUP, le=10_000, description="How many records share a world at most; twins of a task always share one."
    )
    rows: Mapping[str, Size] = Field(
        default_factory=dict,
        description="How many rows there are, by resource, or by * for all others: a number, [fewest, most], or "
        "{fewest, usual, most}. Each world draws its own; of a resource below another one, for each row of that.",
    )
    locale: Mapping[str, float] | None = Field(
        None,
        description="Where people come from: a locale of Faker such as de_DE, or several with the share of worlds.",
    )

    @field_validator("rows", mode="before")
    @classmethod
    def _sizes(cls, given: Any) -> Any:
        """Read a number, or the fewest and the most, whose geometric mean is then the usual number."""
        sizes = {"*": given} if isinstance(given, (int, list)) else given
        return {name: _size(size) for name, size in sizes.items()} if isinstance(sizes, Mapping) else sizes

    @field_validator("rows")
    @classmethod
    def _in_order(cls, sizes: Mapping[str, Size]) -> Mapping[str, Size]:
        for name, size in sizes.items():
            if not 0 <= size.fewest <= size.usual <= size.most <= 10_000:
                raise ValueError(f"{name}: fewest, usual and most must be in this order, from 0 to 10000")
        return sizes

    @field_validator("locale", mode="before")
    @classmethod
    def _shares(cls, given: Any) -> Any:
        listed = [given] if isinstance(given, str) else given
        return dict.fromkeys(listed, 1.0) if isinstance(listed, list) else listed

    @field_validator("locale")
    @classmethod
    def _known(cls, shares: Mapping[str, float] | None) -> Mapping[str, float] | None:
        for name in shares or ():
            if not name.replace("_", "").isalpha() or find_spec(f"faker.providers.person.{name}") is None:
                raise ValueError(f"{name!r} is no locale of Faker; name one such as de_DE or en_US")
        if shares is not None and (min(shares.values(), default=0) < 0 or sum(shares.values()) <= 0):
            raise ValueError("shares of locales must not be negative, and one must be positive")
        return shares

    def span(self, tasks_per_session: int) -> int:
        """Return after how many indices the next world begins; sessions and twins are never split."""
        fitting = max(GROUP, self.records - tasks_per_session + 1)
        return fitting - fitting % GROUP

    def world(self, seed: int, number: int, languages: Mapping[str, float]) -> MadeWorld:
        """Return a world of a run whose dialogues are in these languages."""
        chance = Random(f"{seed}/world/{number}")
        shares = self.locale or BY_LANGUAGE.get(weighted(languages, chance.random()), {"": 1.0})
        return MadeWorld(seed=seed, number=number, locale=weighted(shares, chance.random()))


def _size(given: Any) -> Any:
    if isinstance(given, int):
        return {"fewest": given, "usual": given, "most": given}
    if isinstance(given, list) and len(given) == 2 and all(isinstance(item, int) and item >= 0 for item in given):
        return {"fewest": given[0], "usual": round((given[0] * given[1]) ** 0.5), "most": given[1]}
    return given
