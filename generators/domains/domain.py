"""What makes a domain: a class of tools, how its users talk, a policy in prose and in code."""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from interplay.generators.domains.policy import DomainPolicy
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.importers.python import import_python
from interplay.schemas.tools import Toolset
from interplay.schemas.yaml_text import parse_yaml


@dataclass(frozen=True)
class Domain:
    """A domain as a package brings it; its `wording.yaml`, with the reasons of its rules, stands in the package.

    `tools` is called without arguments for an object whose methods are the tools, and whose attributes are the state.
    """

    package: str
    name: str
    tools: type
    policy: DomainPolicy

    @cached_property
    def toolset(self) -> Toolset:
        """The tools of the domain with its policy."""
        tools = import_python(self.tools, self.name).toolset
        wording = parse_yaml(files(self.package).joinpath("wording.yaml").read_text(encoding="utf-8"))
        reasons = wording.pop("reasons", {})
        rules = tuple(
            rule.model_copy(update={"reason": reasons.get(rule.id, rule.reason)}) for rule in self.policy.rules
        )
        told = {"policy": self.policy.prose, "rules": rules, "licence": "Apache-2.0"}
        return Toolset.model_validate({**dict(tools), **wording, **told})

    def open(self, toolset: Toolset | None = None) -> Toolkit:
        """Open the domain with a database of its own; `toolset` offers some of its tools, or describes them otherwise."""
        return Toolkit(self.tools, toolset or self.toolset)
