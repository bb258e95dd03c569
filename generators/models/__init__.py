"""A `ChatRequest` -> a `ChatReply`, from any provider: paid for once, within a budget, no faster than the endpoint allows.

batches/    the same questions in a provider's batches, in waves of open dialogues, at the lower price
client/     one model: journal, budget, limits and retries around an endpoint; several models for one role
limits/     when a request may be sent, when it is retried, and what it may cost
providers/  requests and replies in the format of each provider's API, over its SDK
journal/    answers, each written to disk before it is used, and looked up by question
transport/  one exchange over HTTP: settings, secrets, bodies, and what can go wrong

Order: a request goes through client, journal (is it answered already?), limits (budget, then limiter), providers and transport;
its answer is in the journal before providers parse it. A folder imports only those below it in this list; limits and providers
do not know each other. A setting of a model is a field of `transport.endpoint_settings`, of `limits.limit_settings` or of
`batches.batch_settings`. To add a provider, add its API to `providers`, and its SDK to
`providers.sdk_endpoints`.
"""
