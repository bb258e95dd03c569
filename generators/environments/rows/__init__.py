"""A row and a call -> the row as the call changes or shows it; functions of plan, row and arguments, without any state.

clock.py           the times that rows show -> the time of the next change
changes.py         the arguments of a write -> the fields that they give, and the row afterwards
held_items.py      a row that holds others, and what is put in or taken out -> the row as it is then
statuses.py        the verb of a tool -> the status, flags and times that it leads to
initial_fields.py  a made-up row -> the same in its first status: nothing is cancelled, paid or closed yet
omitted_fields.py  a made-up row -> the same without what the call that makes it left open
ownership.py       a row -> the rows of other resources that it belongs to
filters.py         the parameters of a list -> which rows pass
listed_states.py   what is said of a list -> the states of its rows: "List active jobs"
sort_order.py      the parameters of a list -> the order of the rows
pagination.py      the parameters of a list -> the page, and what its envelope says of it
projection.py      a stored row -> the result that a schema promises, with its envelope
constraints.py     a made-up answer -> the same within what the call asked for
name_lists.py      rows -> a text of their names, for tools that answer with a text

Order: a write goes through changes, statuses, omitted_fields; a list through filters, listed_states, sort_order, pagination,
projection. To read a new parameter of lists, see `Filters`, `in_order` or `page_of`; to change what a verb does to a status, see
statuses.
"""
