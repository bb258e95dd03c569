"""(settings, seed, index) -> the pattern that is drawn there: common ones first, then each as often as its share says."""

from random import Random

from interplay.schemas.records.recipe import Pattern

CYCLE = 1024
"""Indices that are put in order together; even, since a refusal and its twin are two in a row."""

PAIRED: Pattern = "refusal"
"""The pattern that stands at an even index and the one after it."""

LEANING = 1
"""How strongly a pattern that a band has more of is drawn at an index of this very band, rather than soon after."""

AHEAD = 4
"""Number of indices for which all patterns have gathered their shares before the first cycle, so that common ones come first."""

_TIES = 1e-6
"""A small random amount that decides between patterns of equal weight, differently for each seed."""

Weights = tuple[tuple[Pattern, float], ...]


def patterns_of_cycle(weights: tuple[Weights, ...], bands: bytes, seed: int, cycle: int) -> tuple[Pattern, ...]:
    """Return the patterns of a cycle of indices, of which each has the weights at the place that `bands` gives.

    Each pattern gathers its share at every index, and the one that has gathered most is next and gives back one: smooth
    weighted round-robin. So the first cycle begins with the common patterns, and no rare one comes twice in a row; what
    later ones begin with is drawn, so that the rarest pattern comes too.
    """
    rng = Random(f"{seed}/pattern/{cycle}")
    shares = [{name: weight / sum(one for _, one in each) for name, weight in each if weight > 0} for each in weights]
    mean = {name: sum(shares[band].get(name, 0.0) for band in bands) / len(bands) for name, _ in weights[0]}
    gathered = {name: rng.random() if cycle else AHEAD * share + rng.random() * _TIES for name, share in mean.items()}
    found: list[Pattern] = []
    for place, band in enumerate(bands):
        for pattern, share in shares[band].items():
            gathered[pattern] += share
        twin = place % 2 == 1
        if twin and found[-1] == PAIRED:
            chosen = PAIRED
        else:
            options = [name for name in shares[band] if not (twin and name == PAIRED)]
            due = {name: gathered[name] + LEANING * (shares[band][name] - mean[name]) for name in options}
            chosen = max(options, key=lambda name: due[name] / (1 + (name == PAIRED)))
        gathered[chosen] -= 1
        found.append(chosen)
    return tuple(found)
