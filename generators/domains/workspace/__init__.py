"""The workspace of an office: files, calendar, mail and tasks of one person, and the laptop that they are used from.

data_model.py   the types of rows, and of the arguments and results of tools
sample_data.py  invented companies and projects, from sample_data.yaml
seed.py         the initial database, made from them
device.py       the user's laptop, and its synchronisation with the servers
state.py        the state that the tools read and change
tools.py        the tools in their order; they are defined by topic in directory.py, folders.py, meetings.py, mails.py,
                task_list.py, support.py, and the user's tools in laptop.py
wording.yaml    how people talk about what they want, what they call things; the reasons of refusals
wording.de.yaml, policy.de.md  the same in German
policy.md       what the assistant must and must not do, in prose; each rule has an id
rules.py        the same rules as code, by id

Order: data_model, sample_data, seed, device, state, the topics, tools, rules.
To add a rule, write it in policy.md and add its line to `RULES`.
"""

from interplay.generators.domains import Domain
from interplay.generators.domains.workspace.rules import POLICY
from interplay.generators.domains.workspace.seed import make_tables
from interplay.generators.domains.workspace.tools import Workspace

__all__ = ["DOMAIN", "Workspace"]

DOMAIN = Domain(__name__, "workspace", Workspace, POLICY, make_tables)
