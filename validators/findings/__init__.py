"""A dialogue or a blueprint -> what several checks ask of it; each finding is made once.

replay.py        calls -> the same calls run again: results, broken rules, changed state
alignment.py     calls beside actions -> done, missing, added
conformance.py   a value and a schema -> issues, and what the schema prescribes for one argument
provenance.py    all that was said, passed and returned up to a message
arithmetic.py    a number -> whether it follows from what was said and returned
shown_rows.py    rows of results and a sentence -> values told of a row that are those of another one
call_agreement.py  writes and what is shown after them -> arguments that are shown otherwise
deeds.py         a message -> whether its act says that something was done, or that it will not be
confirmation.py  calls -> whether the user agreed just before: yes, no, or unknown
told_rows.py     a value of one of many rows -> whether the row was told by another value
translated_values.py  words of another language -> the values of tools that they stand for
loops.py         calls and words that go round in circles
excerpt.py       a dialogue that goes on from another -> its own part, and issues told of the whole

Order: conformance, alignment, provenance, shown_rows, call_agreement, deeds, confirmation, replay. What a message does is
known by the act that the rules chose, where they wrote it too (`Message.certain_act`); of other words the values alone are read.
"""
