"""A row and a call -> the row as the call changes or shows it; functions of plan, row and arguments, without any state.

clock.py           the times that rows show -> the time of the next change
changes.py         the arguments of a write -> the fields that they give, and the changed row
held_items.py      a row with a list of items, such as a cart -> the same with an item added or removed
statuses.py        the verb of a tool -> the status, flags and times that it sets
initial_fields.py  a made-up row -> the same in its first status: nothing is cancelled, paid or closed yet
omitted_fields.py  a made-up row -> the same without optional fields that the creating call omits
ownership.py       a row -> the rows of other resources that it belongs to
filters.py         the arguments of a list call -> which rows pass
listed_states.py   the description of a list -> the states of its rows: "List active jobs"
sort_order.py      the arguments of a list call -> the order of the rows
pagination.py      the arguments of a list call -> the page, and the envelope fields about it
projection.py      a stored row -> the result that a schema promises, with its envelope
constraints.py     a made-up answer -> the same, in agreement with the arguments of the call
name_lists.py      rows -> a text of their names, for tools that answer with a text

Order: a write goes through changes, statuses, omitted_fields; a list through filters, listed_states, sort_order, pagination,
projection. To read a new parameter of lists, see `Filters`, `in_order` or `page_of`; to change what a verb does to a status, see
statuses.
"""
