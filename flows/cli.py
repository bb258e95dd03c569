"""The entry point that console scripts of earlier editable installations import; see docs/versions.md."""

from interplay.flows.commands.cli import main as main
