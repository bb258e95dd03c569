"""A recipe and a tool that suits its pattern -> a draft that has grown into that pattern.

pattern_table.py     for each pattern, which tools suit it and what lets a draft grow; also single, sequential,
                     parallel and multi_goal
recombined.py        two drafts of one person -> one
fan_out.py           one goal that goes through all items of a list
conditional.py       what a result says decides whether a goal is done, or which of two
iterative_search.py  look, find nothing, look elsewhere
question.py          goals that only read, and want to hear one thing
no_call.py           nothing is called, since no tool serves what is wanted
refusal.py           refusal and ask: what a rule forbids, what it allows, what nobody knows enough for
handover.py          what only a person may do
guided.py            steps that the user makes on its own device

Order: pattern_table knows all others; they are made of `growth`. To add a pattern, add its module, its row in
`pattern_table.OPERATORS`, its name in `schemas.records.recipe` and its weight in `recipe_settings`.
"""
