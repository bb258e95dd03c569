"""A JSON Schema and a name -> a made-up value that satisfies the schema and looks like what the name promises.

world_seed.py      a made-up world -> the random generators and row counts for its data
schema_values.py   a schema -> a value: objects, lists, booleans; texts and numbers come from below
moments.py         dates and times as JSON texts: read, shifted, formatted alike
number_values.py   a number's name and schema -> a realistic number
sibling_fields.py  a field and its siblings -> a format or value that its own name does not tell
reconciliation.py  the values of an object -> the same without contradictions: ordered spans, one place, fitting names
coded_choices.py   an object that stands for an enumerated choice -> matching code and label
places.py          the fields of a place -> the same, consistent: city, state, postcode, country
dependent_fields.py  values of an object -> those that follow from others: sums, counts, ages, what depends on a flag
status_moments.py  the moments named after the stages of a status -> the same, in order, up to the current stage
lifetimes.py       the moments of an object -> the same: created first, ended only if its status says so
whole_counts.py    counts by state -> their total
occurrences.py     the moments of a completed object -> the same, on past days
durations.py       a duration in an object -> the end that follows from it
calendar_parts.py  the parts of a date in an object -> the same, of one existing date
truncation.py      a value with thousands of fields -> the same with deeply nested optional objects left out
texts/             the values of text fields

Order: sibling_fields adds formats by context, schema_values makes each field (number_values, texts), reconciliation makes
them agree. The constraints of a schema always win. To change what a field holds, edit

texts/names/field_vocabulary.yaml  for one of a few plain words: a `priority` is low, medium or high
texts/things/*.json          for objects of one kind: the name, the texts and the usual numbers of a vacancy
texts/standard_forms.py      for a code or another standard form, made anew for each row: an IBAN, a postcode
texts/names/                 for any other text
number_values.py             for any other number; the usual ranges are in number_values.yaml
"""
