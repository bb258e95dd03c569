"""Which results speak of an error though the call is said to have gone well."""

import pytest

from interplay.generators.results.spoken_error import refusal_in


@pytest.mark.parametrize(
    "told",
    [
        "Error: no such note",
        "\u274c Failed to open the file\nwhere: notes.txt",
        "Database error: the table is locked",
        "notes.txt: Error - ENOENT: no such file or directory, open 'notes.txt'",
        "a.txt: Error - no such file\n---\nb.txt: Error - no such file",
        {"success": False, "message": "no such note"},
    ],
)
def test_finds_errors_that_are_told_as_results(told: object) -> None:
    assert refusal_in(told) is not None


@pytest.mark.parametrize(
    "told",
    [
        "notes.txt: Buy milk\n---\nb.txt: Error - no such file",
        "The log of today - 3 lines: Error handling was changed",
        "Status: ok\nLast error: none",
        "Reading about errors and how people recover: a list",
        "---",
        "",
        {"status": "error", "id": 7, "log": []},
    ],
)
def test_leaves_results_that_only_hold_the_word(told: object) -> None:
    assert refusal_in(told) is None
