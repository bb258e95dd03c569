"""The workspace of an office: files, calendar, mail and tasks of one person, and the laptop that they are used from.

records.py    the rows: what the tools return and the state is made of
vocabulary.py invented people, companies and projects
seed.py       the database at the start, made from them
device.py     the user's laptop, and how it is kept in line with the servers
tools.py      the tools: methods of one class; some are the user's own
wording.yaml  how people talk about what they want, and what they call things
policy.md     what the assistant must and must not do, in prose; each rule has an id
rules.py      the same rules as code, by id
"""

from functools import cache
from importlib.resources import files

import yaml

from interplay.generators.domains.workspace.rules import POLICY, WorkspacePolicy, policy_rules
from interplay.generators.domains.workspace.tools import Workspace
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.importers.python import import_python
from interplay.schemas.tools import Toolset

__all__ = ["Workspace", "WorkspacePolicy", "open_workspace", "workspace_toolset"]


@cache
def workspace_toolset() -> Toolset:
    """Return the tools of the workspace with its policy."""
    tools = import_python(Workspace, "workspace").toolset
    wording = yaml.safe_load(files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8"))
    return Toolset.model_validate(
        {**dict(tools), **wording, "policy": POLICY, "rules": policy_rules(), "licence": "Apache-2.0"}
    )


def open_workspace(toolset: Toolset | None = None) -> Toolkit:
    """Open a workspace with a database of its own; `toolset` offers some of its tools, or describes them otherwise."""
    return Toolkit(Workspace, toolset or workspace_toolset())
