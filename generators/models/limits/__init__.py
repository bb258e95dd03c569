"""Requests of all roles to one endpoint -> each goes out when the endpoint can take it and the budget allows it.

limit_settings.py  what an endpoint may be asked, and a snapshot of how things stand at it
limiter.py         a request -> a turn: waits for window, pace and breaker, in fair order
window.py          answers and refusals -> how many requests may be under way
pace.py            requests and tokens a minute, set or learnt from refusals -> how long to wait
breaker.py         failures -> a pause for everybody while the endpoint is dead
fair_queue.py      waiting requests of several roles -> the next one
retries.py         failures of one request -> when to ask again, and when to give up
prices.py          a dated file of list prices (prices.yaml), and a user's own -> what an answer costs
budget.py          bounds in dollars and tokens, and what the journal says was spent -> whether to make one more call

Order: budget, limiter (fair_queue, window, pace, breaker), retries. To add a price, add an entry to prices.yaml; to change
how the window grows, change `window`.
"""
