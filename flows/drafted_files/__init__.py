"""A description, texts or a policy, and the composer's model -> a draft file for a configuration, to be reviewed by a person.

invented_tools.py   a described domain -> definitions of its tools, which import
mined_scenarios.py  a toolset and texts -> scenarios that inspire tasks
tool_phrases.py     a toolset -> what people call its tools, in a file of overrides
proposed_rules.py   a policy in prose -> rules in a file of overrides, each tested in the world and on examples

Order: each is independent, and is called by one command of `commands.composer`.
"""
