"""A model says whether a person would use one tool with what another one shows."""

import asyncio

from tests.generators.graph.test_candidate_edges import TEXT, tool

from interplay.generators.blueprints.by_model.tool_pairs import pair_doubts
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.tool import Toolset

TOOLS = Toolset(name="made", tools=tuple(tool(name, {"town": TEXT}) for name in ("measure", "forecast", "demolish")))


class Judge:
    """Refuses to demolish, and breaks down over measuring."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        text = str(request.messages[-1].content)
        if '"second": {"description": "Measure' in text or '"name": "measure", "takes"' in text.split('"second"')[1]:
            raise ModelError("it refuses")
        return ChatReply(value={"would": "demolish" not in text, "reason": "Who would?"})


def test_a_refused_pair_is_doubted_and_one_without_an_answer_is_not() -> None:
    pairs = [("measure", "forecast"), ("measure", "demolish"), ("forecast", "measure")]
    found = asyncio.run(pair_doubts(pairs, TOOLS, Judge()))
    assert list(found) == [("measure", "demolish")]
    assert found["measure", "demolish"].detail == "measure > demolish: Who would?"
