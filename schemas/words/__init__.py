"""Names and prose -> what they say: nouns, numbers, dates, values; for grammars, hearing and checks alike.

reserved.py  what standards set aside for examples: domains, numbers of phones and cards
numbers.py   prose -> the numbers in it, as digits or words
dates.py     prose -> the days, months and times in it
text.py      prose -> the forms in which values are looked for: letters, numbers, moments, addresses
coded_values.py  a field's schema -> what its numbers stand for: Sunday of a day of the week 0
mentions.py  prose and a value -> whether it says the value
hidden_characters.py  text -> the same with control and invisible characters written out
free_text.py  an argument -> whether it is free text
lists.py     lists of words kept as data (data/<language>/<idea>.yaml) -> tuples, sets, tables, patterns
calendar.py  a language -> its months, days, currencies and marks of numbers (CLDR)
identifiers.py  identifiers -> the words in them
nouns.py     English nouns -> singular, plural, and whether a noun is of several
articles.py  a noun phrase -> the same with the article that fits it
word_tables.py  a word -> its lemmas and other forms (lemminflect)
word_classes.py  a word -> whether it may be a verb, a noun, a participle
verbs.py     verbs that names of tools begin with (data)

Order: lists, calendar, identifiers; numbers, dates, text, coded_values, mentions; nouns, verbs, articles.
To have another way of saying a value understood, extend mentions.py and its test; lists of words are data files.
"""
