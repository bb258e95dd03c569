"""The faults of tools, one module for each kind: the errors or changed answers, how likely it lasts, what the oracle does.

fault_effect.py       what there is to say of a kind, and the look-up of a kind by its name
timeout.py            no answer in time
rate_limit.py         too many calls: 429, Retry-After
server_error.py       the service failed, for the moment or for good
permission_denied.py  access is denied, always for good
empty_result.py       a list without its items, which says that there are some
partial_page.py       the first half of a list, which says that it is a part
stale_read.py         the answer of the opening state, which says that it is an old copy
schema_drift.py       the answer in another form, and the way back

Order: fault_effect, then the kinds, which do not know each other; of these, the four first fail a call, the others change its answer.
The kinds are named by `FaultKind` in schemas/records/fault.py, since records hold them; each is the module of this folder
called so. They lie below environments, blueprints and participants because all three ask: the plan when a task can bear
the kind (blueprints/finishing/fault_plan.py), the environment what the call returns (environments/wrappers/faulty_calls.py),
the oracle how to go on (participants/rules/retry.py). Checks know only what records say, and how often a retry is right
(`RETRIES`). To add a kind, write its module, add its name to `FaultKind`, and its sentences to the grammars.
"""
