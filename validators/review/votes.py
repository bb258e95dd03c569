"""Seats of a committee -> their reviews, and a warning for each that abstained."""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence

from interplay.schemas.records.verdict import Issue, Review

REASONS = 600
"""Characters of the reasons that stand in an issue."""


async def collected(asked: Iterable[Awaitable[Review]]) -> list[Review]:
    """Return what all seats answer, in their order.

    Raises:
        ModelUnavailable, BudgetExceeded: one cannot be asked now. The others are waited for first: what they answer is kept.
    """
    answers = await asyncio.gather(*asked, return_exceptions=True)
    reviews: list[Review] = []
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
        reviews.append(answer)
    return reviews


def abstentions(reviews: Sequence[Review]) -> list[Issue]:
    """Return a warning for each reviewer who abstained, with why."""
    return [
        Issue.of("abstained", f"{review.reviewer}: {review.abstained}"[:REASONS], severity="warning")
        for review in reviews
        if review.abstained
    ]
