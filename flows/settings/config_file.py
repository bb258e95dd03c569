"""A YAML file, or settings -> the configuration of a run, checked key by key; errors name the place and what was expected."""

import difflib
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.curation_settings import CurationSettings
from interplay.flows.settings.dialogue_settings import BranchSettings, StartSettings
from interplay.flows.settings.gym_settings import GymSettings
from interplay.flows.settings.model_settings import (
    ModelChoice,
    ModelSettings,
    RoleSettings,
)
from interplay.flows.settings.specs import absolute_spec, spec_from
from interplay.flows.settings.world_settings import WorldSettings
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.dialogue_limits import Limits
from interplay.generators.importers.documents.document_reader import parse_yaml_text
from interplay.generators.models.limits.budget import BudgetSettings
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.schemas.errors import ConfigError, ImportFailure
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import at_home, plain_text
from interplay.schemas.records.chat import Sampling
from interplay.schemas.versions import CONFIGURATION
from interplay.validators.review.committee import CommitteeSettings
from interplay.validators.review.dialogue_committee import ReviewSettings

_SECTIONS: dict[str, type[Record]] = {
    "recipes": RecipeSettings, "models": ModelSettings, "budget": BudgetSettings, "committee": CommitteeSettings,
    "review": ReviewSettings, "limits": Limits, "branches": BranchSettings, "start": StartSettings, "curate": CurationSettings,
    "worlds": WorldSettings, "gym": GymSettings, "embeddings": EndpointSettings,
}  # fmt: skip
"""The record of each section of a configuration; of `models`, the record of each model."""

_QUOTED = re.compile(r"'([^']*)'")


def load_config(path: Path) -> RunConfig:
    """Read a configuration file; relative paths in it start at its folder.

    Raises:
        ConfigError: the file is missing, no YAML mapping, or has an unknown key or an invalid value.
    """
    try:
        text = plain_text(path)
        _refuse_twins(yaml.compose(text, yaml.SafeLoader), path)
        content = parse_yaml_text(text, str(path))
    except IsADirectoryError as error:
        raise ConfigError(
            f"{path}: is a folder. Name the configuration file, such as {path / 'interplay.yaml'}."
        ) from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}). Make one with: interplay init") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(_unreadable(path, error)) from error
    except ImportFailure as error:
        raise ConfigError(str(error)) from error
    except RecursionError as error:
        raise ConfigError(f"{path}: is nested too deeply to be settings. See: interplay init") from error
    if not isinstance(content, Mapping):
        found = "nothing" if content is None else "a list" if isinstance(content, list) else f"{str(content)[:60]!r}"
        raise ConfigError(f"{path}: expected settings, one `key: value` a line, found {found}. See: interplay init")
    if "openapi" in content or "swagger" in content:
        raise ConfigError(f"{path}: describes an API and is no configuration. Name it so: --toolset openapi:{path}")
    return with_absolute_paths(parse_config(_with_inspirations(dict(content), path), str(path)), path.parent)


def with_absolute_paths(config: RunConfig, folder: Path) -> RunConfig:
    """Return a configuration whose relative paths start at a folder."""
    prices = None if config.prices is None else folder.absolute() / at_home(config.prices)
    toolset = tuple(absolute_spec(spec, folder) for spec in config.toolset)
    start = None if config.start is None else config.start.placed(folder.absolute())
    indexes = tuple(folder.absolute() / at_home(path) for path in config.curate.contamination)
    curation = config.curate.model_copy(update={"contamination": indexes})
    return config.model_copy(update={"toolset": toolset, "prices": prices, "start": start, "curate": curation})


def _refuse_twins(node: yaml.Node | None, path: Path) -> None:
    """Refuse duplicate keys in a mapping, of which YAML would silently take the last."""
    waiting, seen = [node], set[int]()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            first: dict[str, int] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                if first.setdefault(str(key.value), line) != line:
                    raise ConfigError(
                        f"{path}:{line}: {key.value} stands in line {first[key.value]} already. Keep one."
                    )
                waiting.append(value)


