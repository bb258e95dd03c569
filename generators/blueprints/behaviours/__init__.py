"""A grown draft -> the same with the user behaviours that its recipe asks for; and how these are played and recognised.

user_behaviour.py        what a behaviour is: planned, performed by the user of the rules, told to a model, recognised
behaviour_table.py       all behaviours, in the order in which they are tried; drafts go through them
interruption.py          comes_back: the user brings up the next request before answering a question
withheld_identity.py     refuses_identity: at first, or for good
change_of_mind.py        changes_mind: a value is replaced before anything is done with it
contradiction.py         contradicts: two values for one thing in one message
counter_question.py      asks_back: the user asks what the options are, or why something is needed
correction.py            corrects_itself: a slip of the tongue is taken back
digression.py            wanders_off: something off topic in place of an answer; asks_impossible: what no tool does
impatience.py            impatient: everything at once, or a complaint
long_memory.py           long_memory: what was said long before is not said again
late_change_of_mind.py   changes_mind_late: what was just done is undone, or done otherwise
ellipsis.py              elliptical: "it" for what the last request was about
mistake.py               mistaken: nothing is found by what the user says first
combined_requests.py     several_at_once: two requests in one

Order: behaviour_table tries them in the order of its tuple; `growth.dialogue_moments` finds their moments.
`participants` performs, prompts and recognises by the same records; it imports nothing else of `blueprints`. Behaviours that
change the order of a dialogue or the wording of a wish have a place in `participants.rules.agenda` and `request_phrases`
as well, and are recognised by `participants.hearing` (behaviour_reader.py, wish_reader.py).
A behaviour is performed with the first request (`opening`, see impatience.py), in an answer (`lead`, see correction.py), in its
place (`instead`, see digression.py), or between requests (in the agenda).
To add a behaviour, add its module, its row, and its name in `schemas.records.behaviour`; see CONTRIBUTING.md.
A behaviour that asks the assistant for something needs more: the assistant of the rules has to answer it, so add that in
`participants.rules` (oracle.py), hear it in `participants.hearing` (assistant_reader.py), and add a check in
`validators.trajectories`, if it can be answered wrongly.
"""
