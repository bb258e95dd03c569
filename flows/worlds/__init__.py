"""Specifications of toolsets -> an opened world: environment, policy, tool graph, and what was inferred of them.

tool_sources.py      one specification -> the tools of its source, filtered, and corrected by their author
server_trial.py      a live server -> what trying it shows: results, rows, names that change, tools to leave out
trial_process.py     calls of foreign code -> what came of them, made in a copy of this process
result_schemas.py    tools that are code -> the same with schemas of their results, seen by running them
source_code.py       a module of somebody's tools -> the digests of the files of its code
assembly.py          sources -> a world: the environment, its policy, its parts; a world -> its tool graph
proposed_phrases.py  a world and a model -> what people call its tools
proposed_rows.py     a world and a model -> parts of rows as they might be, of what is made up
fitness_warnings.py  what the answers of tools rest on -> warnings where nothing backs them
explained_sources.py  opened sources -> accounts of what was inferred of them
corrections.py       specifications -> these accounts with what is in doubt, files to correct it, what changed since
scaffold.py          specifications -> a commented configuration with its schema; a bundled domain -> a copy to begin with

Order: tool_sources, result_schemas (trial_process), assembly (source_code); the others look at what came of it. To add a kind of source, read it in
`tool_sources` and open it in `assembly`. To add a bundled domain, add it to `DOMAINS` in `tool_sources`.
"""
