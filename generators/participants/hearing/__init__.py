"""Messages of a model -> dialogue acts, facts and goals, so that rules can answer: here free language is read by rules.

state_tracker.py     follows a dialogue: a message, as a reader takes it -> its act and dialogue state
user_reader.py       a user's words -> its act
assent.py            an answer to "Shall I?" -> yes, no or unclear; words that decline
wish_reader.py       a user's words -> the request that they bring up, and how
fact_reader.py       a user's words -> the facts that they tell
behaviour_reader.py  a user's words -> the planned behaviours that they show
assistant_reader.py  an assistant's words -> its act, and what it asks for
question_reader.py   an assistant's words -> the facts that they ask for, by what these are called
choice_reader.py     an assistant's question -> the choice that it is about
equivalence.py       other words for an act -> what they change in it
word_overlap.py      two texts -> the share of telling words that they have in common
task_translation.py  a task in English words -> the same task in the words of another language
forthcoming_user.py  a task whose assistant comes from elsewhere -> the same with a user who tells what nobody would ask
mixed_players.py     a player -> one that hears the other side, and asks again where it cannot tell

Order: word_overlap, assent (equivalence), state_tracker, the readers, mixed_players; task_translation and forthcoming_user
change a task before it is played. What is heard decides what the rules say next, and
nothing else: no check reads it. To have a phrase understood, add it under `hearing` in ../wording/grammar/*.yaml, and one for a
yes or a no in assent.yaml.
"""
