"""Translations of what a toolset is called: its terms, wishes, values, sayings, rules and policy."""

import re
from typing import Self

from pydantic import Field

from interplay.schemas.json.record import Record

_MARKS = re.compile(r"[~^<>]|\|[^>]*")
"""Markup inside a wish: where an infinitive is joined, and the pronoun for its object."""


class Translation(Record):
    """Words of one language for what tasks about a toolset say in English; whatever is missing is quoted in English.

    Texts may hold two forms of address, as `[formal|familiar]`.
    """

    title: str = Field("", description="What the whole is called.")
    terms: dict[str, str] = Field(
        default_factory=dict, description="Label or noun -> noun with its article, and its plural: der Termin, Termine."
    )
    wishes: dict[str, str] = Field(
        default_factory=dict,
        description="Verb phrase -> verb phrase in the infinitive; ~ stands where zu belongs: <den Termin|ihn> ab~sagen.",
    )
    values: dict[str, str] = Field(
        default_factory=dict, description="Value of an enumeration -> what people say for it."
    )
    clauses: dict[str, str] = Field(
        default_factory=dict,
        description="Label -> sentence that says its {value}; `label: yes` and `label: no` for flags.",
    )
    sayings: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Label of a fact -> sentences in which people say it, with {value}."
    )
    askings: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Label of a fact -> questions in which people are asked for it."
    )
    questions: dict[str, str] = Field(
        default_factory=dict, description="Question for what a tool tells -> the same question."
    )
    reasons: dict[str, str] = Field(
        default_factory=dict, description="Id of a policy rule -> how a user is told of it."
    )
    rules: dict[str, str] = Field(default_factory=dict, description="Id of a policy rule -> its text.")
    purposes: dict[str, str] = Field(
        default_factory=dict, description="What a user says a wish is for -> the same sentence."
    )
    texts: dict[str, str] = Field(
        default_factory=dict,
        description="Free text that users make up -> the same text, as it then stands in calls too.",
    )
    tools: dict[str, str] = Field(
        default_factory=dict, description="Name of a tool of the user -> what it does, for the assistant."
    )
    policy: str = ""

    def infinitive(self, wish: str) -> str:
        """Return a wish as it stands after "I wanted to"; "" if it is unknown or has two forms of address."""
        said = _MARKS.sub("", self.wishes.get(wish, ""))
        return "" if "[" in said else said

    def over(self, other: Self) -> Self:
        """Return this translation, with missing entries taken from `other`."""
        merged = {
            name: {**theirs, **own} if isinstance(own, dict) else own or theirs
            for name, own, theirs in (
                (name, getattr(self, name), getattr(other, name)) for name in type(self).model_fields
            )
        }
        return self.model_copy(update=merged)
