"""A Python class, object or module -> an environment: its methods are called, its attributes are the state.

plain_json.py          any Python value -> plain JSON
tracked_containers.py  dicts and lists that report the entry they belong to before they change
frozen.py              values that cannot be tracked -> copies that can be compared and brought back
state_entries.py       one unit of the state: its saved copy, its hash, how it is shown
databases.py           attributes -> the same, with the tables of a database among them
joined_attributes.py   several objects with tools -> one map of attributes
bare_attributes.py     an object whose whole state is private -> its attributes by bare names
live_entries.py        the attributes of an object -> the entries of its state as they are now
nested_rows.py         attributes of any shape -> the rows that stand in them
steady_chance.py       what a call draws by chance -> the same whenever it is made in the same state
call_limits.py         a call -> the same call, given up when it takes too long
call_marks.py          the call that is under way -> a place where another process reads it; calls that ended one
tracker.py             attributes -> snapshots, digest and changes, at the cost of what changed
table_roles.py         live tables and tools -> resources, and the role of each tool
factory.py             a target and a scenario -> what makes the object that an environment calls
toolkit.py             the environment: binds arguments, calls, reads the result or the error, rolls back

Order: plain_json, frozen and tracked_containers, state_entries; factory makes the object, databases, joined_attributes and
bare_attributes say what its attributes are, live_entries and tracker watch them, nested_rows and table_roles infer the roles,
toolkit calls (steady_chance, call_limits, call_marks). To accept
another style of tool classes see factory and importers/python; to change what counts as an error, toolkit.
"""
