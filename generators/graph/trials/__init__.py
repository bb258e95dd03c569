"""Tools of undocumented code -> the values that they take and the calls that must come first, found by calling them.

bounded_calls.py    a bounded number of calls in a state that is restored; the text of a failure without its values
value_hints.py      a failed call -> arguments to try: from descriptions, the error and the state
preconditions.py    tools -> the values that they take, the calls that let them succeed, and their results
shown_identities.py  results of tools -> where they hold identities of rows
first_rows.py       tools in a state without rows -> calls that create the first rows
set_up_tools.py     tools that replace the whole state -> why users are not offered them

Order: bounded_calls, first_rows, value_hints, preconditions; set_up_tools and shown_identities use their findings.
To add a source of values to try, change value_hints.
"""
