"""Toolset specifications -> a commented configuration file; a bundled domain -> a copy to start from."""

import json
import keyword
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from interplay.flows.settings.config_schema import EDITOR_LINE, SCHEMA_NAME, schema_text
from interplay.flows.settings.specs import relative_to
from interplay.flows.workspaces.chosen_config import CONFIG_NAME
from interplay.flows.workspaces.run_files import require_free, write_text
from interplay.flows.worlds.tool_sources import DOMAINS
from interplay.generators.blueprints.recipes.recipe_settings import PATTERN_WEIGHTS
from interplay.schemas.errors import ConfigError

SOURCES = (".py", ".yaml", ".md")
"""Endings of the files of a domain."""

DEPLOYMENTS = "prefect.yaml"


def copy_domain(folder: Path, name: str, own: str = "", force: bool = False) -> Path:
    """Copy a bundled domain into the package `own` (by default `my_NAME`) in `folder`; return its path.

    Raises:
        ConfigError: there is no such domain, the name is not one for a package, or the folder exists and `force` is not given.
        StoreError: it cannot be written.
    """
    own = own or f"my_{name}"
    if name not in DOMAINS:
        raise ConfigError(f"--domain {name}: no such domain. Bundled: {', '.join(DOMAINS)}.")
    if not own.isidentifier() or keyword.iskeyword(own) or own in sys.stdlib_module_names:
        raise ConfigError(f"--name {own}: is no name for a Python package. Take letters, digits and underscores.")
    target = folder / own
    require_free(target, force, "give another --name")
    package = DOMAINS[name]
    for source in sorted(files(package).iterdir(), key=lambda item: item.name):
        if source.name.endswith(SOURCES):
            text = source.read_text(encoding="utf-8").replace(package, own)
            write_text(target / source.name, text)
    return target


def write_deployments(folder: Path, force: bool = False) -> Path:
    """Write prefect.yaml, the deployments of the flows, into `folder`.

    Raises:
        ConfigError: the file exists, and `force` is not given.
        StoreError: it cannot be written.
    """
    path = folder / DEPLOYMENTS
    require_free(path, force, "name another folder")
    write_text(path, files("interplay.flows").joinpath(DEPLOYMENTS).read_text(encoding="utf-8"))
    return path


def write_config(folder: Path, specs: Sequence[str], force: bool = False) -> Path:
    """Write interplay.yaml and its schema for editors into `folder`; relative paths in `specs` are rewritten to start there.

    Raises:
        ConfigError: the file exists, and `force` is not given.
        StoreError: it cannot be written.
    """
    path = folder / CONFIG_NAME
    require_free(path, force, "name another folder")
    # JSON strings are YAML strings too, whatever characters a path holds.
    toolsets = "\n".join(f"  - {json.dumps(relative_to(spec, folder), ensure_ascii=False)}" for spec in specs)
    patterns = "\n".join(f"    {pattern}: {weight}" for pattern, weight in PATTERN_WEIGHTS.items())
    write_text(folder / SCHEMA_NAME, schema_text())
    write_text(path, EDITOR_LINE + TEMPLATE.format(name=path, toolsets=toolsets, patterns=patterns))
    return path


TEMPLATE = """\
# interplay: what a run makes. Run it with:  interplay run {name}

# Where the tools come from; several entries are merged.
#   domain:NAME            a bundled domain (clinic, rental, workspace)
#   openapi:PATH           an OpenAPI or Swagger file (YAML or JSON), from the folder of this file
#   json:PATH              tool definitions in OpenAI, Anthropic or MCP shape
#   python:MODULE[:CLASS]  a Python module or class
#   mcp:COMMAND            the tools that an MCP server lists, run in a sandbox (needs the extra interplay[mcp])
#   mcp+live:COMMAND       the MCP server itself
# Any of them may go on with ?only=get_*,list_*  or  ?without=effect:write, and name a file of corrections with
# ?overrides=FILE. Beside an openapi or json file x.yaml, x.interplay.yaml is found by itself.
toolset:
{toolsets}

# Accepted records to make. A run can be continued with a larger number.
records: 100

# Same configuration and seed: the same bytes, whatever the number of workers.
seed: 0

# Processes that work side by side.
workers: 1

# Made-up worlds: how many records share one, how many rows they have, where their people come from.
# worlds: {{records: 20, rows: {{"*": [5, 30]}}, locale: {{en_GB: 0.5, de_DE: 0.5}}}}

# In which language the rules speak: en, de, or both with their shares. Values and calls are the same in all.
# language: {{en: 0.5, de: 0.5}}

# Policy in prose of which no rule was made: rules that play the assistant break it, so it is not in their system prompt.
# prose: true

# What is asked for; shares are from 0 to 1.
recipes:
  # How tasks are built: relative weights. What is left out is not made.
  patterns:
{patterns}
  # Requests in one dialogue at most.
  max_goals: 5
  # Users who open without saying clearly what they want.
  vague: 0.04
  # Dialogues in which the assistant first searches for a fitting tool, though all that is needed is offered.
  tool_search: 0.15
  # Dialogues that begin with the search alone: the assistant has only the tools that it finds, and not for ever.
  # Without this line: 0.1 for more than 48 tools, else 0.
  # registry: 0.1
  # Dialogues in which tools come and go between requests, or are missing when the user first asks.
  tool_changes: 0.06
  # Dialogues in which the assistant asks for an identifier that the user does not know.
  asks_unknown: 0.015
  # Users who also ask for something that no tool can do.
  out_of_scope: 0.02
  # How hard tasks should be: relative weights.
  difficulty: {{easy: 0.3, medium: 0.4, hard: 0.3}}
  # Tasks that are made easier, harder or otherwise after they were composed; tasks of earlier records, told by others.
  evolved: 0.1
  retold: 0

# Indices in one shard file: 50, and fewer where models are paid. When to give up: indices tried per accepted record.
# shard_size: 50
max_tries_per_record: 10

# How often each task is played. All that pass are kept, unless they are the same turn by turn; so are those that fail, with
# what went wrong first.
attempts: 1

# Tasks that one user brings up one after the other in one dialogue, each in the state that the one before left.
tasks_per_session: 1

# What ends a dialogue: turns of the user, calls, calls in one turn, tokens of models, seconds where models play, ...
# limits: {{turns: 40, calls: 80, calls_per_turn: 30, length: 40000, tokens: 1000000, seconds: 3600}}

# Who plays which role; without this the rules play, which needs no model and no key. Try models out with
# `interplay check`, and count what they would cost with `interplay estimate`.
# models:
#   local: {{model: my-model, base_url: "http://localhost:8000/v1", concurrency: 32}}
#   large: {{provider: anthropic, model: claude-sonnet-4-5}}   # the key is read from ANTHROPIC_API_KEY
# roles: {{user: local, assistant: large}}                   # and tool: for tools that are known by their schemas
# dialogues: 128                                           # open at a time; without this, twice what is asked at once
# budget: {{dollars: 20}}

# Who reviews tasks before they are played, and how often one is revised for what they say. The models of the role
# `reviewer` take the seats in turn; `rubric: true` gives rules a seat, which need no model.
# committee: {{reviewers: 3, rubric: false, threshold: 3, rounds: 3}}
"""
