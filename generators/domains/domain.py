"""A domain: a class of tools, the wording of its users, and a policy in prose and code."""

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
    """A domain defined by a package, which also holds its `wording.yaml` with the reasons of its rules.

    `wording.de.yaml` and `policy.de.md` in the package are German translations.

    `tools` is the class whose methods are the tools, and whose attributes are the state. It is instantiated with the result of
    `tables` for the seed of a world; without `tables`, with no arguments, and all tasks have the same rows. `sizes` are the
    numbers of rows that a configuration may set.
    """

    package: str
    name: str
    tools: type
    policy: DomainPolicy
    tables: Callable[[WorldSeed], Any] | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)

    @cached_property
    def toolset(self) -> Toolset:
        """The tools of the domain with its wording, policy and translations."""
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
        """Yield (language, translation) for each file like `wording.de.yaml`, with its `policy.de.md` if there is one."""
        for file in files(self.package).iterdir():
            found = _LANGUAGE.fullmatch(file.name)
            if found is not None:
                told = parse_yaml(file.read_text(encoding="utf-8"))
                policy = files(self.package).joinpath(f"policy.{found[1]}.md")
                prose = policy.read_text(encoding="utf-8") if policy.is_file() else ""
                rules = rule_texts(prose)
                yield found[1], Translation.model_validate({**told, "policy": prose, "rules": rules})

    def open(self, toolset: Toolset | None = None) -> Toolkit:
        """Open the domain with its own database; `toolset` may offer fewer tools, or describe them differently."""
        return Toolkit(self.tools, toolset or self.toolset)

    def renewed(self, opened: Toolkit, seed: WorldSeed) -> Toolkit:
        """Open the domain with the same toolset as `opened`, and the database of another world."""
        assert self.tables is not None
        make, tables = self.tools, self.tables
        return Toolkit(lambda: make(tables(seed)), opened.toolset, like=opened, name=f"{self.name}/{seed}")
