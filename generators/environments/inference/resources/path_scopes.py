"""Names that only paths give to what rows lie within -> the resource whose rows bear them: the owner of a repository is an org.

/orgs/{org}/repos and /repos/{owner}/{repo}, which shows {"owner": {"login": ...}}  ->  owner: org
"""

from collections.abc import Mapping
from dataclasses import replace

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan
from interplay.generators.environments.inference.resources.relations import path_owners
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens

_HANDLES = ("login", "username", "handle", "slug")
"""Identities under which accounts of different kinds are named."""


def scope_owners(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    """Return the scopes whose names are identities of rows that tools show, with the resource of these."""
    above, found = path_owners(tools), dict[str, str]()
    for resource in resources.values():
        scope = resources.get(resource.parent or "")
        if scope is None or not scope.scope or scope.name in found:
            continue
        shown = _shown(resource, scope)
        fitting = [
            other.name
            for other in resources.values()
            if not other.scope
            and other.name != resource.name
            and other.identity in shown
            and schema_type(other.identity_schema) == schema_type(scope.identity_schema)
        ]
        made_in = {owner for plan in tools.values() if plan.operation == "create" for owner in _owners(plan, resource)}
        near = [name for name in fitting if name in above[resource.name]] or [
            name for name in fitting if resources[name].identity in _HANDLES and resources[name].parent is None
        ]
        if near:
            found[scope.name] = min(near, key=lambda name: (name not in made_in, near.index(name)))
    return found


def _owners(plan: ToolPlan, resource: ResourcePlan) -> list[str]:
    return [owner for _, owner in plan.parents] if plan.resource == resource.name else []


def _shown(resource: ResourcePlan, scope: ResourcePlan) -> set[str]:
    """Return the fields of what a row shows of its scope."""
    for key, schema in resource.schema["properties"].items():
        if "_".join(name_tokens(key)) in (scope.name, scope.identity):
            return set(object_properties(schema))
    return set()


def with_owners(tools: Mapping[str, ToolPlan], owners: Mapping[str, str]) -> dict[str, ToolPlan]:
    """Return the tools with the scopes in their paths read as what they are."""
    return {
        name: replace(plan, parents=tuple((argument, owners.get(owner, owner)) for argument, owner in plan.parents))
        for name, plan in tools.items()
    }
