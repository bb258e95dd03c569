"""Made-up values satisfy their schemas, look like their names, and cost little whatever the schema says."""

import re
from contextlib import suppress
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interplay.generators.phrases.speakable_values import speakable
from interplay.generators.values.schema_values import ITEM_LIMIT, Unsatisfiable, make_valid, make_value
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.ideas import sentences_in
from interplay.schemas.json.validation import is_valid

NAMES = st.sampled_from(["id", "name", "email", "startDate", "price", "status", "tags", "odd"])
SCALARS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({"type": "boolean"}),
    st.just({}),
    st.builds(
        lambda low, high: {"type": "integer", "minimum": low, "maximum": high}, st.integers(-9, 9), st.integers(-9, 99)
    ),
    st.builds(lambda step: {"type": "number", "multipleOf": step}, st.sampled_from([1, 5, 0.5])),
    st.builds(
        lambda low, more: {"type": "string", "minLength": low, "maxLength": low + more},
        st.integers(0, 50),
        st.integers(0, 9),
    ),
    st.sampled_from(["date", "date-time", "uuid", "email", "uri", "time"]).map(
        lambda kind: {"type": "string", "format": kind}
    ),
    st.sampled_from(["^[A-Z]{3}$", r"^\d{4}-\d{2}$", "^(a|b)+$"]).map(lambda text: {"type": "string", "pattern": text}),
    st.lists(st.text(max_size=4), min_size=1, max_size=4).map(lambda items: {"enum": items}),
)
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda items, low: {"type": "array", "items": items, "minItems": low}, inner, st.integers(0, 2)),
        st.dictionaries(NAMES, inner, max_size=4).map(
            lambda held: {"type": "object", "properties": held, "required": sorted(held)[:2]}
        ),
        st.lists(inner, min_size=1, max_size=2).map(lambda branches: {"anyOf": branches}),
    ),
    max_leaves=8,
)


def test_an_object_holds_no_more_fields_than_it_may() -> None:
    fields = {name: {"type": "string", "format": "date"} for name in ("start", "end", "due", "paid")}
    schema = {"type": "object", "properties": fields, "required": ["end"], "maxProperties": 2}
    for seed in range(8):
        assert sorted(make_valid(schema, Random(seed)))[0:2] in (["due", "end"], ["end", "paid"], ["end", "start"])


@settings(max_examples=200, deadline=None)
@given(SCHEMAS, NAMES, st.integers(0, 99))
def test_a_made_value_is_valid_and_the_same_for_the_same_seed(schema: dict[str, Any], name: str, seed: int) -> None:
    try:
        value = make_valid(schema, Random(seed), name)
    except Unsatisfiable:
        return
    assert is_valid(value, schema)
    assert make_valid(schema, Random(seed), name) == value


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("firstName", sample_words.given_names()),
        ("last_name", sample_words.family_names()),
        ("pet_name", sample_words.given_names()),
        ("cityName", [city[0] for city in sample_words.CITIES]),
    ],
)
def test_a_name_is_of_the_kind_that_the_words_before_it_say(name: str, kind: list[str]) -> None:
    assert all(make_valid({"type": "string"}, Random(seed), name) in kind for seed in range(20))


def test_what_people_belong_to_has_no_name_of_theirs() -> None:
    made = [make_valid({"type": "string"}, Random(seed), "customer_group_name") for seed in range(9)]
    assert not {name.split()[0] for name in made} & sample_words.given_names()


@pytest.mark.parametrize("name", ["customer_name", "fullName", "passenger_name"])
def test_people_have_given_and_family_names(name: str) -> None:
    given_name, family = make_valid({"type": "string"}, Random(1), name).split()
    assert given_name in sample_words.given_names()
    assert family in sample_words.family_names()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "((a{99}){99}){99}"},
        {"type": "string", "pattern": "(((a+)+)+)+b", "minLength": 10**9},
        {"type": "string", "pattern": "(" * 900 + "a+" + ")+" * 900},
        {"type": "string", "pattern": "|".join(["[a-z]{99}"] * 200)},
        {"type": "array", "items": {"type": "string"}, "minItems": 10**9},
        {"type": "object", "minProperties": 10**9},
        {"type": "integer", "minimum": 5, "maximum": 1},
        {"type": "string", "enum": [str(number) for number in range(50_000)]},
    ],
)
def test_an_extreme_schema_costs_no_time(schema: dict[str, Any]) -> None:
    start = process_time()
    with suppress(Unsatisfiable):
        assert is_valid(make_valid(schema, Random(1), "odd"), schema)
    assert process_time() - start < 2


