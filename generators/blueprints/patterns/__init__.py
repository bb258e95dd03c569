"""A recipe and a tool that suits its pattern -> a draft grown into that pattern; and a draft -> its pattern.

task_pattern.py      what a pattern is: which tools suit it, how a draft grows into it, how a draft is recognised
pattern_table.py     all patterns, the most particular first
single.py            single, fan_in and missing_tool: one request about one tool
sequential.py        sequential and multi_goal: what one call returns goes into the next, in one request or several
parallel.py          parallel and parallel_then_sequential: independent goals in one request
recombined.py        joins two drafts of one user
fan_out.py           one goal that is done for each item of a list
conditional.py       a value in a result decides whether a goal is done, or which of two
iterative_search.py  a search that finds nothing, then one with another value
question.py          goals that only read, and ask for particular values
no_call.py           nothing is called, since no offered tool serves the wish
ask.py               a call needs a value that neither the user nor any tool can supply
refusal.py           a wish that a rule forbids, or its twin that the rule allows
handover.py          a wish that only a person may fulfil
guided.py            steps that the user makes on its own device

Order: pattern_table imports all others; they build on `growth`. Composition grows a recombined task as two drafts.
To add a pattern, add its module, its row, and its name in `schemas.records.recipe`; see CONTRIBUTING.md.
"""
