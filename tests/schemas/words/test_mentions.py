"""Values as people say them, and values that a text does not say although it looks alike."""

import time
from typing import Any

import pytest

from interplay.schemas.words.mentions import contradicts, mentions, retells, said
from interplay.schemas.words.text import normalised

STATUS = {"type": "string", "enum": ["IN_PROGRESS", "done", "follow-ups", "openTickets"]}
CURRENCY = {"type": "string", "enum": ["USD", "EUR"]}

SAID: list[tuple[str, Any, dict[str, Any], str]] = [
    ("Please book Ada Lovelace.", "Ada Lovelace", {}, ""),
    ("please book ADA LOVELACE!", "Ada Lovelace", {}, ""),
    ("It is Ada's note.", "Ada", {}, ""),
    ("Her name is José Núñez", "Jose Nunez", {}, ""),
    ("Ask Conor O'Brien", "O’Brien", {}, ""),
    ("Title it 'buy milk, eggs & bread'.", "Buy milk, eggs and bread", {}, ""),
    ("a follow up visit", "follow-up", {}, ""),
    ("a followup visit", "follow_up", {}, ""),
    ("the order ABC 123", "ABC-123", {}, ""),
    ("the order abc123, please", "ABC-123", {}, ""),
    ("我想去北京看看", "北京", {}, ""),
    ("The note reads: don't forget the keys.", "Don't forget the keys", {}, ""),
    ("C++ is fine", "++", {}, ""),
    ("those in progress", "IN_PROGRESS", STATUS, "status"),
    ("those in-progress", "inProgress", STATUS, "status"),
    ("show open tickets", "openTickets", STATUS, "status"),
    ("a follow-up", "follow-ups", STATUS, "kind"),
    ("two checkups", "checkup", {"enum": ["checkup"]}, "kind"),
    ("in dollars", "USD", CURRENCY, "currency"),
    ("it cost €25", "EUR", CURRENCY, "currency"),
    ("on 2026-05-03", "2026-05-03", {}, "date"),
    ("on 3 May 2026", "2026-05-03", {}, "date"),
    ("on May 3rd, 2026.", "2026-05-03", {}, "date"),
    ("on the 3rd of May", "2026-05-03", {}, "date"),
    ("on May 3", "2026-05-03", {}, "date"),
    ("on May 3 at 9", "2026-05-03", {}, "date"),
    ("on Sunday, Sept. 3", "2026-09-03", {}, "date"),
    ("on 03/05/2026", "2026-05-03", {}, "date"),
    ("on 5/3/26", "2026-05-03", {}, "date"),
    ("on 03.05.2026", "2026-05-03", {}, "date"),
    ("from May 3 to 5, 2026", "2026-05-05", {}, "date"),
    ("3-5 May 2026", "2026-05-03", {}, "date"),
    ("in May 2026", "2026-05", {}, "month"),
    ("on May 3, 2026", "03/05/2026", {}, "date"),
    ("Sunday, May 3 at 9:30 am", "2026-05-03T09:30:00Z", {}, "start"),
    ("3 May 2026, 9.30", "2026-05-03T09:30:00+02:00", {}, "start"),
    ("May 3 at 9", "2026-05-03 09:00", {}, "start"),
    ("2026-05-03T09:30:00", "2026-05-03T09:30:00Z", {}, "start"),
    ("any time on May 3", "2026-05-03T00:00:00Z", {}, "start"),
    ("by May 3", "2026-05-03T23:59:59Z", {}, "end"),
    ("at 9 am", "09:00", {}, "time"),
    ("at 9:00", "09:00", {}, "time"),
    ("9 in the evening", "21:00", {}, "time"),
    ("at 2:15 p.m.", "14:15", {}, "time"),
    ("from 9-11 am", "09:00", {}, "time"),
    ("from 9-11 am", "11:00", {}, "time"),
    ("9:00-17:00", "17:00", {}, "time"),
    ("at noon", "12:00:00", {}, "time"),
    ("on May 3 at 16:24:13", "2026-05-03 16:24:13 UTC", {}, "authorized at"),
    ("9 o'clock", "09:00", {}, "time"),
    ("It costs 25 a night", 25.0, {}, "price"),
    ("It costs $25.00.", 25, {}, "price"),
    ("€1,250.50 in all", 1250.5, {}, "price"),
    ("1 250 people", 1250, {}, "size"),
    ("1.250,50 EUR", 1250.5, {}, "price"),
    ("a 5kg bag", 5, {}, "weight"),
    ("the 3rd floor", 3, {}, "floor"),
    ("table for four", 4, {}, "guests"),
    ("twenty-five chairs", 25, {}, "chairs"),
    ("3 thousand", 3000, {}, "amount"),
    ("20k", 20000, {}, "amount"),
    ("a 15% tip", 15, {}, "tip"),
    ("a 15% tip", 0.15, {}, "tip"),
    ("it is -5 degrees", -5, {}, "degrees"),
    ("about 3.14", 3.14159, {}, "ratio"),
    ("I want 3.", 3, {}, "count"),
    ("Order #4711", 4711, {}, "order"),
    ("Order #4711", "4711", {}, "order"),
    ("seat twelve", "12", {}, "seat"),
    ("May 3, 2026", 2026, {}, "year"),
    ("May 3, 2026", 5, {}, "month"),
    ("with a bicycle", True, {}, "has_bicycle"),
    ("no bicycles please", False, {}, "hasBicycle"),
    ("without the bicycle", False, {}, "has_bicycle"),
    ("Yes, please.", True, {}, "urgent"),
    ("no thanks", False, {}, "urgent"),
    ("send me notifications", True, {}, "notify"),
    ("milk and eggs", ["eggs", "Milk"], {}, "items"),
    ("whatever", [], {}, "items"),
    ("whatever", None, {}, "note"),
    ("12 Main Street in Springfield", {"street": "Main Street", "number": 12}, {}, "address"),
    ("call +1 (555) 010-2345", "+15550102345", {}, "phone"),
    ("call 555-010-2345 twice", "+1 555 010 2345", {}, "phone"),
    ("mail Ada@Example.com.", "ada@example.com", {}, "email"),
    ("see www.example.com/a.", "https://www.example.com/a", {}, "url"),
    ("id 0b8f2a34-11aa-4c3e-9d7e-aabbccddeeff", "0B8F2A34-11AA-4C3E-9D7E-AABBCCDDEEFF", {}, "id"),
    ("Room B-12", "B12", {}, "room"),
]

