"""Requests of all roles to one endpoint -> each goes out when the endpoint can take it and the budget allows it.

limit_settings.py  the rate limits and retries of an endpoint, and a snapshot of its state
limiter.py         a request -> a turn: waits for window, pace and breaker, in fair order
window.py          answers and refusals -> how many requests may be in flight
pace.py            requests and tokens per minute, set or learnt from refusals -> how long to wait
breaker.py         failures -> a pause for all requests while the endpoint is dead
fair_queue.py      waiting requests of several roles -> the next one
retries.py         failures of one request -> when to retry, and when to give up
prices.py          dated list prices (prices.yaml), and a user's own -> the cost of an answer
budget.py          bounds in dollars and tokens, and the sums of the journal -> whether one more call is allowed

Order: budget, limiter (fair_queue, window, pace, breaker), retries. To add a price, add an entry to prices.yaml; to change
how the window grows, change `window`.
"""
