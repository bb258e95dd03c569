"""Paths that say with a verb what their method says: the things alone are left, and what is done to them."""

import pytest

from interplay.generators.phrases.path_phrases import phrase_of_place
from interplay.generators.phrases.service_jargon import plain_path
from interplay.schemas.records.tool import HttpBinding

PATHS = [
    ("DELETE", "/field/deleteField/{id}", "/field/{id}", "delete a field"),
    ("POST", "/skills/createSkill", "/skills", "create a skill"),
    ("POST", "/course", "/course", "create a course"),
    ("PUT", "/job/updateJobStatus/{id}", "/job/{id}/status", "update the status of a job"),
    ("GET", "/job/getJobById/{id}", "/job/{id}", "get a job"),
    ("GET", "/mentee/get/{id}", "/mentee/{id}", "get a mentee"),
    ("DELETE", "/task/delete/{id}/", "/task/{id}", "delete a task"),
    ("GET", "/task/viewall/", "/tasks", "list tasks"),
    ("GET", "/venue/all", "/venues", "list venues"),
    ("GET", "/all", "/all", ""),
    ("POST", "/orders/deleteOrder/{id}", "/orders/deleteOrder/{id}", ""),
    ("GET", "/skill/getSkillsByFieldId/{fieldId}", "/skill/getSkillsByFieldId/{fieldId}", ""),
]


@pytest.mark.parametrize(("method", "path", "plain", "phrase"), PATHS)
def test_what_the_method_says_is_not_said_again(method: str, path: str, plain: str, phrase: str) -> None:
    found = plain_path(HttpBinding(method=method, path=path))
    assert found == plain
    assert not phrase or phrase_of_place(method, found) == phrase
