"""Labels that people give to dialogues, and figures of how well reviewers agree with them."""

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.review import Measure


class PersonLabel(Record):
    """What a person says of a dialogue: one line of a file of labels; `id` is that of a record, or of a dialogue."""

    id: str = Field(min_length=1)
    person: str = ""
    sound: bool
    kind: FailureKind | None = Field(None, description="What is wrong, where it is not sound.")
    message: int | None = Field(None, ge=0, description="The message at fault, counted from the first of the dialogue.")
    scores: dict[Measure, int] = Field(default_factory=dict, description="From 1 to 5.")
    note: str = Field("", max_length=4_000)


class Agreement(Record):
    """How well one judge and the labels agree, beyond chance: Cohen's kappa with its 95 % interval.

    A judge that always says the same has kappa 0.
    """

    judged: int = 0
    kappa: float = 0.0
    low: float = 0.0
    high: float = 0.0


class KindFigures(Record):
    """How well a reviewer tells one kind of fault; kinds between which careful readers differ count as one another."""

    kind: FailureKind
    labelled: int = Field(description="Dialogues with a fault of the kind.")
    named: int = Field(description="Dialogues in which the reviewer finds a fault of the kind.")
    precision: float | None = Field(None, description="Of those named, the share with such a fault; none without any.")
    recall: float | None = Field(None, description="Of those labelled, the share that is found; none without any.")
    agreement: Agreement = Agreement()


class ReviewerFigures(Record):
    """How well one reviewer, or the committee, tells sound dialogues from faulty ones."""

    reviewer: str
    dialogues: int
    undecided: int = Field(0, description="Dialogues of which nothing was decided, counted apart.")
    sound_rejected: int = 0
    sound_judged: int = 0
    faulty_found: int = 0
    faulty_judged: int = 0
    turn_right: int = Field(0, description="Of those found, the first cited turn is the labelled one.")
    kind_right: int = Field(0, description="Of those found, the kind is the labelled one or its neighbour.")
    always: str = Field("", description="`yes` or `no`, for one that never says anything else.")
    agreement: Agreement = Agreement()
    kinds: tuple[KindFigures, ...] = ()
    tokens: int = Field(0, description="Tokens for each dialogue, prompt and answer.")


class Votes(Record):
    """How much a reviewer's vote counts, by the name of its model, and the share of votes that rejects, by kind of fault."""

    weights: dict[str, float] = Field(default_factory=dict)
    thresholds: dict[FailureKind, float] = Field(default_factory=dict)


class Calibration(Record):
    """Reviewers beside labels: figures of each and of all together, and the votes that follow; `gold` names the labels."""

    gold: str
    dialogues: int
    reviewers: tuple[ReviewerFigures, ...]
    committee: ReviewerFigures
    votes: Votes
    dollars: float | None = Field(None, description="What it cost, where prices are known.")
