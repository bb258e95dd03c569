"""Tools, toolsets, their policy, and the resources and roles inferred for them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.phrases import UNPHRASED, ToolPhrases
from interplay.schemas.records.translation import Translation

Effect = Literal["read", "write"]
Requestor = Literal["assistant", "user"]
Operation = Literal["create", "read", "list", "update", "delete", "action", "compute"]
SEARCH_TOOL = "search_tools"
"""The name of the built-in tool that finds tools; what it finds is offered from then on."""

RuleKind = Literal["requires", "forbids", "confirm_before", "limit", "only_if", "identify_first", "handover_when"]


class Source(Record):
    """Where a tool was read: a file, URL or module, and a JSON pointer or qualified name inside it."""

    file: str
    pointer: str = ""


class HttpBinding(Record):
    """How a tool maps to HTTP: method in upper case, path template, and where each parameter travels."""

    method: str
    path: str
    locations: dict[str, Literal["path", "query", "header", "body", "form"]] = Field(default_factory=dict)
    original_names: dict[str, str] = Field(default_factory=dict, description="Renamed parameter -> name on the wire.")


class ToolLink(Record):
    """A value of one call that its source says to hand to an argument of another tool."""

    output: str = Field("", description="JSON pointer into the producer's result; empty for a value from its request.")
    argument: str = Field("", description="JSON pointer into the producer's arguments, for a value from its request.")
    consumer: str = Field(description="The name of the tool that takes the value; it may have been filtered away.")
    input: str = Field(description="JSON pointer into the consumer's arguments.")
    description: str = ""


class Tool(Record):
    """One function that can be called; `parameters` and `returns` are JSON Schemas (draft 2020-12)."""

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    original_name: str
    description: str = ""
    summary: str = Field("", description="A short phrase for what the tool does, where the source has one.")
    parameters: dict[str, Any]
    returns: dict[str, Any] | None = None
    effect: Effect = "read"
    requestor: Requestor = "assistant"
    source: Source
    http: HttpBinding | None = None
    phrases: ToolPhrases = Field(UNPHRASED, description="How people speak of it, by its author or a model.")
    links: tuple[ToolLink, ...] = Field((), description="Where its source says that its values go next.")
    deprecated: bool = Field(False, description="Whether its source advises against using it.")

    @property
    def method(self) -> str:
        """The HTTP method in upper case; empty for a tool without HTTP."""
        return self.http.method if self.http is not None else ""

    @property
    def path(self) -> str:
        """The HTTP path template; empty for a tool without HTTP."""
        return self.http.path if self.http is not None else ""

    @property
    def properties(self) -> dict[str, Any]:
        """Argument name -> its schema."""
        found: dict[str, Any] = self.parameters.get("properties", {})
        return found

    @property
    def required(self) -> Sequence[str]:
        """The names of the required arguments."""
        found: Sequence[str] = self.parameters.get("required", ())
        return found

    def location(self, argument: str) -> str | None:
        """Return where an argument is sent: path, query, header, body or form; None for a tool without HTTP."""
        return self.http.locations.get(argument) if self.http is not None else None

    def wire_name(self, argument: str) -> str:
        """Return the name under which an argument is sent."""
        return self.http.original_names.get(argument, argument) if self.http is not None else argument

    def digest(self) -> str:
        """Return a digest of what the tool does, without its source and original name: two imports of it compare equal."""
        content = self.model_dump(mode="json", exclude={"source", "original_name", "deprecated"})
        return digest(
            json.dumps(content, sort_keys=True)
        )  # as text, since `digest` drops keys with a leading underscore


class Duty(Record):
    """What a rule asks to be put in words: to `say` something before a call, to `offer` or `hand_over` where it forbids one.

    `values` are what is said, as paths: `argument.NAME`, `row.FIELD` (of the row that the call is about) and
    `RESOURCE.FIELD` (of rows that an argument refers to). `tool` is what is offered, or what hands over.
    """

    kind: Literal["say", "offer", "hand_over"]
    values: tuple[str, ...] = ()
    tool: str = ""


class PolicyRule(Record):
    """One rule of a policy; its prose, and the tools it governs. Domains bind the id to executable code."""

    id: str
    kind: RuleKind
    text: str
    tools: tuple[str, ...] = ()
    reason: str = Field(
        "", description="How a user is told of it, whose wish it forbids; the text, where this is empty."
    )
    after: tuple[str, ...] = Field(
        (), description="Tools of which one must have succeeded before, where that is known."
    )
    shown_by: tuple[str, ...] = Field(
        (), description="Tools that show what it forbids: one of them is to be called before a call that it governs."
    )
    duty: Duty | None = Field(None, description="What it asks to be put in words.")
    branches: tuple[str, ...] = Field(
        (), description="Each way to break it, in words of pseudo-code, where it was written as conditions."
    )


_UNTRANSLATED = Translation()


class Toolset(Record):
    """Tools that are offered together, with the policy that governs them."""

    name: str
    title: str = Field("", description="What its source calls the service, as it writes it.")
    tools: tuple[Tool, ...]
    policy: str = ""
    unruled: tuple[str, ...] = Field(
        (), description="Parts of the policy, in prose, of which no rule was made: nothing keeps to them but models."
    )
    rules: tuple[PolicyRule, ...] = ()
    provenance: tuple[str, ...] = Field((), description="The sources that it came from, as given.")
    licence: str = ""
    sayings: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Label of a fact -> sentences in which people say it, with {value}."
    )

    askings: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Label of a fact -> questions in which people are asked for it."
    )

    asks_for: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Way in which people ask for a tool -> names of the fields of its result that they want to know.",
    )
    user_resource: str | None = Field(None, description="The resource that the user is one of: a patient of a clinic.")
    nouns: dict[str, str] = Field(default_factory=dict, description="Resource -> what people call one of them.")

    derived_nouns: dict[str, str] = Field(
        default_factory=dict,
        description="The same for resources of which `nouns` say nothing, by the phrases of the tools.",
    )

    translations: dict[str, Translation] = Field(
        default_factory=dict, description="Code of a language -> what is called how in it, for dialogues in it."
    )

    def digest(self) -> str:
        """Return the digest that identifies the toolset, independent of translations and of how people speak of its tools."""
        return digest(
            self.model_dump(
                mode="json",
                exclude={
                    "translations": True,
                    "derived_nouns": True,
                    "unruled": True,
                    "title": True,
                    "tools": {"__all__": {"phrases", "deprecated"}},
                },
            )
        )

    def phrased(self, phrases: Mapping[str, ToolPhrases]) -> "Toolset":
        """Return the toolset with `phrases` (tool name -> phrases) added; phrases that a tool already has take precedence."""
        tools = (
            tool.model_copy(update={"phrases": tool.phrases.over(phrases[tool.name])}) if tool.name in phrases else tool
            for tool in self.tools
        )
        return self.model_copy(update={"tools": tuple(tools)})

    @property
    def spoken_nouns(self) -> dict[str, str]:
        """Resource -> what people call one of its rows, where that differs from the resource's name."""
        return {**self.derived_nouns, **self.nouns}

    @property
    def ruled_policy(self) -> str:
        """The policy without the passages that no rule was made of."""
        text = self.policy
        for prose in self.unruled:
            text = text.replace(prose, "")
        return text.strip()

    def translation(self, language: str) -> Translation:
        """Return the translation for a language; an empty one if there is none."""
        return self.translations.get(language) or _UNTRANSLATED

    @property
    def by_name(self) -> Mapping[str, Tool]:
        """Tool name -> tool, in the toolset's order."""
        return indexed(self.tools, "name")

    def tool(self, name: str) -> Tool:
        """Return the tool called `name`.

        Raises:
            KeyError: there is none.
        """
        return self.by_name[name]


