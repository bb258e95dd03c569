"""All resources of a toolset -> the one that a field means by its name, description or examples."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import (
    ResourcePlan,
    schema_at,
    schema_within,
)
from interplay.generators.environments.inference.tool_words import (
    ENVELOPES,
    LISTS,
    PEOPLE,
    VAGUE,
    resource_name,
    stem_of,
)
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import (
    CONSTRAINTS,
    IDENTIFYING,
    leaf_schemas,
    object_properties,
    same_kind,
    schema_type,
)
from interplay.schemas.words.identifiers import last_word, name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular

_CLAUSES = word_set(LISTS, "clauses")
"""Words that begin a new clause in a description."""

_DESCRIBED = re.compile(
    r"\b(?:g?ids?|identifiers?|[ug]uids?|key) (?:of|for) (?:the |an? |this |a list of )?((?:[a-z]+ ){0,3}[a-z]+)\b(?!['’]s)"
)


_OF_ROW = re.compile(
    r"\b([a-z]+)`? (?:of|for) (?:the |an? |this |each )?(?:\w+ object: )?`?((?:[a-z]+ ){0,2}[a-z]+)\b(?!['’]s)"
)
"""A word and what it is of: "the gid of a user", "`id` of the project"."""

_IDENTIFYING = {"id", "ids", "identifier", "identifiers", "uuid", "uuids", "guid", "guids"}

_NAME_OF = re.compile(r"^(?:the |a )?(?:unique )?name of (?:the |an? |this )?([a-z]+)\b")
_NAMES_OF = re.compile(r"\b([a-z]+) names\b|\bnames of (?:the )?([a-z]+)")
_MARKS = ("ts", "timestamp", "thread_ts")
_OF_MARK = re.compile(r"\b(?:timestamp|ts) of (?:the |a |an )?(?:parent )?([a-z]+)")
_JOINED = re.compile(r"\b(?:comma|,)[- ]?(?:separated|delimited)\b", re.IGNORECASE)

_READ = 400
"""Characters of a description in which names of fields are looked for."""

_PAIR = 2
"""Fields of an object that only identifies something: its type and its id."""

_BEGINNING = re.compile(r"\^[A-Za-z]{2,}[_-]")
"""The beginning of a pattern with a prefix that is specific to one resource."""

_PREFIX = re.compile(r"\^([A-Za-z]{2,}[_-]?)(?![*?{])")
"""The letters with which all values of a pattern begin."""

_KINDS = ("object", "kind", "resource_type")
"""Fields that hold the kind of an object."""

SPOKEN_BY = ("login", "username", "slug", "handle", "key", "name")
"""Fields by which paths name a row, the likeliest first."""

_SPOKEN = {"name", "slug", "login", "handle", "username", "code", "no"}
"""Last words of readable identities, which a field named like the resource may hold."""

_CALLED = _SPOKEN | {"title", "label"}
"""Fields that hold the name of a row, alone or after its noun."""

SHOWN_BY_READ = "a field of the row that a read shows"
"""The rule for identities that calls take and reads show; people of such a resource are preferred as targets."""


class ResourceIndex:
    """Finds the resource that a field means, among all resources of a toolset."""

    def __init__(
        self,
        resources: Mapping[str, ResourcePlan],
        words: Mapping[str, str] | None = None,
        scopes: Mapping[str, str] | None = None,
    ) -> None:
        self._resources = resources
        self._scopes = scopes or {}
        named = [plan.name for plan in resources.values() if plan.identity is not None and not plan.scope]
        self._named = frozenset(named)
        tails: dict[str, list[str]] = defaultdict(list)
        for name in named:
            tails[name.split("_")[-1]].append(name)
        self._tails = {tail: names[0] for tail, names in tails.items() if len(names) == 1}
        self._words = {word: name for word, name in (words or {}).items() if name in self._named}
        self._kinds = self._told_kinds() if self._words else {}
        held = {name: resources[name].schema["properties"] for name in named}
        kinds = [(_only(fields.get("type", {})), name) for name, fields in held.items() if "attributes" in fields]
        told = [(kind, name) for kind, name in kinds if kind is not None]
        told.sort(key=lambda pair: resource_name(pair[0]) == pair[1])  # of several, the one with that name wins
        self._typed = dict(told)
        people = ("user", "member", "person", "people", "employee", "account")
        known = [name for name in people if name in self._named]
        read = [name for name in known if SHOWN_BY_READ in resources[name].why.values()]
        self._person = next(iter(read or known), None)
        self._patterns: dict[str, list[str]] = defaultdict(list)
        for name, resource in self._resources.items():
            pattern = str(resource.identity_schema.get("pattern", ""))
            if _BEGINNING.match(pattern):
                self._patterns[pattern].append(name)
        self._samples: dict[str, list[str]] = defaultdict(list)
        for name in named:
            for sample in _examples(resources[name].identity_schema):
                self._samples[sample].append(name)

    @property
    def has_words(self) -> bool:
        """Whether functions have words of their own for resources."""
        return bool(self._words)

    def described(self, name: str, schema: Mapping[str, Any], stem: str | None = None) -> str | None:
        """Return the resource that the description of an identifier names: `Identifier of the contact`.

        If it names the object around the field (its `stem`), it means no other resource: `ID of the invoice line item`.
        """
        spoken = tuple(_described(str(schema.get("description", "")).lower()))
        if stem_of(name) is None and stem in spoken and stem not in self._named:
            return None
        for word in spoken:
            if word in self._named and word not in VAGUE and self.fits(name, schema, word):
                return word
        return None

    def told_of(self, name: str, schema: Mapping[str, Any]) -> str | None:
        """Return the resource whose identity a description asks for, under the name that identity has: "gid of a user"."""
        for word, noun in _OF_ROW.findall(str(schema.get("description", "")).lower()):
            for found in self._nouns(noun):
                if found not in self._named or found in VAGUE or not self.fits(name, schema, found):
                    continue
                if self._is_told_of_another_field(found, schema):
                    continue
                if word in _IDENTIFYING or word == self._resources[found].identity_path[-1]:
                    return found
        return None

    def _is_told_of_another_field(self, name: str, schema: Mapping[str, Any]) -> bool:
        """Tell whether a description is that of a field of a row besides its identity, or names it: "the id (externalId)"."""
        resource, told = self._resources[name], str(schema.get("description", ""))
        fields = resource.schema["properties"].items()
        others = {key: item for key, item in fields if (key,) != resource.identity_path}
        named = {word for word in re.findall(r"\w+", told[:_READ]) if len(name_tokens(word)) > 1}
        return bool((named - self._named) & others.keys()) or any(
            item.get("description") == told for item in others.values()
        )

    def _nouns(self, words: str) -> Iterable[str]:
        """Yield the resource names that a clause may begin with, the longest first: `custom field setting on`.

        A resource before another one only says of what kind that is: a `conversation participant` is a participant.
        """
        spoken = words.split()
        for length in range(len(spoken), 1, -1):
            yield resource_name("_".join(spoken[:length]))
        names = [resource_name(word) for word in spoken]
        known = next((at for at, name in enumerate(names) if name not in self._named), len(names))
        yield names[max(0, known - 1)]

    def by_noun(self, name: str, schema: Mapping[str, Any]) -> str | None:
        """Return the resource that a field is named after, if its examples look like identities of it."""
        stem = resource_name(name)
        for found in self.by_stem(stem) if stem and stem not in PEOPLE else ():
            identity = self._resources[found].identity_schema
            own = {_shape(item) for item in identity.get("examples", ())}
            given = {_shape(part) for item in schema.get("examples", ()) for part in str(item).split(",")}
            same = schema_type(schema) == schema_type(identity) and (schema_type(schema) == "string" or found == stem)
            if given and given <= own and same:
                return found
        return None

    def by_listed_noun(self, name: str, schema: Mapping[str, Any]) -> str | None:
        """Return the resource whose plural a list of texts is named by, if its examples are written like identities of it."""
        found = resource_name(name)
        held = self._resources[found].identity_schema if found in self._named and not stem_of(name) else {}
        own, given = ({_script(item) for item in part.get("examples", ())} for part in (held, schema))
        same = schema_type(held) == schema_type(schema) == "string"
        return found if same and given and given <= own else None

    def by_name(self, name: str, schema: Mapping[str, Any], listed: bool) -> str | None:
        """Return the resource, identified by name, whose name a field holds: `pool_name`, or `from` by its description."""
        description, tokens = (
            str(schema.get("description", "")).lower(),
            [singular(token) for token in name_tokens(name)],
        )
        if listed and tokens[-1:] == ["name"]:
            said = _NAMES_OF.search(description)
            nouns = ["_".join(tokens[:-1]), resource_name(said[1] or said[2]) if said else ""]
        else:
            said = _NAME_OF.search(description) if "name" not in tokens else None
            nouns = [resource_name(said[1])] if said else ["_".join(tokens[:-1])]
        own = "name" if said else "".join(tokens[-1:])
        held = [
            noun for noun in nouns if noun in self._named and own in _SPOKEN and self._resources[noun].identity == own
        ]
        return next((noun for noun in held if listed or self.fits(name, schema, noun)), None)

    def wraps(self, holder: str, above: str) -> bool:
        """Tell whether an object is an envelope inside a field named after a resource: `/tags/data`."""
        return holder in ENVELOPES and resource_name(above) in self._named

    def is_other_id(self, name: str, said: tuple[str, ...]) -> bool:
        """Tell whether rows of a resource have a field with these words besides their identity."""
        resource = self._resources[name]
        fields = (key for key in resource.schema["properties"] if (key,) != resource.identity_path)
        return any(tuple(name_tokens(key)) == said for key in fields)

    def shown_by(self, name: str, pointer: str, schema: Mapping[str, Any]) -> str | None:
        """Return the resource of the row that an object embeds, by its identity: `/assignees/*/login`."""
        holder = next((part for part in reversed(pointer.split("/")[1:-1]) if part != "*"), "")
        for found in self.by_stem(resource_name(holder)) if holder else ():
            if self._resources[found].identity_path == (name,) and self.fits(name, schema, found):
                return found
        return None

    def _told_kinds(self) -> dict[str, str]:
        """Return title -> resource for identities whose schema title contains a word of the resource: `User ID`."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(self._words.values()):
            held = self._resources[name].identity_schema
            title = str(held.get("title", ""))
            if title and set(name_tokens(title)) & {word for word, other in self._words.items() if other == name}:
                found[title].append(name)
        return {kind: names[0] for kind, names in found.items() if len(names) == 1}

    def by_word(self, name: str, schema: Mapping[str, Any], listed: bool) -> str | None:
        """Return the resource whose word is a field's name, alone (`channel`) or in a list (`users`), or its schema's title."""
        kind = self._kinds.get(str(schema.get("title", "")))
        if kind is not None:
            return kind
        spoken = resource_name(stem_of(name) or name) if listed else stem_of(name) or "_".join(name_tokens(name))
        found = self._words.get(spoken)
        if found is None and name in _MARKS:
            said = _OF_MARK.search(str(schema.get("description", "")).lower())
            found = self._words.get(resource_name(said[1])) if said else None
        held = self._resources[found].identity_schema if found else {}
        same = schema_type(held) == schema_type(schema) and schema.get("format") in (None, held.get("format"))
        return found if found is not None and same else None

    def typed(self, schema: Mapping[str, Any]) -> dict[str, str]:
        """Return pointer -> resource for ids with a constant `type` beside them: `{"type": "people", "id": ...}`.

        Source: JSON:API 1.1, section 5.2.8, resource identifier objects.
        """
        if not self._typed:
            return {}
        leaves = {pointer: leaf for pointer, _, leaf in leaf_schemas(schema)}
        held = Counter(pointer.rpartition("/")[0] for pointer in leaves)
        leaves = {
            pointer: leaf
            for pointer, leaf in leaves.items()
            if "/relationships/" in pointer or (pointer.count("/") > 1 and held[pointer.rpartition("/")[0]] == _PAIR)
        }
        found = {}
        for pointer, leaf in leaves.items():
            kind = _only(leaf) if pointer.endswith("/type") else None
            target = self._typed.get(kind) if kind is not None else None
            beside = f"{pointer.removesuffix('type')}id"
            if target is not None and beside in leaves:
                found[beside] = target
        return found

    def of_kind(self, plan: ResourcePlan) -> dict[str, str]:
        """Return pointer -> resource for identities with their kind beside them: `{"gid": ..., "resource_type": "task"}`."""
        leaves = {pointer: leaf for pointer, _, leaf in leaf_schemas(plan.schema)}
        found = {}
        for pointer, leaf in leaves.items():
            holder, _, last = pointer.rpartition("/")
            told = _only(leaf) or _sample(leaf) if holder and last in _KINDS else None
            target = resource_name(told) if told else ""
            whole = schema_within(plan.schema, split_pointer(holder)) if target in self._named else {}
            one_kind = target in self._named and not {"oneOf", "anyOf"} & whole.keys()
            identity = self._resources[target].identity_path if one_kind else ()
            beside = f"{holder}/{identity[0]}" if len(identity) == 1 else ""
            if beside in leaves and self.fits(identity[0], leaves[beside], target):
                found[beside] = target
        return found

    def is_other_kind(self, plan: ResourcePlan, pointer: str, target: str) -> bool:
        """Tell whether a constant field marks an object as of another kind than `target`: `"object": "account"` of a source.

        A `user_reference` is of the kind `user`, and a `bank_account` is no `account`.
        """
        path = split_pointer(pointer)
        if resource_name(next((part for part in reversed(path[:-1]) if part != "*"), "")) == target:
            return False
        fields = self._resources[target].schema["properties"]
        held = object_properties(schema_within(plan.schema, path[:-1]))
        kinds = [(_only(held[name]), _only(fields.get(name, {}))) for name in (*_KINDS, "type") if name in held]
        said = [(name_tokens(own), name_tokens(other)) for own, other in kinds if own and other]
        return pointer.count("/") > 1 and any(own[: len(other)] != other for own, other in said)

    def scope_field(self, plan: ResourcePlan) -> dict[str, str]:
        """Return the field of a row with the identity of a parent that only paths name: `/owner/login`."""
        above = self._resources.get(plan.parent or "")
        words = [word for word, name in self._scopes.items() if above is not None and name == above.name]
        if above is None or above.identity is None or not (above.scope or words):
            return {}
        words += [above.name, above.identity] if above.scope else []
        kind = schema_type(above.identity_schema)
        for key, schema in plan.schema["properties"].items():
            if "_".join(name_tokens(key)) in words:
                if schema_type(schema) == kind:
                    return {join_pointer(key): above.name}
                inner = object_properties(schema)
                shown = [
                    name
                    for name in (*above.identity_path[-1:], *SPOKEN_BY, "id")
                    if name in inner and schema_type(inner[name]) == kind
                ]
                return {join_pointer(key, shown[0]): above.name} if shown else {}
        return {}

    def parent_field(self, plan: ResourcePlan) -> dict[str, str]:
        """Return the field beside the row's identity that holds the parent's: `/metadata/namespace`, `/InvoiceNo`.

        A field named like the parent alone counts if the parent's identity is a name, or the parent has no name.
        """
        above = self._resources.get(plan.parent or "")
        if above is None or above.identity is None or above.scope or plan.identity is None:
            return {}
        holder, own = plan.identity_path[:-1], name_tokens(above.identity_path[-1])
        held = [name_tokens(name) for name in above.schema["properties"]]
        unnamed = not any(words in held for word in _CALLED for words in ([word], [*name_tokens(above.name), word]))
        fields = object_properties(schema_at(plan.schema["properties"], holder) or {}) if holder else None
        for key, schema in (plan.schema["properties"] if fields is None else fields).items():
            tokens = name_tokens(key)
            nouns = [name_tokens(noun) for noun in (above.name, above.name.split("_")[-1])]
            named = tokens in [[*noun, *own] for noun in nouns] or (tokens in nouns and (own[-1] in _SPOKEN or unnamed))
            is_text = schema_type(schema) in IDENTIFYING and "enum" not in schema and "const" not in schema
            if named and is_text and (*holder, key) != plan.identity_path and self.fits(key, schema, above.name):
                return {join_pointer(*holder, key): above.name}
        return {}

    def shared_pattern(self, schema: Mapping[str, Any], own: str) -> str | None:
        """Return the only resource whose identities have the same pattern, with a specific prefix: `^adr_\\w+$`."""
        held = self._patterns.get(str(schema.get("pattern", "")), ())
        return held[0] if len(held) == 1 and held[0] != own else None

    def shared_example(self, schema: Mapping[str, Any], own: str) -> str | None:
        """Return the resource whose identity has an example in common with a field (`origin` of a trip)."""
        if "examples" not in schema:
            return None
        held = [set(self._samples[sample]) for sample in sorted(_examples(schema)) if sample in self._samples]
        found = [names - {own} for names in held if len(names - {own}) == 1]  # ambiguous examples are ignored
        return next(iter(found[0])) if found else None

    def is_unlike(self, name: str, fields: Collection[str]) -> bool:
        """Tell whether rows of a resource lack more than half of these fields."""
        return len(self._resources[name].schema["properties"].keys() & fields) < len(fields) / 2

    def by_stem(self, stem: str) -> Iterable[str]:
        if stem in self._named:
            yield stem
        if stem in self._tails:
            yield self._tails[stem]
        tail = stem
        while "_" in tail:
            tail = tail.partition("_")[2]
            if tail in self._named:
                yield tail
        if self._person is not None and (stem in PEOPLE or stem.split("_")[-1] in PEOPLE):
            yield self._person

    def fits(self, field: str, schema: Mapping[str, Any], name: str) -> bool:
        """Tell whether a field can hold the resource's identity, by its type, and is not another field of the resource."""
        resource = self._resources[name]
        own = stem_of(field) in (name, name.split("_")[-1])
        if field != resource.identity and field in resource.schema["properties"] and not own:
            return False
        identity = resource.identity_schema or {"type": "string"}
        named = resource.schema["properties"].get(last_word(field))
        if (
            named is not None
            and last_word(field) != resource.identity
            and not same_kind(named, identity)
            and same_kind(named, schema)
        ):
            return False  # `category_slug`, beside the slug and the numeric id of a category
        as_text = own and schema_type(schema) == "string" and {"format", "pattern", "enum"}.isdisjoint(schema)
        if as_text and schema_type(identity) in ("integer", "number"):
            return True  # a number written as text, as in many APIs
        is_free = schema_type(identity) == "string" and {*CONSTRAINTS, "examples"}.isdisjoint(identity)
        if own and is_free and schema_type(schema) == "integer":
            return True  # the path only says that it takes a text
        if not same_kind(schema, identity) or _excludes(schema, identity):
            return False
        wanted, held = (item.get("format") for item in (schema, identity))
        return wanted in (None, "int32", "int64", held)


