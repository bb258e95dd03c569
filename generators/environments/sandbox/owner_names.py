"""A row that belongs to a person -> the same, with its texts about that person: the session of a user."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan
from interplay.generators.environments.inference.result_rows import at_path
from interplay.generators.environments.sandbox.shared_identity import name_of_person
from interplay.generators.values.texts.formatted_texts import address_of
from interplay.schemas.json.canonical import leaves, set_leaf, split_pointer
from interplay.schemas.words.nouns import PERSON_NOUNS, singular

_PERSON = "_person"
"""The field with the made-up person that the texts of a row mention, as long as nobody is known to whom it belongs."""


def _are_people(resource: str) -> bool:
    """Tell whether the rows of a resource are people."""
    return singular(resource.rpartition("_")[2]) in PERSON_NOUNS


def marked(row: dict[str, Any], resource: str, person: str) -> dict[str, Any]:
    """Return a made-up row with a note of the person that its texts mention, if they mention one and it is not the row."""
    mentions = any(isinstance(text, str) and person in text for _, text in leaves(row))
    return {**row, _PERSON: person} if mentions and not _are_people(resource) else row


def told_of_owner(
    resource: ResourcePlan,
    row: Mapping[str, Any],
    above: Mapping[str, str],
    found: Callable[[str, str], Mapping[str, Any] | None],
) -> dict[str, Any]:
    """Return a row whose texts mention the person that it belongs to, if it belongs to one alone, and no longer the made-up one.

    `above` are its owners; `found` returns the row of a resource by its key.
    """
    told = {name: value for name, value in row.items() if name != _PERSON}
    if _PERSON not in row:
        return told
    rows = (found(kind, key) for kind, key in _owners(resource, row, above))
    people = {name for person in rows if person is not None and (name := name_of_person(person))}
    if len(people) != 1:
        return told
    made, own = str(row[_PERSON]), people.pop()
    for pointer, text in leaves(told):
        if isinstance(text, str) and not pointer.startswith("/_"):
            changed = text.replace(made, own).replace(address_of(made), address_of(own))
            told = set_leaf(told, pointer, changed) if changed != text else told
    return told


def _owners(resource: ResourcePlan, row: Mapping[str, Any], above: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield resource and key of each person that a row refers to, in its outermost such fields outside of lists, or belongs to."""
    found = [(at, to) for at, to in resource.references.items() if _are_people(to) and "*" not in at]
    nearest = min((at.count("/") for at, _ in found), default=0)
    named = {at: to for at, to in found if at.count("/") == nearest}
    for at, to in named.items():
        yield from ((to, str(key)) for key in at_path(row, split_pointer(at)) if isinstance(key, (str, int)))
    yield from ((kind, key) for kind, key in above.items() if _are_people(kind) and kind not in named.values())
