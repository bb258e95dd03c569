"""An index of a run -> a blueprint: a task with its executed solution, what is expected of it, and what its user knows.

recipes/      what an index asks for: a pure function of settings, seed and index
composition/  a recipe -> a blueprint: attempts, revisions, variants
evolution/    operators that make a task easier, harder or otherwise
safety/       tasks that would do harm, and their harmless twins
by_model/     what a model does for tasks: inspire, invent, judge and revise them
finishing/    a draft -> the blueprint: run again, with expected outputs, scenario, difficulty and faults
sense/        a task -> how plausible it is that somebody wants it
patterns/     the overall shape of a task, one operator for each pattern
behaviours/   what the user does besides wanting something
offers/       which tools are offered at which request
growth/       add requests and goals to a draft: what patterns, behaviours and operators are built from
arguments/    a tool and a row -> a call with an origin for each argument, and the look-ups that it needs
drafting/     the draft: executed steps, and which of their results still hold

Order: composition takes a recipe, grows a draft by a pattern, adds behaviours, finishes it, and evolves the blueprint.
Each room imports only rooms below it in this list, except recipes, which imports none of them and may be imported by all.
To add a pattern or a behaviour, add its module and its row to the table in `patterns` or `behaviours`.
"""