def test_a_pattern_of_many_branches_is_met() -> None:
    days = "|".join(f"^(WkInMnthDay:0{week}:0{day})$" for week in range(1, 6) for day in range(1, 8))
    schema = {"type": "string", "pattern": f"^(EvryDay)$|^(IntrvlDay:((0[2-9])|([1-2][0-9])|3[0-1]))$|{days}"}
    assert all(is_valid(make_valid(schema, Random(seed), "Frequency"), schema) for seed in range(9))


@pytest.mark.parametrize("least", [{"minimum": -(2**53) + 1}, {"exclusiveMinimum": -(2**31)}, {"minimum": -(2.0**70)}])
def test_the_least_that_a_machine_can_hold_is_no_bound(least: dict[str, Any]) -> None:
    schema = {"type": "integer", "maximum": 2**53 - 1, **least}
    assert all(1 <= make_valid(schema, Random(seed), "totalCommits") <= 100 for seed in range(9))
    assert make_valid({**schema, "maximum": -5}, Random(1), "offset") == -5


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("last_activity", {}),
        ("lastModified", {"format": "dateTime"}),
        ("last_seen", {}),
        ("begins", {"description": "When it begins, in ISO-8601."}),
    ],
)
def test_what_happened_last_is_a_moment_and_no_surname(name: str, schema: dict[str, Any]) -> None:
    assert all(make_valid({"type": "string", **schema}, Random(seed), name)[10] == "T" for seed in range(9))


def test_a_field_told_from_its_namesake_is_as_its_namesake() -> None:
    assert make_valid({"type": "string"}, Random(1), "path_body").endswith(".txt")
    assert make_valid({"type": "string"}, Random(1), "message_body") in sentences_in("de", ())


def test_an_example_that_is_json_is_no_text_that_people_say() -> None:
    schema = {"type": "string", "examples": ['{"disease": ["EFO_0002422"]}', '[ {\n  "id": 1\n} ]']}
    assert not any(set("{[") & set(make_valid(schema, Random(seed), "filter")) for seed in range(9))


def test_the_one_kind_that_an_example_shows_is_taken() -> None:
    schema = {"type": "string", "examples": ["FeatureCollection"]}
    assert {make_valid(schema, Random(seed), "type") for seed in range(9)} == {"FeatureCollection"}


def test_a_pattern_of_days_is_met_by_days() -> None:
    schema = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "examples": ["2025-10-15T13:51:36Z"]}
    assert all(make_valid(schema, Random(seed), "paid")[:2] == "20" for seed in range(9))


def test_a_status_code_is_that_of_success() -> None:
    assert make_valid({"type": "integer"}, Random(1), "status_code") == 200
    assert make_valid({"type": "integer", "minimum": 201, "maximum": 204}, Random(1), "statusCode") in range(201, 205)


def test_the_path_of_a_folder_is_no_file() -> None:
    schema = {"type": "string", "description": "Path to the Git repository. Defaults to the working directory."}
    assert make_valid(schema, Random(1), "path").startswith("/projects/")


def test_formats_are_known_however_they_are_spelt() -> None:
    assert make_valid({"type": "string", "format": "guid"}, Random(1), "dialogId").count("-") == 4
    assert make_valid({"type": "string", "description": "The day, as YYYY-MM-DD"}, Random(1), "begins")[4] == "-"


