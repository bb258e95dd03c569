"""A `ChatRequest` -> a `ChatReply`, from any provider, paid for once, within a budget, and no faster than the endpoint takes.

batches/    the same questions in a provider's batches, in waves of open dialogues, at the lower price
client/     one model: journal, budget, limits and retries around an endpoint; several models for one role
limits/     when a request may go out, when it is tried again, and what it may cost
providers/  requests and replies in the form of each provider's API, over its SDK
journal/    every answer on disk before anybody reads it, looked up by its question
transport/  one exchange over HTTP: settings, secrets, bodies, and what can go wrong

Order: a request goes through client, journal (is it answered already?), limits (budget, then limiter), providers and transport;
its answer is in the journal before providers read it. A folder imports only those below it in this list; limits and providers do not know
each other. A setting of a model is a field of `transport.endpoint_settings`, of `limits.limit_settings` or of
`batches.batch_settings`. To add a provider, add its API to `providers`, and its SDK to
`providers.sdk_endpoints`.
"""
