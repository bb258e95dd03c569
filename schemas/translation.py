"""What a toolset is called in another language: its terms, wishes, values, sayings, rules and policy."""

from typing import Self

from pydantic import Field

from interplay.schemas.record import Record


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
    reasons: dict[str, str] = Field(
        default_factory=dict, description="Id of a policy rule -> how a user is told of it."
    )
    rules: dict[str, str] = Field(default_factory=dict, description="Id of a policy rule -> its text.")
    purposes: dict[str, str] = Field(
        default_factory=dict, description="What a user says a wish is for -> the same sentence."
    )
    tools: dict[str, str] = Field(
        default_factory=dict, description="Name of a tool of the user -> what it does, for the assistant."
    )
    policy: str = ""

    def over(self, other: Self) -> Self:
        """Return this translation, and where it is silent what another one says."""
        merged = {
            name: {**theirs, **own} if isinstance(own, dict) else own or theirs
            for name, own, theirs in (
                (name, getattr(self, name), getattr(other, name)) for name in type(self).model_fields
            )
        }
        return self.model_copy(update=merged)