@pytest.mark.parametrize("name", ["jobid", "ids", "connections", "usages", "page"])
def test_what_is_counted_is_whole_though_its_schema_admits_fractions(name: str) -> None:
    assert all(isinstance(make_valid({"type": "number"}, Random(seed), name), int) for seed in range(9))
    assert isinstance(make_valid({"type": "number"}, Random(1), "price"), float)


def test_numbers_lie_near_their_examples_and_moments_near_today() -> None:
    assert 100 <= make_valid({"type": "integer", "examples": [225]}, Random(1), "epoch") <= 400
    moment = {"type": "number", "description": "Unix timestamp of the newest event"}
    assert 1_770_000_000 < make_valid(moment, Random(1), "end_time") < 1_790_000_000


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("service_code", "^[a-z0-9]*(_[a-z0-9]*)* ?$"), ("slug", "^[a-z0-9-]+$"), ("flavour", "^[a-z]+$")],
)
def test_an_open_pattern_is_met_by_words(name: str, pattern: str) -> None:
    made = make_valid({"type": "string", "pattern": pattern}, Random(3), name)
    assert any(subject in made for subject in sample_words.SUBJECTS)


def test_each_line_of_an_example_is_one() -> None:
    schema = {"type": "string", "examples": ["urn:a:1\nurn:b:2"]}
    assert all("\n" not in make_valid(schema, Random(seed), "party") for seed in range(20))


def test_fields_that_tell_one_branch_from_another_are_made() -> None:
    kinds = [{"properties": {name: {"type": "string"}}, "additionalProperties": False} for name in ("a", "b")]
    assert len(make_valid({"oneOf": kinds}, Random(1), full=False)) == 1


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("currencyCode", r"[A-Z]{3}"),
        ("LanguageCode", r"[a-z]{2}"),
        ("postalCode", r"\d{5}"),
        ("email_address", r"[a-z.]+@example\.com"),
        ("ipAddress", r"192\.0\.2\.\d+"),
        ("domain_name", r"[a-z]+\.example\.com"),
        ("streetAndNumber", r"\d+ [A-Z]\w+ (?:Street|Road|Avenue|Lane|Square)"),
        ("time_zone", r"[A-Z]\w+/\w+"),
        ("sha1_fingerprint", r"[0-9a-f]{40}"),
        ("card_brand", r"[A-Z][A-Za-z ]+"),
        ("isbn", r"978\d{10}"),
        ("sku", r"SK\d{5}"),
        ("license_plate", r"[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}"),
        ("updated", r"\d{4}-\d\d-\d\dT\d\d:\d\d:00Z"),
    ],
)
def test_a_text_has_the_form_that_its_name_promises(name: str, form: str) -> None:
    for seed in range(20):
        assert re.fullmatch(form, make_valid({"type": "string"}, Random(seed), name))


def test_the_last_digit_of_a_barcode_checks_the_others() -> None:
    digits = [int(digit) for digit in make_valid({"type": "string"}, Random(3), "ean")]
    assert sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def test_an_example_that_stands_in_for_a_value_is_none() -> None:
    for sample in ("your email", "<email>", "string", "{{email}}"):
        made = {make_valid({"type": "string", "examples": [sample]}, Random(seed), "email") for seed in range(20)}
        assert all(value.endswith("@example.com") for value in made)


def test_moments_are_written_as_examples_write_theirs() -> None:
    for sample in ("2019-03-04 05:06:07", "2019-03-04", "2019-03-04T05:06:07.089Z"):
        made = make_valid({"type": "string", "examples": [sample]}, Random(2), "sent")
        assert made != sample
        assert re.sub(r"\d", "0", made) == re.sub(r"\d", "0", sample.replace(".089", ""))


def test_nothing_tells_of_trouble_where_none_was() -> None:
    answer = {
        "type": "object",
        "properties": {
            "total": {"type": "integer"},
            "_warnings": {"type": "array", "items": {"type": "string"}},
            "errors": {"type": "array", "items": {"type": "string"}},
            "error": {"type": ["string", "null"]},
            "errorMessage": {"type": "string"},
        },
        "required": ["errors", "error"],
    }
    made = make_valid(answer, Random(1))
    assert made.keys() == {"total", "errors", "error"}
    assert (made["errors"], made["error"]) == ([], None)


