"""The bundled domains, and what a domain imports: tools as Python functions on a small database, with a policy.

clinic/           an outpatient clinic: the example to copy
rental/           a vehicle rental
workspace/        an office whose user has tools on a device of its own
domain.py         a package -> toolset, environment, translations
domain_policy.py  the numbered rules of policy.md, bound to code by their ids
queries.py        look-ups in tables, the next id, and names of people to fill tables with

Order: queries and domain_policy, domain, then the domains, which do not know each other.
To make your own, `interplay init --domain clinic`: the copy imports only the names of this package, which are stable.
A bundled `tools.py` must keep its name: it is part of the toolset's digest, which every record holds. So are the policy, the
docstrings of tools and of rows, and `wording.yaml`, except for the phrases of tools and the translations. Both sides draw
their sentences by that digest: after a change of one word, all dialogues of the domain are worded anew.
"""

from interplay.generators.domains.domain import Domain
from interplay.generators.domains.domain_policy import DomainPolicy, Rule, row, user_has_agreed
from interplay.generators.domains.queries import MOST_ROWS, found, has_words, mail_of, next_id, numbered, people
from interplay.generators.importers.python.decorators import ToolError, tool
from interplay.generators.values.world_seed import OPENING, Size, WorldSeed
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.tool import Duty
from interplay.schemas.words.lists import beside, rows, table, words

__all__ = [
    "MOST_ROWS", "OPENING", "Domain", "DomainPolicy", "Duty", "PolicyEvent", "Rule", "Size", "ToolError", "WorldSeed",
    "beside", "found", "has_words", "mail_of", "next_id", "numbered", "people", "row", "rows", "table", "tool",
    "user_has_agreed", "words",
]  # fmt: skip
