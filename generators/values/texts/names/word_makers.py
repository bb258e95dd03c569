"""One word of a field's name -> a function that makes such texts: `phone`, `city`, `surname`."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import address_of, by_format, in_ascii, slugged
from interplay.generators.values.texts.ideas import draw_idea
from interplay.schemas.words.lists import beside, table
from interplay.schemas.words.nouns import singular

_LISTS = beside(__file__)

WordMaker = Callable[[Random], str]


def dialled(rng: Random) -> str:
    """Return a telephone number that is reserved for fiction."""
    return f"+44 20 7946 {rng.randint(100, 999):04d}"


_MAKERS: Mapping[str, WordMaker] = {
    "telephone number": dialled,
    "address on the web": lambda rng: by_format("uri", rng),
    "security code": lambda rng: str(rng.randint(100, 999)),
    "address on a network": lambda rng: by_format("ipv4", rng),
    "slug": lambda rng: slugged(draw_idea("repository", rng).name),
    "host": lambda rng: by_format("hostname", rng),
    "password": lambda rng: f"{sample_words.family_name(rng)}-{rng.randint(1000, 9999)}",
    "token": lambda rng: f"{rng.getrandbits(64):016x}",
    "person": sample_words.person,
    "given name": sample_words.given_name,
    "region": lambda rng: rng.choice(sample_words.REGIONS),
    "airport": lambda rng: rng.choice(sample_words.AIRPORTS),
    "sum": lambda rng: f"{rng.randint(2, 90)} {rng.choice('+-*')} {rng.randint(2, 90)}",
    "city": lambda rng: rng.choice(sample_words.CITIES)[0],
    "time zone": lambda rng: rng.choice(sample_words.CITIES)[3],
    "street": sample_words.street,
    "postcode": lambda rng: str(rng.randint(10000, 99999)),
    "currency": lambda rng: rng.choice(sample_words.CURRENCIES),
    "language": lambda rng: rng.choice(sample_words.LANGUAGES),
    "colour": sample_words.colour,
    "tag": lambda rng: rng.choice(sample_words.TAGS),
    "company": sample_words.company,
    "job": sample_words.job,
    "date": lambda rng: by_format("date", rng),
    "time of day": lambda rng: f"{rng.randint(7, 19):02d}:{rng.choice((0, 15, 30, 45)):02d}",
    "version": lambda rng: f"{rng.randint(1, 4)}.{rng.randint(0, 9)}",
    "place": lambda rng: draw_idea("hall", rng).name,
    "gender": lambda rng: rng.choice(("female", "male")),
    "folder": lambda rng: rng.choice(sample_words.SUBJECTS),
    "file": lambda rng: f"{slugged(rng.choice(sample_words.TOPICS))}.txt",
}
_KINDS = tuple((frozenset(said.split()), _MAKERS[kind]) for kind, said in table(_LISTS, "kinds").items())

_OF_PEOPLE: Mapping[str, Callable[[str, Random], str]] = {
    "email": lambda person, _: address_of(person),
    "given name": lambda person, _: person.split()[0],
    "family name": lambda person, _: person.split()[-1],
    "login": lambda person, rng: f"{in_ascii(person.split()[0])}{rng.randint(10, 99)}",
}
PERSONAL = {word: _OF_PEOPLE[kind] for kind, said in table(_LISTS, "of_people").items() for word in said.split()}
"""A word -> a function that makes such a name or address of a person's full name."""


@lru_cache(maxsize=4_096)
def maker_of(word: str) -> WordMaker | None:
    """Return the function that makes the texts that one word of a name promises; None if it promises none."""
    said = {word, singular(word)}
    return next((maker for promising, maker in _KINDS if not said.isdisjoint(promising)), None)