def is_joined(schema: Mapping[str, Any]) -> bool:
    """Tell whether a text is described as comma-separated values."""
    return schema_type(schema) == "string" and bool(_JOINED.search(str(schema.get("description", ""))))


def _only(schema: Mapping[str, Any]) -> str | None:
    """Return the only text that a schema admits; none if it admits others."""
    options = [schema["const"]] if "const" in schema else schema.get("enum", ())
    return str(options[0]) if len(options) == 1 else None


def _sample(schema: Mapping[str, Any]) -> str | None:
    """Return the only example of a text; none if there are several."""
    samples = schema.get("examples", ())
    return samples[0] if len(samples) == 1 and isinstance(samples[0], str) else None


def _excludes(schema: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether the patterns of two schemas begin with other letters: `^IS[0-9a-f]{32}$`, `^MG[0-9a-f]{32}$`."""
    patterns = [str(item.get("pattern", "")) for item in (schema, other)]
    begun = [found[1] for found in map(_PREFIX.match, patterns) if found]
    open_ended = any("|" in pattern for pattern in patterns)
    return (
        len(begun) == len(patterns)
        and not open_ended
        and not (begun[0].startswith(begun[1]) or begun[1].startswith(begun[0]))
    )


def _examples(schema: Mapping[str, Any]) -> set[str]:
    return {item for item in schema.get("examples", ()) if isinstance(item, str) and len(item) >= 8}


def _shape(example: Any) -> str:
    """Return the shape of an example: `9` for digits only, `a9` for letters and digits."""
    text = re.sub(r"[A-Za-z]+", "a", str(example).strip())
    return re.sub(r"[0-9]+", "9", text) if any(letter.isdigit() for letter in text) else text + " "


def _script(example: Any) -> str:
    """Return the case of an example: `A` for capitals and digits, `a` for small letters and digits, as in `A-a`."""
    return re.sub(r"[a-z][a-z0-9]*", "a", re.sub(r"[A-Z0-9]+", "A", str(example).strip()))


def _described(text: str) -> Iterable[str]:
    """Yield the nouns after "id of" in a description: `Identifier of the contact this project is for` -> contact."""
    found = _DESCRIBED.search(text)
    for word in found[1].split() if found else ():
        if word in _CLAUSES:
            return
        yield resource_name(word)
