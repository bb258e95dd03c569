"""Where console scripts of earlier editable installations look for the command line; see docs/versions.md."""

from interplay.flows.commands.cli import main as main
