"""A `$ref` and its document -> its target, never outside the main document's folder or git repository.

"../shared/pet.yml#/Pet"  in  api/paths/pets.yml   ->   Target(value, document api/shared/pet.yml, "/Pet", "Pet")
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from interplay.generators.importers.documents.document_reader import MAX_BYTES, read_document
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.object_cache import ObjectCache

MAX_FILES = 5_000
MAX_CHAIN = 30
_NAMING = ("$id", "$anchor", "$dynamicAnchor")
_NO_SCHEMAS = ("example", "examples", "enum", "const")
_HOMES = ("schemas", "definitions", "$defs")


Named = dict[str, tuple[str, Any]]
"""Name of a schema -> its pointer and the schema."""


class BrokenReference(Exception):
    """A reference leads nowhere, outside the allowed folders, or in a circle; the message says which."""


@dataclass(frozen=True, eq=False)
class Document:
    """One parsed file; `path` is None for a value without a file."""

    shown: str
    root: Any
    path: Path | None = None


@dataclass(frozen=True)
class Target:
    """The target of a reference; `name` is the component's name, if its location gives it one."""

    value: Any
    document: Document
    pointer: str
    name: str | None = None

    @property
    def key(self) -> tuple[int, str]:
        """Identify the target's location."""
        return id(self.document), self.pointer


def _repository(folder: Path) -> Path:
    """Return the root of the git working tree around a folder; the folder itself if there is none."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


@dataclass
class References:
    """Resolves references that start from one main document; each file is read once.

    `fallback` is searched for fragments that a document without a file does not hold.
    """

    main: Document
    fallback: Document | None = None
    _files: dict[Path, Document | str] = field(default_factory=dict)
    _targets: dict[tuple[int, str], Target | str] = field(default_factory=dict)
    _components: ObjectCache[Named] = field(default_factory=lambda: ObjectCache(_components_of))
    _identified: ObjectCache[Named] = field(
        default_factory=lambda: ObjectCache(lambda file: dict(_named_schemas(file.root)))
    )
    _documents: dict[int, Document] = field(default_factory=dict)
    _opened: dict[tuple[Path, str], Document] = field(default_factory=dict)
    _bytes: int = 0

    def resolve(self, reference: str, document: Document) -> Target:
        """Follow `reference`, and further references at its target, to a value.

        Raises:
            BrokenReference: it leads to nothing that may be read.
        """
        key = (id(document), reference)
        if key not in self._targets:
            self._documents[id(document)] = document  # keeps the id in the key from being reused
            try:
                self._targets[key] = self._follow(reference, document, 0)
            except BrokenReference as error:
                self._targets[key] = str(error)
        found = self._targets[key]
        if isinstance(found, str):
            raise BrokenReference(found)
        return found

    def value(self, raw: Any, document: Document) -> tuple[Any, Document]:
        """Return `raw`, or its target if it is a reference object, and the document that holds the value.

        Raises:
            BrokenReference: the reference leads nowhere.
        """
        if isinstance(raw, dict) and isinstance(raw.get("$ref"), str):
            target = self.resolve(raw["$ref"], document)
            return target.value, target.document
        return raw, document

    def _follow(self, reference: str, document: Document, hops: int) -> Target:
        """Resolve one reference; a component that is itself only a reference gives its name if the target has none."""
        if hops > MAX_CHAIN:
            raise BrokenReference(f"$ref {reference!r} leads in a circle")
        file, _, fragment = reference.partition("#")
        if file and not fragment and "." not in file and "/" not in file and file in self._components(document):
            file, fragment = "", file
        found, home = self._open(file, document, reference) if file else (document, "")
        fragment = unquote(fragment)
        if home and (not fragment or fragment.startswith("/")):
            fragment = f"{home}{fragment}"
        pointer, value, found = self._locate(found, fragment, reference, hops)
        name = _component_name(pointer, found if file else None)
        if isinstance(value, dict) and set(value) == {"$ref"} and isinstance(value["$ref"], str):
            final = self._follow(value["$ref"], found, hops + 1)
            return Target(final.value, final.document, final.pointer, final.name or name)
        return Target(value, found, pointer, name)

    def _open(self, file: str, document: Document, reference: str) -> tuple[Document, str]:
        """Open a file, else find the schema of this document with that `$id`; return the document and the pointer to it."""
        try:
            return self._read(file, document, reference), ""
        except BrokenReference:
            home = self._identified(document).get(file)
            if home is None:
                raise
            return document, home[0]

    def _read(self, file: str, document: Document, reference: str) -> Document:
        if "://" in file or file.startswith("//") or file.partition(":")[0] in ("file", "urn", "data"):
            raise BrokenReference(f"$ref {reference!r} leads to the network; only files beside the document are read")
        if document.path is None or self.main.path is None:
            raise BrokenReference(f"$ref {reference!r} leads to another file")
        place = (document.path.parent, file)
        if place not in self._opened:
            self._opened[place] = self._found(place[0], self.main.path, file, reference)
        return self._opened[place]

    def _found(self, folder: Path, main: Path, file: str, reference: str) -> Document:
        """Return the document at `folder / file`; it must be within the main document's folder or repository."""
        try:
            main = main.resolve()
            home, path = main.parent, (folder / unquote(file)).resolve()
            inside = path.is_relative_to(home) or path.is_relative_to(_repository(home))
        except (OSError, ValueError, RuntimeError) as error:
            raise BrokenReference(f"$ref {reference!r} is no usable path") from error
        if not inside:
            raise BrokenReference(f"$ref {reference!r} leads outside the document's folder and repository")
        if path == main:
            return self.main
        if path not in self._files:
            shown = path.relative_to(home if path.is_relative_to(home) else _repository(home))
            self._files[path] = self._load(path, str(shown))
        opened = self._files[path]
        if isinstance(opened, str):
            raise BrokenReference(f"$ref {reference!r}: {opened}")
        return opened

    def _load(self, path: Path, shown: str) -> Document | str:
        try:
            size = path.stat().st_size if path.is_file() else 0
            if len(self._files) >= MAX_FILES or self._bytes + size > MAX_BYTES:
                return "too many or too large files"
            self._bytes += size
            return Document(shown, read_document(path, shown), path)
        except (ImportFailure, OSError) as error:
            return str(error) if isinstance(error, ImportFailure) else f"{shown} cannot be read"

    def _locate(self, document: Document, fragment: str, reference: str, hops: int) -> tuple[str, Any, Document]:
        if not fragment or fragment == "/":
            return "", document.root, document
        try:
            if fragment.startswith("/"):
                return self._walk(document, fragment, reference, hops)
            anchored = self._identified(document).get(f"#{fragment}") or self._components(document).get(fragment)
            if anchored:
                return *anchored, document
            if "/" in fragment:  # a pointer that lacks its first slash
                return self._walk(document, f"/{fragment}", reference, hops)
        except LookupError:
            pass
        *_, home, name = ("", *split_pointer(fragment)) if fragment.startswith("/") else ("", "")
        if home in _HOMES and name in self._components(document):  # #/definitions/User of one under components/schemas
            return *self._components(document)[name], document
        if self.fallback is not None and document is not self.fallback and document.path is None:
            return self._locate(self.fallback, fragment, reference, hops)
        raise BrokenReference(f"$ref {reference!r} leads to nothing in {document.shown}")

    def _walk(self, document: Document, pointer: str, reference: str, hops: int) -> tuple[str, Any, Document]:
        """Walk a JSON pointer, following references on the way; return pointer, value and document of the target."""
        value, place = document.root, ""
        for token in split_pointer(pointer):
            if isinstance(value, dict) and token not in value and isinstance(value.get("$ref"), str):
                target = self._follow(value["$ref"], document, hops + 1)
                value, document, place = target.value, target.document, target.pointer
            if isinstance(value, list) and token.isdigit() and len(token) < 7:
                value = value[int(token)]
            elif isinstance(value, dict):
                value = value[token]
            else:
                raise LookupError(reference)
            place += join_pointer(token)
        return place, value, document


