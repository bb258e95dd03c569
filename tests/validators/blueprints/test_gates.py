"""The gates of a blueprint: the good one passes, and each planted fault is named."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    ADD,
    FACTS,
    GOALS,
    LIST,
    START,
    TOOLSET,
    ConfirmFinish,
    Notes,
    change_action,
    codes,
    make_blueprint,
    opens,
)

from interplay.schemas.json.canonical import Change, difference, digest
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Condition,
    Description,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Origin,
    Scenario,
)
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.gates import blueprint_checks, check_blueprint

ORIGINS = ADD.origins


def gate(name: str, blueprint: Blueprint, environment: Notes | None = None) -> Verdict:
    """Return the verdict of one gate alone."""
    checks = blueprint_checks(TOOLSET, opens(environment), ConfirmFinish())
    return next(asyncio.run(check.check(blueprint)) for check in checks if check.name == name)


def expected(**changes: Any) -> Expected:
    return make_blueprint().expected.model_copy(update=changes)


def test_accepts_the_good_blueprint() -> None:
    verdicts = asyncio.run(check_blueprint(make_blueprint(), blueprint_checks(TOOLSET, opens(), ConfirmFinish())))
    assert [(verdict.check, verdict.issues) for verdict in verdicts] == [
        (name, ()) for name in ("format", "safety", "replay", "solvable", "non_trivial", "policy", "referents")
    ]


def test_runs_the_ground_truth_once_and_puts_the_state_back() -> None:
    notes = Notes()
    asyncio.run(check_blueprint(make_blueprint(), blueprint_checks(TOOLSET, opens(notes), ConfirmFinish())))
    assert notes.calls == len(make_blueprint().actions)
    assert notes.changes() == ()


def test_stops_at_the_first_gate_that_rejects() -> None:
    blueprint = make_blueprint(tools=("add_note", "list_notes", "finish_note"))
    verdicts = asyncio.run(check_blueprint(blueprint, blueprint_checks(TOOLSET, opens())))
    assert [verdict.check for verdict in verdicts] == ["format"]


FORMAT_FAULTS: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown_tool", "/actions/0/tool", {"actions": change_action(0, tool="fly")}),
    ("unknown_tool", "/tools/5", {"tools": (*make_blueprint().tools, "fly")}),
    ("duplicate_tool", "/tools", {"tools": (*make_blueprint().tools, "add_note")}),
    ("tool_not_offered", "/actions/3/tool", {"tools": make_blueprint().tools[:3]}),
    (
        "invalid_arguments",
        "/actions/0/arguments/due",
        {"actions": change_action(0, arguments=ADD.arguments | {"due": 4})},
    ),
    (
        "invalid_arguments",
        "/actions/0/arguments/due",
        {"actions": change_action(0, arguments=ADD.arguments | {"due": "2026-13-01"})},
    ),
    ("missing_origin", "/actions/2/origins", {"actions": change_action(2, origins={})}),
    (
        "stray_origin",
        "/actions/1/origins/~1done",
        {"actions": change_action(1, origins={"/done": Origin(kind="default")})},
    ),
    (
        "unknown_fact",
        "/actions/2/origins/~1id",
        {"actions": change_action(2, origins={"/id": Origin(kind="user", fact="f9")})},
    ),
    (
        "unknown_action",
        "/actions/2/origins/~1id",
        {"actions": change_action(2, origins={"/id": Origin(kind="output", action="a4", pointer="")})},
    ),
    (
        "incomplete_origin",
        "/actions/2/origins/~1id",
        {"actions": change_action(2, origins={"/id": Origin(kind="output", action="a2")})},
    ),
    (
        "unknown_rule",
        "/actions/2/origins/~1id",
        {"actions": change_action(2, origins={"/id": Origin(kind="policy", rule="r")})},
    ),
    ("unknown_rule", "/rules/0", {"rules": ("no_such_rule",)}),
    ("no_goals", "/goals", {"goals": ()}),
    ("empty_goal", "/goals/3", {"goals": (*GOALS, Goal(intent="nothing", tool="add_note"))}),
    ("wrong_requests", "/scenario/requests", {"scenario": Scenario(facts=FACTS, requests=((0,), (1, 1)))}),
    ("unknown_fact", "/actions/2/origins/~1id", {"scenario": Scenario(facts=FACTS[:2])}),
    ("unknown_goal", "/actions/0/goal", {"actions": change_action(0, goal=7)}),
    ("bad_dependency", "/actions/1/depends_on/0", {"actions": change_action(1, depends_on=("a3",))}),
    ("duplicate_action_id", "/actions/1/id", {"actions": change_action(1, id="a1")}),
    ("duplicate_fact_id", "/scenario/facts/3/id", {"scenario": Scenario(facts=(*FACTS, FACTS[0]))}),
    (
        "incomplete_choice",
        "/scenario/facts/0/choice",
        {"scenario": Scenario(facts=(Fact(id="f1", goal=0, label="x", value=1, reveal="choice", action="a2"),))},
    ),
    (
        "unknown_action",
        "/scenario/facts/0/action",
        {
            "scenario": Scenario(
                facts=(Fact(id="f1", goal=0, label="x", value=1, reveal="choice", action="z", choice="/0"),)
            )
        },
    ),
    (
        "unknown_action",
        "/expected/outputs/0/action",
        {"expected": expected(outputs=(ExpectedOutput(action="z", pointer="", label="x", value=1),))},
    ),
]


@pytest.mark.parametrize(("code", "pointer", "changes"), FORMAT_FAULTS)
def test_names_a_fault_of_form(code: str, pointer: str, changes: dict[str, Any]) -> None:
    issues = gate("format", make_blueprint(**changes)).issues
    assert (code, pointer) in [(issue.code, issue.pointer) for issue in issues]


def test_names_a_forged_identity() -> None:
    forged = make_blueprint().model_copy(update={"id": "0" * 32})
    assert codes(gate("format", forged).issues) == ["wrong_identity"]


REPLAY_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("replay_differs", {"actions": change_action(3, result=digest(3))}),
    ("unexpected_success", {"actions": change_action(3, failed=True)}),
    ("unexpected_failure", {"actions": change_action(2, arguments={"id": "n77"})}),
    ("wrong_digest", {"expected": expected(digest="0" * 32)}),
    ("wrong_difference", {"expected": expected(difference=())}),
    ("wrong_difference", {"expected": expected(difference=(Change(path="/notes/n1/done", before=False, after=True),))}),
    ("wrong_output", {"expected": expected(outputs=(ExpectedOutput(action="a4", pointer="", label="n", value=3),))}),
    ("wrong_output", {"expected": expected(outputs=(ExpectedOutput(action="a2", pointer="/9", label="n", value=3),))}),
]


@pytest.mark.parametrize(("code", "changes"), REPLAY_FAULTS)
def test_names_what_the_environment_does_otherwise(code: str, changes: dict[str, Any]) -> None:
    assert code in codes(gate("replay", make_blueprint(**changes)).issues)


def test_accepts_a_failure_that_is_expected() -> None:
    action = Action(id="a1", goal=0, tool="finish_note", arguments={"id": "n77"}, failed=True, result="")
    action = action.model_copy(update={"result": digest("404: nothing for finish_note")})
    untouched = Expected(digest=Notes().digest())
    blueprint = make_blueprint(actions=(action,), goals=GOALS[:1], expected=untouched)
    assert gate("replay", blueprint).issues == ()


def test_compares_changes_whatever_their_order() -> None:
    blueprint = make_blueprint(expected=expected(difference=tuple(reversed(make_blueprint().expected.difference))))
    assert gate("replay", blueprint).passed


class Deaf(Notes):
    """Writes down another text than it is told."""

    async def call(self, call: ToolCall) -> ToolResult:
        result = await super().call(call)
        return ToolResult.of(call, {**result.value, "text": "Feed the cat"}) if call.name == "add_note" else result


def test_names_a_result_that_contradicts_its_call() -> None:
    issues = gate("replay", make_blueprint(), Deaf()).issues
    assert ("contradicting_result", "/actions/0/arguments/text") in [(issue.code, issue.pointer) for issue in issues]


def test_reports_an_environment_that_broke() -> None:
    notes = Notes(breaks_at="list_notes")
    assert codes(gate("replay", make_blueprint(), notes).issues)[0] == "environment_failure"
    assert notes.changes() == ()


def origin(index: int, path: str, made: Origin, **changes: Any) -> dict[str, Any]:
    actions = make_blueprint().actions
    return {"actions": change_action(index, origins={**actions[index].origins, path: made}, **changes)}


def facts(index: int, **changes: Any) -> dict[str, Any]:
    told = list(FACTS)
    told[index] = told[index].model_copy(update=changes)
    return {"scenario": Scenario(facts=tuple(told))}


SOLVABLE_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("unsolvable_fact", facts(0, value="Call Bob")),
    ("unsolvable_fact", origin(0, "/text", Origin(kind="user", fact="f9"))),
    ("unsolvable_output", origin(2, "/id", Origin(kind="output", action="a2", pointer="/1/id"))),
    ("unsolvable_output", origin(2, "/id", Origin(kind="output", action="a2", pointer="/7/id"))),
    ("missing_dependency", {"actions": change_action(2, depends_on=())}),
    ("wrong_default", origin(0, "/due", Origin(kind="default"))),
    ("wrong_constant", origin(0, "/due", Origin(kind="constant"))),
    ("wrong_choice", facts(2, choice="/1", value={})),
    ("wrong_choice", origin(2, "/id", Origin(kind="output", action="a2", pointer="/0/id", fact="f1"))),
    ("wrong_choice", origin(2, "/id", Origin(kind="output", action="a2", pointer="/0/id", fact="f9"))),
    ("stray_origin", origin(0, "/nothing", Origin(kind="default"))),
]


@pytest.mark.parametrize(("code", "changes"), SOLVABLE_FAULTS)
def test_names_an_argument_that_nobody_can_know(code: str, changes: dict[str, Any]) -> None:
    assert code in codes(gate("solvable", make_blueprint(**changes)).issues)


def test_a_number_that_the_user_knows_is_known_as_its_digits_in_a_list_too() -> None:
    arguments = {**make_blueprint().actions[0].arguments, "text": [8993]}
    blueprint = make_blueprint(actions=change_action(0, arguments=arguments), **facts(0, value="8993"))
    assert "unsolvable_fact" not in codes(gate("solvable", blueprint).issues)


REFERENT_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("unknown_choice", facts(2, choice="/5")),
    ("unknown_choice", facts(2, action="a9")),
    ("wrong_choice", facts(2, value={"/text": "Buy eggs"})),
    ("wrong_choice", facts(2, value={"/colour": "red"})),
    ("ambiguous_choice", facts(2, value={"/done": False})),
    ("ambiguous_referent", facts(2, value={}, description=Description(kind="highest", pointer="/done", label="done"))),
    ("ambiguous_referent", facts(2, value={}, description=Description(kind="highest", pointer="/x", label="x"))),
    (
        "ambiguous_referent",
        facts(2, value={}, description=Description(kind="month", pointer="/text", label="text", month="2026-05")),
    ),
]


@pytest.mark.parametrize(("code", "changes"), REFERENT_FAULTS)
def test_names_what_the_user_says_of_nothing_or_of_several(code: str, changes: dict[str, Any]) -> None:
    assert code in codes(gate("referents", make_blueprint(**changes)).issues)


def depending(**changes: Any) -> dict[str, Any]:
    """Return changes after which the second goal depends on whether the first note is not done."""
    told = {"action": "a2", "pointer": "/0/done", "noun": "note", "label": "done", "value": False}
    condition = Condition.model_validate({**told, **changes})
    return {"goals": (GOALS[0], GOALS[1].model_copy(update={"condition": condition}), *GOALS[2:])}


CONDITION_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("unknown_condition", {"pointer": "/0/colour"}),
    ("unknown_condition", {"action": "a9"}),
    ("wrong_condition", {"value": True}),
    ("wrong_condition", {"otherwise": True}),
    ("wrong_condition", {"test": "at_most", "value": 3}),
    ("lone_alternative", {"otherwise": True, "value": True}),
]


@pytest.mark.parametrize(("code", "changes"), CONDITION_FAULTS)
def test_names_a_condition_that_decides_otherwise(code: str, changes: dict[str, Any]) -> None:
    assert codes(gate("referents", make_blueprint(**depending())).issues) == []
    assert code in codes(gate("referents", make_blueprint(**depending(**changes))).issues)


def test_accepts_a_choice_by_position_alone() -> None:
    for name in ("solvable", "referents"):
        assert gate(name, make_blueprint(**facts(2, value={}))).issues == ()


def test_takes_an_empty_container_for_a_constant() -> None:
    arguments = {**ADD.arguments, "labels": []}
    actions = change_action(0, arguments=arguments, origins=ORIGINS | {"/labels": Origin(kind="constant")})
    assert gate("solvable", make_blueprint(actions=actions)).issues == ()


def test_takes_a_list_of_one_for_its_element() -> None:
    actions = change_action(0, arguments={**ADD.arguments, "text": ["Call Ada"]})
    assert gate("solvable", make_blueprint(actions=actions)).issues == ()


def test_follows_dependencies_through_other_actions() -> None:
    actions = list(make_blueprint().actions)
    actions[2] = actions[2].model_copy(update={"depends_on": ("b",)})
    between = Action(id="b", goal=1, tool="say_hello", arguments={}, depends_on=("a2",))
    assert gate("solvable", make_blueprint(actions=(*actions[:2], between, *actions[2:]))).issues == ()


def test_takes_a_whole_float_for_its_integer() -> None:
    arguments = {"text": "Call Ada", "effort": 2.0}
    origins = {"/text": ORIGINS["/text"], "/effort": Origin(kind="user", fact="f2")}
    blueprint = make_blueprint(actions=change_action(0, arguments=arguments, origins=origins), **facts(1, value=2))
    assert gate("solvable", blueprint).issues == ()


def test_calls_an_empty_blueprint_trivial() -> None:
    assert codes(gate("non_trivial", make_blueprint(actions=())).issues) == ["trivial"]


def test_calls_only_failures_trivial() -> None:
    lost = Action(id="a1", goal=0, tool="finish_note", arguments={"id": "n77"}, failed=True)
    assert "trivial" in codes(gate("non_trivial", make_blueprint(actions=(lost,))).issues)


def test_calls_a_write_without_effect_trivial_and_idle() -> None:
    done = Notes()
    done.rows = {"n1": {**START["n1"], "done": True}}
    blueprint = make_blueprint(actions=make_blueprint().actions[1:3], expected=Expected(digest=""))
    assert codes(gate("non_trivial", blueprint, done).issues) == ["trivial", "idle_write"]


def test_warns_of_a_goal_that_reads_without_anything_said() -> None:
    verdict = gate("non_trivial", make_blueprint(expected=expected(outputs=())))
    assert verdict.passed
    assert [(issue.code, issue.pointer) for issue in verdict.issues] == [("silent_goal", "/goals/2")]


def test_wants_something_said_where_all_only_reads() -> None:
    blueprint = make_blueprint(actions=make_blueprint().actions[3:], expected=expected(outputs=()))
    assert "nothing_to_say" in codes(gate("non_trivial", blueprint).issues, "error")


def test_finds_an_action_made_twice() -> None:
    again = LIST.model_copy(update={"id": "a9"})
    actions = make_blueprint().actions
    issues = gate("non_trivial", make_blueprint(actions=(*actions[:2], again, *actions[2:]))).issues
    assert [(issue.code, issue.pointer) for issue in issues] == [("duplicate_action", "/actions/2")]


def test_allows_the_same_action_in_another_state() -> None:
    again = LIST.model_copy(update={"id": "a9"})
    actions = make_blueprint().actions
    assert gate("non_trivial", make_blueprint(actions=(*actions, again))).issues == ()


def test_names_the_rule_that_an_action_breaks() -> None:
    loud = change_action(0, arguments={"text": "CALL ADA"})
    issues = gate("policy", make_blueprint(actions=loud)).issues
    assert [(issue.code, issue.pointer) for issue in issues] == [("no_shouting", "/actions/0")]


def test_needs_no_policy() -> None:
    checks = blueprint_checks(TOOLSET, opens())
    loud = make_blueprint(actions=change_action(0, arguments={"text": "CALL ADA"}))
    assert asyncio.run(checks[-1].check(loud)).issues == ()


def test_builders_are_honest() -> None:
    notes = Notes()
    assert difference({"notes": START}, notes.state()) == notes.changes() == ()
