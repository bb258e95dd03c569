"""What an object is about gives its name and its texts."""

from random import Random

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.ideas import draw_idea, sentences_in, text_about, told_of_thing

TEXT = {"type": "string"}


def test_a_matter_is_called_after_its_topic_and_its_texts_speak_of_it() -> None:
    for seed in range(20):
        idea = draw_idea("section", Random(seed))
        assert idea.name.lower() == idea.topic in sample_words.TOPICS
        assert idea.topic in text_about(idea, ["description"], Random(seed)).lower()
        assert text_about(idea, ["title"], Random(seed)) == idea.name


@pytest.mark.parametrize("holder", ["hall", "sales_squad", "zeppelin", "parent_zeppelins"])
def test_a_thing_is_called_by_its_noun(holder: str) -> None:
    noun = holder.rsplit("_", 1)[-1].removesuffix("s")
    for seed in range(20):
        idea = draw_idea(holder, Random(seed))
        assert noun in idea.name.split()
        assert text_about(idea, ["note"], Random(seed)).endswith(".")


def test_somebody_is_called_like_a_person() -> None:
    idea = draw_idea("customer", Random(1))
    assert idea.name == idea.person


def test_rows_are_of_what_their_number_and_their_fields_say() -> None:
    books = draw_idea("library", Random(1), ("book_id", "title", "author", "status", "id"))
    assert books.thing is not None
    assert books.thing.concept.name == draw_idea("book", Random(1), ("title", "author")).thing.concept.name  # type: ignore[union-attr]
    assert draw_idea("library", Random(1), ("library_id", "name", "address")).thing is None
    for fields, somebody in ((("name", "phone", "relation"), True), (("name", "phone", "capacity"), False)):
        idea = draw_idea("zeppelin", Random(1), fields)
        assert (idea.name == idea.person) == somebody


def test_the_fields_of_an_object_are_about_one_thing_and_one_person() -> None:
    fields = ("title", "description", "first_name", "last_name", "email", "username")
    schema = {"type": "object", "required": [*fields], "properties": dict.fromkeys(fields, TEXT)}
    for seed in range(20):
        made = make_valid(schema, Random(seed), "initiative")
        assert made["title"].lower() in made["description"].lower()
        first, last, _ = made["email"].replace("@", ".").split(".", 2)
        assert made["username"].startswith(first)
        assert (len(made["first_name"]), len(made["last_name"])) == (len(first), len(last))


def test_every_text_has_its_german() -> None:
    told = sentences_in("de", ("special_initiative", "zeppelin"))
    for noun in ("initiative", "zeppelin"):
        for seed in range(30):
            idea, rng = draw_idea(noun, Random(seed)), Random(seed)
            for field in ("message", "note", "description", "reason"):
                text = text_about(idea, [field], rng)
                assert told[text] != text
                assert "{" not in told[text]
    assert sentences_in("en", ("zeppelin",)) == {}


def test_what_is_told_of_a_part_is_told_of_that_part() -> None:
    phone = {"type": "object", "properties": {"description": {"type": "string"}}, "required": ["description"]}
    tenant = {"type": "object", "properties": {"phones": {"type": "array", "minItems": 1, "items": phone}}}
    told = [
        item["description"]
        for seed in range(20)
        for item in make_valid({**tenant, "required": ["phones"]}, Random(seed), "tenant")["phones"]
    ]
    assert not any("tenant" in text for text in told)


def test_the_songs_of_a_library_are_called_like_songs() -> None:
    songs = draw_idea("library", Random(1), ("song_name", "artist", "release_date"))
    assert songs.thing is not None
    assert songs.thing.concept.name == "song"
    assert draw_idea("library", Random(1), ("library_name", "address")).thing is None


def test_a_whole_noun_of_the_catalogue_says_what_rows_are_whatever_their_number_says() -> None:
    lot = draw_idea("parking_lot", Random(1), ("slot_id", "status", "vehicle_number", "id", "capacity", "name"))
    assert lot.thing is not None
    assert lot.thing.concept.name == "parking spot"


def test_a_field_that_is_called_as_its_thing_holds_its_name() -> None:
    job = draw_idea("job", Random(1), ("company", "position", "salary"))
    assert told_of_thing(job, ["position"]) == told_of_thing(job, ["name"]) == job.name
    assert told_of_thing(job, ["bonus"]) == ""


def test_categories_are_of_what_an_api_is_about() -> None:
    kinds = {draw_idea("category", Random(seed), ("name",), ("event",)).name for seed in range(8)}
    events = {draw_idea("category", Random(seed), ("name",), ("zeppelin",)).name for seed in range(8)}
    assert kinds.isdisjoint(events)


def test_what_a_row_with_an_identity_of_its_own_belongs_to_is_not_what_it_is() -> None:
    fields = ("chapter_id", "manga_id", "content", "username")
    assert draw_idea("comment", Random(1), ("id", *fields)).thing.concept.name == "comment"  # type: ignore[union-attr]


def test_what_somebody_wrote_about_is_not_called_like_a_person() -> None:
    thesis = {"type": "object", "properties": {"topic": TEXT}, "required": ["topic"]}
    names = {"firstName": TEXT, "lastName": TEXT, "birthDate": {"type": "string", "format": "date"}, "email": TEXT}
    teacher = {
        "type": "object",
        "properties": {**names, "dissertations": {"type": "array", "minItems": 1, "items": thesis}},
    }
    for seed in range(20):
        made = make_valid({**teacher, "required": [*names, "dissertations"]}, Random(seed), "teacher")
        assert not sample_words.is_of_person(made["dissertations"][0]["topic"])
