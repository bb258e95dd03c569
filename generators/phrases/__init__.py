"""A tool, a field, a resource or a wish -> what people call it, in scenarios of blueprints and sentences of participants.

intents.py           a tool -> verb phrases in which a person would ask for it
summary_phrases.py   its summary -> an imperative phrase
path_phrases.py      its method and path -> a verb phrase, where no summary tells it
service_jargon.py    texts and names in the words of a data model -> what a person would say
plain_wishes.py      a wish in the words of a summary -> the same as people say it
wish_grammar.py      a wish made by rules -> why nobody would say it
plain_phrases.py     a tool -> its wishes, noun, question, and what its wishes imply; tools -> nouns of what they act on
phrase_proposals.py  some tools and a model -> phrases for them, checked tool by tool
derived_wishes.py    a wish -> to know something, to have it otherwise, to have it done to each
pronouns.py          a wish -> the same with a pronoun for what it is about
topic_nouns.py       a tool or a resource -> the noun for what it is about
speakable_values.py  which values people say aloud, and which of them name a thing
lackable_facts.py     what is asked of a person -> whether it may be lacked
escalation.py        a tool -> whether it passes a matter on to a person
unserved_wishes.py   a toolset -> wishes that none of its tools serves
labels/              a field, or an argument that identifies something -> what people call it

Order: intents asks the tool's own phrases, then summary_phrases, then path_phrases, and takes the first that wish_grammar has
nothing against (service_jargon and plain_wishes say them plainly); topic_nouns and speakable_values stand on labels,
plain_phrases on all of them. phrase_proposals, derived_wishes, pronouns, lackable_facts, escalation and unserved_wishes are asked
one by one. Nouns, articles and verbs as such: `schemas.words`. To change how a tool is asked for, change
`intents`, or write its phrases in an override.
"""
