"""Bundled domains: tools as Python functions on a small database, a policy in prose and in code, and how users talk.

clinic/           an outpatient clinic: the example to copy
rental/           a vehicle rental
workspace/        an office, whose user has tools on a device of its own
domain.py         a package -> toolset, environment, translations
domain_policy.py  the numbered rules of policy.md, bound to code by their ids
queries.py        tables -> a row by its key, rows with words, the next id

Order: queries and domain_policy, domain, then the domains, which do not know each other.
To make your own, `interplay init --domain clinic`. A bundled `tools.py` keeps its name: the digest of its toolset,
which is in every
record, depends on it.
"""
