"""Questions of many open dialogues -> batches at a provider -> answers in the journal, at the lower price.

batch_settings.py     what may be set of batches and waves
waves.py              questions of many dialogues -> waves: one turn of all open dialogues at once
batch_ledger.py       what is about to be submitted -> rows beside the journal, so that nothing is submitted twice
batch_service.py      a provider's batch API -> what all have in common: create, find again, look, cancel, read
openai_batches.py     the batches of OpenAI
anthropic_batches.py  the batches of Anthropic
batch_results.py      rows of a batch's results -> answers in the journal
batch_watch.py        a batch at its provider -> looked at until it has ended
batcher.py            questions to one model -> batches, looked after until all answers are there
batched_model.py      an endpoint -> a model whose questions go out in batches

Order: batched_model, waves, batcher, batch_ledger, one of the services, batch_watch, batch_results. To support another
provider's batches, write a service and add it to `batched_model`.
"""
