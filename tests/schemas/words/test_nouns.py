"""What several things are called, and how they are told from one."""

import pytest

from interplay.schemas.words.nouns import is_plural, plural, singular

PAIRS = """
movie movies, cache caches, child children, criterion criteria, status statuses, data data, series series, species species,
news news, metadata metadata, analysis analyses, gas gases, canvas canvases, index indexes, city cities, box boxes, day days, pet pets,
alias aliases, bus buses, lens lenses, bonus bonuses, campus campuses, virus viruses, address addresses, process processes,
access accesses, class classes, business businesses, search searches, branch branches, match matches, batch batches, patch patches,
life lives, knife knives, half halves, shelf shelves, hero heroes, potato potatoes, photo photos, video videos, logo logos, memo memos,
emoji emojis, api apis, wiki wikis, uri uris, kpi kpis, url urls, menu menus, house houses, warehouse warehouses, cause causes, use uses,
response responses, release releases, license licenses, database databases, base bases, case cases, purchase purchases, course courses,
expense expenses, phase phases, size sizes, quiz quizzes, matrix matrices, vertex vertices, axis axes, crisis crises, diagnosis diagnoses,
schema schemas, area areas, quota quotas, person people, man men, woman women, foot feet, tooth teeth, mouse mice, phenomenon phenomena,
category categories, company companies, reply replies, cookie cookies, calorie calories, zombie zombies, shoe shoes, archive archives,
tax taxes, prefix prefixes, nurse nurses, invoice invoices, service services, page pages, employee employees, key keys, survey surveys,
note notes, route routes, file files, table tables, hypothesis hypotheses, taxi taxis, leave leaves, wave waves, drive drives, toe toes
"""


def test_a_hundred_common_nouns_of_one_and_of_several() -> None:
    pairs = [tuple(pair.split()) for pair in PAIRS.replace("\n", " ").split(",")]
    assert len(pairs) >= 100
    assert [(one, plural(one)) for one, _ in pairs] == pairs
    assert [(singular(many), many) for _, many in pairs] == pairs
    assert [one for one, _ in pairs if singular(one) != one] == []
    assert [many for _, many in pairs if plural(many) != many] == []


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("comicSeries", "comicSeries"),
        ("userIDs", "userID"),
        ("APIs", "API"),
        ("Children", "Child"),
        ("line items", "line item"),
        ("order_lines", "order_line"),
        ("indices", "index"),
        ("appendices", "appendix"),
        ("dns", "dns"),
        ("", ""),
        ("v2", "v2"),
    ],
)
def test_phrases_and_identifiers_keep_what_stands_before_their_last_word(many: str, one: str) -> None:
    assert singular(many) == one


@pytest.mark.parametrize(
    ("noun", "many"),
    [("time entry", "time entries"), ("social media", "social media"), ("endpoints", "endpoints"), ("staff", "staff")],
)
def test_makes_plurals_of_phrases(noun: str, many: str) -> None:
    assert plural(noun) == many


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("orders", True),
        ("clinic hours", True),
        ("children", True),
        ("status", False),
        ("trip", False),
        ("the OS", False),
    ],
)
def test_tells_several_things_from_one(noun: str, several: bool) -> None:
    assert is_plural(noun) == several
