"""One index of a run -> its records: compose a task, check it, play it, check the dialogue; once for each attempt.

generator.py           an index -> its records; a pure function of configuration and index where rules play
workshop.py            an opened world -> what composes, checks and plays tasks in it, one user at a time
tasks.py               an index -> its task: composed, evolved, invented by a model, or retold; and the order
                       in which the indices of a shard choose their scenarios
panel.py               a task -> the same after its gates, its reviewers and its revisions
play.py                a task and its players -> a trajectory
attempts.py            a task -> its attempts and branches as records, played, checked and labelled
pass_rate.py           attempts at a task -> the share that passes, and which of them are kept
sessions.py            several tasks of one user, each in the state that the previous one left
continuation.py        a dialogue -> where the next one continues: kept messages, known facts, and the state
starts.py              imported conversations, or records of a workspace -> where dialogues begin
task_process.py        a process that composes tasks ahead of the dialogues that models have about them

Order: generator asks sessions (continuation, starts), tasks (workshop, task_process), panel, attempts (play) and pass_rate.
To change what a task goes through before it is played, change `panel`; after it, `attempts`.
"""
