"""Shares of patterns, seed and cycle -> the pattern of each index: common ones first, each as often as its share."""

from random import Random

from interplay.schemas.records.recipe import Pattern

CYCLE = 1024
"""Indices that are ordered together; even, since a refusal and its twin are adjacent."""

PAIRED: Pattern = "refusal"
"""The pattern that occupies an even index and the next one."""

LEANING = 1
"""How strongly a pattern that is more frequent in a band is drawn at an index of that band, rather than soon after."""

AHEAD = 4
"""Number of indices whose shares all patterns have gathered before the first cycle, so that common ones come first."""

_TIES = 1e-6
"""A small random amount that breaks ties between patterns of equal weight, by seed."""

Weights = tuple[tuple[Pattern, float], ...]


def patterns_of_cycle(weights: tuple[Weights, ...], bands: bytes, seed: int, cycle: int) -> tuple[Pattern, ...]:
    """Return the patterns of a cycle of indices; `bands` gives, for each index, the place of its weights in `weights`.

    By smooth weighted round-robin, each pattern gathers its share at every index; the one that has gathered most is next,
    and loses 1. So the first cycle begins with the common patterns, and no rare one comes twice in a row. Later cycles
    begin with random amounts, so that the rarest pattern occurs too.
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
