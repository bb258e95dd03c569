"""Workspaces -> a page at which people look at them, served to this machine alone.

row_readers.py     shards that were counted -> the rows of their records, read here or by several processes
index_upkeep.py    the finished shards of a workspace -> its index, again whenever more of them are there
looked_at.py       a workspace that is looked at: its figures, its records, what lies beside them
hand_labels.py     a drawn sample of dialogues, and what people say of them without knowing what became of them
run_world.py       the world of a run -> what each call of a record changed
guard.py           requests -> those that come from the person who was told the address
site.py            the workspaces by the numbers in addresses, and the answers that show pages
run_routes.py      addresses of runs: overview, tools, comparison
record_routes.py   addresses of records: the list, a dialogue, two side by side
label_routes.py    addresses at which people judge
page_server.py     workspaces -> what answers for their pages, at a port

Order: guard, looked_at (index_upkeep, row_readers, run_world), hand_labels, site, the routes, page_server. To add a page,
add a route to one of these and a template to `outputs/viewer`.
"""
