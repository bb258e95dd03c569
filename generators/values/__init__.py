"""A JSON Schema and a name -> a made-up value that satisfies the one and looks like what the other promises.

world_seed.py      a made-up world -> what its rows are drawn from
schema_values.py   a schema -> a value: objects, lists, booleans; texts and numbers from below
moments.py         days and moments as JSON writes them: read, moved, written again
number_values.py   a number's name and schema -> a number that a person could say
sibling_fields.py  a field and those beside it -> what it holds that its own name does not say
reconciliation.py  the values of an object -> the same, where they have to agree: spans in order, one place, whose mail it is
coded_choices.py   an object that says which of a few things something is -> code and label of one choice
places.py          the parts of a place in an object -> the same, of one place: city, state, postcode, country
dependent_fields.py  values of an object -> those that follow from others: sums, counts, ages, what a flag says
status_moments.py  the moments that the choices of a status name -> the same, one after the other, as far as it has come
lifetimes.py       the moments of an object -> the same: created before all else, ended only where it says so
whole_counts.py    counts of things in some states -> the count of all of them
occurrences.py     the moments of an object that tells it is done -> the same, on days that are over
durations.py       how long something lasts, in the values of an object -> when it ends
calendar_parts.py  the parts of one moment in an object -> the same, of a day that exists
truncation.py      a value with thousands of fields -> its outer ones
texts/             the values of text fields

Order: sibling_fields tells a format by place, schema_values makes each field (number_values, texts), reconciliation lets
them agree. What a schema constrains always wins. To let a field hold something else, edit

texts/names/field_vocabulary.yaml  for one of a few plain words: a `priority` is low, medium or high
texts/things/*.json          for what objects of one kind hold: the name, the texts and the usual numbers of a vacancy
texts/standard_forms.py      for a code or another known form, made anew for each row: an IBAN, a postcode
texts/names/                 for any other text
number_values.py             for any other number; the usual ranges are in number_values.yaml
"""
