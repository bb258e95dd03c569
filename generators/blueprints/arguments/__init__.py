"""A tool and the row that it is about -> an executed action whose every argument has an origin: the user, a result, a default.

resolution.py          settles each argument, executes look-ups first, runs the call
enabling_calls.py      a call that fails as things are -> the same after the calls that let it succeed
pending_calls.py       the calls that wait while a look-up is made for them, and the rows that are sought
tool_inputs.py         what is the same in all calls of a tool: what it needs, what names rows, what people bring up
known_values.py        an argument or a value -> whether a person could come to say it
argument_choice.py     arguments of one call about rows that exist
row_choice.py          which row an argument names: the user's own, one that was spoken of, one below another
optional_arguments.py  the optional ones that a call gives
kept_values.py         what a change has to give and leaves as it is: taken from the look that showed the row
row_hierarchy.py       one argument has changed -> others are chosen below its new row
producers.py           the tools that may give an identity, the cheapest first
shared_arguments.py    what a call and its look-up have in common
item_choice.py         an identity in a result, and the fact by which the user tells it from the others
item_descriptions.py   an item without its name: the latest, the highest, the one in May
implied_reference.py   whether a row is "the same one", or has to be told anew
argument_labels.py     what people call an argument, and what a look-up of it is for

Order: known_values, tool_inputs, optional_arguments, row_choice, argument_choice, row_hierarchy; producers and item_choice for each identity;
resolution over all. To change who brings a value up, change `resolution`; which value it is, `argument_choice`.
"""
