"""One module per format: a record, a pair of attempts or all attempts at a task -> rows in the format of a trainer or benchmark.

openai.py      OpenAI chat messages with weights; arguments and tools as JSON text
trl.py         TRL and chat templates; arguments and tools as objects
sharegpt.py    ShareGPT, as LLaMA-Factory reads it
hermes.py      Hermes: calls and results as tagged text, tools in the system prompt
preference.py  pairs of attempts, for preference trainers
kto.py         single turns labelled right or wrong, for trainers of unpaired preferences
steps.py       each step of the assistant with what comes before it, for reinforcement learning on single steps
rl.py          tasks with prompt, tools and ground truth, for reinforcement learning with a verifier
atif.py        the agent trajectory interchange format
tau2.py        tasks as tau2-bench loads them, with tools and policy beside them
bfcl.py        multi-turn entries with their answers, in the shape of the Berkeley function calling leaderboard

Order: openai, whose messages steps and rl use, and trl, whose messages preference and kto use; the others stand alone.
"""
