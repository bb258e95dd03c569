"""Tools that answer in sentences."""

from interplay.generators.importers.python.importer import tool


class Support:
    """Lines of a phone company."""

    def __init__(self) -> None:
        """Begin with one line."""
        self.lines = {"L1": {"line_id": "L1", "name": "Office", "roaming": False}}

    @tool(effect="write")
    def reset_line(self, line_id: str) -> str:
        """Reset a line."""
        self.lines[line_id]["roaming"] = False
        return "Roaming is off for now."
