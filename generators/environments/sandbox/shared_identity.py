"""Rows with the identity of another resource's row, as project members have that of users: their keys and shared fields."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan
from interplay.generators.phrases.labels.field_labels import FAMILY_NAMES, FIRST_NAMES, WHOLE_NAMES, label_of
from interplay.schemas.json.validation import is_valid

BELOW = "@@"
"""Separates identity and owner in the key of a row whose identity another owner's row has too."""


def key_below(key: str, owner: str) -> str:
    """Return the key of a row whose identity another owner's row has too."""
    return f"{key}{BELOW}{owner}"


def identity_in_key(key: str) -> str:
    """Return the identity in a key."""
    return key.partition(BELOW)[0]


def borrowed_identity(
    resource: ResourcePlan,
    number: int,
    above: Mapping[str, str],
    options: Sequence[tuple[str, Any, Any]],
    taken: Collection[str],
    beside: Collection[str],
) -> tuple[str, Any] | None:
    """Return key and identity of a new row, from the rows (key, identity, owners) that it may mirror; none if all are used.

    `beside` are the identities used below its owner: nobody is a member twice.
    """
    for offset in range(len(options)):
        key, identity, _ = options[(number * 2 + offset) % len(options)]
        if identity_in_key(key) in beside:
            continue
        own = key if key not in taken else key_below(key, above.get(resource.parent or "", ""))
        if own not in taken:
            return own, identity
    return None


def with_shared_fields(
    resource: ResourcePlan, row: Mapping[str, Any], mirrored: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return `row` with the texts (names, addresses) of the row that it mirrors; a whole name is split, or joined of its parts."""
    fields = resource.schema["properties"]
    told = _names_of(row, mirrored or {}) | dict(mirrored or {})
    shared = {
        name: value
        for name, value in told.items()
        if name in row and name in fields and name != resource.identity and isinstance(value, str)
    }
    return {**row, **{name: value for name, value in shared.items() if is_valid(value, fields[name])}}


def name_of_person(row: Mapping[str, Any]) -> str:
    """Return the whole name of the person that a row is; empty if the row does not tell it."""
    first, last, whole = _told_names(row)
    return whole or f"{first} {last}".strip()


def _told_names(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the first, family and whole name in a row; empty where it has none."""
    texts = {label_of(f"/{name}"): value for name, value in row.items() if isinstance(value, str)}
    first, last, whole = (
        next((texts[label] for label in labels if label in texts), "")
        for labels in (FIRST_NAMES, FAMILY_NAMES, WHOLE_NAMES)
    )
    return first, last, whole


def _names_of(row: Mapping[str, Any], mirrored: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the person in a mirrored row, under the fields of `row`."""
    first, last, whole = _told_names(mirrored)
    if whole and not (first or last) and " " in whole:
        first, _, last = whole.partition(" ")
    if not (first and last):
        return {}
    whole = whole or f"{first} {last}"
    told = dict.fromkeys(FIRST_NAMES, first) | dict.fromkeys(FAMILY_NAMES, last) | dict.fromkeys(WHOLE_NAMES, whole)
    return {name: told[label] for name in row if (label := label_of(f"/{name}")) in told}
