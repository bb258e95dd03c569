"""A policy in prose, a toolset and the composer's model -> rules in a file of overrides, to be reviewed by a person."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from interplay.flows.roles.cast import open_composer
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_files import read_prose
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.environments.policy.rule_proposals import Example, Proposal, proposal_of, rules_request
from interplay.schemas.errors import ConfigError
from interplay.schemas.plain_file import plain_text
from interplay.schemas.protocols import ChatModel

HEADER = """\
# Rules that a model proposed from prose; each runs, and agrees with its examples. Look them over, then name this file:
# openapi:your_api.yaml?overrides=THIS_FILE
"""


async def propose(world: OpenedWorld, prose: str, model: ChatModel, examples: Sequence[Example] = ()) -> Proposal:
    """Ask a model for the rules of a policy in prose, and test each in the world and on the examples.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
    """
    environment, fields = world.environment, dict[str, list[str]]()
    for part in world.parts:
        if part.plan is not None:
            fields |= {name: list(item.schema["properties"]) for name, item in part.plan.resources.items()}
    reply = await model.complete(rules_request(prose, environment))
    return proposal_of(reply.value, environment, fields, examples)


async def propose_for(config: RunConfig, journal: Path, prose: Path, examples: Path | None = None) -> Proposal:
    """Call `propose` with the toolset and the composer's model of a configuration; see `invent_for`.

    Raises:
        ConfigError, StoreError: a file cannot be read; see also `open_composer`.
    """
    text = read_prose(prose)
    told = () if examples is None else read_examples(examples)
    async with open_composer(config, journal) as model:
        return await propose(open_world(config.toolset), text, model, told)


def read_examples(path: Path) -> tuple[Example, ...]:
    """Read a JSON list of calls: `{"tool": ..., "arguments": {...}, "allowed": true}`.

    Raises:
        ConfigError: the file cannot be read, or holds something else.
    """
    try:
        return tuple(Example.model_validate(item) for item in json.loads(plain_text(path)))
    except (OSError, TypeError, ValueError, ValidationError) as error:
        raise ConfigError(f"{path}: no list of calls with tool, arguments and allowed: {str(error)[:200]}.") from error


def overrides_text(proposal: Proposal) -> str:
    """Return the proposed rules as a file of overrides; rejected ones are comments with the reason."""
    rules: list[dict[str, Any]] = []
    for rule in proposal.rules:
        told = rule.model_dump(mode="json")
        rules.append({key: value for key, value in told.items() if value not in (None, "", [], {})})
    text = HEADER + yaml.safe_dump({"rules": rules}, sort_keys=False, allow_unicode=True, width=110)
    left_out = "".join(f"# left out: {name}: {' '.join(why.split())}\n" for name, why in proposal.left_out)
    return text + left_out