def _components_of(document: Document) -> Named:
    """Return the component schemas of a document by plain name, as Swagger 1 refers to them."""
    names: Named = {}
    for place, schemas in component_maps(document.root):
        for name, schema in schemas.items():
            names.setdefault(name, (f"{place}/{name}", schema))
    return names


def _named_schemas(root: Any) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Yield the schemas with an `$id` or anchor, at any depth outside examples and extensions, with their pointers."""
    stack, seen = [("", root)], set()
    while stack:
        place, value = stack.pop()
        if not isinstance(value, (dict, list)) or id(value) in seen:
            continue
        seen.add(id(value))
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, str):
                if key in _NAMING:
                    yield (inner if key == "$id" else f"#{inner}"), (place, value)
            elif not (key in _NO_SCHEMAS or (isinstance(key, str) and key[:2] == "x-")):
                stack.append((f"{place}{join_pointer(str(key))}", inner))


def component_maps(root: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the maps of named schemas in a document, with their pointers."""
    if not isinstance(root, dict):
        return []
    components = root.get("components")
    places = [("/definitions", root.get("definitions")), ("/$defs", root.get("$defs"))]
    if isinstance(components, dict):
        places.append(("/components/schemas", components.get("schemas")))
    return [(place, schemas) for place, schemas in places if isinstance(schemas, dict)]


def _component_name(pointer: str, file: Document | None) -> str | None:
    """Return the name of the schema at a pointer: its key below `schemas`, or the file's name."""
    tokens = split_pointer(pointer)
    if len(tokens) >= 2 and tokens[-2] in _HOMES:
        return tokens[-1]
    if file is not None and file.path is not None and len(tokens) <= 1:
        return tokens[0] if tokens else file.path.stem
    return None
