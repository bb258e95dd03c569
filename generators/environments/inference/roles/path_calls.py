"""A tool with a path -> what the conditions of rules ask of it: its method, its place, what a GET there shows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.generators.environments.inference.roles.field_edits import FieldPath
from interplay.generators.environments.inference.roles.paths import PathFacts, Place, fields_shown, nameless
from interplay.generators.environments.inference.roles.segments import is_param
from interplay.generators.environments.inference.roles.singletons import own_of, single_name
from interplay.generators.environments.inference.roles.targets import WRITTEN_AS, find_target
from interplay.generators.environments.inference.tool_words import (
    ID_WORDS,
    OWN_IDENTITIES,
    PEOPLE,
    SELF,
    VERBS,
    is_plural,
    known_resource,
    literal_verb,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.generators.phrases.summary_phrases import IN_BULK
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Operation, Tool
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.lists import alternatives, beside, words
from interplay.schemas.words.word_classes import is_predicate

OVERLAP = 0.6
"""Share of a result's fields that must be fields of a row for the result to show that row."""

_LISTS = beside(__file__)
_ASPECTS = {"status", "detail", "info", "summary"}
_RELATING = re.compile(
    rf"(?:(?:un|re)?(?:{alternatives(words(_LISTS, 'relating'))})|(?:un)?re(?:post|tweet))e?s?\b", re.IGNORECASE
)
"""Verbs at the beginning of a description that change someone's relation to a thing, not the thing: like, follow."""


