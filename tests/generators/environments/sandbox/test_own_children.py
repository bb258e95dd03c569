"""What a row lists as its own says that it is that row's."""

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

pytestmark = pytest.mark.anyio

USER = row(name=TEXT, posts={"type": "array", "items": row(title=TEXT, user=row(name=TEXT))})
POST = row(title=TEXT, user=row(name=TEXT))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("first", ["listUsers", "listPosts"])
async def test_the_posts_of_a_user_are_the_users(first: str) -> None:
    opened = sandbox(
        operation("listUsers", "GET", "/users", {"type": "array", "items": USER}),
        operation("getUser", "GET", "/users/{userId}", USER),
        operation("listPosts", "GET", "/posts", {"type": "array", "items": POST}),
        operation("getPost", "GET", "/posts/{postId}", POST),
    )
    await call(opened, first)
    posts = {post["id"]: post["user"]["id"] for post in (await call(opened, "listPosts")).value}
    listed = [(user["id"], post) for user in (await call(opened, "listUsers")).value for post in user["posts"]]
    assert listed
    assert len({post["id"] for _, post in listed}) == len(listed)
    for owner, post in listed:
        assert posts[post["id"]] == owner == post["user"]["id"]


async def test_the_one_part_of_a_row_says_that_it_is_that_rows() -> None:
    application = row(profile=row(application_id=TEXT, bio=TEXT))
    opened = sandbox(
        operation("listApplications", "GET", "/applications", {"type": "array", "items": application}),
        operation("getApplication", "GET", "/applications/{applicationId}", application),
    )
    shown = (await call(opened, "listApplications")).value
    assert shown
    assert [each["profile"]["application_id"] for each in shown] == [each["id"] for each in shown]


async def test_a_value_given_alone_goes_into_the_field_of_its_kind() -> None:
    status = {"type": "integer", "enum": [0, 1, 2], "title": "ApprovalStatus"}
    ticket = row(name=TEXT, status=status)
    update = operation("reviewTicket", "PUT", "/tickets/{ticketId}/review", None, approval_status=status)
    assert update.http is not None
    opened = sandbox(
        operation("listTickets", "GET", "/tickets", {"type": "array", "items": ticket}),
        update.model_copy(update={"http": update.http.model_copy(update={"original_names": {"approval_status": ""}})}),
    )
    first = (await call(opened, "listTickets")).value[0]
    wanted = (first["status"] + 1) % 3
    await call(opened, "reviewTicket", ticketId=first["id"], approval_status=wanted)
    assert (await call(opened, "listTickets")).value[0]["status"] == wanted


async def test_what_is_among_the_favorites_is_shown_as_it_is() -> None:
    recipe = row(title=TEXT, minutes={"type": "integer"}) | {"title": "Recipe"}
    opened = sandbox(
        operation("listRecipes", "GET", "/recipes", {"type": "array", "items": recipe}),
        operation("getRecipe", "GET", "/recipes/{recipeId}", recipe),
        operation("listFavorites", "GET", "/favorites", {"type": "array", "items": recipe}),
        operation("addFavorite", "POST", "/favorites/{recipeId}", None),
        operation("removeFavorite", "DELETE", "/favorites/{recipeId}", None),
    )
    recipes = {each["id"]: each for each in (await call(opened, "listRecipes")).value}
    favorites = (await call(opened, "listFavorites")).value
    assert favorites
    assert all(recipes[each["id"]] == each for each in favorites)
    other = next(key for key in recipes if key not in {each["id"] for each in favorites})
    await call(opened, "addFavorite", recipeId=other)
    assert recipes[other] in (await call(opened, "listFavorites")).value
    await call(opened, "removeFavorite", recipeId=other)
    assert (await call(opened, "listFavorites")).value == favorites


@pytest.mark.parametrize("wrapper", ["game", "data"])
async def test_a_new_child_is_not_identified_by_the_id_of_its_owner(wrapper: str) -> None:
    league, game = row(name=TEXT), row(leagueId=TEXT, name=TEXT)
    shown = {"type": "object", "properties": {wrapper: game}}
    opened = sandbox(
        operation("listLeagues", "GET", "/leagues", {"type": "array", "items": league}),
        operation("listGames", "GET", "/leagues/{id}/games", {"type": "array", "items": game}),
        operation("addGame", "POST", "/leagues/{id}/games", shown, name=TEXT),
    )
    owner = (await call(opened, "listLeagues")).value[0]["id"]
    made = (await call(opened, "addGame", id=owner, name="Cup final")).value[wrapper]
    assert made in (await call(opened, "listGames", id=owner)).value
    assert made["id"] != owner == made["leagueId"]
