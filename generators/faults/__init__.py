"""The faults of tools, one module per kind: its errors or changed answers, how likely it lasts, what the oracle does.

fault_effect.py       what a kind defines, and the look-up of a kind by name
timeout.py            no answer in time
rate_limit.py         too many calls: 429, Retry-After
server_error.py       the service failed, temporarily or permanently
permission_denied.py  access is denied, always permanently
empty_result.py       a list without its items; the answer says that items exist
partial_page.py       the first half of a list; the answer says that it is partial
stale_read.py         the answer as of the opening state; it says that it is an old copy
schema_drift.py       the answer in another form, and the way back

Order: fault_effect, then the kinds, which do not know each other; the first four fail a call, the others change its answer.
`FaultKind` in schemas/records/fault.py names the kinds, since records hold them; each is the module of that name here.
They lie below environments, blueprints and participants because all three use them: the plan asks when a task can bear
the kind (blueprints/finishing/fault_plan.py), the environment what the call returns (environments/wrappers/faulty_calls.py),
the oracle how to go on (participants/rules/retry.py). Checks know only what records hold, and how often a retry is right
(`RETRIES`). To add a kind, write its module, add its name to `FaultKind`, and its sentences to the grammars.
"""
