"""Requests for operations without a summary: the path and the name say which is meant."""

import pytest

from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.path_phrases import phrase_of_place
from interplay.schemas.records.tool import HttpBinding, Source, Tool


def first_intent(name: str, method: str, path: str) -> str:
    tool = Tool(
        name="tool",
        source=Source(file="x"),
        original_name=name,
        parameters={"type": "object"},
        effect="read" if method == "GET" else "write",
        http=HttpBinding(method=method, path=path),
    )
    return intents_of(tool)[0]


@pytest.mark.parametrize(
    ("place", "phrase"),
    [
        ("GET /exports/{exportId}/status", "check the status of an export"),
        ("POST /exports/{exportId}/cancel", "cancel an export"),
        ("GET /exports", "list exports"),
        ("POST /exports", "create an export"),
        ("PATCH /exports/{exportId}", "update an export"),
        ("DELETE /exports/{exportId}", "delete an export"),
        ("GET /v2/accounts/{id}/transactions", "list the transactions of an account"),
        ("POST /accounts/{id}/transactions", "add a transaction to an account"),
        ("GET /accounts/{id}/transactions/{transaction_id}", "get a transaction of an account"),
        ("GET /reports/monthly", "list monthly reports"),
        ("GET /me/albums", "list my albums"),
        ("GET /users/me", "get my user"),
        ("GET /search", "run a search"),
        ("GET /pet/findByStatus", "find pet by status"),
        ("GET /flags/{projectKey}/{environmentKey}", "list flags"),
        ("POST /flags/{projectKey}", "create a flag"),
        ("GET /actions/{idAction}/{field}", "get the field of an action"),
        ("POST /admin.conversations.rename", "rename an admin conversation"),
        ("GET /requests.approved.list", "list approved requests"),
        ("POST /chat.postMessage", "post a message for a chat"),
        ("GET /api/v1", "get an overview"),
        ("GET /brapi/v2/locations", "list locations"),
        ("GET /users/v2/search", "search users"),
        ("GET /用户/{id}", "get an item"),
        ("DELETE /_/{id}", "delete an item"),
        ("POST /", ""),
    ],
)
def test_a_place_says_what_is_done_there(place: str, phrase: str) -> None:
    assert phrase_of_place(*place.split(" ")) == phrase


@pytest.mark.parametrize(
    ("name", "place", "phrase"),
    [
        ("check", "GET /exports/{exportId}/status", "check the status of an export"),
        ("get", "GET /exports/{exportId}", "see an export"),
        ("doCancel", "POST /exports/{exportId}/cancel", "cancel an export"),
        ("listDeployKeys", "GET /deploy_keys", "see deploy keys"),
        ("op_17", "GET /exports/{exportId}", "see an export"),
        ("用户", "GET /用户/{id}", "see an item"),
        (
            "updateOrgDisplayName",
            "PUT /organizations/{idOrg}/displayName",
            "update the display name of an organization",
        ),
        ("addChecklistsCheckItems", "POST /checklists/{idChecklist}/checkItems", "add a check item to a checklist"),
        ("addCardIdMembers", "POST /cards/{idCard}/idMembers", "add a member to a card"),
        ("updateStarIdBoard", "PUT /stars/{idStar}/idBoard", "update the board of a star"),
        ("deleteCardIdMember", "DELETE /cards/{idCard}/idMembers/{idMember}", "remove a member from a card"),
        ("updateMyPrefsShowSidebar", "PUT /boards/{id}/myPrefs/showSidebar", "change whether to show the sidebar"),
        ("addBoardsMarkAsViewed", "POST /boards/{idBoard}/markAsViewed", "mark a board as viewed"),
        ("op_18", "GET /lists/{idList}/getAllCards", "see all cards of a list"),
        ("addListsMoveAllCards", "POST /lists/{idList}/moveAllCards", "move all cards of a list"),
        ("getV1Exports", "GET /v1/exports", "see exports"),
        ("api.v1.accounts.index", "GET /accounts", "see accounts"),
        ("addBoardsChecklistsByIdBoard", "POST /boards/{idBoard}/checklists", "add a checklist to a board"),
        ("get-an-albums-tracks", "GET /albums/{id}/tracks", "see the tracks of an album"),
        ("archiveProject", "DELETE /projects/{id}", "archive a project"),
        ("getAuditLogEntry", "GET /auditlog/{id}", "see an audit log entry"),
        ("run", "POST /sync", "run a sync"),
        ("insert_1", "POST /api/book", "add a book"),
        ("flattenFile", "POST /files/{fileID}/flatten", "flatten a file"),
        ("segmentFileID", "POST /files/{fileID}/segment", "segment a file"),
        ("fileSegment", "POST /files/{fileID}/segment", "update the segment of a file"),
    ],
)
def test_a_name_that_tells_nothing_is_helped_by_the_place(name: str, place: str, phrase: str) -> None:
    assert first_intent(name, *place.split(" ")) == phrase


def test_a_tool_without_a_place_is_asked_for_by_its_first_argument() -> None:
    parameters = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    tool = Tool(source=Source(file="x"), name="check", original_name="check", parameters=parameters, effect="read")
    assert intents_of(tool) == ("check an order",)


@pytest.mark.parametrize(
    ("summary", "phrase"),
    [
        ("Get the details of an user", "see the details of a user"),
        ("Create an user", "create a user"),
        ("Delete a account", "delete an account"),
        ("Think about something", "think about something"),
        ("Enable roaming for a line", "enable roaming for a line"),
    ],
)
def test_articles_fit_their_nouns(summary: str, phrase: str) -> None:
    tool = Tool(
        source=Source(file="x"), name="tool", original_name="tool", summary=summary, parameters={}, effect="write"
    )
    assert phrase in intents_of(tool)
