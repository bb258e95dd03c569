"""A played dialogue -> the place where it branches, and the same dialogue with one mistake of the assistant.

branch_point.py    a record -> where its branches part, what they keep, and dialogues with one mistake behind that
mistakes.py        the mistakes by kind; a dialogue with a mistake -> the same with all its calls run again
wrong_calls.py     one wrong call: another tool, another argument, one too many, a loop
wrong_steps.py     one wrong step: left out, ended early, a rule broken, a false claim
sound_dialogue.py  a sound dialogue and its world: what was called, what is known when

Order: branch_point, mistakes (wrong_calls, wrong_steps), which ask sound_dialogue. To add a mistake, write its function and add it to
`MISTAKES`. Continuations are played in `generation.attempts`; `runs.derived_run` begins a run about branches.
"""
