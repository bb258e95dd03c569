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
