"""English labels, nouns and wishes of a task -> the same in another language, with genders and cases.

term     "der Termin, Termine"                 article, noun, plural; then the form in other cases, and the one without article
wish     "<meinen Termin|ihn> ab~sagen"        the object and its pronoun; ~ marks the position of zu, ^ that after a reflexive
pattern  "know the (?P<label>.+)"              a wish whose parts are translated; an unknown wish is quoted in English
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from interplay.generators.participants.wording.inflection import OBJECT, Adjective, Noun, Term, Wish, read_term
from interplay.generators.participants.wording.languages import Filling, Language, addressed_to, fill, load_grammar
from interplay.schemas.records.translation import Translation
from interplay.schemas.words.lists import alternatives, words
from interplay.schemas.words.nouns import is_plural, singular

_JOINTS = re.compile(r"'s(?= )|(?<!'s) ")
"""Positions at which a label may join an owner and its thing."""

_HAVING = ("has ", "have ", "with ", "includes ", "include ")
"""First words of flags that say whether a row has something: "has dog"."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The translations of one toolset's English words."""

    language: Language
    own: Translation

    def _data(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.language.grammar[name]
        return found

    @cached_property
    def _by_noun(self) -> dict[str, str]:
        """The terms by their noun in the language itself."""
        return {
            read_term(term).noun.lower(): term for term in (*self._data("terms").values(), *self.own.terms.values())
        }

    def term(self, label: str, kind: str = "label") -> Noun:
        """Return the noun for an English label or noun; an unknown one is quoted after a word for its `kind`."""
        found = self._known(label)
        if found is not None:
            return Noun(self.language, read_term(found))
        single = singular(label)
        if self._known(single) is not None:
            return self.many(single, kind)
        had = next((label.removeprefix(verb) for verb in _HAVING if label.startswith(verb)), "")
        if had and self._known(singular(had)) is not None:
            return self.term(had, kind)
        stem, _, rest = label.partition(" ")
        if rest and stem in self._data("adjectives") and self._names(rest):
            return replace(self.term(rest, kind), stem=self._data("adjectives")[stem])
        quoted = fill(self._data("unknown")[kind], {"words": label})
        return Noun(self.language, self._built(label) or read_term(quoted))

    def knows(self, label: str) -> bool:
        """Tell whether there is a term for a label, or one can be composed."""
        quoted = fill(self._data("unknown")["label"], {"words": label})
        return self.term(label).term != read_term(quoted)

    def _names(self, label: str) -> bool:
        """Tell whether there is a term for a noun or for its singular."""
        return self._known(label) is not None or self._known(singular(label)) is not None

    def _known(self, label: str) -> str | None:
        return self.own.terms.get(label) or self._data("terms").get(label) or self._by_noun.get(label.lower())

    def _built(self, label: str) -> Term | None:
        """Return a term composed of known ones, preferring owner and thing if the label has a possessive."""
        if "'s " in label:
            return self._joined_term(label) or self._composed_term(label)
        return self._composed_term(label) or self._joined_term(label)

    def _composed_term(self, label: str) -> Term | None:
        """Return a compound of a noun and a known ending: "appointment number", "doctor's name"."""
        for ending, text in self._data("made_of").items():
            if label.endswith(ending):
                return read_term(fill(text, {"noun": self.term(label.removesuffix(ending), "noun")}))
        return None

    def _joined_term(self, label: str) -> Term | None:
        """Return a term for a thing with its owner in the genitive ("board's filter", "playlist item"); None if it is unknown."""
        for place in (found.start() for found in _JOINTS.finditer(label)):
            owner, own = label[:place], label[place:].removeprefix("'s").strip()
            known = self._known(own)
            if known is not None and (self._known(owner) is not None or label[place:].startswith("'s ")):
                term, whose = read_term(known), self.term(owner, "noun").form("des")
                forms = (term.noun, term.plural, term.other, term.bare)
                noun, several, other, bare = (f"{form} {whose}" if form else "" for form in forms)
                return Term(noun, term.gender, several, other, bare)
        return None

    def many(self, noun: str, kind: str = "noun") -> Noun:
        """Return the plural of a noun."""
        return replace(self.term(noun, kind), many=True)

    def value(self, value: str) -> str:
        """Return the translation of an enumerated value; other values are unchanged."""
        return self.own.values.get(value, value)

    def clause(self, label: str, value: Any) -> str:
        """Return the translation's sentence for the value of a field; empty if it has none."""
        flag = {True: ": yes", False: ": no"}.get(value, "") if isinstance(value, bool) else ""
        own = self._addressed(self.own.clauses.get(f"{label}{flag}", ""))
        return own or (self.flag("state", label, value) if isinstance(value, bool) else "")

    def condition(self, label: str, value: bool, noun: str = "") -> str:
        """Return the clause after "if" for a flag; empty if there is none."""
        own = self._addressed(self.own.clauses.get(f"{label}: {'if' if value else 'unless'}", ""))
        return own or self.flag("depends", label, value, noun)

    def flag(self, clause: str, label: str, value: bool, noun: str = "") -> str:
        """Return a clause that states a flag by an adjective: "es ist archiviert"; empty if none is known."""
        how = self._data("flags").get(label.removeprefix("is "))
        if how is None:
            return ""
        text = self._data("flagged")[clause]["yes" if value else "no"]
        return fill(text, {"how": how, "noun": self.term(noun, "noun")} if noun else {"how": how})

    def flag_word(self, label: str) -> str:
        """Return the adjective for a flag; empty if none is known."""
        return str(self._data("flags").get(label.removeprefix("is "), ""))

    def sayings(self, label: str) -> Sequence[str]:
        """Return the sentences that tell a fact of this label."""
        return [self._addressed(text) for text in self.own.sayings.get(label, ())]

    def askings(self, label: str) -> Sequence[str]:
        """Return the questions for the value of a label."""
        return [self._addressed(text) for text in self.own.askings.get(label, ())]

    def question(self, text: str) -> str:
        """Return the translation of a user's question; empty if there is none."""
        return self._addressed(self.own.questions.get(text, "")) if text else ""

    def reason(self, rule: str, reason: str) -> str:
        """Return the translation of a rule's reason; empty if there is none."""
        return self._addressed(self.own.reasons.get(rule, "")) if reason else ""

    def purpose(self, text: str) -> str:
        """Return the translation of a purpose; an unknown one is quoted."""
        if not text:
            return ""
        return self.known_purpose(text) or self._addressed(fill(self._data("unknown")["purpose"], {"words": text}))

    def known_purpose(self, text: str) -> str:
        """Return the translation of a purpose or a reason; empty if there is none."""
        return self._addressed(self.own.purposes.get(text) or self._data("purposes").get(text, ""))

    def wish(self, intent: str) -> Wish:
        """Return the translation of a wish."""
        return Wish(self._addressed(self._wish(intent)), self.language.grammar["know"])

    def speaks_of(self, intent: str) -> bool:
        """Tell whether a wish can be translated, rather than only quoted."""
        return self._wish(intent) != fill(self._data("unknown")["wish"], {"words": intent})

    def _wish(self, intent: str) -> str:
        intent, own = intent.replace(" with its ", " with "), self.own.wishes
        found = own.get(intent) or own.get(intent.replace(" of my ", " of the ")) or self._data("wishes").get(intent)
        if found is not None:
            return str(found)
        for pattern, text in _patterns(self.language.code):
            parts = pattern.fullmatch(intent)
            if parts is not None and "who" in parts.groupdict():
                said = self._of_others(parts["before"], parts["who"], parts["after"])
                if said:
                    return said
            elif parts is not None:
                return fill(text, self._parts(parts.groupdict()))
        unknown = fill(self._data("unknown")["wish"], {"words": intent})
        return self._composed_it(intent) or self._of_parts(intent) or unknown

    def _of_parts(self, intent: str) -> str:
        """Return the translation of a wish from a known verb, its object and an owner; empty if it has another form."""
        known = _verbs(self.language.code)
        found = _PARTED.fullmatch(intent)
        if found is None or found["verb"] not in known:
            return ""
        which = "the" if found["whose"] else found["which"] or ("the" if found["owner"] else "")
        owner, preposition = found["owner"] or found["whose"], found["preposition"] or "of"
        usual = "of" if preposition == "from" else preposition
        moved, preposition = self._data("moved").get(f"{found['verb']} {preposition}", ("", usual))
        thing = self._thing(found["thing"], which, alone=not owner)
        if owner:
            thing += f" {self._owner(owner, preposition, found['its'] or 'a')}"
        return fill(moved or known[found["verb"]], {"object": thing})

    def _owner(self, words: str, preposition: str, which: str) -> str:
        """Return the phrase for an owner or place after a noun: "of the patient", "in the folder"."""
        one = self._names(words) or not is_plural(words)
        noun = self.term(words, "noun") if one else self.many(singular(words))
        its = self._data("prepositions")[preposition]
        form = its["form"] if which in ("a", "an", "one", "any", "another") else its["known"]
        return f"{its['word']} {noun.form(form)}".strip()

    def _thing(self, words: str, which: str, alone: bool) -> str:
        """Return a noun phrase as an object; with a pronoun if it stands `alone`."""
        many = is_plural(words)
        noun = self.many(singular(words)) if many else self.term(words, "noun")
        form = self._data("determiners").get(which, "den" if many or which else "einen")
        said = noun.form(form)
        return f"<{said}|{noun.form('=ihn')}>" if alone else said

    def _of_others(self, before: str, who: str, after: str) -> str:
        """Return a wish about another person's thing, derived from the wish about one's own; empty if that is unknown."""
        others, wishes = self._data("others"), self.own.wishes
        known = (wishes.get(f"{before}{own} {after}") for own in ("my", "a", "an", "the"))
        wish = next((found for found in known if found), "")
        said, count = re.subn(
            others["pattern"],
            lambda found: f"{others['articles'][found[1] or '']} {found[2]} {self._data('whose')[who]}",
            wish,
            count=1,
        )
        return said if count else ""

    def _composed_it(self, intent: str) -> str:
        """Return a wish of which only the verb is told: "cancel it", "pay one of them"."""
        verb = next((intent.removesuffix(f" {it}") for it in self._data("them") if intent.endswith(f" {it}")), "")
        for key, wish in self.own.wishes.items() if verb else ():
            if key.startswith(f"{verb} ") and OBJECT.match(wish):
                said = self._data("them")[intent.removeprefix(f"{verb} ")]
                return OBJECT.sub(said or r"\2", wish)
        return ""

    def _parts(self, groups: Mapping[str, str]) -> dict[str, Filling]:
        found: dict[str, Filling] = {}
        for name, text in groups.items():
            if name in ("noun", "label"):
                found[name] = self.term(text, name)
            elif name == "nouns":
                found[name] = self.many(singular(text))
            elif name in ("wish", "first", "last"):
                found[name] = self._wish(text)
            elif name != "kind":
                found[name] = self._data("words").get(text, text)
        if "kind" in groups:
            whose = found["label" if "label" in groups else "noun"]
            assert isinstance(whose, Noun)
            found["kind"] = self.adjective(groups["kind"], whose)
        return found

    def adjective(self, kind: str, noun: Noun) -> Adjective:
        """Return "latest", "highest" or the like before a noun."""
        return Adjective(self.language.grammar["user"]["kinds"][kind], noun)

    def _addressed(self, text: str) -> str:
        said: str = addressed_to(text, self.language.familiar)
        return said


@lru_cache(maxsize=8)
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), text) for pattern, text in load_grammar(language)["composed"]]


_NO_THING = (*words("prepositions", "common", "other", "joining"), *words("stop_words", "articles"))
_WORDS = rf"(?!(?:{alternatives(_NO_THING)})\b)[\w&-]+"
_WHICH = r"(?P<%s>an?|the|one|my|all|all the|multiple|several|available|any|another|each) "
_PARTED = re.compile(
    rf"(?P<verb>[a-z]+(?: (?:up|for|out|at|through|off|down))?) (?:a list of )?(?:{_WHICH % 'which'})?"
    rf"(?:(?:an? |the )?(?P<whose>{_WORDS})['’]s )?(?P<thing>{_WORDS}(?: {_WORDS}){{0,2}})"
    rf"(?: (?P<preposition>of|for|from|in|on|to|with|into|by) (?:{_WHICH % 'its'})?(?P<owner>{_WORDS}(?: {_WORDS}){{0,1}}))?"
)
"""A wish about a thing, optionally with its owner: "check the comments of a task"."""


@lru_cache(maxsize=8)
def _verbs(language: str) -> dict[str, str]:
    return {verb: text for verbs, text in load_grammar(language)["verbs"].items() for verb in verbs.split("|")}