def test_a_bounded_byte_is_a_number() -> None:
    assert make_valid({"type": "string", "format": "byte", "minimum": 1, "maximum": 255}, Random(1), "adults") in "1234"


def test_a_number_lies_where_its_description_says() -> None:
    told = {"type": "number", "description": "Light level from 0 to 100. Zero is off."}
    made = [make_valid(told, Random(seed), "brightness") for seed in range(30)]
    assert all(isinstance(value, int) and 0 <= value <= 100 for value in made)
    fraction = {"type": "number", "description": "A share between 0 and 1"}
    assert all(0 <= make_valid(fraction, Random(seed), "share") <= 1 for seed in range(30))
    other = {"type": "integer", "description": "Kept for 30 to 60 days"}
    assert all(make_valid(other, Random(seed), "quantity") <= 9 for seed in range(30))


def test_what_has_no_type_and_is_measured_is_a_number() -> None:
    assert all(16 <= make_valid({}, Random(seed), "temperature") <= 28 for seed in range(20))
    assert isinstance(make_valid({}, Random(1), "room"), str)


@pytest.mark.parametrize(
    ("name", "description", "form"),
    [
        ("recipient", "IBAN of the recipient", r"[A-Z]{2}\d{2}[0-9A-Z]{10,30}"),
        ("symbol", "Symbol of the stock to trade.", r"[A-Z]{2,5}"),
        ("stocks", "List of stocks to check", r"[A-Z]{2,5}"),
        ("travel_from", "The 3 letter code of the departing airport", r"[A-Z]{3}"),
        ("card_number", "The number of the credit card", r"\d{16}"),
        ("flight_iata", "IATA code of the flight", r"[A-Z]{2}\d{3,4}"),
        ("mime_type", "", r"[a-z]+/[a-z]+"),
    ],
)
def test_a_text_has_the_form_that_its_description_promises(name: str, description: str, form: str) -> None:
    for seed in range(10):
        assert re.fullmatch(form, make_valid({"type": "string", "description": description}, Random(seed), name))


def test_who_something_goes_to_is_called_like_a_person() -> None:
    text = {"type": "string"}
    inner = {"type": "object", "required": ["name"], "properties": {"name": text}}
    schema = {
        "type": "object",
        "required": ["recipient", "zeppelin"],
        "properties": {"recipient": inner, "zeppelin": inner},
    }
    for seed in range(10):
        made = make_valid(schema, Random(seed))
        assert made["recipient"]["name"].split()[0] in sample_words.given_names()
        assert "zeppelin" in made["zeppelin"]["name"].split()


def test_a_year_of_any_is_a_near_one() -> None:
    quarter = {"type": "string", "pattern": "^20[0-9]{2}-Q[1-4]$"}
    assert all(re.fullmatch(r"2026-Q[1-4]", make_valid(quarter, Random(seed), "quarter")) for seed in range(10))
    assert make_valid({"type": "string", "pattern": r"^20\d{4}$"}, Random(1), "code").startswith("20")


def test_accounts_have_numbers_of_their_own_that_check_themselves() -> None:
    made = {make_valid({"type": "string"}, Random(seed), "iban") for seed in range(40)}
    assert len(made) == 40
    for iban in made:
        assert int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1


@pytest.mark.parametrize(
    ("name", "kind"), [("creationDate", "number"), ("date", "number"), ("lastModified", "integer")]
)
def test_a_moment_that_is_a_number_is_counted_in_seconds(name: str, kind: str) -> None:
    made = make_valid({"type": kind}, Random(1), name)
    assert isinstance(made, int)
    assert 10**9 < made < 4 * 10**9
    assert not speakable(name, made)


