"""Names and prose -> what they say: nouns, numbers, dates, values; for grammars, hearing and checks alike.

reserved.py  domains, phone numbers and card numbers that standards reserve for examples
numbers.py   prose -> the numbers in it, as digits or words
dates.py     prose -> the days, months and times in it
text.py      prose -> the forms in which values are looked for: words, numbers, moments, addresses
coded_values.py  a field's schema -> the meaning of its integer codes: day of the week 0 is Sunday
mentions.py  prose and a value -> whether it says the value
hidden_characters.py  text -> the same with control and invisible characters escaped
free_text.py  an argument -> whether it is free text
lists.py     word lists kept as data (data/<language>/<idea>.yaml) -> tuples, sets, tables, patterns
calendar.py  a language -> its months, days, currencies and number separators (CLDR)
identifiers.py  identifiers -> the words in them
nouns.py     English nouns -> singular, plural, and whether a noun is plural
articles.py  a noun phrase -> the same with the right article
word_tables.py  a word -> its lemmas and inflected forms (lemminflect)
word_classes.py  a word -> whether it can be a verb, a noun, a participle
verbs.py     verbs with which tool names begin (data)

Order: lists, calendar, identifiers; numbers, dates, text, coded_values, mentions; nouns, verbs, articles.
To recognise another way of saying a value, extend mentions.py and its test; word lists are data files.
"""
