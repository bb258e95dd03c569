"""A task -> how plausible it is that somebody wants it, with the reasons against it.

weighed_task.py   a blueprint with its results, its rows and its graph
machine_tools.py  a tool -> whether programs call it for each other
told_doubts.py    what the user says and chooses by -> doubts
order_doubts.py   what writes do one after the other -> doubts
look_doubts.py    what is looked at on the way -> doubts
goal_doubts.py    how goals go together -> doubts
plausibility.py   DOUBTS, the table of all of them; a blueprint with its results -> its `Sense`

Order: weighed_task and machine_tools, the four modules of doubts, plausibility. To add a reason, add a function to one of the four and its
row to `DOUBTS`, with what it costs.
"""
