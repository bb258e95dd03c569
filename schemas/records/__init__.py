"""The frozen records that flow through interplay; they hold and check data, and decide nothing.

tool.py         tools, toolsets, policy rules, resources and roles of tools
phrases.py      how people speak of a tool, its rows and its arguments
tool_graph.py   edges: which output can feed which input, with evidence
override.py     the author's corrections of what was inferred
translation.py  what a toolset is called in another language
recipe.py       what one index of a run asks for, its persona, and its made-up world
blueprint.py    the verified task: goals, actions, what is expected, scenario
behaviour.py    what a user does beyond stating its wish
fault.py        how a tool fails, and how the assistant should recover
dialogue.py     acts, calls, results, messages, trajectories
failure.py      kinds of failure in a dialogue, with the kinds that readers mix up
review.py       what reviewers of a dialogue are shown and asked, and what they answer
calibration.py  labels that people give, and how well reviewers agree with them
recorded.py     a dialogue recorded elsewhere, with what a right one does
verdict.py      issues, verdicts, reviews, the dataset record, curation, rewards of agents
chat.py         requests to a model and its replies

Order, as a task goes: tool, tool_graph, recipe, blueprint, dialogue, verdict. To add a field, add it here with a default and a
description, and publish the schemas again.
"""
