"""Dated list prices, and a user's own -> the cost of an answer, if the price is known."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import yaml
from pydantic import BeforeValidator, Field, ValidationError

from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.json.yaml_text import parse_yaml
from interplay.schemas.plain_file import plain_text
from interplay.schemas.records.dialogue import Usage

MILLION = 1_000_000
_SNAPSHOT = re.compile(r"-(latest|\d{8}|\d{4}-\d{2}-\d{2})$")


Date = Annotated[str, BeforeValidator(str)]
"""A date as text; YAML parses it as a date."""


class Price(Record):
    """Dollars per million tokens of the models matching `model` at the hosts matching `host`.

    `cached_input` is the price of prompt tokens read from the provider's cache, `cache_write` of those written to it; without
    them, such tokens cost as much as others.
    """

    host: str = Field("*", description="The address's host; `*` stands for any part of it.")
    model: str = Field(min_length=1, description="A model's name; `*` stands for any part of it.")
    input: float = Field(ge=0, allow_inf_nan=False)
    cached_input: float | None = Field(None, ge=0, allow_inf_nan=False)
    cache_write: float | None = Field(None, ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    batch: float = Field(1.0, ge=0, le=1, description="The share of the price that a batch costs.")
    date: Date = Field("", description="When the price was looked up.")
    source: str = ""

    def fits(self, host: str, model: str) -> bool:
        """Tell whether this is the price of a model; a dated snapshot of a model has the model's price."""
        names = (model, _SNAPSHOT.sub("", model))
        return fnmatchcase(host, self.host) and any(fnmatchcase(name, self.model) for name in names)

    def cost(self, usage: Usage, batch: bool = False) -> float:
        """Return the cost of an answer in dollars."""
        cached = self.input if self.cached_input is None else self.cached_input
        write = self.input if self.cache_write is None else self.cache_write
        fresh = max(usage.prompt - usage.cached - usage.cache_written, 0)
        dollars = fresh * self.input + usage.cached * cached + usage.cache_written * write
        dollars += usage.completion * self.output
        return dollars / MILLION * (self.batch if batch else 1.0)


class PriceFile(Record):
    """A file of prices; the first matching entry counts."""

    date: Date
    prices: tuple[Price, ...]


@dataclass(frozen=True)
class Prices:
    """Prices by address and model: the user's, then those shipped with the package; the first match counts."""

    entries: tuple[Price, ...]

    def find(self, base_url: str, model: str) -> Price | None:
        """Return a model's price; None if it is unknown."""
        host = urlsplit(base_url).hostname or ""
        return next((price for price in self.entries if price.fits(host, model)), None)

    def require(self, base_url: str, model: str) -> Price:
        """Return a model's price.

        Raises:
            ConfigError: the price is unknown, so that no budget in dollars can be kept.
        """
        price = self.find(base_url, model)
        if price is None:
            raise ConfigError(
                f"budget: the price of {model} at {base_url} is unknown, so a budget in dollars cannot be kept. Name "
                "a file with it (prices: FILE, with model, input and output in dollars for a million tokens; 0 where "
                "it costs nothing), or set a budget in tokens."
            )
        return price


def load_prices(own: Path | None = None) -> Prices:
    """Read the shipped prices, and a user's own, which take precedence.

    Raises:
        ConfigError: the user's file cannot be read.
    """
    shipped = files("interplay.generators.models.limits").joinpath("prices.yaml").read_text(encoding="utf-8")
    entries = _parse(shipped, "prices.yaml").prices
    if own is None:
        return Prices(entries)
    try:
        text = plain_text(own)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{own}: the prices cannot be read ({error}). Correct the key `prices`.") from error
    return Prices((*_parse(text, str(own)).prices, *entries))


def _parse(text: str, where: str) -> PriceFile:
    try:
        return PriceFile.model_validate(parse_yaml(text))
    except yaml.YAMLError as error:
        raise ConfigError(
            f"{where}: not valid YAML ({getattr(error, 'problem', error)}). Correct that line."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        pointer = "/" + "/".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"{where}: {pointer}: {first['msg']}. Expected `date` and `prices`, each with model, input and output."
        ) from error
