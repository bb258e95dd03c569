"""An endpoint -> a model that can play a role: answers from the journal, within the budget, retried, checked.

model.py              one endpoint with journal, budget, limits and retries
structured_output.py  a request with an output schema -> a reply that satisfies it, after one repair at most
routed_model.py       several models for one role -> the one that answers this turn, with fallbacks
abilities.py          a model -> its abilities, one small question for each, with a fix for each that fails

Order: model asks; structured_output and routed_model wrap it. To change the steps around a request, and their order,
change `Model`.
"""
