"""Players through a model: what each role may see -> a prompt; the model's answer -> a message or a review.

user.py              scenario -> the user, who never sees tools or ground truth
behaviour_prompt.py  behaviours of a scenario -> lines of the user's prompt
knowledge_prompt.py  what a user wants and knows -> lines of the user's prompt
assistant.py         policy, tools and dialogue -> the assistant, who never sees the blueprint
rewrite.py           a player by rules -> the same acts in a model's words, if these keep all values and add none
unclear_words.py     words that the rules cannot interpret -> their dialogue act
task_reviewer.py     a blueprint with its solution -> scores with reasons
dialogue_reviewer.py a dialogue with its facts and checklist -> answers with citations
review_windows.py    a long dialogue -> overlapping windows, for dialogue_reviewer

Order: behaviour_prompt and knowledge_prompt make the prompt of user; user takes the message format of assistant.
To change what a model is told of a behaviour, edit `prompt=` of the behaviour, in its module of blueprints/behaviours;
behaviour_prompt.py only fills in the values. Prompts keep a stable beginning, so that providers cache it.
"""
