"""An author's rules -> a policy that runs, and its text in the toolset.

caution.py          tools that delete, cancel or pay -> the rule to ask before they are called
authored_policy.py  rules of a file of overrides -> an executable policy, joined with caution and given policies
rule_proposals.py   a policy in prose and a model's rules -> those that parse, run and agree with examples

Order: caution, authored_policy, rule_proposals. To add a kind of rule, add it to `schemas.records.override` and its
check to authored_policy. Conditions are in overrides/conditions.
"""
