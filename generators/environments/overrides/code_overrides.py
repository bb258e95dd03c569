"""The resource model of code or a server, and overrides -> the revised model; overrides that need a sandbox are refused."""

from collections.abc import Mapping, Sequence

from interplay.generators.environments.overrides.conditions import suggestion
from interplay.generators.environments.overrides.override_file import Authored
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.records.override import ToolOverride
from interplay.schemas.records.tool import Resource, ResourceModel, ToolRole

_NEEDS_A_SANDBOX = ("identity", "merge", "references")


def revised_model(model: ResourceModel, authored: Authored, what: str) -> ResourceModel:
    """Return the resource model of code or a server with the author's overrides; `what` names the code in errors.

    Raises:
        ConfigError: an override is of a kind that only a sandbox supports, or names a resource that does not exist.
    """
    said = authored.overrides
    refuse_made_up(authored, what)
    known = [resource.name for resource in model.resources]
    for name, override in said.resources.items():
        at = join_pointer("resources", name)
        if name not in known:
            raise authored.error(at, f"there is no such resource{suggestion(name, known)}")
        for key in _NEEDS_A_SANDBOX:
            if key in override.model_fields_set:
                raise authored.error(
                    f"{at}/{key}", f"{what} keeps its own rows; only name, noun and parent can be given"
                )
    names = {name: override.name or name for name, override in said.resources.items()}
    parents = {name: item.parent for name, item in said.resources.items() if "parent" in item.model_fields_set}
    resources = tuple(
        item.model_copy(
            update={
                "name": names.get(item.name, item.name),
                "parent": _named(parents.get(item.name, item.parent), names),
            }
        )
        for item in model.resources
    )
    return ResourceModel(
        resources=resources, roles=tuple(_role(role, names, resources, authored) for role in model.roles)
    )


def refuse_made_up(authored: Authored, what: str) -> None:
    """Refuse overrides that only a sandbox supports: made-up rows, error cases and fields to set.

    Raises:
        ConfigError: the author gives such an override.
    """
    for name, resource in authored.overrides.resources.items():
        for key in ("rows", "seed_rows", "examples"):
            if key in resource.model_fields_set:
                raise authored.error(join_pointer("resources", name, key), f"{what} keeps its own rows")
    for name, tool in authored.overrides.tools.items():
        for key in ("errors", "sets"):
            if key in tool.model_fields_set:
                raise authored.error(join_pointer("tools", name, key), f"{what} decides by itself what a call does")


def _named(name: str | None, names: Mapping[str, str]) -> str | None:
    return names.get(name, name) if name is not None else None


def _role(role: ToolRole, names: Mapping[str, str], resources: Sequence[Resource], authored: Authored) -> ToolRole:
    override = authored.overrides.tools.get(role.tool, ToolOverride())
    known = {resource.name for resource in resources}
    resource = names.get(override.resource, override.resource) if override.resource else _named(role.resource, names)
    if resource is not None and resource not in known:
        at = join_pointer("tools", role.tool, "resource")
        raise authored.error(at, f"there is no such resource{suggestion(resource, sorted(known))}")
    references = {pointer: names.get(target, target) for pointer, target in role.references.items()}
    because = dict(role.because)
    for place, target in override.references.items():
        pointer = place if place.startswith("/") else join_pointer(place)
        references.pop(pointer, None)
        because[pointer] = f"{authored.name} says so"
        if target is not None and names.get(target, target) not in known:
            raise authored.error(join_pointer("tools", role.tool, "references", place), f"no resource {target!r}")
        references |= {pointer: names.get(target, target)} if target is not None else {}
    said = {"operation", "resource"} & override.model_fields_set
    return role.model_copy(
        update={
            "operation": override.operation or role.operation,
            "resource": resource,
            "references": references,
            "because": because,
            "yields": {pointer: names.get(target, target) for pointer, target in role.yields.items()},
            "why": f"{authored.name} says so" if said else role.why,
        }
    )
