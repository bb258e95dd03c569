"""A draft -> the same with one more request or goal: the operations that patterns, behaviours and operators are made of.

growth.py              begin a request, choose a row, serve a goal, keep a rule
evidence_lookups.py    the look-ups that show what rules decide about a call
follow_ups.py          one more request or goal, about what was spoken of if possible
dialogue_moments.py    when the user is asked something, and the facts that it tells there
alternative_values.py  a fact -> what might have been said in its place
trial_calls.py         calls of a tool to try: about which rows, with which other values
temptation.py          a policy rule -> a wish that it forbids
pressure.py            users who want to do without what a rule asks for first
device_readings.py     a look of the user at its device, and a call that needs what it sees
linked_goals.py        an edge of the tool graph -> two goals: what the first shows is what the second is about

Order: evidence_lookups, growth; follow_ups, dialogue_moments, linked_goals and trial_calls over it; temptation over trial_calls; pressure over
temptation; alternative_values over dialogue_moments. To change how a goal is served, change `growth`; how its call
comes about, the room `arguments`.
"""
