"""Nouns and wishes of one language, and their inflection: articles, cases, adjectives, zu.

term   "der Termin, Termine"                 article, noun, plural; then the form in other cases, and the one without article
wish   "<meinen Termin|ihn> ab~sagen"        the object and its pronoun; ~ marks the position of zu, ^ that after a reflexive
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from interplay.generators.participants.wording.languages import Filling, Language

GENDERS = {"der": "m", "die": "f", "das": "n", "plural": "p"}
"""Gender by the article of a term; plural-only nouns have none."""

OBJECT = re.compile(r"<([^<>|]*)\|([^<>]*)>")
_TO = re.compile(r"(^|[^\w])?~")


@dataclass(frozen=True)
class Term:
    """A noun of a language: singular, gender, plural, the form in other cases, and the one without article."""

    noun: str
    gender: str
    plural: str
    other: str = ""
    bare: str = ""


@dataclass(frozen=True, eq=False)
class Noun:
    """A term in the singular or plural; `stem` is that of an adjective before it, such as "letzt"."""

    language: Language
    term: Term
    many: bool = False
    stem: str = ""

    def form(self, form: str) -> str:
        """Return it with the article that a form names; after `=` the article alone, after `-` the noun alone."""
        if not form:
            plain = self.term.plural if self.many else self.term.bare or self.term.noun
            return f"{self.stem}{self.article('ein')[1]} {plain}" if self.stem else plain
        part, form = (form[0], form[1:]) if form[0] in "=-" else ("", form)
        article, ending = self.article(form)
        described = f"{self.stem}{ending} " if self.stem else ""
        article = "" if part == "-" else article
        return article if part == "=" else f"{article} {described}{self.bent(form)}".strip()

    def article(self, form: str) -> tuple[str, str]:
        """Return the article of a form, and the ending of an adjective after it; an `alone` form is that of one of several."""
        forms = self.language.grammar["forms"][form]
        article, ending = forms["p" if self.many and not forms.get("alone") else self.term.gender]
        return article, ending

    def bent(self, form: str) -> str:
        """Return the noun in the case of a form."""
        case = self.language.grammar["forms"][form]["case"]
        if self.many or self.term.gender == "p":
            noun = self.term.plural if self.many else self.term.noun
            head, _, rest = noun.partition(" ")
            ending = "n" if case == "dative" and not head.endswith(("n", "s")) else ""
            return f"{head}{ending} {rest}".strip()
        plain = case == "nominative" or (case == "accusative" and self.term.gender in "fn")
        if plain or (not self.term.other and case != "genitive"):
            return self.term.noun
        if case != "genitive" or self.term.other:
            return self.term.other
        head, _, rest = self.term.noun.partition(" ")
        ending = "" if self.term.gender == "f" else "es" if head.endswith(("s", "ß", "x", "z")) else "s"
        return f"{head}{ending} {rest}".strip()


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective before a noun: "letzt" before "Termin", as `den`: "den letzten"."""

    stem: str
    noun: Noun

    def form(self, form: str) -> str:
        """Return it with the article that a form names, inflected for its noun."""
        if not form:
            return self.stem
        article, ending = self.noun.article(form)
        return f"{article} {self.stem}{ending}".strip()


@dataclass(frozen=True, eq=False)
class Listed:
    """Several things that are enumerated."""

    items: Sequence[Filling]
    joint: str

    def form(self, form: str) -> str:
        """Return all of them in one form."""
        said = [item if isinstance(item, str) else item.form(form) for item in self.items]
        return self.joint.join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


@dataclass(frozen=True, eq=False)
class Own:
    """A noun with a possessive in place of its article, by the forms of a language: den -> Ihren."""

    noun: Noun
    forms: Mapping[str, str]

    def form(self, form: str) -> str:
        """Return it with the possessive."""
        return self.noun.form(self.forms.get(form, form))


@dataclass(frozen=True)
class Wish:
    """A verb phrase in the infinitive, with `~` for zu and `<object|pronoun>`; `know` is how wishes to know something begin."""

    text: str
    know: str = ""

    def form(self, form: str) -> str:
        """Return the infinitive, the one with zu (`zu`), or the one with a pronoun (`it`)."""
        text = OBJECT.sub(r"\2" if form.startswith("it") else r"\1", self.text)
        text = text.replace("^", "")
        if not form.endswith("zu"):
            return text.replace("~", "")
        return _TO.sub(
            lambda found: f"{found[1] or ''}zu " if found[1] is not None or not found.start() else "zu", text
        )

    @property
    def asked(self) -> str:
        """The question in a wish to know something; empty for other wishes."""
        return Wish(self.text.removeprefix(self.know)).form("") if self.know and self.text.startswith(self.know) else ""

    def told(self, phrase: str) -> "Wish":
        """Return the wish with a phrase after its object."""
        return Wish(OBJECT.sub(lambda found: f"{found[0]} {phrase}", self.text, count=1), self.know) if phrase else self

    @property
    def pronominal(self) -> "Wish | None":
        """The wish with a pronoun for its object; None if it has no object."""
        return Wish(OBJECT.sub(r"\2", self.text)) if OBJECT.search(self.text) else None


@lru_cache(maxsize=8192)
def read_term(text: str) -> Term:
    """Read a term in the notation of the data: "der Termin, Termine"."""
    article, _, rest = text.partition(" ")
    if article not in GENDERS:
        raise ValueError(f"the term {text!r} must begin with one of {', '.join(GENDERS)}")
    noun, _, forms = rest.partition(", ")
    plural, _, others = forms.partition(", ")
    other, _, bare = others.partition(", ")
    return Term(noun, GENDERS[article], plural or noun, other, bare)
