"""Counted shares -> their confidence intervals."""

from math import sqrt
from statistics import NormalDist


def wilson(passed: int, judged: int) -> tuple[float, float]:
    """Return the 95 % score interval of the share `passed` / `judged`; (0, 1) if nothing was judged.

    Source: Wilson 1927, Probable inference, the law of succession, and statistical inference (the score interval).
    """
    if not judged:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.975)
    share, weight = passed / judged, z * z / judged
    spread = z * sqrt(share * (1 - share) / judged + weight / (4 * judged))
    low, high = ((share + weight / 2 + sign * spread) / (1 + weight) for sign in (-1, 1))
    return round(max(0.0, low), 4), round(min(1.0, high), 4)
