"""Messages of a model -> dialogue acts, facts and goals, so that rules can answer: here rules interpret free language.

state_tracker.py     follows a dialogue: a message, as a reader interprets it -> its act and dialogue state
user_reader.py       a user's words -> its act
assent.py            an answer to "Shall I?" -> yes, no or unclear; words that decline
wish_reader.py       a user's words -> whether they bring up a request, and how
fact_reader.py       a user's words -> the facts that they tell
behaviour_reader.py  a user's words -> the planned behaviours that they show
assistant_reader.py  an assistant's words -> its act, and what it asks for
question_reader.py   an assistant's words -> the facts that they ask for, by label
choice_reader.py     an assistant's question -> the choice that it is about
equivalence.py       other words for an act -> whether they change it
word_overlap.py      two texts -> the share of content words that they have in common
task_translation.py  a task in English words -> the same task in another language
forthcoming_user.py  a task for an external assistant -> the same with a user who tells what nobody would ask for
mixed_players.py     a player -> one that reads the other side's words, and asks again if they are unclear

Order: word_overlap, assent (equivalence), state_tracker, the readers, mixed_players; task_translation and forthcoming_user
change a task before it is played. What is heard only decides what the rules say next: no check reads it. To have a phrase
understood, add it under `hearing` in ../wording/grammar/*.yaml, or, for a yes or a no, in assent.yaml.
"""
