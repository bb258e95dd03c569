"""A Python class, object or module -> an environment: its methods are called, its attributes are the state.

plain_json.py          any Python value -> plain JSON
tracked_containers.py  dicts and lists that report the entry they belong to before they change
frozen.py              values that cannot be tracked -> copies that can be compared and restored
state_entries.py       one entry of the state: its saved copy, its hash, how it is shown
databases.py           attributes -> the same, with the tables of a database among them
joined_attributes.py   several objects with tools -> one map of attributes
bare_attributes.py     an object with private attributes only -> these under names without underscores
live_entries.py        the attributes of an object -> the entries of its present state
nested_rows.py         attributes of any shape -> the rows inside them
steady_chance.py       the random draws of a call -> the same ones whenever it is made in the same state
call_limits.py         a call of foreign code -> the same, with a time limit and kept inside this process
call_marks.py          the call under way -> a place where another process reads it; calls that ended a process
tracker.py             attributes -> snapshots, digest and changes, at a cost proportional to what changed
table_roles.py         live tables and tools -> resources, and the role of each tool
factory.py             a target and a scenario -> a factory of the object that an environment calls
toolkit.py             the environment: binds arguments, calls, reads the result or the error, rolls back

Order: plain_json, frozen and tracked_containers, state_entries; factory makes the object, databases, joined_attributes and
bare_attributes say what its attributes are, live_entries and tracker watch them, nested_rows and table_roles infer the roles,
toolkit calls (steady_chance, call_limits, call_marks). To accept
another style of tool classes see factory and importers/python; to change what counts as an error, toolkit.
"""
