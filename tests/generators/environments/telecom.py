"""A module in the manner of tau2-bench's domains: `get_environment()` gives an object with the tools of two sides."""

from typing import Any

from pydantic import BaseModel
from tests.generators.environments.toolkit.kits import ToolKit, ToolType, is_tool


class Line(BaseModel):
    line_id: str
    is_roaming: bool = False


class Network(BaseModel):
    lines: dict[str, Line]


class Phone(BaseModel):
    line_id: str = "L1"
    has_signal: bool = False
    restarts: int = 0


class NetworkTools(ToolKit[Network]):
    db: Network

    @is_tool()
    def get_line(self, line_id: str) -> Line:
        """Get a line."""
        if line_id not in self.db.lines:
            raise ValueError(f"Line {line_id} not found")
        return self.db.lines[line_id]

    @is_tool(ToolType.WRITE)
    def enable_roaming(self, line_id: str) -> str:
        """Enable roaming for a line."""
        self.db.lines[line_id].is_roaming = True
        return "Roaming enabled."

    @is_tool()
    def check_status(self) -> str:
        """Check the status of the network."""
        return "up"


class PhoneTools(ToolKit[Phone]):
    db: Phone

    @is_tool()
    def check_status(self) -> str:
        """See the bars on the phone."""
        return "signal" if self.db.has_signal else "no signal"

    @is_tool(ToolType.WRITE)
    def restart(self) -> int:
        """Restart the phone."""
        self.db.restarts += 1
        return self.db.restarts

    def not_a_tool(self) -> None:
        raise AssertionError


class Environment:
    def __init__(self, domain_name: str, policy: str, tools: Any, user_tools: Any = None) -> None:
        self.domain_name = domain_name
        self.policy = policy
        self.tools = tools
        self.user_tools = user_tools
        self.sync_tools()

    def get_domain_name(self) -> str:
        return self.domain_name

    def get_policy(self) -> str:
        return self.policy

    def sync_tools(self) -> None:
        if self.user_tools is not None:
            line = self.tools.db.lines[self.user_tools.db.line_id]
            self.user_tools.db.has_signal = line.is_roaming


def get_environment(db: Network | None = None, user_db: Phone | None = None, solo_mode: bool = False) -> Environment:
    lines = Network(lines={name: Line(line_id=name) for name in ("L1", "L2")})
    tools = NetworkTools(db if db is not None else lines)
    return Environment("telecom", "Be kind.", tools, None if solo_mode else PhoneTools(user_db or Phone()))


def get_tasks() -> list[dict[str, str]]:
    return [{"id": "1"}]
