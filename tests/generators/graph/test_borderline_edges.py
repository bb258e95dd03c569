"""A model's judgement of middling edges, with small scripted models."""

import asyncio
import json

from tests.generators.graph.test_candidate_edges import TEXT, tool

from interplay.generators.graph.borderline_edges import check_borderline
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge

TOOLS = Toolset(
    name="made",
    tools=(tool("measure", returns={"town": TEXT}), tool("forecast", {"town": TEXT, "place": TEXT, "time": TEXT})),
)


class Judge:
    """Accepts towns, refuses places, and breaks down over all else."""

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        field = json.loads(request.messages[-1].content)["input"]["field"]
        if field not in ("/town", "/place"):
            raise ModelError("it refuses")
        return ChatReply(value={"feeds": field == "/town", "reason": "It says so."})


def edge(field: str, score: float) -> Edge:
    return Edge(producer="measure", output="/town", consumer="forecast", input=field, score=score)


def checked(judge: Judge, *edges: Edge) -> list[Edge]:
    return asyncio.run(check_borderline(edges, TOOLS, judge))


def test_an_accepted_edge_gets_evidence_and_a_refused_one_goes() -> None:
    (kept,) = checked(Judge(), edge("/town", 0.6), edge("/place", 0.6))
    assert kept.input == "/town"
    assert (kept.evidence[-1].kind, kept.evidence[-1].detail) == ("model", "It says so.")
    assert kept.score > 0.6


def test_only_middling_edges_are_asked_about() -> None:
    judge = Judge()
    edges = [edge("/place", 0.9), edge("/place", 0.4)]
    assert checked(judge, *edges) == edges
    assert not judge.requests


def test_a_failing_model_leaves_an_edge_as_it_is_and_says_so() -> None:
    (kept,) = checked(Judge(), edge("/time", 0.6))
    assert kept.model_copy(update={"note": ""}) == edge("/time", 0.6)
    assert "it refuses" in kept.note


def test_the_question_shows_both_fields_and_asks_for_a_schema() -> None:
    judge = Judge()
    checked(judge, edge("/town", 0.6))
    (request,) = judge.requests
    assert request.role == "composer"
    assert request.output is not None
    assert json.loads(request.messages[-1].content)["output"]["schema"] == {"type": "string"}
