"""A description, texts or a policy, and the composer's model -> a file that a configuration then names, to be looked over.

invented_tools.py   a described domain -> definitions of its tools, which import
mined_scenarios.py  a toolset and texts -> scenarios that inspire tasks
tool_phrases.py     a toolset -> what people call its tools, in a file of overrides
proposed_rules.py   a policy in prose -> rules in a file of overrides, each held against the world and examples

Order: each stands alone, and is called by one command of `commands.composer`.
"""
