"""Verbs with which tool names and summaries begin, from data/en/verbs.yaml."""

from interplay.schemas.words.lists import word_set

VERBS = word_set("verbs", "asked")

TOLD = VERBS | word_set("verbs", "told")
"""Verbs with which summaries begin; some of them are nouns in names: `exchange_rate`."""

FILLING = {"v", "api", "do", "controller", "op", "operation", "handler", "endpoint", "rest", "index", "store"}
"""Words in tool names that say nothing about what the tool does."""

PARTICLES = {"to", "into", "in", "out", "up", "off", "on", "from", "for"}
"""Particles that belong to the verb before them: "log in"."""
