"""What a model is asked about tasks, and what becomes of its answers; a run without models needs none of it.

inspirations.py  tools, policy and texts -> short scenarios that tasks may be inspired by, each unlike all others
written_task.py  tools, rows and a model -> a task as people would have it, run and proven like every other
tool_pairs.py    two tools -> whether a person would use the one with what the other shows
revision.py      a blueprint and feedback -> the same task told better; calls and what is expected stay as they are

Order: the modules do not know each other. To change what a model is told, change `INSTRUCTIONS` of the module.
"""
