"""Values as people say them."""

from random import Random

import pytest

from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.languages import LANGUAGES, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.result_phrases import list_of
from interplay.generators.participants.wording.value_phrases import (
    CLOCK_STYLES,
    DATE_STYLES,
    acronyms,
    capital,
    enumerate_words,
    say,
    sentence,
    state,
)
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.participants.wording.wish_phrases import say_condition
from interplay.schemas.records.blueprint import Condition, ExpectedOutput, Fact
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.translation import Translation
from interplay.schemas.words.articles import indefinite
from interplay.schemas.words.nouns import is_plural


def ways(value: object, label: str = "") -> set[str]:
    return {say(value, style, label) for style in range(DATE_STYLES * CLOCK_STYLES)}


def test_says_a_date_in_several_ways() -> None:
    assert {"3 May 2026", "May 3, 2026", "the 3rd of May 2026", "May 3rd, 2026"} == ways("2026-05-03")


@pytest.mark.parametrize("noun", ["keys", "user ids", "guests", "past orders"])
def test_takes_nouns_for_several_things(noun: str) -> None:
    assert is_plural(noun)


@pytest.mark.parametrize("noun", ["pos", "gps", "home bus", "status", "address", "canvas"])
def test_takes_nouns_for_one_thing(noun: str) -> None:
    assert not is_plural(noun)


def test_says_a_time_of_day() -> None:
    assert ways("14:30") == {"14:30", "2:30 pm"}


def test_says_date_and_time_together() -> None:
    assert "3 May 2026 at 9 am" in ways("2026-05-03T09:00:00Z")


@pytest.mark.parametrize(
    ("value", "label", "said"),
    [
        (True, "", "yes"),
        (48.5, "amount", "48.50"),
        (25.0, "price", "25"),
        (12500, "minutes", "12,500"),
        (12500, "order number", "12500"),
        (0.00005, "learning rate", "0.00005"),
        (["a", "b", "c"], "", "a, b and c"),
        ("IN_PROGRESS", "status", "in progress"),
        ("inProgress", "status", "in progress"),
        ("MojyBdeuJqj", "description", "MojyBdeuJqj"),
        ("EUR", "currency", "EUR"),
        ("LOW", "priority", "low"),
        ("USPS", "carrier", "USPS"),
        ("sek", "currency", "SEK"),
        ("theUser", "username", "theUser"),
        ("Please call me back soon.", "message", '"Please call me back soon."'),
        ("2026-13-45", "", "2026-13-45"),
    ],
)
def test_says_a_value_in_one_way(value: object, label: str, said: str) -> None:
    assert ways(value, label) == {said}


@pytest.mark.parametrize(
    ("label", "value", "said", "clause"),
    [
        ("starts at", "2026-05-03T09:00:00", "3 May 2026", "it starts on 3 May 2026"),
        ("issued on", "2026-05-03", "3 May 2026", "it was issued on 3 May 2026"),
        ("due on", "2026-05-03", "3 May 2026", "it is due on 3 May 2026"),
        ("opens", "09:00", "9 am", "it opens at 9 am"),
        ("practitioner name", "Dr. Falk", "Dr. Falk", "the practitioner is Dr. Falk"),
        ("first name", "Ada", "Ada", "the first name is Ada"),
        ("has dog", False, "no", "there is no dog"),
        ("has attachments", True, "yes", "there are attachments"),
        ("is charge refundable", False, "no", "the charge is not refundable"),
        ("can comment", True, "yes", "it can comment"),
        ("bicycles allowed", True, "yes", "the bicycles are allowed"),
        ("completed by", "Ada", "Ada", "it was completed by Ada"),
        ("total minutes", 198, "198", "the total minutes are 198"),
        ("photo url", "x", "x", "the photo URL is x"),
        ("amount", 5, "5 EUR", "the amount is 5 EUR"),
        ("started", "2026-05-03", "3 May 2026", "it was started on 3 May 2026"),
        ("last expired", "2026-05-03", "3 May 2026", "it was last expired on 3 May 2026"),
        ("stock list", ["A", "B"], "A and B", "the stocks are A and B"),
        ("category list", ["A", "B"], "A and B", "the category list has A and B"),
        ("expires in days", 27, "27 days", "it expires in 27 days"),
        ("expires in days", 1, "1 day", "it expires in 1 day"),
        ("duration in minutes", 27, "27 minutes", "the duration is 27 minutes"),
    ],
)
def test_puts_a_field_into_a_clause(label: str, value: object, said: str, clause: str) -> None:
    assert state(label, value, said) == clause


def test_joins_parts_into_sentences() -> None:
    assert sentence("hi", "I'd like to book", "", "for two?") == "Hi. I'd like to book, for two?"
    assert sentence('I found one note: "Call me.".') == 'I found one note: "Call me."'
    assert sentence("I need to see the museum hours", "3 May for the date").count(".") == 2
    assert sentence('the note is "Call me."', "Thanks") == 'The note is "Call me." Thanks.'


def test_leaves_addresses_and_usernames_in_lower_case() -> None:
    assert sentence("https://example.com/a is the link") == "https://example.com/a is the link."
    assert capital("ada.falk@example.com") == "ada.falk@example.com"
    assert capital("kofi25") == "kofi25"


