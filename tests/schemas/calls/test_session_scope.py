"""What conversations take place in: many tools must be told it, and none shows it that is not told one itself."""

from interplay.schemas.calls.session_scope import ToolNeeds, needs_of, session_scope

IN_ACCOUNT = frozenset({"account"})


def test_is_what_most_tools_need_and_none_shows() -> None:
    tools = [ToolNeeds("domain", IN_ACCOUNT)] * 4 + [ToolNeeds("account", IN_ACCOUNT), ToolNeeds(None, frozenset())]
    assert session_scope(tools) == "account"
    assert session_scope([*tools, ToolNeeds("account", frozenset())]) is None
    assert session_scope(tools[2:]) is None  # too few
    assert session_scope([*tools, *[ToolNeeds("plan", frozenset())] * 9]) is None  # a small part


def test_only_what_is_required_is_needed_and_only_looks_and_makings_show() -> None:
    references = {"/account_id": "account", "/tag_ids/0": "tag"}
    assert needs_of("list", "domain", references, ["account_id"]) == ToolNeeds("domain", IN_ACCOUNT)
    assert needs_of("delete", "domain", references, []) == ToolNeeds(None, frozenset())


def test_who_gives_a_thing_its_identity_learns_none_by_making_it() -> None:
    assert needs_of("create", "group", {}, ["id", "name"]) == ToolNeeds(None, frozenset())
    assert needs_of("create", "group", {}, ["group_id", "name"]) == ToolNeeds(None, frozenset())
    assert needs_of("create", "group", {}, ["name"]) == ToolNeeds("group", frozenset())