@dataclass(frozen=True)
class PathCall:
    """A tool with a path; `field` is the path seen as one that may end at a field of a row."""

    field: FieldPath

    @property
    def tool(self) -> Tool:
        """The tool."""
        return self.field.tool

    @property
    def place(self) -> Place:
        """Where its path leads."""
        return self.field.place

    @property
    def facts(self) -> PathFacts:
        """The facts about all paths of the toolset."""
        return self.field.facts

    @property
    def reads(self) -> bool:
        """Whether the method is GET or HEAD."""
        return self.field.reads

    @property
    def is_read(self) -> bool:
        """Whether a POST is named a read and is one: `readCategory: POST /category/{id}`."""
        return self.posts and self.tool.effect == "read" and self.named_operation == "read"

    @property
    def deletes(self) -> bool:
        """Whether the method is DELETE."""
        return self.tool.method == "DELETE"

    @property
    def changes(self) -> bool:
        """Whether the method is PUT or PATCH."""
        return self.tool.method in ("PUT", "PATCH")

    @property
    def posts(self) -> bool:
        """Whether the method is POST."""
        return self.tool.method == "POST"

    @property
    def at_row(self) -> bool:
        """Whether the path ends at a row."""
        return self.place.at_row

    @property
    def last(self) -> str:
        """The last literal of the path."""
        return self.place.last

    @property
    def under(self) -> bool:
        """Whether the last literal is directly below a row."""
        return self.place.under

    @property
    def owner(self) -> tuple[str, str]:
        """Argument and resource of the last row in the path."""
        return self.place.owners[-1]

    @cached_property
    def named(self) -> str:
        """The resource named by the last literal."""
        return self.facts.resource(self.last)

    @cached_property
    def before(self) -> str | None:
        """The resource named by the literal before the last one."""
        literals = [part for part in self.place.segments[:-1] if not is_param(part) and part.lower() not in IN_BULK]
        return self.facts.resource(literals[-1]) if literals else None

    @cached_property
    def verb(self) -> Operation | None:
        """The operation of a verb at the beginning of the last literal."""
        return literal_verb(self.last)

    @cached_property
    def named_operation(self) -> Operation | None:
        """The operation of the verb in the tool's name; the name of the method at its beginning tells no more than that."""
        return verb_of(self.tool.original_name.removeprefix("post_") if self.posts else self.tool.original_name)[0]

    @cached_property
    def shape(self) -> str | None:
        """What a GET on the path shows."""
        return self.facts.shape(self.place.segments)

    @cached_property
    def single(self) -> str | None:
        """The name of the single resource that the path leads to: `guild_widget`; none if it leads to none."""
        return single_name(self.place, self.facts)

    @property
    def of_self(self) -> bool:
        """Whether the path ends at the caller: `/users/@me`."""
        return self.last.strip("@").lower() in SELF

    def plan(self, operation: Operation, resource: str | None, target: str | None = None, **more: Any) -> ToolPlan:
        """Return a plan for rows below all rows in the path."""
        return ToolPlan(self.tool, operation, resource, target, **{"parents": self.place.owners, **more})

    def on_row(self, operation: Operation) -> ToolPlan:
        """Return a plan for the last row in the path."""
        target, resource = self.owner
        return self.plan(operation, resource, target, parents=self.place.owners[:-1])

    def on_row_above(self, operation: Operation) -> ToolPlan:
        """Return a plan for the row before the last one in the path."""
        target, resource = self.place.owners[-2]
        return self.plan(operation, resource, target, parents=self.place.owners[:-2])

    def on_single(self, operation: Operation) -> ToolPlan:
        """Return a plan for the single resource that the path leads to."""
        return self.plan(operation, self.single, single=True)

    # Facts about reads

    @cached_property
    def is_counted(self) -> bool:
        """Whether the call counts rows: `GET /pets/count`, with a number as the result."""
        counts = self.tool.effect == "read" and name_tokens(self.last)[-1:] == ["count"]
        return counts and self.before in self.facts.known and _is_number(self.tool.returns)

    @cached_property
    def is_collection(self) -> bool:
        """Whether a GET shows a list, or shows nothing known and its path ends in a plural or narrows known rows."""
        shape = "many" if self.place.many else self.shape
        free = shape == "free" or (shape == "none" and self.tool.returns is None)
        narrowed = is_param(self.place.segments[-1]) and not self.at_row and self.named in self.facts.known
        return shape == "many" or (free and (is_plural(self.last) or narrowed))

    @cached_property
    def groups(self) -> str | None:
        """The other resource whose rows a list shows, each with those of the collection in it: groups of categories."""
        rows = rows_in(self.tool.returns, True, (self.named, self.named.split("_")[-1]))
        held = resource_name(rows.pointer.rpartition("/")[2]) if rows is not None and rows.pointer else ""
        if rows is None or held not in self.facts.known or same_noun(held, self.named):
            return None
        lists = [name for name, field in object_properties(rows.schema).items() if schema_type(field) == "array"]
        return held if self.named in map(resource_name, lists) else None

    @cached_property
    def quality(self) -> str:
        """The adjective that narrows a collection: `/invitations/pending`, `/products/popular`; empty if there is none."""
        segments = self.place.segments
        if len(segments) < 2 or self.shape != "many" or not is_plural(segments[-2]) or is_plural(self.last):
            return ""
        home = (*nameless(segments), "{}") in self.facts.beginnings
        return self.last if self.last.isalpha() and is_predicate(self.last) and not home else ""

    @cached_property
    def asked(self) -> str | None:
        """The only required parameter of the query, or the only one, if it is the identity of what the path names: `/parcel?id=`."""
        needed = self.tool.parameters.get("required", ()) or tuple(self.tool.properties)
        if self.shape != "one" or self.under or len(needed) != 1 or self.tool.location(needed[0]) != "query":
            return None
        stem = stem_of(needed[0])
        is_own = same_noun(stem, self.named) if stem else needed[0].lower() in ID_WORDS - {"key", "slug"}
        return (
            str(needed[0])
            if is_own and schema_type(self.tool.parameters["properties"][needed[0]]) in WRITTEN_AS
            else None
        )

    @cached_property
    def asked_field(self) -> tuple[str, str] | None:
        """The only required query parameter, and the field of the row that it matches: `/usuarios?nome=`."""
        needed = self.tool.parameters.get("required", ())
        if self.shape != "one" or self.under or len(needed) != 1 or self.tool.location(needed[0]) != "query":
            return None
        wire = name_tokens(self.tool.wire_name(needed[0]))
        _, fields = self.facts.row(self.named)
        return next(((str(needed[0]), field) for field in sorted(fields) if name_tokens(field) == wire), None)

    @cached_property
    def own(self) -> str | None:
        """The resource whose row is the caller's own, at a path without identity: `/account`."""
        return own_of(self.place, self.facts)

    @cached_property
    def referred(self) -> str | None:
        """The known resource that the literal below a row names: `board`, `memberCreator`."""
        if not self.under or self.tool.returns is not None or is_plural(self.last):
            return None
        tokens = name_tokens(self.last)
        named = ["_".join(tokens), *tokens[-1:], *(tokens[:1] if PEOPLE.intersection(tokens[-1:]) else ())]
        return next((name for name in named if name in self.facts.known), None)

    @cached_property
    def other_key(self) -> tuple[str, str] | None:
        """Resource and field, if a path finds a row by a field other than its identity.

        `/parcels/reference/{reference}`  |  `/parcels/{reference}` beside `/parcels/{id}`
        """
        segments, facts = self.place.segments, self.facts
        wire = name_tokens(segments[-1][1:-1])
        if wire in (["id"], ["uuid"]) or len(segments) < 2:
            return None
        told = name_tokens(segments[-2]) == wire and len(segments) > 2 and not any(map(is_param, segments[-3:-1]))
        beside = not is_param(segments[-2]) and not facts.last_params.isdisjoint(
            (*nameless(segments[:-1]), "{" + word + "}") for word in ("id", "uuid")
        )
        resource = facts.resource(segments[-3] if told else segments[-2])
        if not (told or beside) or resource not in facts.known:
            return None
        _, fields = facts.row(resource)
        return next(((resource, field) for field in sorted(fields) if name_tokens(field) == wire), None)

    @cached_property
    def of_other(self) -> str | None:
        """The resource of a collection narrowed by a row that has a path of its own elsewhere: `/reviews/product/{productId}`.

        Any parameter counts if the unnarrowed collection shows rows with the same title (`/payment/user/{userId}`), or if that
        title is the resource named first (`/photo/by_artist/{id}` shows photos).
        """
        segments, facts, listed = self.place.segments, self.facts, self.facts.listed
        if len(segments) < 3 or any(map(is_param, segments[-3:-1])) or is_plural(segments[-2]):
            return None
        resource, other = facts.resource(segments[-3]), self.owner[1]
        title = listed.get(nameless(segments))
        if title is not None and title == listed.get(nameless(segments[:-2])):
            return resource
        if (
            title is not None
            and other in facts.begun
            and same_noun(resource_name(title), resource)
            and resource != other
        ):
            return resource
        at_home = any(
            each[-1] == "{}" and is_plural(each[-2]) and facts.resource(each[-2]) == other
            for each in facts.beginnings
            if len(each) > 1 and each[:-2] != nameless(segments[:-2])
        )
        shown = self.shape == "many" or (self.shape in ("none", "free") and self.tool.returns is None)
        known = resource in facts.known and resource != other and is_plural(segments[-3])
        return resource if known and shown and at_home else None

    @cached_property
    def narrowed(self) -> str | None:
        """The resource of a collection narrowed by a word and a value: `/directors/limit/{limitation}`.

        It must show a list, and no path may begin with the word.
        """
        segments, facts = self.place.segments, self.facts
        if len(segments) < 3 or any(map(is_param, segments[-3:-1])) or is_plural(segments[-2]) or self.shape != "many":
            return None
        resource, other = facts.resource(segments[-3]), self.owner[1]
        return resource if resource in facts.known and resource != other and other not in facts.begun else None

    @cached_property
    def scoped(self) -> str | None:
        """The resource of a collection that is divided by a value: `/purchases/{user}`, beside `/purchases/{user}/{id}`."""
        segments, facts = self.place.segments, self.facts
        if len(segments) < 2 or is_param(segments[-2]) or not facts.goes_on(segments) or self.shape != "many":
            return None
        resource = facts.resource(segments[-2])
        return resource if resource in facts.known else None

    # Facts about writes

    @cached_property
    def is_related(self) -> bool:
        """Whether a call is about a thing among those that somebody likes or follows: `DELETE /likes/tracks/{id}`.

        Such a thing also has its own path, `/tracks/{id}`; otherwise it belongs to its parent: `DELETE /posts/comments/{id}`.
        """
        *above, kind, thing, key = ["", *self.place.segments]
        elsewhere = (nameless([thing, key]), nameless([*above[1:], thing, key]))
        if is_param(kind) or self.facts.beginnings.isdisjoint(elsewhere):
            return False
        own, said = "".join(name_tokens(kind)[-1:]), self.tool.summary or self.tool.original_name
        return bool(_RELATING.match(own)) and bool(_RELATING.match(said) or own.rstrip("s") in said.lower())

    @cached_property
    def is_link(self) -> bool:
        """Whether the path ends at a row with the identity of another: `/projects/{id}/members/{userId}`."""
        spoken = known_resource(self.place.segments[-1][1:-1], self.facts.known)
        return len(self.place.owners) > 1 and spoken is not None and not same_noun(spoken, self.owner[1])

    @cached_property
    def every(self) -> str | None:
        """The resource whose rows a write all changes: `POST /lists/{id}/archiveAllCards`, `/notifications/all/read`."""
        tokens, named = name_tokens(self.last), None
        literals = [part for part in self.place.segments if not is_param(part)]
        if self.tool.effect == "read" or (tokens[:1] != ["read"] and self.verb in (None, "list", "create")):
            return None
        if tokens[1:2] == ["all"]:
            named = self.facts.resource("_".join(tokens[2:])) if tokens[2:] else self.before
        elif literals[-2:-1] == ["all"] and len(literals) > 2:
            named = self.facts.resource(literals[-3])
        return named if named in self.facts.known else None

    @property
    def has_children(self) -> bool:
        """Whether the path leads to rows of the same kind below a row: `/blocks/{id}/children`."""
        return self.under and self.last.lower() in ("children", "descendants") and not self.deletes

    @cached_property
    def shows_owner(self) -> bool:
        """Whether the path of a part or view of a row shows the whole row: `/pods/{name}/status`, GET `/pods/{name}/edit`."""
        is_part = resource_name(self.last) in _ASPECTS or (self.reads and self.verb is not None)
        return self.under and is_part and (self._answers_with_owner or (self.reads and self._holds_owner))

    @property
    def is_done_to_owner(self) -> bool:
        """Whether a POST below a row answers with that row: `/accounts/{id}/deposit`."""
        return self.posts and self.under and not is_plural(self.last) and self._answers_with_owner

    @cached_property
    def is_step_of_row(self) -> bool:
        """Whether a write is about a part of a row that no GET shows, and answers with the row: `/jobs/{id}/steps/{step}`."""
        if len(self.place.owners) < 2 or self.facts.row(self.owner[1])[0] or not (self.posts or self.changes):
            return False
        if is_param(self.place.segments[-2]):
            return False  # the parameter before is a scope of the row
        above = self.place.owners[-2][1]
        title, _ = fields_shown(self.tool.returns, (above, above.split("_")[-1]))
        shown = self.facts.shape(self.place.segments[:-1]) is not None
        return bool(title) and title == self.facts.row(above)[0] and not shown

    @cached_property
    def _answers_with_owner(self) -> bool:
        resource = self.owner[1]
        title, _ = fields_shown(self.tool.returns, (resource, resource.split("_")[-1]))
        known = self.facts.row(resource)[0] or self.facts.listed.get(nameless(self.place.segments[:-2]))
        return bool(title) and title == known

    @cached_property
    def _holds_owner(self) -> bool:
        """Whether a result has the identity and most fields of the row before the last segment: a view that tells more."""
        resource = self.owner[1]
        _, shown = fields_shown(self.tool.returns, (resource, resource.split("_")[-1]))
        known = self.facts.row(resource)[1]
        shared = known & shown
        return bool(shared.intersection(OWN_IDENTITIES)) and len(shared) >= max(
            3, OVERLAP * min(len(known), len(shown))
        )

    @cached_property
    def is_emptied(self) -> bool:
        """Whether a DELETE on a collection deletes all of it, rather than rows named in a body or list."""
        properties = self.tool.parameters.get("properties", {})
        named = any(
            (at := self.tool.location(name)) in ("body", "form") or (at == "query" and schema_type(schema) == "array")
            for name, schema in properties.items()
        )
        return self.under and not named and self.shape == "many" and self.verb is None

    @property
    def is_replaced(self) -> bool:
        """Whether a PUT or PATCH replaces a whole collection below a row."""
        return self.under and self.shape == "many" and self.verb is None

    @cached_property
    def makes_as_told(self) -> bool:
        """Whether a PUT or PATCH on a collection is named or described as creating something: "Creates a label"."""
        if self.field.ends or self.verb or not is_plural(self.last):
            return False
        told = (name_tokens(self.tool.original_name), name_tokens(self.tool.summary))
        return any(VERBS.get(tokens[0].removesuffix("s")) == "create" for tokens in told if tokens)

    @property
    def is_search(self) -> bool:
        """Whether a POST lists what it finds, by its path or its name."""
        return self.verb == "list" or (self.named_operation == "list" and self.tool.effect == "read")

    @cached_property
    def searched(self) -> str:
        """The resource that a POST searches."""
        listed = resource_name("_".join(verb_of(self.last)[1]))
        if listed in self.facts.things and not self.under:
            return listed
        nouns = verb_of(self.tool.original_name)[1]
        owner = self.named if self.under or self.verb != "list" else self.before
        return owner or (resource_name("_".join(nouns)) if nouns else "result")

    @property
    def names_no_row(self) -> bool:
        """Whether the path has no parameters."""
        return not self.place.owners and not any(map(is_param, self.place.segments))

    @property
    def lists_all(self) -> bool:
        """Whether a POST answers with the list that its path names, as a GET would."""
        if self.tool.effect != "read" or not self.names_no_row or verb_of(self.last)[0] is not None:
            return False
        rows = rows_in(self.tool.returns, is_plural(self.last), (self.named, self.named.split("_")[-1]))
        return rows is not None and rows.many

    @property
    def is_sentence(self) -> bool:
        """Whether the whole path is a verb with a noun: `/deleteMessage`."""
        operation, nouns = verb_of(self.last)
        return self.names_no_row and operation is not None and len(self.place.segments) == 1 and bool(nouns)

    @cached_property
    def function(self) -> ToolPlan | None:
        """What a POST does whose path has a verb at its end and no parameters: `/webhooks/delete`, `/inbound/add-domain`."""
        operation, nouns = verb_of(self.last)
        noun = resource_name("_".join(nouns)) if nouns else ""
        thing = noun if noun in self.facts.things else self.before
        if not self.names_no_row or operation is None or thing is None:
            return None
        if operation == "list" and self.tool.effect != "read":
            return None
        acts = self.plan("action", thing)
        argument = find_target(acts).target
        if operation == "create" and noun and thing != noun and argument is not None:
            return acts  # `/ips/start-warmup` makes no IP
        if self.at_once is not None and argument is None and (thing in self.facts.known or any(self.facts.row(thing))):
            told = VERBS.get(next(iter(name_tokens(self.tool.summary)), ""))
            does: Operation = "list" if operation == "read" else operation
            does = "delete" if (operation, told) == ("action", "delete") else does
            if does != "create":
                return self.plan(does, thing, several=self.at_once, why="several rows at once")
        if operation in ("read", "update", "delete") and argument is None:
            return acts if self.tool.effect == "write" else None
        return replace(acts, operation=operation)

    @cached_property
    def at_once(self) -> str | None:
        """The pointer of the identities in the list of rows that a path says are handled at once: `/authors/batch/delete`."""
        words_of_path = {token for part in self.place.segments[-2:] for token in name_tokens(part)}
        if IN_BULK.isdisjoint(words_of_path):
            return None
        lists = {
            name: item.get("items") or {} for name, item in self.tool.properties.items() if schema_type(item) == "array"
        }
        plain = [join_pointer(name) for name, items in lists.items() if schema_type(items) in WRITTEN_AS]
        own = {
            name: [key for key in OWN_IDENTITIES if key in object_properties(items)] for name, items in lists.items()
        }
        keyed = [join_pointer(name, "*", keys[0]) for name, keys in own.items() if keys]
        return next((found[0] for found in (keyed, plain) if len(found) == 1), None)

    @cached_property
    def given_row(self) -> tuple[str, str] | None:
        """The argument and resource of the row that only the body names, by a bare id, of the nearest collection in the path.

        `POST /authors/groups/detach-from-group (id!)` beside `GET /authors/{id}`
        """
        own = next(
            (name for name in OWN_IDENTITIES if name in self.tool.required and self.tool.location(name) == "body"), None
        )
        said = [part for part in self.place.segments if not is_param(part)]
        above = [resource for part in reversed(said[:-1]) if any(self.facts.row(resource := self.facts.resource(part)))]
        is_deed = (
            len(name_tokens(self.last)) > 1
            and self.named not in self.facts.known
            and not any(self.facts.row(self.named))
        )
        return (own, above[0]) if own is not None and above and is_deed and self.names_no_row else None

    @cached_property
    def names_many(self) -> bool:
        """Whether the path leads to a collection."""
        return self.shape == "many" or self.facts.goes_on(self.place.segments) or is_plural(self.last)

    @cached_property
    def acts_on_owner(self) -> bool:
        """Whether a POST below a row acts on that row, rather than creating one below it."""
        acts = self.verb is not None or self.named_operation == "action"
        return self.under and not self.names_many and not self._makes_known and (acts or not self._shows_new)

    @cached_property
    def meant(self) -> str | None:
        """The required query parameter that identifies the row on which a POST acts, of the collection before its last word."""
        needed = self.tool.parameters.get("required", ()) if self.before and self.names_no_row else ()
        asked = (str(name) for name in needed if self.tool.location(name) == "query" and names_identity(name))
        return next((name for name in asked if same_noun(stem_of(name) or str(self.before), str(self.before))), None)

    @property
    def _makes_known(self) -> bool:
        """Whether a POST below a row gives the fields of a resource known from other paths: the `review` of an order."""
        properties = self.tool.parameters.get("properties", {})
        given = any(self.tool.location(name) in ("body", "form") for name in properties)
        known = self.facts.resource(self.last) in self.facts.known - {self.owner[1]}
        return given and known and not self._shown_again(*self._shown)

    @property
    def _shows_new(self) -> bool:
        """Whether a POST below a row answers with a new row, rather than with that row or a message."""
        noun, (title, fields) = resource_name(self.last), self._shown
        names = {"_".join(name_tokens(field)) for field in fields}
        identified = bool(names & {"id", "uuid", "gid", "key", f"{noun}_id", f"{noun}_uuid"})
        return identified and not self._shown_again(title, fields)

    @property
    def _shown(self) -> tuple[str, frozenset[str]]:
        """Title and fields of the row in the result of a POST below a row."""
        noun = resource_name(self.last)
        return fields_shown(self.tool.returns, (noun, noun.split("_")[-1]))

    def _shown_again(self, title: str, fields: frozenset[str]) -> bool:
        """Tell whether a result with this title and these fields shows the row above itself."""
        held_title, held = self.facts.row(self.owner[1])
        return (bool(title) and title == held_title) or len(fields & held) >= OVERLAP * max(1, len(fields))


def _is_number(returns: Mapping[str, Any] | None) -> bool:
    """Tell whether a result is a number, bare or as its only field."""
    fields = list(object_properties(returns or {}).values())
    return returns is not None and schema_type(fields[0] if len(fields) == 1 else returns) in ("integer", "number")
