"""Verdicts of checks, the dataset record, curation, and rewards of agents."""

from itertools import islice
from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory, Usage
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.review import Measure, ReviewAnswer


class Issue(Record):
    """One thing that is wrong: a stable snake_case code, what and where (JSON pointer), and whether it rejects."""

    code: str
    message: str
    pointer: str = ""
    severity: Literal["error", "warning"] = "error"

    @classmethod
    def of(cls, code: str, message: str, pointer: str = "", severity: Literal["error", "warning"] = "error") -> "Issue":
        """Make an issue from positional arguments."""
        return cls(code=code, message=message, pointer=pointer, severity=severity)


Metric = Literal["correctness", "completeness", "satisfaction", "creativity"]
METRICS: tuple[Metric, ...] = get_args(Metric)
"""What reviewers score: is the solution correct, the task complete, the user satisfied, and the scenario creative?"""


class Score(Record):
    """From 1 (bad) to 5 (good), and why."""

    score: Literal[1, 2, 3, 4, 5]
    reason: str = ""


class Review(Record):
    """What one reviewer says of a blueprint or of a dialogue; one that abstains says why, and scores nothing.

    `goals` are the numbers of the goals of a blueprint at fault, where it is not the whole; `answers` those to the items of
    a dialogue's checklist.
    """

    reviewer: str
    scores: dict[Metric | Measure, Score] = Field(default_factory=dict)
    goals: tuple[int, ...] = ()
    answers: tuple[ReviewAnswer, ...] = ()
    abstained: str = ""
    usage: Usage = Usage()


class Verdict(Record):
    """What one check found; it passes when no issue is an error. A committee's `scores` are the means of its reviews."""

    check: str
    issues: tuple[Issue, ...] = ()
    scores: dict[str, float] = Field(default_factory=dict)
    cost: float = Field(default=0.0, description="Dollars.")
    reviews: tuple[Review, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no issue is an error."""
        return not any(issue.severity == "error" for issue in self.issues)


class Feedback(Record):
    """What a blueprint is revised for: the points that were made, and the numbers of the goals that they are about."""

    points: tuple[str, ...]
    goals: tuple[int, ...] = ()


class Round(Record):
    """A blueprint that was not good enough: what was said of it, and the feedback for which it was revised."""

    blueprint: Blueprint
    verdicts: tuple[Verdict, ...]
    feedback: Feedback


class DatasetRecord(Record):
    """One attempt at the task of an index, accepted or rejected, with all that was made for it.

    `stage` names where it was rejected: `compose`, the check that said so, `attempts` if another attempt is the same turn
    by turn, or `solve_band` if too many or too few of them pass. Attempts at one task have the same blueprint, and count from 0. `rounds` are the earlier revisions of the
    blueprint, in order; the first attempt has them.
    """

    id: str
    run: str
    index: int
    attempt: int = 0
    status: Literal["accepted", "rejected"]
    stage: str | None = None
    failure: Failure | None = Field(
        None, description="Of rejected dialogues alone; a task that was not played has its verdicts."
    )
    blueprint: Blueprint | None = None
    trajectory: Trajectory | None = None
    reviewed: bool = Field(False, description="Enough reviewers judged the dialogue; else facts and values alone did.")
    verdicts: tuple[Verdict, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def filter_reason(self) -> str | None:
        """`STAGE/CODE`: where the record was rejected and the first issue that rejects it; None for an accepted record."""
        if self.status == "accepted":
            return None
        issues = (
            issue.code for verdict in reversed(self.verdicts) for issue in verdict.issues if issue.severity == "error"
        )
        return "/".join(dict.fromkeys([self.stage or "unknown", *islice(issues, 1)]))

    @property
    def language(self) -> str:
        """The language code of the dialogue; "" if the record has no blueprint."""
        return self.blueprint.recipe.language if self.blueprint else ""

    @property
    def world(self) -> str:
        """The name of the made-up world in which the task takes place; "" if there is none."""
        return self.blueprint.world.name if self.blueprint and self.blueprint.world else ""

    def rejected_by(self, verdict: Verdict) -> "DatasetRecord":
        """Return the record rejected by `verdict`, which replaces an earlier verdict of the same check."""
        others = (other for other in self.verdicts if other.check != verdict.check)
        changes = {"status": "rejected", "stage": verdict.check, "verdicts": (*others, verdict)}
        return self.model_copy(update=changes)


CurationStep = Literal[
    "near_duplicates", "repeated_users", "same_meaning", "contamination", "secrets", "personal_data", "selection"
]
CURATION_STEPS: tuple[CurationStep, ...] = get_args(CurationStep)


class CurationVerdict(Record):
    """Why a record stays out of exports: its id, and what one step found."""

    id: str
    verdict: Verdict


class BenchmarkTask(Record):
    """A task of a benchmark, by digests alone, so that an index does not spread what it guards.

    `grams` are digests of runs of words, `calls` of its calls in order, each with its arguments.
    """

    benchmark: str
    task: str
    grams: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()


class Curation(Record):
    """What `interplay curate` did: the records it looked at, what it left out by step, and what it looked for.

    `licences` are those of the sources of tools.
    """

    run: str
    looked_at: int
    last: int = Field(description="The last index that was looked at; later records were not.")
    kept: int
    left_out: dict[CurationStep, int] = Field(default_factory=dict)
    benchmark_tasks: int = Field(0, description="Tasks of benchmarks that were looked for.")
    covered: dict[str, float] = Field(
        default_factory=dict, description="Where rows were selected: the share kept of the tools, edges and so on."
    )
    rows_needed: int = Field(
        0,
        description="Where the rows selected show less than 99 % of tools or edges: how many rows would show as much.",
    )
    licences: tuple[str, ...] = ()
    near_duplicates: float | None = Field(None, description="How like an earlier one a dialogue had to be to stay out.")
    failed_left_out: int = Field(0, description="Attempts that failed and stay out of pairs, turns and steps.")
    verdicts: str = Field("", description="A digest of the verdicts, which stand in a file of their own.")


Part = Literal["state", "writes", "values", "evidence", "policy", "efficiency", "format"]

Standing = Literal["judged", "unclear", "invalid"]
"""`unclear`: the rule-based user could not make out what the agent said. `invalid`: the transcript does not fit the task."""


class RewardPart(Record):
    """One part of a reward: a score from 0 to 1, and what speaks against more."""

    score: float
    reasons: tuple[Issue, ...] = ()


class StepCredit(Record):
    """What one call did for the task: its message in the transcript, its place there, and its share of the calls needed."""

    message: int
    call: int
    tool: str
    action: str
    credit: float


class Reward(Record):
    """What an agent gets for a task: `reward` = `outcome` times the other parts, each to the power of its weight.

    The outcome is the product of state, writes and values, all from 0 to 1; `progress` is the share of the wanted difference
    of the state that holds in the end. `ended` tells what ended it: `closed` where the agent's side did.
    """

    task: str
    seed: int = 0
    reward: float
    outcome: float = 0.0
    progress: float = 0.0
    standing: Standing = "judged"
    ended: str = ""
    reason: str = Field("", description="Why it is unclear or invalid, in words.")
    parts: dict[Part, RewardPart] = Field(default_factory=dict)
    steps: tuple[StepCredit, ...] = ()
