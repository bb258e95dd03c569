"""A sandbox and its plan -> findings: calls whose answers contradict each other, or what any API would do.

trial.py         one case: calls in an environment that is restored after it; findings, and the limit on calls
comparison.py    two views of a row -> the first field in which they differ
reading_tools.py a plan -> the tool that reads or lists what another one writes
call_checks.py   one tool at a time: it can succeed, reads do not write, unknown identities are refused
read_checks.py   reads and lists show the same rows, filter them, page them, and keep to their owner
write_checks.py  reads and lists show what was created, changed and deleted
probe.py         runs the checks over all tools

Order: trial, comparison, reading_tools, the three kinds of checks, probe. To add a check, add a function to the module of its
kind and its name to `probe`.
"""
