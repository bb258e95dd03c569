"""The workspace of an office: files, calendar, mail and tasks of one person, and the laptop that they are used from.

records.py    the rows: what the tools return and the state is made of
vocabulary.py invented people, companies and projects
seed.py       the database at the start, made from them
device.py     the user's laptop, and how it is kept in line with the servers
state.py      what the tools read and change
tools.py      the tools in their order; they stand by topic in people.py, files.py, meetings.py, mails.py, tasks.py,
              support.py, and those that are the user's own in laptop.py
wording.yaml  how people talk about what they want, what they call things, and why something is refused
policy.md     what the assistant must and must not do, in prose; each rule has an id
rules.py      the same rules as code, by id
"""

from interplay.generators.domains.domain import Domain
from interplay.generators.domains.workspace.rules import POLICY
from interplay.generators.domains.workspace.tools import Workspace

__all__ = ["DOMAIN", "Workspace"]

DOMAIN = Domain(__name__, "workspace", Workspace, POLICY)
