"""An endpoint -> a model to which a role can be given: answered from the journal, within the budget, retried, checked.

model.py              one model with all that stands around it
structured_output.py  a request with an output schema -> a reply that satisfies it, after one repair at most
routed_model.py       several models for one role -> the one that answers this turn, with fallbacks
abilities.py          a model -> what it can do, one small question for each ability, with the fix for each that fails

Order: model asks; structured_output and routed_model stand around it. To change what stands around a request, and in
which order, change `Model`.
"""
