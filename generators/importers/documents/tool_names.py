"""Names from a source -> legal, unique and reproducible names.

"pets/get all"             -> "pets_get_all"
GET /pets/{id}, no name    -> "get_pets_by_id"
POST /pets/delete.json     -> "pets_delete"
the second "getPet"        -> "getPet_post"
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from interplay.schemas.words.lists import beside, word_set

MAX_NAME = 64
_TOOL = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PARAMETER = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def split_words(text: str) -> list[str]:
    """Split a name in any case style into lower-case words."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text[:500])
    spaced = re.sub(r"([A-Z])([A-Z][a-z])", r"\1 \2", spaced)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]


def legal_tool_name(name: str) -> str:
    """Return `name` with characters that are illegal in tool names replaced by `_`; empty if nothing is left."""
    return name if _TOOL.fullmatch(name) else _legal(name, r"[^A-Za-z0-9_-]+")


def legal_parameter_name(name: str) -> str:
    """Return `name` with characters that are illegal in parameter names replaced by `_`; never empty."""
    if _PARAMETER.fullmatch(name):
        return name
    return _legal(name, r"[^A-Za-z0-9_.-]+") or f"parameter_{_mark(name)}"


def _legal(name: str, illegal: str) -> str:
    plain = unicodedata.normalize("NFKD", name[:2_000]).encode("ascii", "ignore").decode()
    legal = re.sub(illegal, "_", plain).strip("_")
    return shorten(legal, name)


def shorten(name: str, original: str, limit: int = MAX_NAME) -> str:
    """Cut a name to `limit` characters; a hash of `original` keeps cut names distinct."""
    return name if len(name) <= limit else f"{name[: limit - 7].rstrip('_-')}_{_mark(original)}"


def _mark(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=3).hexdigest()


_ENDING = re.compile(r"\.(json|xml|csv|html?|php|aspx?|jsp)$", re.IGNORECASE)
_CALLED = word_set(beside(__file__), "verbs")
"""Verbs that mark a path without path parameters as a function call (RPC style), whatever its method."""


def called_in(path: str) -> str:
    """Return the verb of an RPC-style path: `/pets/delete.json` -> delete; empty for other paths."""
    words = split_words(_ENDING.sub("", path.rsplit("/", 1)[-1])) if "{" not in path and "#" not in path else []
    return next((word for word in (*words[:1], *words[-1:]) if word in _CALLED), "")


def name_from_path(method: str, path: str) -> str:
    """Name an operation after its method and path, or after the path alone for an RPC-style POST."""
    words = [] if method.lower() == "post" and called_in(path) else [method.lower()]
    for segment in _ENDING.sub("", path).split("/"):
        for part in re.split(r"(\{[^{}]*\})", segment):
            words += ["by", *split_words(part)] if part.startswith("{") else split_words(part)
    return shorten("_".join(words), f"{method} {path}")


def function_name(method: str, path: str, operation_id: str) -> str:
    """Return the function name in an operation id of the form function_path_method, as FastAPI generates it; else the id.

    read_item_items__item_id__get of GET /items/{item_id} -> read_item
    """
    name = operation_id.removesuffix(f"{re.sub(r'[^A-Za-z0-9_]', '_', path)}_{method.lower()}")
    return name if name.strip("_") else operation_id


def slug(text: str, fallback: str) -> str:
    """Return a toolset name: the words of `text`, else of `fallback`, in lower case, joined by `_`."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "_".join(split_words(plain))[:MAX_NAME].strip("_") or "_".join(split_words(fallback)) or "tools"


RESERVED = ("search_tools",)
"""Names of built-in tools."""


def unique_names(wanted: Sequence[tuple[str, bool, tuple[str, ...]]]) -> list[str]:
    """Return a unique name for each (name, whether it was altered, distinguishing suffixes), in the same order.

    Which one keeps a repeated name does not depend on the order: unaltered names come first, then the suffixes decide.
    """
    taken: set[str] = set(RESERVED)
    names = [""] * len(wanted)
    for index in sorted(range(len(wanted)), key=lambda index: (wanted[index][1], wanted[index][2])):
        name, _, suffixes = wanted[index]
        identity = " ".join((name, *suffixes))
        marks = [suffix for suffix in suffixes if len(suffix) < 30 and _TOOL.fullmatch(suffix)]
        candidates = [name, *(f"{shorten(name, name, MAX_NAME - len(mark) - 1)}_{mark}" for mark in marks)]
        candidates.append(f"{name[: MAX_NAME - 7]}_{_mark(identity)}")
        found = next((candidate for candidate in candidates if candidate not in taken), None)
        serial = 2
        while found is None:
            candidate = f"{name[: MAX_NAME - 12]}_{_mark(identity)}_{serial}"
            found, serial = (candidate if candidate not in taken else None), serial + 1
        taken.add(found)
        names[index] = found
    return names
