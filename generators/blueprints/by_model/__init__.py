"""What models are asked about tasks, and what is made of their answers; runs without models need none of it.

inspirations.py  tools, policy and texts -> short scenarios that inspire tasks, each unlike all others
written_task.py  tools, rows and a model -> a realistic task, executed and checked like every other
tool_pairs.py    two tools -> whether a person would use the one with a value that the other shows
revision.py      a blueprint and feedback -> the same task in better words; calls and expectations stay as they are

Order: any; revision uses one function of written_task. To change what a model is told, change a module's `INSTRUCTIONS`.
"""
