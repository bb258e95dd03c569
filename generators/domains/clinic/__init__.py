"""An outpatient clinic, and the example to copy for a domain of your own.

data_model.py  the types of rows, and of the arguments and results of tools
seed.py        the initial database, made from the lists in seed.yaml
state.py       the state that the tools read and change
tools.py       the tools in their order; they refuse only what is impossible, and are defined by topic in
               patients.py, practitioners.py, appointments.py, prescriptions.py, invoices.py, reception.py
wording.yaml   how patients talk about themselves and what they call things; the reasons of refusals
wording.de.yaml, policy.de.md  the same in German: nouns with their articles, wishes, values, the rules
policy.md      what the assistant must and must not do, in prose; each rule has an id
rules.py       the same rules as code, by id

Order: data_model, seed, state, the topics, tools, rules.
To add a rule, write it in policy.md and add its line to `RULES`.
"""

from interplay.generators.domains import Domain
from interplay.generators.domains.clinic.rules import POLICY
from interplay.generators.domains.clinic.seed import SIZES, make_tables
from interplay.generators.domains.clinic.tools import Clinic

__all__ = ["DOMAIN", "Clinic"]

DOMAIN = Domain(__name__, "clinic", Clinic, POLICY, make_tables, SIZES)
