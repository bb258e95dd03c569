"""A vehicle rental with branches in five towns.

records.py   the rows: what the tools return and the state is made of
pricing.py   what things cost, computed in whole cents
rows.py      a new quote, booking or charge
seed.py      the branches, vehicles and customers at the start, made from word lists
history.py   their quotes, bookings, damage reports and charges
tools.py     the tools: methods of one class, which refuse only what is impossible
wording.yaml how customers talk about themselves and what they call things
policy.md    what the assistant must and must not do, in prose; each rule has an id
rules.py     the same rules as code, by id
"""

from functools import cache
from importlib.resources import files

import yaml

from interplay.generators.domains.rental.rules import POLICY, RentalPolicy, policy_rules
from interplay.generators.domains.rental.tools import Rental
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.importers.python import import_python
from interplay.schemas.tools import Toolset

__all__ = ["Rental", "RentalPolicy", "open_rental", "rental_toolset"]


@cache
def rental_toolset() -> Toolset:
    """Return the tools of the rental with its policy."""
    tools = import_python(Rental, "rental").toolset
    wording = yaml.safe_load(files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8"))
    return Toolset.model_validate(
        {**dict(tools), **wording, "policy": POLICY, "rules": policy_rules(), "licence": "Apache-2.0"}
    )


def open_rental(toolset: Toolset | None = None) -> Toolkit:
    """Open a rental with a database of its own; `toolset` offers some of its tools, or describes them otherwise."""
    return Toolkit(Rental, toolset or rental_toolset())
