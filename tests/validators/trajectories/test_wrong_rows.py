"""Reads of another row than the one that is wanted; to look at more of them is welcome."""

from tests.generators.worlds import generator, records
from tests.validators.builders import answer, assistant, calls, make_blueprint, make_tool, make_trajectory, user

from interplay.schemas.records.blueprint import Action, Blueprint, ExpectedOutput, Fact, Goal, Origin, Scenario
from interplay.schemas.records.dialogue import Message
from interplay.validators.trajectories.outcome import wrong_row_issues

TOOLS = {
    tool.name: tool
    for tool in (
        make_tool("list_doctors", {}, [], "read", None),
        make_tool("get_doctor", {"doctor_id": {"type": "string"}}, ["doctor_id"], "read", None),
    )
}
LISTED = (
    user("How much does Dr. Brandt charge?"),
    calls(("call00001", "list_doctors", {})),
    answer("call00001", [{"doctor_id": "D-02", "name": "Dr. Brandt"}, {"doctor_id": "D-03", "name": "Dr. Quist"}]),
)
TOLD = assistant("Dr. Brandt charges 80 EUR.")


def task() -> Blueprint:
    listed = Action(id="a1", goal=0, tool="list_doctors", arguments={})
    origins = {"/doctor_id": Origin(kind="output", action="a1", pointer="/0/doctor_id")}
    read = Action(id="a2", goal=0, tool="get_doctor", arguments={"doctor_id": "D-02"}, origins=origins)
    goals = (Goal(intent="see what a doctor charges", tool="get_doctor"),)
    return make_blueprint(goals=goals, actions=(listed, read), scenario=Scenario(requests=((0,),)))


def looked_at(identifier: str, call: str = "call00002") -> tuple[Message, Message]:
    return calls((call, "get_doctor", {"doctor_id": identifier})), answer(call, {"doctor_id": identifier})


def codes(*messages: Message) -> list[tuple[str, str]]:
    return [(issue.code, issue.pointer) for issue in wrong_row_issues(make_trajectory(messages), task(), TOOLS)]


def test_names_a_read_of_another_row() -> None:
    assert codes(*LISTED, *looked_at("D-03"), TOLD) == [("other_row", "/messages/3")]


def test_a_row_that_something_else_is_about_is_another_one() -> None:
    goals = (Goal(intent="see what a doctor charges", tool="get_doctor"), Goal(intent="book", tool="book"))
    booked = Action(id="a3", goal=1, tool="book", arguments={"doctor_id": "D-03"})
    both = task().model_copy(update={"goals": goals, "actions": (*task().actions, booked)})
    made = make_trajectory((*LISTED, *looked_at("D-03"), TOLD))
    assert [issue.code for issue in wrong_row_issues(made, both, TOOLS)] == ["other_row"]


def test_names_a_read_with_another_value_than_the_one_that_the_user_told() -> None:
    told = {"/doctor_id": Origin(kind="user", fact="f1")}
    asked = task().model_copy(
        update={"actions": (task().actions[0], task().actions[1].model_copy(update={"origins": told}))}
    )
    opening = user("How much does D-02 charge?")
    made = make_trajectory((opening, *LISTED[1:], *looked_at("D-03"), TOLD))
    assert [issue.code for issue in wrong_row_issues(made, asked, TOOLS)] == ["other_row"]
    assert not list(wrong_row_issues(make_trajectory((opening, *LISTED[1:], *looked_at("D-02"), TOLD)), asked, TOOLS))


def test_more_rows_than_the_wanted_one_may_be_looked_at() -> None:
    assert codes(*LISTED, *looked_at("D-02"), TOLD) == []
    assert codes(*LISTED, *looked_at("D-03"), *looked_at("D-02", "call00003"), TOLD) == []


def test_a_row_that_the_user_names_may_be_looked_at() -> None:
    named = (assistant("There are D-02 and D-03."), user("What about D-03?"))
    assert codes(*LISTED, *named, *looked_at("D-03"), TOLD) == []


def test_names_a_read_that_fails_and_of_which_is_told_all_the_same() -> None:
    asked = calls(("call00002", "get_doctor", {"doctor_id": "P-77"}))
    failing = (asked, answer("call00002", "404 Not Found: there is no doctor 'P-77'.", failed=True))
    output = ExpectedOutput(action="a2", pointer="/free", label="free", value=True)
    wanted = task().model_copy(update={"expected": task().expected.model_copy(update={"outputs": (output,)})})

    def found(*messages: Message) -> list[str]:
        return [issue.code for issue in wrong_row_issues(make_trajectory((*LISTED, *messages)), wanted, TOOLS)]

    assert found(*failing, assistant("Yes, she is free.")) == ["other_row"]
    assert found(*failing, *looked_at("D-02", "call00003"), TOLD) == []


def test_a_row_that_the_user_names_for_another_request_is_another_one() -> None:
    goals = (
        Goal(intent="see what a doctor charges", tool="get_doctor"),
        Goal(intent="see a doctor", tool="get_doctor"),
    )
    other = task().actions[1].model_copy(update={"id": "a3", "goal": 1, "arguments": {"doctor_id": "D-03"}})
    facts = (Fact(id="f1", goal=1, label="doctor", value="D-03"),)
    named = (user("Please show me D-03."), *looked_at("D-03", "call00008"), assistant("Here it is."), *LISTED)
    for requests, found in (((1,), (0,)), ["other_row"]), (((1, 0),), []):
        scenario = Scenario(requests=requests, facts=facts)
        both = task().model_copy(update={"goals": goals, "actions": (*task().actions, other), "scenario": scenario})
        made = make_trajectory((*named, *looked_at("D-03"), TOLD))
        assert [issue.code for issue in wrong_row_issues(made, both, TOOLS)] == found


def test_the_rules_look_at_what_is_wanted() -> None:
    for world in ("domain:clinic", "domain:rental", "domain:workspace"):
        tools = {tool.name: tool for tool in generator(world).world.toolset.tools}
        for record in records(world, 60):
            if record.status == "accepted" and record.trajectory is not None and record.blueprint is not None:
                assert not list(wrong_row_issues(record.trajectory, record.blueprint, tools))
