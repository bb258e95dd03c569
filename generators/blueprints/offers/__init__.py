"""The actions of a task -> the tools that are offered at the start, and how these change.

initial_offer.py    decides by the recipe: all tools, some distractors, what a search finds, or what comes and goes
offer_needs.py      which tools each request needs, in which order; and what was decided
lookalike_tools.py  tools that could be taken for the needed ones
tool_changes.py     tools that appear with a request, and those that are gone by then
tool_searches.py    the searches that lead to each tool before it is called

Order: offer_needs, lookalike_tools, tool_changes or tool_searches, initial_offer. To change how many distractors are
offered, change the constants of `initial_offer`.
"""
