"""An answer that only says how a call went is no row of anything."""

from tests.generators.environments.inline import TEXT, operation, row

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.schemas.records.tool import Toolset

MESSAGE = {"type": "object", "title": "Message", "properties": {"message": TEXT}}
HOOK = {**row(url=TEXT), "title": "Hook"}


def test_tools_that_answer_with_the_same_message_are_not_about_the_same() -> None:
    plan = infer_plan(
        Toolset(
            name="hooks",
            tools=(
                operation("listHooks", "GET", "/hooks", {"type": "array", "items": HOOK}),
                operation("getHook", "GET", "/hooks/{id}", HOOK),
                operation("deleteHook", "DELETE", "/hooks/{id}", MESSAGE),
                operation("importPlans", "POST", "/imports/plans", MESSAGE, code=TEXT),
            ),
        )
    )
    assert plan.tools["deleteHook"].resource == "hook"
    assert plan.tools["importPlans"].resource != "hook"
