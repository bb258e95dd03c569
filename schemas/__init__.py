"""The records, protocols and helpers that all rooms share; imports no other room.

records/      the frozen records: tools, recipes, blueprints, dialogues, verdicts
calls/        calls and their results: what they refer to, contradictions, which tools are on offer after them
words/        what names and sentences say: numbers, dates, nouns, values in prose
json/         JSON: canonical form, schemas, patterns, parsing, and the base class of all records
protocols.py  what an environment, a player, a policy, a check and a model must do
rule_evidence.py earlier calls and a policy -> whether their results showed the facts by which a rule decides
errors.py     all exceptions raised on purpose
versions.py   versions of the file formats that users keep: older files are upgraded, newer ones refused
plain_file.py a path -> the same path, unless it is a pipe or a device
publish.py    records -> published/*.schema.json

Order: json, records and words, calls, protocols, rule_evidence. After a change of a record run `interplay schemas --to
schemas/published`.
"""