NOT_SAID: list[tuple[str, Any, dict[str, Any], str]] = [
    ("Please book Ada Lovelace.", "Ada Byron", {}, ""),
    ("Please book Ada Lovelace.", "Lace", {}, ""),
    ("Adam will come", "Ada", {}, ""),
    ("the Adams", "Adam", {}, ""),
    ("Lovelace Ada", "Ada Lovelace", {}, ""),
    ("milk", "milk and eggs", {}, ""),
    ("the order ABC 124", "ABC-123", {}, ""),
    ("the order ABC 1234", "ABC-123", {}, ""),
    ("room 1, 5 people", "room 15", {}, ""),
    ("apt 1b", "apt 1", {}, ""),
    ("我想去上海", "北京", {}, ""),
    ("C is fine", "++", {}, ""),
    ("", "milk", {}, ""),
    ("those in progress", "done", STATUS, "status"),
    ("programs", "IN_PROGRESS", STATUS, "status"),
    ("in dollars", "EUR", CURRENCY, "currency"),
    ("on 3 May 2026", "2026-05-04", {}, "date"),
    ("on 3 May 2026", "2027-05-03", {}, "date"),
    ("on 3 May 2025", "2026-05-03", {}, "date"),
    ("on 3 June 2026", "2026-05-03", {}, "date"),
    ("on May 31", "2026-05-03", {}, "date"),
    ("on May 13", "2026-05-03", {}, "date"),
    ("on 2026-05-03", "2026-05-30", {}, "date"),
    ("on 04/05/2026", "2026-05-03", {}, "date"),
    ("you may have 3", "2026-05-03", {}, "date"),
    ("on May 3, 9 am", "2026-05-09", {}, "date"),
    ("in May 2026", "2026-06", {}, "month"),
    ("in May 2025", "2026-05", {}, "month"),
    ("on May 4, 2026", "03/05/2026", {}, "date"),
    ("May 3 at 9:30 am", "2026-05-03T10:30:00Z", {}, "start"),
    ("May 3 at 9:30 am", "2026-05-03T21:30:00Z", {}, "start"),
    ("May 4 at 9:30 am", "2026-05-03T09:30:00Z", {}, "start"),
    ("May 3", "2026-05-03T09:30:00Z", {}, "start"),
    ("at 9:30 am", "2026-05-03T09:30:00Z", {}, "start"),
    ("at 9 am", "09:30", {}, "time"),
    ("at 9 pm", "09:00", {}, "time"),
    ("at 9:00", "21:00", {}, "time"),
    ("at 19:00", "09:00", {}, "time"),
    ("for 9 people", "09:00", {}, "time"),
    ("at noon", "00:00", {}, "time"),
    ("15 people", 5, {}, "size"),
    ("in 2025", 5, {}, "size"),
    ("in 2025", 25, {}, "size"),
    ("it is 5.5", 5, {}, "size"),
    ("it is 1.5", 5, {}, "size"),
    ("1,250", 250, {}, "size"),
    ("B5", 5, {}, "size"),
    ("order INV-0005", 5, {}, "size"),
    ("order INV_5", 5, {}, "size"),
    ("on May 3", 3, {}, "guests"),
    ("at 9:30 am", 9, {}, "guests"),
    ("at 9:30 am", 30, {}, "guests"),
    ("table for four", 5, {}, "guests"),
    ("twenty-five chairs", 20, {}, "chairs"),
    ("twenty-five chairs", 5, {}, "chairs"),
    ("someone", 1, {}, "guests"),
    ("-5 degrees", 5, {}, "degrees"),
    ("5 degrees", -5, {}, "degrees"),
    ("$25.50", 25, {}, "price"),
    ("$25", 25.5, {}, "price"),
    ("about 3.15", 3.14159, {}, "ratio"),
    ("id 0b8f2a34-11aa-4c3e-9d7e-aabbccddeeff", 11, {}, "count"),
    ("mail me at ada5@example.com", 5, {}, "count"),
    ("Order #4711", "471", {}, "order"),
    ("Order #4711", "711", {}, "order"),
    ("Order A4711", "4711", {}, "order"),
    ("at 9:15", "15", {}, "seat"),
    ("May 3, 2026", 2027, {}, "year"),
    ("May 3, 2026", 6, {}, "month"),
    ("a red car", True, {}, "has_bicycle"),
    ("a red car", False, {}, "has_bicycle"),
    ("without a bicycle", True, {}, "has_bicycle"),
    ("with a bicycle", False, {}, "has_bicycle"),
    ("milk and eggs", ["eggs", "bread"], {}, "items"),
    ("12 Main Street", {"street": "High Street", "number": 12}, {}, "address"),
    ("call +1 (555) 010-2346", "+15550102345", {}, "phone"),
    ("call 010-2345", "+15550102345", {}, "phone"),
    ("mail ada@example.com", "da@example.com", {}, "email"),
    ("mail ada@example.community", "ada@example.com", {}, "email"),
    ("mail bob@example.com", "ada@example.com", {}, "email"),
    ("see www.example.com/ab", "https://www.example.com/a", {}, "url"),
    ("id 0b8f2a34-11aa-4c3e-9d7e-aabbccddeeff", "0b8f2a34-11aa-4c3e-9d7e-aabbccddee00", {}, "id"),
]


