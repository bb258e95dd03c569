"""The overrides file: what the author of a toolset corrects where inference is wrong or cannot know.

petstore.interplay.yaml
resources: {order: {identity: orderId, seed_rows: [{orderId: 7, status: shipped}]}}
tools: {cancelOrder: {sets: {status: cancelled}, errors: [{when: {row.status: shipped}, error: "409 Conflict: shipped"}]}}
rules: [{id: small_orders, kind: only_if, text: "Order 5 at most.", tools: [placeOrder], when: {argument.quantity: {max: 5}}}]
"""

from typing import Any, Literal

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import Duty, Effect, Operation, Requestor, RuleKind

Condition = dict[str, Any]
"""Path -> value or test, all of which must hold; `any`, `all` and `not` combine conditions.

Paths are `argument.NAME`, `row.FIELD` (a field of the row that the call acts on) and `RESOURCE.FIELD` (a field of a row
that an argument refers to). A test is a mapping with `is`, `not`, `in`, `not_in`, `min`, `max`, `matches` or `given`.
"""

MOST_ROWS = 10_000


class ErrorCase(Record):
    """A call that fails: when, and with which exact text."""

    when: Condition = Field(default_factory=dict)
    error: str = Field(min_length=1, max_length=2_000)


class ToolOverride(Record):
    """What an author knows better about one tool; fields that are not given stay as inferred."""

    hidden: bool = Field(False, description="Left out of the toolset.")
    operation: Operation | None = None
    resource: str | None = None
    target: str | None = Field(None, description="The argument that names the row which the tool is about.")
    references: dict[str, str | None] = Field(
        default_factory=dict, description="Argument, by name or pointer -> the resource that it refers to, or null."
    )
    effect: Effect | None = None
    requestor: Requestor | None = None
    summary: str | None = Field(None, max_length=500)
    description: str | None = Field(None, max_length=20_000)
    phrases: ToolPhrases | None = Field(
        None, description="How people speak of it; a list alone is how they ask for it."
    )
    sets: dict[str, Any] = Field(
        default_factory=dict, description="Fields that a call gives the row: status: cancelled."
    )
    errors: tuple[ErrorCase, ...] = Field((), max_length=100)


class ResourceOverride(Record):
    """What an author knows better about one resource; fields that are not given stay as inferred."""

    name: str | None = Field(None, pattern=r"^[A-Za-z0-9_]{1,64}$", description="Its name from here on.")
    merge: tuple[str, ...] = Field((), description="Inferred resources that are this very one.")
    identity: str | None = None
    parent: str | None = Field(None, description="The resource that each row belongs to; null for none.")
    references: dict[str, str | None] = Field(
        default_factory=dict, description="Field, by name or pointer -> the resource that it refers to, or null."
    )
    noun: str | None = Field(None, max_length=100, description="What people call one of them.")
    rows: int | None = Field(None, ge=0, le=MOST_ROWS, description="Made-up rows, besides the seed rows.")
    seed_rows: tuple[dict[str, Any], ...] | str = Field(
        (), description="Rows, or the JSON, YAML or CSV file beside this one that holds them."
    )
    examples: tuple[dict[str, Any], ...] = Field(
        (), max_length=100, description="Rows as they might be, in part: made-up rows and new ones take their values."
    )


class AuthoredRule(Record):
    """One policy rule that runs.

    `when` must hold for `requires` and `only_if`, must not hold for `forbids` and `handover_when`, and narrows the calls
    that the other kinds speak of. `after` names tools of which one must have succeeded before; `argument` the value
    that must have stood in its result. `at_most` counts the successful calls of a dialogue. `shown_by` names reads that
    show what decides; where there are none, it is those that show the fields of rows which `when` names.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    kind: RuleKind
    text: str = Field(min_length=1, max_length=2_000)
    tools: tuple[str, ...]
    when: Condition = Field(default_factory=dict)
    after: tuple[str, ...] = ()
    shown_by: tuple[str, ...] = ()
    argument: str | None = None
    duty: Duty | None = Field(None, description="What it asks to be put in words.")
    at_most: int | None = Field(None, ge=0)
    reason: str = Field("", max_length=500, description="How a user is told of it, whose wish it forbids.")


class Overrides(Record):
    """All that an author says about one toolset."""

    version: Literal[1] = Field(1, description="Version of the format of this file.")
    name: str | None = Field(None, min_length=1, max_length=64)
    licence: str | None = Field(None, max_length=500)
    include: tuple[str, ...] = Field((), description="Tools to keep: names with * and ?, or effect:, method:, path:.")
    exclude: tuple[str, ...] = Field((), description="Tools to leave out, as in `include`.")
    resources: dict[str, ResourceOverride] = Field(default_factory=dict)
    tools: dict[str, ToolOverride] = Field(default_factory=dict)
    policy: str | None = Field(None, max_length=50_000, description="Prose for the assistant.")
    caution: bool = Field(True, description="Whether calls that delete, cancel or pay need a confirmation.")
    rules: tuple[AuthoredRule, ...] = Field((), max_length=200)
    nouns: dict[str, str] = Field(default_factory=dict)
    sayings: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    askings: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    asks_for: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Phrase of a tool -> fields of its result that somebody who says it asks for."
    )
    user_resource: str | None = None
