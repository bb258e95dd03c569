"""A played dialogue -> the place where it branches, and copies of it with one mistake of the assistant.

branch_point.py    a record -> where its branches part, what they share, and copies with a mistake after that place
mistakes.py        the table of mistakes; a dialogue with a mistake -> the same with all its calls run again
wrong_calls.py     one wrong call: another tool, another argument, an extra write, a loop
wrong_steps.py     one wrong step: left out, ended early, a rule broken, a false claim
sound_dialogue.py  a sound dialogue and its world: its calls, and which values are known at which message

Order: branch_point, mistakes (wrong_calls, wrong_steps), which use sound_dialogue. To add a mistake, write its function and
add it to `MISTAKES`. Continuations are played in `generation.attempts`; `runs.derived_run` begins a run about branches.
"""
