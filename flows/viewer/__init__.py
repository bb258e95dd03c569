"""Workspaces -> a page at which people look at them, served to this machine alone.

index_upkeep.py    the finished shards of a workspace -> its index, again whenever more of them are there
looked_at.py       a workspace that is looked at: its figures, its records, what lies beside them
hand_labels.py     a drawn sample of dialogues, and what people say of them without knowing what became of them
state_steps.py     a record -> what each of its calls changed
guard.py           requests -> those that come from the person who was told the address
page_server.py     addresses -> pages

Order: guard, looked_at (index_upkeep, state_steps), hand_labels, page_server. To add a page, add a route to `page_server` and a template to `outputs/viewer`.
"""