def test_enumerates() -> None:
    assert enumerate_words(["a"]) == "a"
    assert enumerate_words([]) == ""
    assert indefinite("appointment") == "an appointment"


def test_takes_fields_of_one_item_for_no_list() -> None:
    result = {"threads": [{"name": "Voyage", "total": 12}, {"name": "Harbor", "total": 3}]}

    def outputs(*pointers: str) -> list[ExpectedOutput]:
        return [ExpectedOutput(action="a1", pointer=pointer, label="x", value=1) for pointer in pointers]

    assert list_of(result, outputs("/threads/0/name", "/threads/1/name")) == result["threads"]
    assert list_of(result, outputs("/threads/0/name", "/threads/0/total")) is None
    assert list_of(result, outputs("/threads/0/name", "/members/0/name")) is None


@pytest.mark.parametrize("label", ["user number", "user id", "country code", "order key", "booking reference"])
def test_a_code_is_never_read_as_words(label: str) -> None:
    assert say("bo_li", 0, label) == "bo_li"


@pytest.mark.parametrize(
    ("value", "said"), [(1, "for 1 day in all"), (2, "for 2 days in all"), (11, "for 11 days in all")]
)
def test_says_a_number_with_its_noun_in_words_of_the_domain(value: int, said: str) -> None:
    sayings = {"number of days": ("for {value} days in all",)}
    words = Voice(load_grammar(), Random(0), Persona(), sayings)
    assert say_fact(words, Fact(id="f1", goal=0, label="number of days", value=value)) == said


@pytest.mark.parametrize(
    ("noun", "said"),
    [("user", "a user"), ("event", "an event"), ("unit", "a unit"), ("URL", "a URL"), ("uncle", "an uncle")],
)
def test_articles_go_by_sound(noun: str, said: str) -> None:
    assert indefinite(noun) == said


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("expires date", "2026-05-29", "it expires on 29 May 2026"),
        ("created date", "2026-07-02", "it was created on 29 May 2026"),
        ("due", "2026-07-02", "it is due on 29 May 2026"),
        ("price in cents", 501, "the price in cents is 29 May 2026"),
        ("due date", "2026-07-02", "the due date is 29 May 2026"),
        ("vpc name", "Jade", "the VPC is 29 May 2026"),
        ("assigned by name", "Ann", "it was assigned by 29 May 2026"),
        ("is organization", True, "it is an organization"),
        ("is public", True, "it is public"),
        ("unread", True, "it is unread"),
        ("unread", False, "it has been read"),
    ],
)
def test_a_label_that_holds_a_verb_becomes_one(label: str, value: object, said: str) -> None:
    assert state(label, value, "29 May 2026") == said


def test_a_yes_that_is_a_text_is_told_as_a_yes() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    said = {say_fact(words, Fact(id="f1", goal=0, label="insurance", value="yes")) for _ in range(9)}
    assert said == {"set insurance to yes", "yes for insurance"}


def test_what_somebody_asks_for_is_agreed_with_in_number() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    many = Condition(action="a1", pointer="/minutes", label="total minutes", value=170, test="at_least", noun="task")
    assert "total minutes of the task are " in say_condition(words, many)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_says_something_aside_is_not_told_off(language: str) -> None:
    grammar = load_grammar(language)
    answers = set(grammar["assistant"]["steer"]) & set(grammar["assistant"]["steer_question"])
    assert not answers


@pytest.mark.parametrize("value", ["I found a lift", "our trip fell through", "we need more time first"])
def test_a_value_that_is_a_sentence_is_quoted(value: str) -> None:
    assert say(value, 0, "reason") == f'"{value}"'


@pytest.mark.parametrize("value", ["a sore knee", "recurring headaches", "I", "It", "our trip"])
def test_a_value_that_names_something_is_not_quoted(value: str) -> None:
    assert say(value, 0, "reason") == value


def test_what_no_language_has_a_word_for_is_one_thing() -> None:
    language = load_language("de")
    words = Voice(language.grammar["user"], Random(1), Persona(), language=language,
                  lexicon=Lexicon(language, Translation()))  # fmt: skip
    fact = Fact(id="f1", goal=0, label="gizmo's blorps", value="closed")
    assert not any(" sind " in say_fact(words, fact) for _ in range(12))


@pytest.mark.parametrize(
    ("intent", "said"),
    [
        ("know whether the booking has a bicycle", "ob zu der Buchung ein Fahrrad gehört"),
        ("know when the booking starts", "wann die Buchung beginnt"),
        ("know when it opens", "ab wann geöffnet ist"),
    ],
)
def test_a_wish_to_know_is_one_in_german(intent: str, said: str) -> None:
    assert Lexicon(load_language("de"), Translation()).wish(intent).asked.endswith(said)


def test_no_address_is_spelt_in_capitals() -> None:
    assert acronyms("the webpage (https://www.example.com/a)") == "the webpage (https://www.example.com/a)"
    assert acronyms("photo urls over https") == "photo URLs over HTTPS"
    assert acronyms("duration hr") == "duration hr"
