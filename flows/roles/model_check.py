"""A configuration -> the abilities of each of its models, probed by one tiny question per ability."""

from collections.abc import Mapping

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.model_settings import ModelSettings
from interplay.generators.models.client.abilities import Ability, probe
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record

NEEDED: Mapping[str, frozenset[str]] = {
    "user": frozenset({"text", "structured output"}),
    "assistant": frozenset({"text", "tools"}),
    "tool": frozenset({"text", "structured output"}),
    "reviewer": frozenset({"text", "structured output"}),
    "composer": frozenset({"text", "structured output"}),
}
"""The abilities that each role needs."""


class ModelCheck(Record):
    """The abilities of one model; `lacking` are those that its roles need and it does not have."""

    name: str
    model: str
    endpoint: str
    roles: tuple[str, ...]
    abilities: tuple[Ability, ...]
    lacking: tuple[str, ...]


async def check_models(config: RunConfig) -> tuple[ModelCheck, ...]:
    """Probe each model, one after the other.

    Raises:
        ConfigError: there is no model, or a variable that holds a key is not set.
    """
    if not config.models:
        raise ConfigError("No models are configured: name them under `models`, and who plays what under `roles`.")
    return tuple([await _check(name, settings, config) for name, settings in config.models.items()])


async def _check(name: str, settings: ModelSettings, config: RunConfig) -> ModelCheck:
    endpoint = open_endpoint(settings)
    try:
        abilities = await probe(endpoint, settings.sampling)
    finally:
        await endpoint.aclose()
    roles = tuple(
        role for role, played in config.roles.items() if name in [choice.model for choice in played.choices()]
    )
    needed = frozenset().union(*(NEEDED[role] for role in roles)) if roles else frozenset({"text"})
    lacking = tuple(ability.name for ability in abilities if not ability.ok and ability.name in needed)
    return ModelCheck(
        name=name, model=settings.model, endpoint=settings.address, roles=roles, abilities=abilities, lacking=lacking
    )
