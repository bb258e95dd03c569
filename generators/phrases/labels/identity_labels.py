"""An identity, or the argument that takes one -> its label: "order number", "environment id", "assignee"."""

from collections.abc import Collection, Iterable, Mapping

from interplay.generators.phrases.labels.field_labels import words_of
from interplay.schemas.json.canonical import last_name
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_abbreviation

_LISTS = beside(__file__)

_CODES = word_set("identities", "codes")
ANYTHING = set("resource object entity item record element".split())
"""Words of parameters that do not say what they identify."""

_NONE: Mapping[str, str] = {}
_ENDINGS = _CODES | {"name", "names", "slug", "code"}


def identity_label(resource: str, identity: str | None, nouns: Mapping[str, str]) -> str:
    """Return the label of a resource's identity: "order number", "username"."""
    own = words_of((identity or "id").split(".")[-1])
    noun = nouns.get(resource, words_of(resource))
    if own == "name":
        return f"{noun} name"
    kind, _, code = own.rpartition(" ")
    if code == "number" and kind and kind not in f"{noun} {resource}":
        return f"{noun} {own}"  # "device serial number"
    return coded(noun, nouns) if code in _CODES else own


def is_coded(label: str) -> bool:
    """Tell whether a label means the code of a thing rather than the thing: "origin id", not "origin"."""
    return label.rpartition(" ")[2] in _CODES


def coded(noun: str, nouns: Mapping[str, str]) -> str:
    """Return the label for the code of a thing: "order" -> "order number"; unchanged if it already ends in such a word."""
    return noun if noun.rpartition(" ")[2] in _CODES else f"{noun} {_code_word(noun, nouns)}"


def _code_word(noun: str, nouns: Mapping[str, str]) -> str:
    """Return "number" for things that people have a noun for or that are numbered on paper, else "id"."""
    return "number" if noun in nouns.values() or noun.rpartition(" ")[2] in NUMBERED else "id"


def callers_labels(names: Iterable[str], shown: Collection[str]) -> frozenset[str]:
    """Return labels of arguments that hold the caller's own identity: "user ID", if no tool has `shown` a user."""
    tokens = (tuple(name_tokens(name)) for name in names)
    whose = (own for own in tokens if len(own) == len(("user", "id")) and own[1] in _CODES and own[0] in _SERVED)
    return frozenset(words_of("_".join(own)) for own in whose if own[0] not in shown)


_SERVED = word_set("people", "served")


def is_one_of_several(pointer: str, references: Mapping[str, str]) -> bool:
    """Tell whether the call has another reference to the same resource beside the one at `pointer`: source and target."""
    kind = references.get(pointer)
    others = (at for at, to in references.items() if to == kind and at != pointer and at.count("/") == 1)
    return kind is not None and any(others)


def qualified(pointer: str) -> str:
    """Return the label of the row that an argument identifies: `source_ticket_id` -> "source ticket"."""
    tokens = [token for token in name_tokens(last_name(pointer)) if token not in _ENDINGS | {"or"}]
    return words_of(" ".join(tokens)) if tokens else ""


def argument_label(
    pointer: str, resource: str, identity: str | None, nouns: Mapping[str, str], references: Mapping[str, str] = _NONE
) -> str:
    """Return the label of an argument that takes an identity: by the argument's own name if that differs from the resource's.

    `references` maps the pointers of a call's references to resources; several to the same resource get distinct labels.
    """
    label = identity_label(resource, identity, nouns)
    tokens = [token for token in name_tokens(last_name(pointer)) if token != "body"]
    own = [token for token in tokens if token not in _ENDINGS and len(token) > 1]
    meant = singular(words_of(resource).split()[-1])
    if len(own) > 1 and label.split()[-1] in _CODES and is_one_of_several(pointer, references):
        return coded(qualified(pointer), nouns)
    heads = {singular(some[-1]) for some in (own, tokens) if some}
    if tokens == name_tokens((identity or "id").rpartition(".")[2]):
        return label
    if tokens[-1] in _CODES and label.rpartition(" ")[2] not in _CODES:
        label = coded(nouns.get(resource, words_of(resource)), nouns)
    if not own or resource in nouns or label.split()[-1] not in _CODES or meant in heads or ANYTHING.issuperset(own):
        return label
    if all(map(is_abbreviation, own)):  # `adr_id` of an address
        return label
    if tokens[-1] not in _ENDINGS:
        return words_of(" ".join(own)) if own == tokens else label
    return coded(words_of(" ".join(own)), nouns)


NUMBERED = word_set(_LISTS, "numbered")
"""Things that are numbered on paper; anything else has an id."""
