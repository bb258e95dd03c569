"""Specifications of toolsets -> an opened world: environment, policy, tool graph, and what was inferred of them.

tool_sources.py      one specification -> the tools of its source, filtered, and corrected by their author
server_trial.py      a live server -> what trying it shows: results, rows, names that change, tools to leave out
trial_process.py     calls of foreign code -> their outcome, made in a separate process
result_schemas.py    tools that are code -> the same with schemas of their results, found by running them
source_code.py       a module of tools -> digests of its code files
assembly.py          sources -> a world: the environment, its policy, its parts; a world -> its tool graph
proposed_phrases.py  a world and a model -> what people call its tools
proposed_rows.py     a world and a model -> example rows for its sandboxes
fitness_warnings.py  what the answers of tools rest on -> warnings about answers that are made up
explained_sources.py  opened sources -> accounts of what was inferred of them
corrections.py       specifications -> accounts with doubts, files to correct them, what changed since an import
scaffold.py          specifications -> a commented configuration with its schema; a bundled domain -> a copy to begin with

Order: tool_sources, result_schemas (trial_process), assembly (source_code); the others use an opened world. To add a kind of
source, read it in `tool_sources` and open it in `assembly`. To add a bundled domain, add it to `DOMAINS` in `tool_sources`.
"""
