"""A dialogue or a blueprint -> findings that several checks share.

replay.py        calls -> the same calls run again: results, broken rules, changed state
alignment.py     calls and actions -> which match, which are missing, which are added
conformance.py   a value and a schema -> issues, and what the schema prescribes for one argument
provenance.py    everything said, passed and returned up to a message
arithmetic.py    a number -> whether it can be computed from what was said and returned
shown_rows.py    rows of results and a sentence -> values told of one row that belong to another
call_agreement.py  writes and what is shown after them -> arguments that are contradicted
deeds.py         a message -> whether its act says that something was done, or that it will not be
confirmation.py  calls -> whether the user agreed just before: yes, no, or unknown
told_rows.py     an expected value of a list item -> whether other values told the item instead
translated_values.py  words of another language -> the values of tools that they stand for
loops.py         repeated calls, and the first message that is repeated
excerpt.py       a dialogue that continues another -> its own part; verdicts on it -> pointers into the whole

Order: conformance, alignment, provenance, shown_rows, call_agreement, deeds, confirmation, replay. The act of a message is known
only if the rules chose it and wrote the words (`Message.certain_act`); from other words, only values are read.
"""
