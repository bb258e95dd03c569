"""The records of the product and what all rooms share; knows no other room.

records/      what flows: tools, recipes, blueprints, dialogues, verdicts
calls/        calls and their results: what they refer to, whether they agree, which tools are offered after them
words/        what names and sentences say: numbers, dates, nouns, values in prose
json/         JSON itself: canonical form, schemas, patterns, texts, and the base of all records
protocols.py  what an environment, a player, a policy, a check and a model must do
rule_evidence.py calls so far and a policy -> whether what it decides about the next call was shown by them
errors.py     all that is raised on purpose
versions.py   the versions of files that people keep: older ones are brought up to date, newer ones refused
plain_file.py a path -> the same path, unless a pipe or a device is there
publish.py    records -> published/*.schema.json

Order: json, records and words, calls, protocols, rule_evidence. After a change of a record run `interplay schemas --to
schemas/published`.
"""
