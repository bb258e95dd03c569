"""Everything that makes data: toolsets, environments, tasks with ground truth, participants, dialogues, clients of models.

importers/     a description of tools (OpenAPI, MCP, Python, tool JSON, dialogues) -> a Toolset
domains/       the bundled domains: clinic, rental, workspace
environments/  a Toolset -> an environment with state, in which its tools can be called
graph/         a Toolset and its environment -> which output can feed which input, and arguments that tools accept
phrases/       a tool, a field or a wish -> what people call it
values/        a JSON Schema and a name -> a made-up value
faults/        the kinds of faults of tools, one module each
results/       a tool's result -> its kind: a row, a list, an error, an acknowledgement
blueprints/    an index -> a recipe -> a blueprint: a task with verified ground truth
participants/  a blueprint -> a user and an assistant, played by rules or by a model
models/        one client for every provider, with journal, limits and batches
simulation.py  a blueprint, its participants and its environment -> a trajectory
dialogue_limits.py  the limits of a dialogue's length

Order: importers, environments, graph, blueprints, participants, simulation. `results` imports no other room of
generators; `faults` and `phrases` import it, `values` imports phrases. `blueprints` imports `graph`, but neither `participants`
nor `environments`: they meet in protocols. To add a source of tools, open `importers`; a domain, `domains`; a pattern or a
behaviour, `blueprints`.
"""
