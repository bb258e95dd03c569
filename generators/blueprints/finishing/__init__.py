"""A draft -> the blueprint: its actions run once more in the order of their calls, with everything that is expected.

finisher.py          puts the blueprint together
rerun.py             orders the actions, runs them again, and checks origins, results, conditions, choices and policy
relied_results.py    checks that results are not outdated when a later step or a report uses them
prior_dialogue.py    what came before the task, and which facts need not be told again
scenario_goals.py    goals and facts as the user brings them up
given_scope.py       the row that a whole conversation takes place in, such as an account that no tool shows
late_fact.py         the fact that the user adds late
goal_questions.py    which values of a result the user asks for, and in which words
expected_outputs.py  the goals with their questions, and the values that answer them
due_duties.py        what rules require to be said before an action, or offered in its place
device_views.py      what the user tells about calls on its own device
difficulty.py        how hard the task is: measured parts and one score
fault_plan.py        a blueprint -> the same with planned faults, where its recipe wants them
lasting_fault.py     an action that fails for good -> what is then withheld, or done in another way

Order: finisher runs rerun (with relied_results), then scenario_goals, late_fact, prior_dialogue, expected_outputs (with
goal_questions), the offers, device_views, difficulty. fault_plan and lasting_fault come afterwards, on the blueprint.
To change what makes a task hard, change `difficulty.WEIGHTS`.
"""
