"""An environment's state -> arguments that its tools accept, about rows that exist and belong together.

world.py                roles, resources and rows of the present state, and which refer to which
row_values.py           a row -> what it holds for a parameter, by the words of its name
row_owners.py           rows of the opening state -> whose they are
essential_arguments.py  optional arguments without which nobody would ask for what a tool makes
argument_samples.py     arguments for one call that is likely to succeed
exploration.py          a world that shows only what it is asked for -> the same after a look at its lists

Order: row_values, world, essential_arguments, argument_samples; row_owners and exploration over them. To change how a
parameter finds its value in a row, change `row_values`.
"""
