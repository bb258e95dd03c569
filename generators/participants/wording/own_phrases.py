"""The phrases of a task's tools -> how the value of each label is said, asked for and reported.

arguments: {section: {label: new section, said: ["into {value}"]}}   ->   sayings: {new section: ["into {value}"]}
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.phrases.labels.field_labels import label_of
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.coded_values import codes_of


@dataclass(frozen=True)
class OwnPhrases:
    """The phrases of a task's tools, by label or by tool.

    By label: `sayings` tell a fact, `askings` ask for it, `clauses` report a value, `codes` name what numbers stand for. By tool:
    `deeds` report its action, `nouns` name its rows, `told` holds its own clauses by label, `reasons` say why people use it.
    """

    sayings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    askings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    deeds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reasons: Mapping[str, Sequence[str]] = field(default_factory=dict)
    codes: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


def _told(phrases: ToolPhrases) -> Iterator[tuple[str, str]]:
    """Yield the labels of result fields, alone and with the tool's noun, each with the sentence that reports it."""
    for name, sentence in phrases.answers.items():
        label = label_of(f"/{name}")
        yield from ((said, sentence.rstrip(".")) for said in (label, f"{phrases.noun} {label}"))


def _labelled(schema: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, Mapping[int, str]]]:
    for name, inner in object_properties(schema).items() if depth < _DEEPEST else ():
        codes, items = codes_of(inner), inner.get("items", inner)
        if codes:
            yield label_of(f"/{name}"), codes
        yield from _labelled(items if isinstance(items, Mapping) else {}, depth + 1)


_DEEPEST = 4
"""Maximum nesting of objects in which codes are looked for."""

_coded = ObjectCache(lambda schema: tuple(_labelled(schema)))
"""A schema -> the labels of its coded number fields, each with what the numbers stand for."""


def _clause(said: str) -> str:
    """Return a sentence as a clause: "My address is {value}." -> "my address is {value}"."""
    first = said.split(" ", 1)[0].split("'", 1)[0]
    kept = first == "I" or first[1:2].isupper()  # "IBAN {value}"
    return (said if kept else said[:1].lower() + said[1:]).removesuffix(".")


def own_phrases(tools: Sequence[Tool]) -> OwnPhrases:
    """Return the phrases of some tools by label; labels that two tools word differently are left out."""
    sayings: dict[str, set[tuple[str, ...]]] = {}
    askings: dict[str, set[tuple[str, ...]]] = {}
    clauses: dict[str, set[str]] = {}
    codes: dict[str, list[Mapping[int, str]]] = {}
    for tool in tools:
        for label, coded in (*_coded(tool.parameters), *(_coded(tool.returns) if tool.returns else ())):
            codes.setdefault(label, []).append(coded)
        for own in tool.phrases.arguments.values():
            if own.label and own.said:
                sayings.setdefault(own.label, set()).add(tuple(map(_clause, own.said)))
            if own.label and own.asked:
                askings.setdefault(own.label, set()).add(own.asked)
        for name, sentence in tool.phrases.answers.items():
            clauses.setdefault(label_of(f"/{name}"), set()).add(sentence.rstrip("."))
    return OwnPhrases(
        {label: next(iter(said)) for label, said in sayings.items() if len(said) == 1},
        {label: next(iter(asked)) for label, asked in askings.items() if len(asked) == 1},
        {label: next(iter(told)) for label, told in clauses.items() if len(told) == 1},
        {tool.name: tool.phrases.done for tool in tools if tool.phrases.done},
        {tool.name: tool.phrases.noun for tool in tools if tool.phrases.noun},
        {tool.name: dict(_told(tool.phrases)) for tool in tools},
        {tool.name: tool.phrases.reasons for tool in tools if tool.phrases.reasons},
        {label: each[0] for label, each in codes.items() if all(other == each[0] for other in each)},
    )
