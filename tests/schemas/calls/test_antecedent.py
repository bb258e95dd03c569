"""What "the same" means of things that were talked about, and what it cannot mean."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from interplay.schemas.calls.antecedent import AmbiguousReference, Discourse
from interplay.schemas.records.blueprint import Action, Goal, Origin
from interplay.schemas.records.tool import Resource, ToolRole

ROLES = {
    role.tool: role
    for role in (
        ToolRole(tool="get_project", operation="read", resource="project", references={"/project": "project"}),
        ToolRole(
            tool="get_page",
            operation="read",
            resource="page",
            references={"/page": "page"},
            yields={"/id": "page", "/parent/id": "page"},
        ),
        ToolRole(tool="list_tasks", operation="list", resource="task", yields={"/*/id": "task"}),
        ToolRole(tool="make_task", operation="create", resource="task", yields={"/id": "task"}),
        ToolRole(
            tool="end_task",
            operation="delete",
            resource="task",
            references={"/project": "project", "/task": "task"},
        ),
        ToolRole(
            tool="travel",
            operation="list",
            resource="trip",
            references={"/from": "place", "/to": "place"},
        ),
    )
}

RESOURCES = {"task": Resource(name="task", table="tasks", parent="project")}


def told(fact: str) -> Origin:
    return Origin(kind="user", fact=fact)


def taken_from(action: str, pointer: str) -> Origin:
    return Origin(kind="output", action=action, pointer=pointer)


def look(place: int, key: str, origin: Origin | None = None, tool: str = "get_project") -> Action:
    """Return the call by which a wish is served that is about a thing, told anew where nothing else is said."""
    name = tool.rsplit("_", 1)[-1]
    return Action(
        id=f"a{place}",
        goal=place,
        tool=tool,
        arguments={name: key},
        origins={f"/{name}": origin or told(f"f{place}")},
    )


def talk(
    *actions: Action, values: dict[str, Any] | None = None, requests: Sequence[Sequence[int]] = (), **more: Any
) -> Discourse:
    count = max(action.goal for action in actions) + 1
    facts = {f"f{place}": place for place in range(count)}
    goals = [Goal(intent="see to it", tool="get_project", resource="project") for _ in range(count)]
    asked = requests or [(place,) for place in range(count)]
    return Discourse(goals, asked, actions, values or {}, facts, more.pop("heard", {}), ROLES, RESOURCES, **more)


def test_the_same_one_is_the_last_that_was_talked_about() -> None:
    held = talk(look(0, "p"), look(1, "q"), look(2, "q", told("f1")))
    assert held.same(2, "project") == "q"
    meant = held.antecedent(2)
    assert meant is not None
    assert (meant.resource, meant.key) == ("project", "q")


def test_an_earlier_one_is_not_the_same() -> None:
    with pytest.raises(AmbiguousReference, match="which project"):
        talk(look(0, "p"), look(1, "q"), look(2, "p", told("f0"))).antecedent(2)


def test_what_was_made_last_is_the_same_one_though_nobody_knows_its_identity() -> None:
    made = Action(id="a1", goal=1, tool="make_task", arguments={}, origins={})
    again = look(2, "T1", taken_from("a0", "/task"), tool="end_task")
    shown = talk(look(0, "T1", tool="end_task"), made, again, values={"a1": {"url": "tasks/T2"}})
    with pytest.raises(AmbiguousReference, match="task"):
        shown.antecedent(2)
    failed = talk(look(0, "T1", tool="end_task"), made, again)
    assert failed.antecedent(2) is not None


def test_none_from_before_a_list_that_was_wanted_is_the_same() -> None:
    listed = Action(id="a1", goal=1, tool="list_tasks", arguments={}, origins={})
    ended, again = look(0, "T1", tool="end_task"), look(2, "T1", taken_from("a0", "/task"), tool="end_task")
    shown = {"a1": [{"id": "T1"}, {"id": "T2"}]}
    held = talk(ended, listed, again, values=shown)
    assert held.same(2, "task") == "T1"  # the list was only a way to something else
    wanted = [held.goals[0], held.goals[1].model_copy(update={"tool": "list_tasks"}), held.goals[2]]
    assert replace(held, goals=wanted).same(2, "task") is None
    assert replace(held, goals=wanted, asked={"a1": ["/0/name"]}).same(2, "task") == "T1"
    assert replace(held, goals=wanted, values={"a1": [{"id": "T1"}]}).same(2, "task") == "T1"


def test_one_of_several_of_one_request_is_not_the_same() -> None:
    held = talk(look(0, "p"), look(1, "q"), look(2, "q", told("f1")), requests=[(0, 1), (2,)])
    assert held.same(2, "project") is None


def test_what_was_said_in_the_same_breath_is_meant_where_nothing_else_could_be() -> None:
    second = look(2, "q", told("f1"))
    assert talk(look(1, "q"), second, look(0, "q"), requests=[(0,), (1, 2)]).same(2, "project") == "q"
    assert talk(look(0, "p"), look(1, "q"), second, requests=[(0,), (1, 2)]).same(2, "project") is None


def test_what_is_told_or_chosen_anew_needs_no_other_word() -> None:
    assert talk(look(0, "p"), look(1, "q"), look(2, "p")).antecedent(2) is None
    listed = Action(id="a0", goal=0, tool="list_tasks", arguments={})
    chosen = Origin(kind="output", action="a0", pointer="/1/id", fact="f1")
    ended = Action(id="a1", goal=1, tool="end_task", arguments={"task": "t2"}, origins={"/task": chosen})
    assert talk(listed, ended, values={"a0": [{"id": "t1"}, {"id": "t2"}]}).antecedent(1) is None


def test_who_the_user_is_need_not_be_said() -> None:
    assert talk(look(0, "p"), look(1, "q"), look(2, "p", told("f0")), own="project").antecedent(2) is None


def test_the_only_one_of_a_list_was_talked_about_and_one_of_several_was_not() -> None:
    listed = Action(id="a0", goal=0, tool="list_tasks", arguments={})
    ended = Action(
        id="a1", goal=1, tool="end_task", arguments={"task": "t1"}, origins={"/task": taken_from("a0", "/0/id")}
    )
    assert talk(listed, ended, values={"a0": [{"id": "t1"}]}).same(1, "task") == "t1"
    assert talk(listed, ended, values={"a0": [{"id": "t1"}, {"id": "t2"}]}).same(1, "task") is None


def test_the_one_of_a_list_that_was_asked_about_is_the_same_one_and_one_of_several_is_not() -> None:
    listed = Action(id="a0", goal=0, tool="list_tasks", arguments={})
    ended = Action(
        id="a1", goal=1, tool="end_task", arguments={"task": "t2"}, origins={"/task": taken_from("a0", "/1/id")}
    )
    values = {"a0": [{"id": "t1", "due": 1}, {"id": "t2", "due": 2}]}
    assert talk(listed, ended, values=values, heard={"a0": ("/1/due", "/1/id")}).same(1, "task") == "t2"
    assert talk(listed, ended, values=values, heard={"a0": ("/0/due", "/1/due")}).same(1, "task") is None


def test_what_only_an_answer_mentions_was_never_talked_about() -> None:
    values = {"a0": {"id": "g", "parent": {"id": "h"}}}
    page = look(1, "h", taken_from("a0", "/parent/id"), "get_page")
    held = talk(look(0, "g", tool="get_page"), page, values=values)
    assert held.same(1, "page") == "g"
    with pytest.raises(AmbiguousReference, match="which page"):
        held.antecedent(1)


def test_whoever_names_a_part_means_its_whole_where_a_call_has_shown_that_they_belong_together() -> None:
    both = {"/project": told("f0"), "/task": told("f0")}
    first = Action(id="a0", goal=0, tool="end_task", arguments={"project": "p", "task": "t"}, origins=both)
    last = first.model_copy(update={"id": "a2", "goal": 2})
    meant = talk(first, look(1, "p"), last).antecedent(2)
    assert meant is not None
    assert meant.resource == "task"
    other = last.model_copy(update={"arguments": {"project": "q", "task": "t"}})
    with pytest.raises(AmbiguousReference):
        talk(first, look(1, "q"), other).antecedent(2)


def test_the_same_one_fits_one_argument_alone() -> None:
    seen = Action(id="a0", goal=0, tool="travel", arguments={"from": "o"}, origins={"/from": told("f0")})
    origins = {"/from": told("f0"), "/to": taken_from("a1", "/0/id")}
    both = Action(id="a1", goal=1, tool="travel", arguments={"from": "o", "to": "d"}, origins=origins)
    with pytest.raises(AmbiguousReference):
        talk(seen, both).antecedent(1)
    named = both.model_copy(update={"origins": {**origins, "/to": told("f1")}})
    meant = talk(seen, named).antecedent(1)
    assert meant is not None
    assert meant.pointer == "/from"