@pytest.mark.parametrize(
    "pattern",
    [
        "^[ -\U0010ffff]{20}$",
        "^[^\u0100-\uffff]{50}$",
        "^(?:[^!-\uffff]|[a-\uffff]){40}$",
        "^[!-\uffff]{100}$",
        "^" + "(?:){1000}" * 150 + "a$",
        "^(.*a){40}$",
        "(" * 300 + "a" + ")" * 300,
    ],
)
def test_a_legal_pattern_that_is_slow_to_satisfy_costs_a_moment(pattern: str) -> None:
    """A class of all characters took five seconds for each that was drawn: it is counted off, and never listed."""
    started = process_time()
    for seed in range(20):
        assert isinstance(make_value({"type": "string", "pattern": pattern}, Random(seed), "code"), str)
    assert process_time() - started < 5


def test_a_text_of_which_nothing_is_known_is_left_out_unless_it_must_be_there() -> None:
    text = {"type": "string"}
    schema = {"type": "object", "required": ["name"], "properties": {"name": text, "os": text, "adjustEstimate": text, "flavours": {"type": "array", "items": text}}}  # fmt: skip
    assert make_valid(schema, Random(1)).keys() == {"name"}
    made = make_valid({**schema, "required": ["name", "adjustEstimate"]}, Random(1))
    assert made["adjustEstimate"] == "adjust estimate"
    told = {
        **schema,
        "properties": {
            **schema["properties"],
            "os": {"type": "string", "description": "One of: linux, macos, windows"},
        },
    }
    assert make_valid(told, Random(1))["os"] in ("linux", "macos", "windows")
    linked = {
        **schema,
        "properties": {"name": text, "spotify": {"type": "string", "description": "The Spotify URL for the object."}},
    }
    assert make_valid(linked, Random(1))["spotify"].startswith("https://")


def test_an_identity_is_never_two_words() -> None:
    for name in ("gid", "parentGid", "uid"):
        assert " " not in make_valid({"type": "string", "examples": ["12345"]}, Random(1), name)
    snowflake = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
    assert len(make_valid(snowflake, Random(1), "sku")) == 18


def test_of_all_currencies_usual_ones_are_taken() -> None:
    codes = [f"X{first}{second}" for first in "ABCDEF" for second in "ABCDEF"]
    assert {make_valid({"enum": [*codes, "EUR", "USD"]}, Random(seed)) for seed in range(30)} == {"EUR", "USD"}


@pytest.mark.parametrize("name", ["otp", "verificationCode", "one_time_password"])
def test_a_code_for_one_time_is_digits(name: str) -> None:
    made = make_valid({"type": "string"}, Random(1), name)
    assert made.isdigit()
    assert len(made) == len("303239")


def test_an_inner_list_that_is_required_holds_something() -> None:
    whom = {"type": "array", "items": {"type": "object", "required": ["email"], "properties": {"email": {"type": "string", "format": "email"}}}}  # fmt: skip
    batch = {"type": "object", "required": ["to"], "properties": {"to": whom, "cc": whom}}
    schema = {"type": "object", "required": ["batches"], "properties": {"batches": {"type": "array", "items": batch}}}
    for seed in range(30):
        made = make_value(schema, Random(seed), "mail", full=False)
        assert made["batches"]
        assert all(one["to"] and "cc" not in one for one in made["batches"])


@pytest.mark.parametrize(
    ("name", "schema", "form"),
    [
        ("originName", {"maxLength": 12}, r"\S+( \S+)*"),
        ("creationTime", {"minLength": 4, "maxLength": 4}, r"\d{4}"),
        ("creationDate", {"minLength": 6, "maxLength": 6}, r"\d{6}"),
        ("origin", {"minLength": 10, "maxLength": 10}, r"\d{10}"),
        ("country", {"maxLength": 2}, r"[A-Z]{2}"),
    ],
)
def test_a_text_of_a_given_length_is_cut_between_words_or_is_a_code(
    name: str, schema: dict[str, Any], form: str
) -> None:
    for seed in range(20):
        text = make_value({"type": "string", **schema}, Random(seed), name)
        assert re.fullmatch(form, text), text
        assert is_valid(text, {"type": "string", **schema})
        assert name != "originName" or text.split()[-1] in make_value({"type": "string"}, Random(seed), name).split()


