"""The configured models -> the players of user, assistant, tools and reviewers.

cast.py         the models of a run, opened once, with journal, budget and limits around them
players.py      a blueprint -> its user and its assistant: rules, rules in a model's words, or a model
system_prompt.py  a toolset -> its assistant's system prompt: its name, the day, the policy
listener.py     the words of models -> the acts and states that rules beside them understand
model_check.py  each model -> its abilities, and what its roles need and it lacks

Order: cast once per run, players and listener once per dialogue. To add a role, add it to `ModelRole` in the schemas and
seat it in `players`; to add a provider, see `generators.models`.
"""
