"""A plan and a seed -> a stateful world: a call enters, a result leaves that satisfies the tool's result schema.

row_store.py        tables of rows over an unchanging base: snapshot, restore and digest cost what changed
shared_identity.py  rows with the identity of another resource's row -> their keys and shared fields
new_keys.py         a new row -> its key and its identity, which no other row has or had
new_rows.py         a key -> a made-up row of its resource
row_references.py   a made-up row -> the same with its references to rows that exist
owner_names.py      a row that belongs to a person -> the same, with its texts about that person
seeds.py            a plan -> the initial rows
locator.py          the arguments of a call -> the row that they name, its owners and the rows below
embedded_rows.py    rows that embed parts of other rows -> the same, with these parts as they are now
row_views.py        a row -> the view in which a result shows it beside the rows that it refers to
tool_results.py     rows -> the result in which a tool shows them; made-up values where there is no row
row_writes.py       one row created, changed, moved or deleted, with what depends on it
write_calls.py      calls that write -> their row writes, and their results
sandbox.py          the environment: checks a call, dispatches it, rolls back failed ones

Order of a call: sandbox checks arguments, references and error cases; locator finds rows; write_calls or the reading in
sandbox; tool_results. seeds makes the initial rows (new_keys, new_rows, row_references). To change what is seeded see seeds;
what a write does, row_writes; what an answer looks like, tool_results and rows/projection.
"""
