"""A draft -> the blueprint: its actions run once more in the order of their calls, with all that is expected.

finisher.py          puts the blueprint together
rerun.py             orders the actions, runs them again, and checks origins, results, conditions, choices and policy
relied_results.py    what is taken from a result, or told of it, though it is out of date by then
prior_dialogue.py    what came before the task, and what need not be said again for that
scenario_goals.py    goals and facts as the user brings them up
given_scope.py       the account that a whole conversation takes place in, where no tool shows which
late_fact.py         the fact that the user thinks of late
goal_questions.py    what the user wants to know of what an action returned, and how it asks for it
expected_outputs.py  the goals with their questions, and the values that answer them
due_duties.py        what rules ask to be said before an action, or offered in its place
device_views.py      what the user tells of calls on its own device
difficulty.py        how hard it is: measured parts and one score
fault_plan.py        a blueprint -> the same with planned faults, where its recipe wants them
lasting_fault.py     an action that fails for good -> what is withheld for that, or done in another way

Order: finisher runs rerun (with relied_results), then scenario_goals, late_fact, prior_dialogue, expected_outputs (with
goal_questions), the offers, device_views, difficulty. fault_plan and lasting_fault come afterwards, on the blueprint.
To change what makes a task hard, change `difficulty.WEIGHTS`.
"""
