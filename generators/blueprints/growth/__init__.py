"""A draft -> the same with one more request or goal: the operations that patterns, behaviours and operators are made of.

growth.py              begin a request, choose a row, serve a goal, keep a rule
evidence_lookups.py    the look-ups whose results a rule's decision about a call rests on
follow_ups.py          one more request or goal, if possible about rows that came up before
dialogue_moments.py    when the user is asked something, and which facts it tells then
alternative_values.py  a fact -> other values that the user might have told
trial_calls.py         calls of a tool to try: about which rows, with which other values
temptation.py          a policy rule -> a wish that it forbids
pressure.py            users who resist a confirmation or identification that a rule requires
device_readings.py     a call that needs a value which the user reads off their device
linked_goals.py        an edge of the tool graph -> two goals, the second about what the first one shows

Order: evidence_lookups, growth; follow_ups, dialogue_moments, linked_goals and trial_calls over it; temptation over trial_calls; pressure over
temptation; alternative_values over dialogue_moments. To change how a goal is served, change `growth`; how its call
comes about, the room `arguments`.
"""