def _unreadable(path: Path, error: yaml.YAMLError | UnicodeDecodeError) -> str:
    place = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    where = f"{path}:{place.line + 1}:{place.column + 1}" if place else str(path)
    if isinstance(error, UnicodeDecodeError):
        return f"{path}: is no text in UTF-8. Name a configuration file, or make one with: interplay init"
    problem = str(getattr(error, "problem", None) or error)
    remedy = "Indent with spaces, not with tabs." if "'\\t'" in problem else "Correct that line."
    return f"{where}: not valid YAML ({problem}). {remedy}"


def _with_inspirations(content: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return settings with the texts from the file that `recipes/inspirations` names, if it names one."""
    recipes = content.get("recipes")
    if not isinstance(recipes, Mapping) or not isinstance(recipes.get("inspirations"), str):
        return content
    named = str(recipes["inspirations"])
    place = path.parent / at_home(Path(named))
    try:
        listed = parse_yaml_text(plain_text(place), str(place))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ImportFailure) as error:
        raise ConfigError(
            f"{path}: recipes/inspirations: {place} cannot be read as YAML: {str(error)[:160]}."
        ) from error
    if not isinstance(listed, list):
        raise ConfigError(f"{path}: recipes/inspirations: {place} should hold a list of texts.")
    return {**content, "recipes": {**recipes, "inspirations": listed}}


def parse_config(content: dict[str, Any], where: str) -> RunConfig:
    """Check settings and return them as a configuration; `where` names their source in errors.

    Raises:
        ConfigError: a key is unknown or a value does not fit.
    """
    content = CONFIGURATION.current(content, where)
    if isinstance(content.get("toolset"), str):
        content["toolset"] = [content["toolset"]]
    if isinstance(content.get("toolset"), list):
        content["toolset"] = [spec_from(entry, where) for entry in content["toolset"]]
    try:
        return RunConfig.model_validate(content)
    except ValidationError as error:
        raise ConfigError(_explained(error, where)) from error


def _explained(error: ValidationError, where: str) -> str:
    first = error.errors()[0]
    loc, message = first["loc"], first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        if loc[0] in ("models", "roles") and str(loc[-1]) in Sampling.model_fields:
            return f"{where}: {join_pointer(*loc)}: unknown key here. It stands under sampling: sampling: {{{loc[-1]}: ...}}"
        if len(loc) == 1 and (homes := [name for name, held in _SECTIONS.items() if loc[0] in held.model_fields]):
            told = " or ".join(f"{name}: {{{loc[0]}: ...}}" for name in homes)
            return f"{where}: {join_pointer(*loc)}: unknown key here. It stands in a section: {told}"
        return f"{where}: {join_pointer(*loc)}: unknown key. {_hint(str(loc[-1]), _known_keys(loc))}"
    if loc[-1:] == ("[key]",) and first["type"] == "literal_error":
        return f"{where}: {join_pointer(*loc[:-1])}: unknown key. {_hint(str(loc[-2]), _QUOTED.findall(message))}"
    if not loc:
        return f"{where}: {message}."
    if loc[-1] == "provider":
        message += (
            ". Others are asked by their API that is like OpenAI's: provider: openai, and its address as base_url"
        )
    if first["type"] in ("model_type", "dict_type"):
        message = "expected settings, one `key: value` a line"
    if first["type"] == "tuple_type":
        message = "expected a list, as [a, b]"
    if first["type"] == "too_short":
        message = "expected a list with something in it"
    secret = loc[0] in ("models", "embeddings")  # an address may hold a password
    found = "" if secret else f" (found {str(first.get('input'))[:60]!r})"
    return f"{where}: {join_pointer(*loc)}: {message}{found}."


def _hint(key: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f"Did you mean {near[0]!r}?" if near else f"Known keys: {', '.join(known)}."


def _known_keys(place: tuple[int | str, ...]) -> Collection[str]:
    """Return the keys that are known at the place of an unknown one."""
    if len(place) > 2 and "sampling" in place[2:-1]:
        return Sampling.model_fields
    if place[0] == "roles":
        return ModelChoice.model_fields if "models" in place else [*RoleSettings.model_fields, "rewrite"]
    nested = len(place) > (2 if place[0] == "models" else 1)
    return _SECTIONS.get(str(place[0]), RunConfig).model_fields if nested else RunConfig.model_fields
