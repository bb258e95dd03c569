"""Wishes that no tool serves."""

import re

import pytest

from interplay.generators.participants.wording.languages import ENGLISH, LANGUAGES, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.phrases.unserved_wishes import nearby_wishes, unserved_wishes
from interplay.schemas.records.tool import Resource, ResourceModel, Source, Tool, ToolRole, Toolset
from interplay.schemas.records.translation import Translation

WISHES = unserved_wishes(Toolset(name="none", tools=()))


def test_nobody_is_refused_what_a_model_can_do_without_tools() -> None:
    able = re.compile(r"\b(?:write|translate|convert|recommend|joke|how to|help me with)\b")
    assert len(WISHES) > 20
    assert not [wish for wish in WISHES if able.search(wish)]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_wish_can_be_said_in_each_language(language: str) -> None:
    lexicon = Lexicon(load_language(language), Translation())
    assert not [wish for wish in WISHES if not lexicon.speaks_of(wish)]


def test_what_lies_near_is_about_the_things_of_the_tools() -> None:
    def tools(*names: str) -> Toolset:
        made = (
            Tool(name=name, original_name=name, parameters={"type": "object"}, source=Source(file="x"))
            for name in names
        )
        return Toolset(name="jobs", tools=tuple(made))

    resources = ResourceModel(
        resources=(Resource(name="job", table="job", identity="id"),),
        roles=(ToolRole(tool="list_jobs", operation="list", resource="job"), ToolRole(tool="add_job", operation="create", resource="job")),
    )  # fmt: skip
    near = nearby_wishes(tools("list_jobs", "add_job"), resources, "en")
    assert {"export all jobs to a spreadsheet", "delete a job"} <= {*near}
    served = nearby_wishes(tools("list_jobs", "add_job", "export_jobs", "archive_job"), resources, "en")
    assert served
    assert not {"export all jobs to a spreadsheet", "delete a job"} & {*served}
    assert nearby_wishes(tools("list_jobs"), resources, "de") == ()
