"""A tool, a field, a resource or a wish -> what people call it, in scenarios of blueprints and sentences of participants.

intents.py           a tool -> verb phrases with which a person would ask for it
summary_phrases.py   a tool's summary -> an imperative phrase
path_phrases.py      a tool's method and path -> a verb phrase, for tools whose summary gives none
service_jargon.py    texts and names in data-model jargon -> plain words
plain_wishes.py      a wish in the words of a summary -> the same in the words of a user
wish_grammar.py      a wish made by rules -> the reason why nobody would say it, if there is one
plain_phrases.py     a tool -> its wishes, noun, question, and implied arguments; tools -> nouns for their resources
phrase_proposals.py  some tools and a model -> phrases for them, checked tool by tool
derived_wishes.py    a wish -> the wish to know a value, to have it changed, to have it done for each row
pronouns.py          a wish -> the same with a pronoun for its object
topic_nouns.py       a tool or a resource -> the noun for what it is about
speakable_values.py  which values people say aloud, and which of them name a row
lackable_facts.py    the label of a fact -> whether a user may lack the value
escalation.py        a tool -> whether it hands a matter over to a person
unserved_wishes.py   a toolset -> wishes that none of its tools serves
labels/              a field, or an argument that takes an identity -> its label

Order: intents takes the tool's own phrases, then summary_phrases, then path_phrases, and uses the first that wish_grammar does
not object to (service_jargon and plain_wishes simplify them); topic_nouns and speakable_values use labels, plain_phrases uses
all of them. phrase_proposals, derived_wishes, pronouns, lackable_facts, escalation and unserved_wishes are used independently.
General helpers for nouns, articles and verbs are in `schemas.words`. To change how a tool is asked for, change
`intents`, or write its phrases in an override.
"""
