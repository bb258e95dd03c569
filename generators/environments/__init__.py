"""Toolset, Python object or MCP server -> an environment: tools that can be called, and a state that can be restored.

inference/    tools -> a plan: resources, references, and the role of each tool
overrides/    an author's file -> corrections of a plan
rows/         a row and a call -> the row changed, filtered, paged, shown; no state
accounts/     a plan -> summaries of it for people and other rooms
sandbox/      a plan and a seed -> a world of made-up rows
toolkit/      a Python object -> an environment around its methods and attributes
live/         MCP servers, recorded sessions, tools that a model plays; the state is the calls that were made
wrappers/     an environment -> another one: with faults, tool search, a cache, a state of its own; several as one
policy/       an author's rules -> a policy that runs
probing/      a sandbox -> the calls in which it contradicts itself

Order: inference; overrides and rows; accounts; sandbox. toolkit and wrappers import no other room here; live, policy and
probing are above those that they use. To add a kind of environment, add a module to live/ (or a room), which satisfies
`schemas.protocols.Environment`, and open it in `flows`.
"""