class ToolReport(Record):
    """The outcome of importing one operation: imported as it is, repaired, or rejected, with reasons."""

    name: str
    outcome: Literal["imported", "repaired", "rejected"]
    reasons: tuple[str, ...] = ()
    source: Source


class ImportReport(Record):
    """A toolset and the fate of each operation of its source, in the order of the source."""

    toolset: Toolset
    reports: tuple[ToolReport, ...]


class Resource(Record):
    """A kind of thing that tools act on: its table in the state, and the field that identifies a row.

    `because` maps the identity, by its name, and pointers of references to what says so. `examples` are parts of rows as they
    might be.
    """

    name: str
    table: str
    identity: str | None = None
    parent: str | None = Field(None, description="The resource that each row belongs to, by name.")
    because: dict[str, str] = Field(default_factory=dict)
    examples: tuple[dict[str, Any], ...] = ()


class EnablingCall(Record):
    """A call that has to come before another one: what its arguments are, and which are those of the other call."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    same: dict[str, str] = Field(default_factory=dict, description="Argument -> the other call's argument it repeats.")


class Precondition(Record):
    """Calls by which a tool comes to succeed where it failed, in their order, as trying showed."""

    arguments: dict[str, Any] = Field(
        default_factory=dict, description="Arguments with which it is needed; any, if none."
    )
    calls: tuple[EnablingCall, ...]


class ToolRole(Record):
    """What a tool does to which resource, and which of its fields are identities of resources.

    `references` maps JSON pointers of argument leaves to resource names; `yields` maps result pointers, with `*` for
    any list index, to resource names. `removes` maps an argument to the list in the row that it must name an item of.
    `admits` tells of arguments, by name, what the fields that they set admit, where they do not say so themselves.
    `needs` are calls without which it fails; `leads_to` holds fields of its row as they are after it: a status. `why` tells what says that it does so, `because` the same of references.
    """

    tool: str
    operation: Operation
    resource: str | None = None
    references: dict[str, str] = Field(default_factory=dict)
    yields: dict[str, str] = Field(default_factory=dict)
    removes: dict[str, str] = Field(default_factory=dict)
    admits: dict[str, dict[str, Any]] = Field(default_factory=dict)
    needs: tuple[Precondition, ...] = ()
    leads_to: dict[str, Any] = Field(default_factory=dict)
    why: str = ""
    because: dict[str, str] = Field(default_factory=dict)


class ResourceModel(Record):
    """All resources and roles of a toolset."""

    resources: tuple[Resource, ...] = ()
    roles: tuple[ToolRole, ...] = ()

    def resource(self, name: str) -> Resource:
        """Return the resource called `name`.

        Raises:
            KeyError: there is none.
        """
        return self.by_name[name]

    def role(self, tool: str) -> ToolRole:
        """Return the role of the tool called `tool`.

        Raises:
            KeyError: there is none.
        """
        return self.by_tool[tool]

    @property
    def by_tool(self) -> Mapping[str, ToolRole]:
        """Tool name -> role."""
        return indexed(self.roles, "tool")

    @property
    def by_name(self) -> Mapping[str, Resource]:
        """Resource name -> resource."""
        return indexed(self.resources, "name")


READING = ("list", "read", "compute")
WRITING = ("create", "update", "delete", "action")
"""Operations that show something (`READING`) and that change something (`WRITING`)."""


_INDEXED: dict[tuple[int, str], tuple[tuple[Any, ...], Mapping[str, Any]]] = {}
"""(id of a tuple, field) -> (the tuple, its index by that field)."""


_MOST = 256
"""Maximum number of cached indexes; when it is reached, all are dropped."""


def indexed(records: tuple[Any, ...], field: str) -> Mapping[str, Any]:
    """Return the value of `field` -> record, in order; of several records with the same value, the first.

    The index is cached by the identity of the tuple, not stored in the record that holds it: a copy of that record with
    other tuples would inherit the outdated index.
    """
    key = (id(records), field)
    held = _INDEXED.get(key)
    if held is not None and held[0] is records:
        return held[1]
    if len(_INDEXED) >= _MOST:
        _INDEXED.clear()
    made: dict[str, Any] = {}
    for record in records:
        made.setdefault(getattr(record, field), record)
    _INDEXED[key] = (records, made)
    return made


def is_write(tools: Mapping[str, Tool], name: str) -> bool:
    """Tell whether `tools` has a tool called `name` that changes something."""
    return name in tools and tools[name].effect == "write"


def joint_licence(toolsets: Sequence[Toolset]) -> str:
    """Return the licence of merged toolsets: the one they share, or each licence with the name of its toolset."""
    licences = {toolset.licence for toolset in toolsets}
    if len(licences) == 1:
        return licences.pop()
    return "; ".join(f"{toolset.licence or 'not stated'} ({toolset.name})" for toolset in toolsets)
