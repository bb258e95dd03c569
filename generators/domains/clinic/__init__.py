"""An outpatient clinic, and the example to copy for a domain of your own.

records.py   the rows: what the tools return and the state is made of
seed.py      the database at the start, made from word lists
tools.py     the tools: methods of one class, which refuse only what is impossible
wording.yaml how patients talk about themselves and what they call things
policy.md    what the assistant must and must not do, in prose; each rule has an id
rules.py     the same rules as code, by id
"""

from functools import cache
from importlib.resources import files

import yaml

from interplay.generators.domains.clinic.rules import POLICY, ClinicPolicy, policy_rules
from interplay.generators.domains.clinic.tools import Clinic
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.importers.python import import_python
from interplay.schemas.tools import Toolset

__all__ = ["Clinic", "ClinicPolicy", "clinic_toolset", "open_clinic"]


@cache
def clinic_toolset() -> Toolset:
    """Return the tools of the clinic with its policy."""
    tools = import_python(Clinic, "clinic").toolset
    wording = yaml.safe_load(files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8"))
    return Toolset.model_validate(
        {**dict(tools), **wording, "policy": POLICY, "rules": policy_rules(), "licence": "Apache-2.0"}
    )


def open_clinic(toolset: Toolset | None = None) -> Toolkit:
    """Open a clinic with a database of its own; `toolset` offers some of its tools, or describes them otherwise."""
    return Toolkit(Clinic, toolset or clinic_toolset())
