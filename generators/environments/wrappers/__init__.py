"""An environment -> an environment with the same protocol that adds one thing.

wrapped_environment.py  passes on to the environment within what a wrapper does not do itself
faulty_calls.py    planned faults -> calls that go wrong, each time alike
isolated_state.py  one environment -> many, each with a state of its own
call_cache.py      answers from memory what was asked before in the very same state
merged.py          several environments and policies -> one, name clashes resolved by prefix
tool_index.py      tools -> an inverted index that ranks them for a need in plain words (BM25)
tool_search.py     adds the tool `search_tools` over a tool index

Order: merged, tool_search, then per dialogue isolated_state or call_cache, faults outermost; `flows` joins them.
The kinds of faults are in generators/faults, one module each.
"""
