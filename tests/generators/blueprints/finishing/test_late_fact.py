"""Facts that users think of late: told with an answer to something else, before the call that takes them."""

import pytest
from tests.generators.worlds import records

OPENING = ("inform_intent_clear", "inform_intent_clear_add")


@pytest.mark.parametrize("spec", ["domain:rental", "trello.yaml"])
def test_late_facts_are_told_with_an_answer_and_not_with_the_request(spec: str) -> None:
    drawn = records(spec, 30, recipes={"late": 1.0, "plain": 0.0})
    made = [record for record in drawn if record.status == "accepted"]
    assert len(made) >= 28
    acts = []
    for record in made:
        assert record.blueprint is not None
        assert record.trajectory is not None
        late = {fact.id for fact in record.blueprint.scenario.facts if fact.reveal == "late"}
        said = [message for message in record.trajectory.messages if message.state and late & set(message.state.told)]
        assert {fact for message in said if message.state for fact in message.state.told} >= late
        acts += [message.act for message in said]
    assert len(acts) >= 5
    assert sum(act in OPENING for act in acts) == 0
