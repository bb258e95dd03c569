"""The kinds of faults: each has its module, its sentences, and a number of retries that fits it."""

from collections.abc import Iterator
from typing import Any

import pytest

from interplay.generators.faults.fault_effect import cut_list, fault_effect
from interplay.generators.participants.wording.languages import LANGUAGES, load_grammar
from interplay.schemas.records.fault import FAULTS, NEVER_RETRIED, RETRIES, FaultKind


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_retried_unless_it_stays_or_its_answer_can_be_used(kind: FaultKind) -> None:
    effect = fault_effect(kind)
    assert (kind in NEVER_RETRIED) == (effect.lasting == 1 or effect.restore is not None)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_either_fails_a_call_or_changes_an_answer(kind: FaultKind) -> None:
    effect = fault_effect(kind)
    answer = {"items": [{"due_on": "2024-05-01"}, {"due_on": "2024-05-02"}]}
    assert effect.suits(answer)
    assert (effect.distort(answer) == answer) == bool(effect.errors)
    if effect.restore is not None:
        assert effect.restore(effect.distort(answer)) == answer


@pytest.mark.parametrize(
    ("answer", "cut"),
    [
        ([1, 2], {"items": [1]}),
        ({"total": 2, "pets": [{"k": 1}, {"k": 2}]}, {"total": 2, "pets": [{"k": 1}]}),
        ({"_embedded": {"pets": [{"k": 1}, {"k": 2}]}}, {"_embedded": {"pets": [{"k": 1}]}}),
        ({"status": "ok", "data": {"a/b": [{"k": 1}, {"k": 2}]}}, {"status": "ok", "data": {"a/b": [{"k": 1}]}}),
    ],
)
def test_a_list_is_cut_where_it_lies(answer: Any, cut: dict[str, Any]) -> None:
    assert cut_list(answer, 1) == {"returned": 1, "available": 2, **cut}


def wording_keys(kind: FaultKind) -> Iterator[str]:
    """Yield the keys under which each grammar needs sentences for a kind: to try again, to go round, to give up."""
    effect = fault_effect(kind)
    if RETRIES[kind]:
        yield f"again_{kind}"
    if effect.lasting:
        yield f"found_{kind}"
    if effect.restore is None:
        yield from (f"lost_{kind}", f"unmade_{kind}")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", FAULTS)
def test_every_grammar_has_the_sentences_for_a_kind(kind: FaultKind, code: str) -> None:
    assert set(wording_keys(kind)) <= load_grammar(code)["assistant"].keys()
