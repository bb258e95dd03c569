"""Parsing the YAML files that come with the package."""

from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The libyaml loader where PyYAML has it, as in its wheels: ten times as fast."""


def parse_yaml(text: str) -> Any:
    """Parse a YAML document into mappings, lists and scalars, nothing else.

    Raises:
        yaml.YAMLError: it is not YAML.
    """
    return yaml.load(text, Loader=LOADER)
