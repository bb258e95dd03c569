"""An author's seed rows and examples -> the same, checked against the schema of their resource and for their references."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan
from interplay.generators.environments.inference.result_rows import PARENT, at_path
from interplay.generators.environments.overrides.conditions import suggestion
from interplay.generators.environments.overrides.override_file import Authored
from interplay.schemas.json.canonical import join_pointer, leaves, split_pointer
from interplay.schemas.json.fields import leaf_schemas, schema_type
from interplay.schemas.json.validation import errors


def checked_seeds(
    resources: Mapping[str, ResourcePlan], authored: Authored, names: Mapping[str, str]
) -> dict[str, ResourcePlan]:
    """Return the resources with the author's seed rows; `names` maps resource names in the file to their final names.

    Raises:
        ConfigError: a row has an unknown field, a value that does not fit, another row's identity, or refers to no seed row.
    """
    found = dict(resources)
    written = {names.get(name, name): name for name, item in authored.overrides.resources.items() if item.seed_rows}
    for now, name in written.items():
        rows = authored.overrides.resources[name].seed_rows
        assert not isinstance(rows, str)
        at = join_pointer("resources", name, "seed_rows")
        seeds = tuple(
            _checked(row, resources[now], f"{at}/{number}", authored, name in authored.textual)
            for number, row in enumerate(rows)
        )
        _check_identities(seeds, resources[now], at, authored)
        found[now] = replace(resources[now], seeds=seeds, count=resources[now].count or 0)
    keys = {
        name: {str(key) for row in item.seeds if (key := item.identity_of(row)) is not None}
        for name, item in found.items()
    }
    for now, name in written.items():
        for number, row in enumerate(found[now].seeds):
            _check_references(row, found[now], keys, join_pointer("resources", name, "seed_rows", number), authored)
    return found


def checked_examples(
    resources: Mapping[str, ResourcePlan], authored: Authored, names: Mapping[str, str]
) -> dict[str, ResourcePlan]:
    """Return the resources with the author's example rows; `names` maps resource names in the file to their final names.

    Raises:
        ConfigError: an example has an unknown field or a value that does not fit.
    """
    found = dict(resources)
    for name, item in authored.overrides.resources.items():
        now, at = names.get(name, name), join_pointer("resources", name, "examples")
        for number, row in enumerate(item.examples):
            for pointer, why in misfits(row, found[now]):
                raise authored.error(f"{at}/{number}{pointer}", why)
        if item.examples:
            found[now] = replace(found[now], examples=item.examples)
    return found


def misfits(row: Mapping[str, Any], plan: ResourcePlan) -> Iterator[tuple[str, str]]:
    """Yield pointer and reason for each field of a partial row that the resource does not have or whose value does not fit."""
    fields = {pointer: schema for pointer, _, schema in leaf_schemas(plan.schema)}
    for name, value in row.items():
        inner = leaves(value) if isinstance(value, Mapping) and join_pointer(name) not in fields else [("", value)]
        for below, leaf in inner:
            pointer = join_pointer(name) + below
            if pointer not in fields:
                yield pointer, f"{plan.name} has no such field{suggestion(pointer, fields)}"
            else:
                yield from ((pointer, text.rstrip(".")) for _, text in errors(leaf, fields[pointer], limit=1))


def _checked(row: Mapping[str, Any], plan: ResourcePlan, at: str, authored: Authored, textual: bool) -> dict[str, Any]:
    fields = plan.schema["properties"]
    checked: dict[str, Any] = {}
    for name, value in row.items():
        if name == PARENT:
            if plan.parent is None:
                raise authored.error(f"{at}/{PARENT}", f"{plan.name} has no parent; give resources/{plan.name}/parent")
            checked[name] = str(value)
            continue
        if name not in fields:
            raise authored.error(
                f"{at}{join_pointer(name)}", f"{plan.name} has no such field{suggestion(name, fields)}"
            )
        checked[name] = _typed(value, fields[name]) if textual else value
        for path, text in errors(checked[name], fields[name], limit=1):
            raise authored.error(f"{at}{join_pointer(name, *path)}", text.rstrip("."))
    return checked


def _typed(cell: str, schema: Mapping[str, Any]) -> Any:
    """Return a CSV cell converted to the type of its field; the text unchanged if it cannot be converted."""
    kind = schema_type(schema)
    if kind == "boolean" and cell.lower() in ("true", "false"):
        return cell.lower() == "true"
    if kind in ("integer", "number"):
        try:
            return int(cell) if kind == "integer" or cell.lstrip("-").isdigit() else float(cell)
        except ValueError:
            return cell
    return cell


def _check_identities(seeds: tuple[Mapping[str, Any], ...], plan: ResourcePlan, at: str, authored: Authored) -> None:
    seen: set[str] = set()
    for number, row in enumerate(seeds):
        stated = plan.identity_of(row)
        key = str(stated) if stated is not None else None
        if key is not None and key in seen:
            raise authored.error(f"{at}/{number}{plan.identity_pointer}", f"{key!r} is another row's identity")
        seen |= {key} if key is not None else set()


def _check_references(
    row: Mapping[str, Any], plan: ResourcePlan, keys: Mapping[str, set[str]], at: str, authored: Authored
) -> None:
    """Check that references lead to seed rows, since identities of made-up rows cannot be foreseen."""
    held = [(pointer, target, at_path(row, split_pointer(pointer))) for pointer, target in plan.references.items()]
    if PARENT in row:
        held.append((f"/{PARENT}", str(plan.parent), iter([row[PARENT]])))
    for pointer, target, values in held:
        for value in values:
            if value is not None and str(value) not in keys[target]:
                known = suggestion(str(value), sorted(keys[target])) if keys[target] else ""
                raise authored.error(
                    f"{at}{pointer}",
                    f"no seed row of {target} has the identity {value!r}{known.rstrip('?')}; "
                    f"add it to resources/{target}/seed_rows, or leave the field out",
                )
