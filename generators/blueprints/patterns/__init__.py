"""A recipe and a tool that suits its pattern -> a draft that has grown into that pattern; and a draft -> its pattern.

task_pattern.py      what a pattern is: which tools suit it, how a draft grows into it, how it is seen in a draft
pattern_table.py     all patterns, the most particular first
single.py            single, fan_in and missing_tool: one request about one tool
sequential.py        sequential and multi_goal: what one call returns goes into the next, in one request or several
parallel.py          parallel and parallel_then_sequential: independent goals in one request
recombined.py        two drafts of one person -> one
fan_out.py           one goal that goes through all items of a list
conditional.py       what a result says decides whether a goal is done, or which of two
iterative_search.py  look, find nothing, look elsewhere
question.py          goals that only read, and want to hear one thing
no_call.py           nothing is called, since no tool serves what is wanted
ask.py               nobody knows what the call would need
refusal.py           what a rule forbids, and its twin that the rule allows
handover.py          what only a person may do
guided.py            steps that the user makes on its own device

Order: pattern_table knows all others; they are made of `growth`. A recombined task is grown by composition, as two drafts.
To add a pattern, add its module, its row, and its name in `schemas.records.recipe`; see CONTRIBUTING.md.
"""
