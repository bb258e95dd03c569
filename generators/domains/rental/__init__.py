"""A vehicle rental with branches in five towns.

data_model.py  the types of rows, and of the arguments and results of tools
tariff.py      prices, computed in whole cents from tariff.yaml
contracts.py   new quotes, bookings and charges
seed.py        the initial branches, vehicles and customers, made from the lists in seed.yaml
history.py     their quotes, bookings, damage reports and charges
state.py       the state that the tools read and change
tools.py       the tools in their order; they refuse only what is impossible, and are defined by topic in
               customers.py, vehicles.py, quotes.py, bookings.py, damages.py, charges.py
wording.yaml   how customers talk about themselves and what they call things; the reasons of refusals
wording.de.yaml, policy.de.md  the same in German
policy.md      what the assistant must and must not do, in prose; each rule has an id
rules.py       the same rules as code, by id

Order: data_model, tariff, contracts, history, seed, state, the topics, tools, rules.
To add a rule, write it in policy.md and add its line to `RULES`.
"""

from interplay.generators.domains import Domain
from interplay.generators.domains.rental.rules import POLICY
from interplay.generators.domains.rental.seed import SIZES, make_tables
from interplay.generators.domains.rental.tools import Rental

__all__ = ["DOMAIN", "Rental"]

DOMAIN = Domain(__name__, "rental", Rental, POLICY, make_tables, SIZES)
