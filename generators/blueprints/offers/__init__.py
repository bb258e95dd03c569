"""The actions of a task -> the tools that are offered at the start, and how the offer changes.

initial_offer.py    decides by the recipe: all tools, some distractors, search results, or tools that come and go
offer_needs.py      which tools each request needs, in which order; and the resulting plan
lookalike_tools.py  tools that could be mistaken for the needed ones
tool_changes.py     tools that appear with a request, and tools that disappear
tool_searches.py    the searches that lead to each tool before it is called

Order: offer_needs, lookalike_tools, tool_changes or tool_searches, initial_offer. To change how many distractors are
offered, change the constants of `initial_offer`.
"""
