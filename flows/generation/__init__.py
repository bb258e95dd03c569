"""One index of a run -> its records: compose a task, check it, play it, check the dialogue; once for each attempt.

generator.py           an index -> its records; a pure function of configuration and index where rules play
workshop.py            an opened world -> a place where tasks are composed, checked and played in turn
tasks.py               an index -> its task: composed, evolved, invented by a model, or told again
scenario_order.py      the indices of a shard -> who chooses a scenario when, so that all know the same
panel.py               a task -> the same after its gates, its reviewers and its revisions
play.py                a task and its players -> a trajectory
attempts.py            a task -> its attempts and branches as records, each played, checked and labelled
attempt_comparison.py  the attempts at one task -> those that are the same, and the share that passes
sessions.py            several tasks of one user, each in the state that the one before left
continuation.py        a dialogue -> where the next one goes on: what is kept and known, and the state
starts.py              imported conversations, or records of a workspace -> where dialogues begin
task_process.py        a process that composes tasks ahead of the dialogues that models have about them

Order: generator asks sessions (continuation, starts), tasks (workshop, scenario_order), panel, attempts (play), and
attempt_comparison. To change what a task goes through before it is played, change `panel`; after it, `attempts`.
"""
