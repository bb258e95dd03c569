"""The text of a YAML file that comes with the package -> its value."""

from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast where PyYAML was built with libyaml, as it is in its wheels."""


def parse_yaml(text: str) -> Any:
    """Return what a YAML document holds: mappings, lists and scalars, nothing else.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    return yaml.load(text, Loader=LOADER)
