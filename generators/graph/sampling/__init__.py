"""An environment's state -> arguments that its tools accept, about existing rows that belong together.

world.py                roles, resources, rows of the present state, and links between rows
row_values.py           a row and a parameter -> the value that the row has for it, by the words of its name
row_owners.py           rows of the opening state -> which user owns them
essential_arguments.py  optional arguments that users practically always give
argument_samples.py     arguments for one call that is likely to succeed
exploration.py          a world that knows only rows it was asked for -> the same after calling its lists

Order: row_values, world, essential_arguments, argument_samples; row_owners and exploration over them. To change how a
parameter finds its value in a row, change `row_values`.
"""
