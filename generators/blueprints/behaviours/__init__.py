"""A draft that has grown -> the same whose user also does what its recipe asks for: steps and facts that follow from it.

behaviour_table.py       the tables: behaviours that add steps, and those that change only how the task is told
digressions.py           comes_back, refuses_identity, asks_back, wanders_off, impatient
reconsideration.py       changes_mind, corrects_itself, contradicts, mistaken
recollection.py          elliptical, long_memory, several_at_once
late_change_of_mind.py   changes_mind_late: what was just done is undone, or done otherwise

Order: behaviour_table tries the behaviours in the order of its rows; they find their moments by
`growth.dialogue_moments`. To add a behaviour, add its module, its row, and its name in `schemas.records.behaviour`.
"""
