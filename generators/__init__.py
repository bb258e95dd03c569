"""What makes things: toolsets, environments, tasks with ground truth, participants, dialogues, and the clients of models.

importers/     a description of tools (OpenAPI, MCP, Python, tool JSON, dialogues) -> a Toolset
domains/       the bundled domains: clinic, rental, workspace
environments/  a Toolset -> an environment with state, in which its tools can be called
graph/         a Toolset and its environment -> who can feed whom, and arguments that tools accept
phrases/       a tool, a field or a wish -> what people call it
values/        a JSON Schema and a name -> a made-up value
faults/        the kinds of faults of tools, one module each
results/       a tool's result -> what kind of thing it is
blueprints/    an index -> a recipe -> a blueprint: a task with verified ground truth
participants/  a blueprint -> its user and its assistant, by rules or by a model
models/        one client for every provider, with journal, limits and batches
simulation.py  a blueprint, its participants and its environment -> a trajectory
dialogue_limits.py  how long a dialogue may last

Order: importers, environments, graph, blueprints, participants, simulation. `results` knows no other room of
generators; `faults` and `phrases` stand on it, `values` on phrases. `blueprints` knows `graph`, and neither `participants` nor `environments`: they
meet in protocols. To add a source of tools, open `importers`; a domain, `domains`; a pattern or a behaviour, `blueprints`.
"""
