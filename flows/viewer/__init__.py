"""Workspaces -> a web page to look at them, served to this machine only.

row_readers.py     counted shards -> the rows of their records, read in this process or in several
index_upkeep.py    the finished shards of a workspace -> its index, updated whenever there are more of them
looked_at.py       a workspace under view: its figures, its records, and its other files
hand_labels.py     a random sample of dialogues, and people's labels of them, given without seeing the outcome
run_world.py       the world of a run -> what each call of a record changed
guard.py           lets only requests with the printed token through
site.py            the workspaces by their numbers in addresses, and the responses that show pages
run_routes.py      routes of runs: overview, tools, comparison
record_routes.py   routes of records: the list, a dialogue, two side by side
label_routes.py    routes for labelling dialogues
page_server.py     workspaces -> the web application and its port

Order: guard, looked_at (index_upkeep, row_readers, run_world), hand_labels, site, the routes, page_server. To add a page,
add a route to one of these and a template to `outputs/viewer`.
"""
