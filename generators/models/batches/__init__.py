"""Questions of many open dialogues -> batches at a provider -> answers in the journal, at the lower price.

batch_settings.py     the settings of batches and waves
waves.py              questions of many dialogues -> waves: one turn of all open dialogues at once
batch_ledger.py       batches about to be submitted -> rows beside the journal, so that none is submitted twice
batch_service.py      the protocol of a provider's batch API: create, find, poll, cancel, read
openai_batches.py     the batches of OpenAI
anthropic_batches.py  the batches of Anthropic
batch_results.py      rows of a batch's results -> answers in the journal
batch_watch.py        a batch at its provider -> polled until it has ended
batcher.py            questions to one model -> batches, followed until all answers are in the journal
batched_model.py      an endpoint -> a model whose questions are asked in batches

Order: batched_model, waves, batcher, batch_ledger, one of the services, batch_watch, batch_results. To support another
provider's batches, write a service and add it to `batched_model`.
"""
