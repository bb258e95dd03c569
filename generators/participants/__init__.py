"""The two speakers: a scenario or a blueprint, and the dialogue so far -> the next message of the user or of the assistant.

rules/     both sides without a model: the agenda user and the oracle assistant
by_model/  both sides by a model, reviewers, and rules whose sentences a model rewrites
hearing/   words -> dialogue acts and facts, for rules that play beside a model
wording/   dialogue acts and values -> sentences, from grammars that are data

Order: wording, hearing, then rules and by_model, which do not know each other; flows seats one player on each side.
To change what is said in an act, edit `wording/grammar/*.yaml`; to change when it is said, edit rules/.
"""
