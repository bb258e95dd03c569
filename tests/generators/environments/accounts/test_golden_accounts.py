"""Real descriptions are taken for what they were: the summary of each account is the one committed."""

import pytest
from bench.accounts import account_lines, committed, sources, summary

COMMITTED = committed()


@pytest.mark.parametrize("name", COMMITTED)
def test_a_real_description_is_taken_for_what_it_was(name: str) -> None:
    found = sources()
    if name not in found:
        pytest.skip(f"the description {name} is not here; set INTERPLAY_SHARED")
    assert summary(account_lines(found[name])) == COMMITTED[name], "see what differs with bench/accounts.py --compare"
