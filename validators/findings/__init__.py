"""A dialogue or a blueprint -> what several checks ask of it; each finding is made once.

replay.py        calls -> the same calls run again: results, broken rules, changed state
alignment.py     calls beside actions -> done, missing, added
conformance.py   a value and a schema -> issues, and what the schema prescribes for one argument
provenance.py    all that was said, passed and returned up to a message
arithmetic.py    a number -> whether it follows from what was said and returned
announcement.py  a call -> whether the words before it have told of it
confirmation.py  calls -> whether the user's last words agreed to what was asked
consent.py       a yes that several calls follow -> those that it was for
refusals.py      a wish that is not granted -> the message that refuses it
loops.py         calls and words that go round in circles
excerpt.py       a dialogue that goes on from another -> its own part, and issues told of the whole

Order: conformance, alignment, provenance, announcement, confirmation, consent, replay.
"""
