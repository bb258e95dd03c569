"""What the chat templates of common models lose of dialogues that call tools, as `bench/chat_templates.py` found."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

HELD = Path(__file__).with_name("common_templates.yaml")


@cache
def common_losses() -> Mapping[str, Sequence[str]]:
    """Return by what is lost (see `LOSSES` in chat_template) the models whose templates lose it, or refuse the dialogue."""
    found: dict[str, list[str]] = yaml.safe_load(HELD.read_text(encoding="utf-8"))
    return found