@pytest.mark.parametrize(("text", "value", "schema", "name"), SAID)
def test_hears_a_value_as_people_say_it(text: str, value: Any, schema: dict[str, Any], name: str) -> None:
    assert mentions(text, value, schema, name)


@pytest.mark.parametrize(("text", "value", "schema", "name"), NOT_SAID)
def test_does_not_hear_what_was_not_said(text: str, value: Any, schema: dict[str, Any], name: str) -> None:
    assert not mentions(text, value, schema, name)


def test_joins_a_day_and_a_time_from_two_texts() -> None:
    texts = [normalised("On May 3, please."), normalised("9:30 am suits me.")]
    assert said(texts, "2026-05-03T09:30:00Z")
    assert not said(texts[:1], "2026-05-03T09:30:00Z")


def test_the_tables_are_long_enough() -> None:
    assert len(SAID) >= 60
    assert len(NOT_SAID) >= 60


@pytest.mark.parametrize(
    "raw",
    [
        "3 to " * 20_000,
        "a@" * 50_000,
        "1.2," * 25_000,
        "3 " + " " * 100_000 + "x",
        "may " * 25_000,
        "." * 100_000 + "x",
    ],
)
def test_reads_hostile_texts_in_linear_time(raw: str) -> None:
    started = time.perf_counter()
    assert not mentions(raw, "2026-05-03T09:30:00Z")
    assert not mentions(raw, 777)
    assert not mentions(raw, "a@example.com")
    assert not mentions(f"archived {raw}", False, {"type": "boolean"}, "archived")
    assert time.perf_counter() - started < 5


def test_what_is_denied_in_one_sentence_is_not_in_the_next() -> None:
    gone = normalised("Der Block existiert nicht mehr. Archived: yes.")
    assert said([gone], True, {"type": "boolean"}, "archived")
    assert not said([normalised("It does not count as archived.")], True, {"type": "boolean"}, "archived")
    assert said([normalised("Archived? No.")], False, {"type": "boolean"}, "archived")
    assert said([normalised("Not 了解。 承知しました。 Archived.")], True, {"type": "boolean"}, "archived")


