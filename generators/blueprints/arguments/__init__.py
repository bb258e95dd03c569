"""A tool and a row -> an executed action whose every argument has an origin: the user, a result, a default.

resolution.py          gives each argument an origin, executes the look-ups, runs the call
enabling_calls.py      a call that fails in the present state -> the calls that let it succeed, then the call
pending_calls.py       the calls that wait for a look-up, and the rows that are looked up
tool_inputs.py         what all calls of a tool share: required arguments, references, optional ones that people use
known_values.py        an argument or a value -> whether a person could know and say it
argument_choice.py     a tool and a row -> arguments of one call about rows that exist
row_choice.py          which row an argument names: the user's own, one that came up before, one below another
optional_arguments.py  which optional arguments a call gives
kept_values.py         required fields that an update leaves unchanged: taken from the look-up that showed the row
row_hierarchy.py       an argument that now names another row -> the other arguments, moved below that row
producers.py           the tools that may return an identity, the cheapest first
shared_arguments.py    arguments that mean the same in a call and in its look-up
item_choice.py         an identity in a result, and the fact by which the user singles out its item
item_descriptions.py   descriptions of an item without its name: the latest, the highest, the one in May
implied_reference.py   whether "the same one" means a row, or the user must name it again
argument_labels.py     what people call an argument, and what a look-up of it is for

Order: known_values, tool_inputs, optional_arguments, row_choice, argument_choice, row_hierarchy; producers and item_choice for each identity;
resolution over all. To change where a value comes from, change `resolution`; which value it is, `argument_choice`.
"""
