"""Paths that say with a verb what their method says: the things alone are left, and what is done to them."""

import pytest

from interplay.generators.phrases.path_phrases import phrase_of_place
from interplay.generators.phrases.service_jargon import plain_path
from interplay.generators.phrases.summary_phrases import phrase_of_summary
from interplay.schemas.records.tool import HttpBinding, Source, Tool

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
    ("GET", "/api/getOnlineStatus/{id}", "/api/online_status/{id}", "get an online status"),
    ("POST", "/api/createAccount", "/api/createAccount", "create an account"),
    ("POST", "/orders/deleteOrder/{id}", "/orders/{id}/delete", "delete an order"),
    ("POST", "/approveOrder/{id}", "/order/{id}/approve", "approve an order"),
    ("POST", "/addReview/{productId}", "/addReview/{productId}", ""),
    ("GET", "/getallproducts", "/products", "list products"),
    ("GET", "/getproduct/{id}", "/product/{id}", "get a product"),
    ("PUT", "/updateproduct/{id}", "/product/{id}", "update a product"),
    ("DELETE", "/deleteproduct/{id}", "/product/{id}", "delete a product"),
    ("POST", "/addproduct", "/addproduct", "add a product"),
    ("GET", "/listPrice", "/listPrice", ""),
    ("PUT", "/products/updateStock/{productId}", "/products/{productId}/stock", "update the stock of a product"),
    ("PUT", "/products/updateStock/{stockId}", "/products/stock/{stockId}", ""),
    ("GET", "/category/allcategory", "/category", ""),
    ("GET", "/auth/me", "/auth/me", "get my account"),
    ("GET", "/club/schedule", "/club/schedule", "check the club schedule"),
    ("POST", "/club/schedule", "/club/schedule", "schedule a club"),
    ("GET", "/videos/{id}/play", "/videos/{id}/play", "play a video"),
    ("GET", "/skill/getSkillsByFieldId/{fieldId}", "/skill/getSkillsByFieldId/{fieldId}", ""),
]


@pytest.mark.parametrize(("method", "path", "plain", "phrase"), PATHS)
def test_what_the_method_says_is_not_said_again(method: str, path: str, plain: str, phrase: str) -> None:
    found = plain_path(_tool("", method, path))
    assert found == plain
    assert not phrase or phrase_of_place(method, found) == phrase


NAMED = [
    ("playVideoById", "GET", "/videos/play/{id}", "/videos/{id}/play", "play a video"),
    ("getVideoStats", "GET", "/videos/stats/{id}", "/videos/{id}/stats", "list the stats of a video"),
    ("getVideoClip", "GET", "/videos/clips/{id}", "/videos/clips/{id}", "get a clip"),
    ("getAllVideos", "GET", "/videos/getall/{published}", "/videos", "list videos"),
    ("getAllVideosByDirector", "GET", "/videos/search/{director}", "/videos/search/{director}", "search videos"),
    ("getItemsFound", "GET", "/items/found", "/items/found", "list found items"),
    ("addTransfer", "GET", "/accounts/transfer/{transferId}", "/accounts/transfer/{transferId}", "get a transfer"),
]


@pytest.mark.parametrize(("name", "method", "path", "plain", "phrase"), NAMED)
def test_what_the_name_says_is_done_to_a_thing_follows_it(
    name: str, method: str, path: str, plain: str, phrase: str
) -> None:
    found = plain_path(_tool(name, method, path))
    assert found == plain
    verb = "play" if name.startswith("play") else ""
    assert phrase_of_place(method, found, verb) == phrase


def test_what_there_is_one_of_has_no_others_that_are_so() -> None:
    assert phrase_of_place("GET", "/items/found") == "list found items"
    assert "next player" not in phrase_of_place("POST", "/me/player/next")


def test_a_summary_that_says_what_the_wire_does_is_none() -> None:
    for text in ("GET api/videos/{id}", "POST /api/videos", "Get All"):
        assert phrase_of_summary(text) == ""
    assert phrase_of_summary("Get all videos") == "get all videos"


def _tool(name: str, method: str, path: str) -> Tool:
    name, http = name or "it", HttpBinding(method=method, path=path)
    return Tool(name=name, original_name=name, parameters={}, source=Source(file="x"), http=http)