def test_a_field_that_sounds_like_a_denial_denies_nothing() -> None:
    said_so, denied = normalised("All set, and it is disabled."), normalised("It is not disabled.")
    assert said([said_so], True, {"type": "boolean"}, "disabled")
    assert not said([denied], True, {"type": "boolean"}, "disabled")
    assert said([denied], False, {"type": "boolean"}, "disabled")
    assert not said([said_so], False, {"type": "boolean"}, "disabled")
    for read in ("It has been read.", "It was sent at 9:00, and it has been read."):
        assert said([normalised(read)], False, {"type": "boolean"}, "unread")
        assert not said([normalised(read)], True, {"type": "boolean"}, "unread")
    assert said([normalised("It has not been read.")], True, {"type": "boolean"}, "unread")
    assert not said([normalised("It has not been read.")], False, {"type": "boolean"}, "unread")
    for name in ("discoverable_disabled", "disabled_discoverable"):
        so, not_so = normalised("The discoverable is disabled."), normalised("The discoverable is not disabled.")
        assert said([so], True, {"type": "boolean"}, name)
        assert said([not_so], False, {"type": "boolean"}, name)
        assert not said([not_so], True, {"type": "boolean"}, name)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-05-04에 10:30입니다.", "2026-05-04T10:30:00"),
        ("Finn Abbotさんは3回です。", "Finn Abbot"),
        ("Finn Abbotさんは3回です。", 3),
        ("合计是120欧元，号码P-0021。", 120),
        ("合计是120欧元，号码P-0021。", "P-0021"),
        ("เวลา10:30กับอาลี", "อาลี"),
        ("서울에서 만나요", "서울"),
        ("anna@example.orgまで", "anna@example.org"),
        ("알겠습니다.343.44입니다.", 343.44),
        ("承知しました．343.44です", 343.44),
        ("好的，12345。", "12345"),
        ("번호:12345입니다.", "12345"),
        ("時間：10:00です", "10:00"),
        ("네.anna@example.org.감사합니다", "anna@example.org"),
        ("number:12345, time:10:00", "12345"),
        ("number:12345, time:10:00", "10:00"),
    ],
)
def test_finds_values_in_scripts_without_spaces(text: str, value: object) -> None:
    assert mentions(text, value)
    assert not any(mentions(text, other) for other in ("P-002", "2026-05-14", "Finn Abbo", "北京", 12, 0))


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("All done, bill B303 (60.00) is now paid.", "Bill B303 is paid", True),
        ("It was for the first extension of the Norda Volt.", "first extension for the Norda Volt", True),
        ("It was for the second extension of the Norda Volt.", "first extension for the Norda Volt", False),
        ("The bill is paid.", "Bill B303 is paid", False),
        ("Basic", "Basic", False),
    ],
)
def test_a_phrase_is_retold_with_all_its_telling_words(text: str, value: str, told: bool) -> None:
    assert retells([normalised(text)], value) == told


def test_a_code_is_said_without_the_name_of_its_field() -> None:
    assert mentions("The visibility is read only.", "VISIBILITY_READ_ONLY", name="visibility")
    assert not mentions("The visibility is hidden.", "VISIBILITY_READ_ONLY", name="visibility")


def test_nothing_is_told_by_a_denial_of_the_field() -> None:
    assert mentions("Your basic cover doesn't pay any of that.", 0, name="covered_amount")
    assert not mentions("That's no problem: your cover pays all of it.", 0, name="covered_amount")
    assert not mentions("Your basic cover doesn't pay any of that.", 5, name="covered_amount")


@pytest.mark.parametrize(
    ("text", "value", "otherwise"),
    [
        ("I'd cancel it without a cancellation fee. Yes?", True, True),
        ("I'd cancel it with the cancellation fee. Yes?", True, False),
        ("I'd cancel it. Is there no other booking?", True, False),
        ("I'd cancel it with a cancellation fee. Yes?", False, True),
        ("I'd cancel it with no fee. Yes?", False, False),
    ],
)
def test_a_flag_is_contradicted_by_its_own_words(text: str, value: bool, otherwise: bool) -> None:
    assert contradicts(text, value, "with cancellation fee") == otherwise


def test_what_is_not_so_is_told_by_a_contraction() -> None:
    assert mentions("Unfortunately it isn't available for 8 days.", "not available")
    assert mentions("It is not available.", "not_available")
    assert not mentions("It's available for 8 days.", "not available")
