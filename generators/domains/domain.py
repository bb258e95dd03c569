"""What makes a domain: a class of tools, how its users talk, a policy in prose and in code."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any

from interplay.generators.domains.domain_policy import DomainPolicy, rule_texts
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import import_python
from interplay.generators.values.world_seed import Size, WorldSeed
from interplay.schemas.json.yaml_text import parse_yaml
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.translation import Translation

_LANGUAGE = re.compile(r"wording\.([a-z]{2,3})\.yaml")


@dataclass(frozen=True)
class Domain:
    """A domain as a package brings it; its `wording.yaml`, with the reasons of its rules, stands in the package.

    A file `wording.de.yaml` beside it, and a `policy.de.md`, say in German what these say in English.

    `tools` is called for an object whose methods are the tools, and whose attributes are the state: with what `tables`
    makes of the seed of a world, or without arguments, where all tasks have the same rows. `sizes` are the numbers of rows
    that a configuration may set.
    """

    package: str
    name: str
    tools: type
    policy: DomainPolicy
    tables: Callable[[WorldSeed], Any] | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)

    @cached_property
    def toolset(self) -> Toolset:
        """The tools of the domain with its policy."""
        tools = import_python(self.tools, self.name).toolset
        wording = parse_yaml(files(self.package).joinpath("wording.yaml").read_text(encoding="utf-8"))
        reasons, said = wording.pop("reasons", {}), wording.pop("tools", {})
        tools = tools.phrased({name: ToolPhrases.model_validate(own) for name, own in said.items()})
        rules = tuple(
            rule.model_copy(update={"reason": reasons.get(rule.id, rule.reason)}) for rule in self.policy.rules
        )
        told = {"policy": self.policy.prose, "rules": rules, "licence": "Apache-2.0"}
        wording["translations"] = dict(sorted(self._translations()))
        return Toolset.model_validate({**dict(tools), **wording, **told})

    def _translations(self) -> Iterator[tuple[str, Translation]]:
        """Yield the languages of the domain: for each a file `wording.de.yaml`, and `policy.de.md` beside it."""
        for file in files(self.package).iterdir():
            found = _LANGUAGE.fullmatch(file.name)
            if found is not None:
                told = parse_yaml(file.read_text(encoding="utf-8"))
                policy = files(self.package).joinpath(f"policy.{found[1]}.md")
                prose = policy.read_text(encoding="utf-8") if policy.is_file() else ""
                rules = rule_texts(prose)
                yield found[1], Translation.model_validate({**told, "policy": prose, "rules": rules})

    def open(self, toolset: Toolset | None = None) -> Toolkit:
        """Open the domain with a database of its own; `toolset` offers some of its tools, or describes them otherwise."""
        return Toolkit(self.tools, toolset or self.toolset)

    def renewed(self, opened: Toolkit, seed: WorldSeed) -> Toolkit:
        """Open the domain as it was opened before, with the database of another world."""
        assert self.tables is not None
        make, tables = self.tools, self.tables
        return Toolkit(lambda: make(tables(seed)), opened.toolset, like=opened, name=f"{self.name}/{seed}")