def test_a_list_of_very_many_different_items_costs_little() -> None:
    schema = {"type": "array", "prefixItems": [{"type": "string"}] * 20_000}
    assert len(make_valid(schema, Random(1), "places")) <= ITEM_LIMIT
    with pytest.raises(Unsatisfiable):
        make_valid({**schema, "minItems": 20_000}, Random(1), "places")


def test_a_text_that_may_be_null_is_known_no_better_for_that() -> None:
    optional = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"id": {"type": "integer"}, "preferred_contact_method": optional}}
    assert "preferred_contact_method" not in make_value(schema, Random(1), "request", True)
    needed = make_value({**schema, "required": ["preferred_contact_method"]}, Random(1), "request", True)
    assert needed["preferred_contact_method"] is None


def test_a_part_that_is_a_thing_of_its_own_is_somebody_else() -> None:
    part = {name: {"type": "object", "properties": {f"{name}_id": {"type": "integer"}, f"{name}_name": {"type": "string"}}}
            for name in ("doctor", "patient")}  # fmt: skip
    made = [make_value({"type": "object", "properties": part}, Random(seed), "appointment") for seed in range(20)]
    assert all(row["doctor"]["doctor_name"] != row["patient"]["patient_name"] for row in made)


def test_how_long_something_takes_is_no_time_of_the_day() -> None:
    time = {"type": "string", "format": "time"}
    made = [
        make_value({"type": "object", "properties": {"duration": time}}, Random(seed))["duration"] for seed in range(20)
    ]
    assert {text[:2] for text in made} == {"01", "02"}


def test_a_file_is_called_after_what_it_belongs_to() -> None:
    schema = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "poster": {"type": "string", "format": "binary"}},
    }
    row = make_value(schema, Random(1), "movie")
    assert row["poster"].rpartition(".")[0] == "-".join(re.findall(r"[a-z0-9]+", row["title"].lower().replace("'", "")))


def test_what_failed_is_told_of_nothing_that_went_well() -> None:
    fields = {
        "status": {"type": "string"},
        **{f"failure_{part}": {"type": ["string", "null"]} for part in ("code", "message")},
    }
    row = make_value({"type": "object", "properties": fields, "required": list(fields)}, Random(1), "import")
    assert (row["failure_code"], row["failure_message"]) == (None, None)


@pytest.mark.parametrize(
    ("noun", "field", "over"),
    [
        ("payment", "date", True),
        ("log", "logDate", True),
        ("visit", "date", False),
        ("payment", "due_date", False),
        ("ticket", "createDate", True),
    ],
)
def test_the_day_of_what_is_no_plan_is_over(noun: str, field: str, over: bool) -> None:
    schema = {"type": "object", "properties": {field: {"type": "string", "format": "date"}}, "required": [field]}
    days = [make_valid(schema, Random(seed), noun)[field] for seed in range(30)]
    assert {day < TODAY.isoformat() for day in days} == {over}


def test_a_picture_is_called_after_what_it_shows_and_is_no_text() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "path": {"type": "string"}},
        "required": ["name", "path"],
    }
    made = [make_valid(schema, Random(seed), "photo") for seed in range(10)]
    assert all(str(item["path"]).endswith((".jpg", ".png")) for item in made)


def test_a_sum_of_money_is_about_no_topic() -> None:
    fields = {"id": {"type": "string"}, "description": {"type": "string"}, "amount": {"type": "number"}}
    told = [make_valid({"type": "object", "properties": fields}, Random(seed), "operation") for seed in range(20)]
    assert not any("description" in made for made in told)


def test_a_translation_of_a_name_is_about_the_thing_around_it() -> None:
    text = {"type": "object", "properties": {name: {"type": "string"} for name in ("name", "locale")}}
    fields = {"id": {"type": "string"}, "name": {"type": "string"}, "default_translation": text}
    for seed in range(5):
        made = make_valid({"type": "object", "properties": fields}, Random(seed), "subscription")
        assert made["default_translation"]["name"] == made["name"]
