"""An environment -> an environment with the same protocol that adds one thing.

wrapped_environment.py  passes everything but calls on to the inner environment
faulty_calls.py    planned faults -> calls that fail or answer wrongly, the same way each time
isolated_state.py  one environment -> many, each with a state of its own
call_cache.py      answers a call from memory if it was made before in the same state
merged.py          several environments and policies -> one; clashing names get a prefix
tool_index.py      tools -> an inverted index that ranks them for a need in plain words (BM25)
tool_search.py     adds the tool `search_tools` over a tool index

Order: merged, tool_search, then per dialogue isolated_state or call_cache, faults outermost; `flows` joins them.
The kinds of faults are in generators/faults, one module each.
"""
