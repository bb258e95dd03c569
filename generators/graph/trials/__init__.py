"""Code that nobody describes -> what its tools want, found by calling them: values, and calls that come first.

bounded_calls.py    calls in a state that is brought back, bounded in number; what a failure says, without its values
value_hints.py      a failed call -> arguments to try: from descriptions, from what the failure says, from the state
preconditions.py    tools -> the values that they take, the calls that let them succeed, and what they answer then
shown_identities.py  what tools answered -> where rows are named in it
first_rows.py       tools that act on nothing yet -> the calls of theirs that make the first rows
set_up_tools.py     tools that replace the whole state -> why they are none that a user would ask for

Order: bounded_calls, first_rows, value_hints, preconditions; set_up_tools and shown_identities read what those found.
To add a place where values are looked for, change value_hints.
"""
