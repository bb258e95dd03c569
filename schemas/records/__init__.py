"""The frozen records that flow through interplay; they hold and check data, and decide nothing.

tool.py         tools, toolsets, policy rules, resources and roles of tools
phrases.py      what people call a tool, what it is about and what it asks of them
tool_graph.py   edges: which output can feed which input, with evidence
override.py     what an author corrects in what was inferred
translation.py  what a toolset is called in another language
recipe.py       what one index of a run asks for, its persona, and the made-up world that it plays in
blueprint.py    the verified task: goals, actions, what is expected, scenario
behaviour.py    what a user does beside wanting something
fault.py        what goes wrong with a tool, and what is right then
dialogue.py     acts, calls, results, messages, trajectories
failure.py      what goes wrong in a dialogue, by name, with the kinds that readers mix up
review.py       what reviewers of a dialogue are shown and asked, and what they answer
calibration.py  labels that people give, and what reviewers are worth beside them
recorded.py     a dialogue that was had elsewhere, with what a right one does
verdict.py      issues, verdicts, reviews, the record that is kept, what curation says of it, rewards of agents
chat.py         questions to a model and its answers

Order, as a task goes: tool, tool_graph, recipe, blueprint, dialogue, verdict. To add a field, add it here with a default and a
description, and publish the schemas anew.
"""
