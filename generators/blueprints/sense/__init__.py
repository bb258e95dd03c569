"""A task -> how plausible it is that somebody wants it, with the reasons to doubt that.

weighed_task.py   a blueprint with its results, its rows and its graph
machine_tools.py  a tool -> whether it serves programs rather than people
told_doubts.py    what the user says, chooses by and asks for -> doubts
order_doubts.py   the order of writes -> doubts
look_doubts.py    the look-ups on the way -> doubts
goal_doubts.py    how the goals go together -> doubts
plausibility.py   DOUBTS, the table of all doubts; a task with its results -> its `Sense`

Order: weighed_task and machine_tools, the four modules of doubts, plausibility. To add a reason, add a function to one of the four and its
row to `DOUBTS`, with what it costs.
"""
