"""An index of a run -> a blueprint: a task whose every call was executed, with what is expected of it and what its user knows.

recipes/      what an index asks for: a pure function of settings, seed and index
composition/  a recipe -> a blueprint: attempts, revisions, variants
evolution/    operators that make a task easier, harder or otherwise
safety/       tasks that would do harm, and their harmless twins
by_model/     tasks that a model invents or revises
finishing/    a draft -> the blueprint: run again, with expected outputs, scenario, difficulty and faults
sense/        a task -> how plausible it is that somebody wants it
patterns/     what a task is like as a whole, one operator for each pattern
behaviours/   what its user does beside wanting something
offers/       which tools are offered when
growth/       requests and goals, one after the other: what patterns, behaviours and operators are made of
arguments/    a tool and a row -> a call whose every argument has an origin, with the look-ups that it needs
drafting/     the draft: steps that have run, and what of them still holds

Order: composition takes a recipe, grows a draft by a pattern, adds behaviours, finishes it, and evolves what came out.
Each room knows only rooms below it in this list, except recipes, which knows none of them and may be known by all.
To add a pattern or a behaviour, add its module and its row of the table in `patterns` or `behaviours`.
"""
