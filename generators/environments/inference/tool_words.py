"""Words in names of tools, paths and fields -> verbs, nouns, and the resource that a word speaks of."""

import re
from collections.abc import Collection

from interplay.schemas.json.fields import name_tokens
from interplay.schemas.records.tool import Operation
from interplay.schemas.words.nouns import singular

VERBS: dict[str, Operation] = {
    **dict.fromkeys(("get", "read", "retrieve", "fetch", "show", "describe", "view", "load", "open", "info"), "read"),
    **dict.fromkeys(("list", "search", "find", "query", "browse", "lookup", "all", "filter", "paginate", "index"), "list"),
    **dict.fromkeys(("create", "add", "post", "new", "register", "place", "draft", "compose", "book", "buy", "make", "issue", "insert", "write",
                     "purchase", "order", "submit", "invite", "log", "record", "schedule", "start", "queue", "enqueue"), "create"),
    **dict.fromkeys(("update", "edit", "modify", "change", "patch", "put", "rename", "set", "replace"), "update"),
    **dict.fromkeys(("delete", "deletes", "remove", "destroy", "drop", "erase"), "delete"),
    **dict.fromkeys(("cancel", "archive", "approve", "close", "move", "send", "upload", "activate", "enable", "disable", "pause",
                     "resume", "stop", "restart", "publish", "merge", "copy", "accept", "reject", "complete", "refund", "pay",
                     "confirm", "lock", "unlock", "share", "assign", "transfer", "deactivate", "suspend", "restore", "reset",
                     "void", "capture", "verify", "validate", "subscribe", "unsubscribe", "follow", "unfollow", "like", "star",
                     "mark", "execute", "run", "trigger", "invoke", "duplicate", "convert", "join", "leave", "kick", "unarchive",
                     "unpublish", "unmerge", "revoke", "retry", "sync", "export", "import", "rotate",
                     "finish", "begin", "resolve", "unresolve", "ship", "deliver", "deny", "decline", "withdraw", "reopen", "mute",
                     "unmute", "unblock", "hide", "unhide", "pin", "unpin", "ban", "unban", "freeze", "unfreeze", "snooze",
                     "acknowledge", "dismiss", "terminate", "expire", "renew", "fulfill", "return", "reactivate", "unfavorite",
                     "favorite", "unstar", "unlike", "unflag", "escalate", "unassign", "unsuspend", "respond"), "action"),
}  # fmt: skip
"""What the first verb of a name says that a tool does."""

ENVELOPES = tuple("data items results records list values entries content rows hits objects result response".split())
"""Names of fields that hold the rows of an answer, or the row of a request."""

ID_WORDS = {"id", "ids", "uuid", "uuids", "guid", "key", "slug", "identifier", "gid", "uid", "iid", "sid"}
HOLDERS = {"metadata", "meta", "resource", "attributes", "identity", "identifier", "header", "info", "properties"}
"""Fields that hold what a row is called, rather than another row."""

SELF = {"me", "self", "current", "whoami"}
SELECTORS = {"field", "fields", "filter", "format", "ext", "extension"}
"""Path parameters that say how much of a row is shown, never which row."""

ALONE = set(
    "details status contents directions statistics stats settings diffs changes info preferences credentials analytics metrics "
    "insights options terms totals progress".split()
)
"""Words for many that stand for one answer."""

PEOPLE = set(
    "assignee author owner creator follower requester reporter reviewer approver editor collaborator participant "
    "created_by completed_by assigned_by updated_by modified_by sender recipient".split()
)
_FILLERS = {"by", "id", "a", "an", "the", "all", "with", "for"}
VERSION = re.compile(r"^(v\d+(\.\d+)*|api|rest|\d+(\.\d+)*)$", re.IGNORECASE)


def verb_of(name: str) -> tuple[Operation | None, list[str]]:
    """Return what the verb in a tool's name says and the words after it: `get-user` -> ("read", ["user"])."""
    tokens = [token for token in name_tokens(name) if not VERSION.match(token)]
    for position, token in enumerate(tokens[:3]):
        if token in VERBS:
            after, before = (
                [word for word in part if word not in _FILLERS] for part in (tokens[position + 1 :], tokens[:position])
            )
            return VERBS[token], after or before
    if tokens and tokens[-1] in VERBS and len(tokens) > 1:
        return VERBS[tokens[-1]], tokens[:-1]
    return None, tokens


def literal_verb(literal: str) -> Operation | None:
    """Return what a path literal says that starts with a verb: `findByStatus` -> "list"."""
    tokens = name_tokens(literal)
    return VERBS.get(tokens[0]) if tokens else None


def resource_name(literal: str) -> str:
    """Return the name of the resource that a path literal or noun stands for: `museum-hours` -> `museum_hour`."""
    tokens = name_tokens(literal)
    return "_".join([*tokens[:-1], singular(tokens[-1])]) if tokens else "thing"


def is_plural(literal: str) -> bool:
    """Tell whether a literal names many of something."""
    tokens = name_tokens(literal)
    return bool(tokens) and singular(tokens[-1]) != tokens[-1]


def stem_of(name: str) -> str | None:
    """Return the resource that an identifier-like name speaks of: `owner_id`, `idOwner` -> "owner"; none for others."""
    tokens = name_tokens(name)
    if len(tokens) > 1 and tokens[-1] in ID_WORDS:
        return "_".join([*tokens[:-2], singular(tokens[-2])])
    if len(tokens) > 1 and tokens[0] in ("id", "ids"):
        return "_".join([*tokens[1:-1], singular(tokens[-1])])
    return None


def same_noun(left: str, right: str) -> bool:
    """Tell whether two resource names end in the same noun: `customer_address` and `address`."""
    return left == right or left.endswith(f"_{right}") or right.endswith(f"_{left}")


def known_resource(name: str, known: Collection[str]) -> str | None:
    """Return the known resource that a path parameter's name speaks of: `projectKey` -> project, `username` -> user."""
    stem = stem_of(name)
    if stem is not None:
        while stem and stem not in known:
            stem = stem.partition("_")[2]
        return stem or None
    joined = "".join(name_tokens(name))
    for ending in ("name", "id", "key", "number", "code", "no"):
        if joined.endswith(ending) and joined[: -len(ending)] in known:
            return joined[: -len(ending)]
    return joined if joined in known else None


SEARCH = {"search", "query", "q", "term", "terms", "keyword", "keywords", "text", "find", "match", "prefix"}
"""Words of parameters that look for a text anywhere in a row."""


FROM = {"start", "from", "since", "after", "min", "minimum", "gte", "gt", "earliest"}


UNTIL = {"end", "to", "until", "before", "max", "maximum", "lte", "lt", "latest"}
"""Words of parameters that bound what is shown from below, and from above."""


def bare_name(name: str) -> str:
    """Return what a parameter filters by: `filter[status]` and `filter_status` -> status.

    Source: JSON:API 1.1, section 6.7, filtering.
    """
    tokens = name_tokens(name)
    return "_".join(tokens[1:]) if tokens[:1] == ["filter"] and len(tokens) > 1 else name
