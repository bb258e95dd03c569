"""Verbs that the names of tools and their summaries begin with: the lists of data/en/verbs.yaml."""

from interplay.schemas.words.lists import word_set

VERBS = word_set("verbs", "asked")

TOLD = VERBS | word_set("verbs", "told")
"""Verbs that summaries begin with; some are nouns in names: `exchange_rate`."""

FILLING = {"v", "api", "do", "controller", "op", "operation", "handler", "endpoint", "rest", "index", "store"}
"""Words in the names of tools that say nothing of what they do."""

PARTICLES = {"to", "into", "in", "out", "up", "off", "on", "from", "for"}
"""Words that belong to the verb before them: "log in"."""
