"""Rows -> the results in which the tools show them."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Literal

from interplay.generators.environments.inference.plans import Plan, ToolPlan, placed, schema_at
from interplay.generators.environments.inference.resources.guessed_results import asked_for, guessed_result
from interplay.generators.environments.inference.result_rows import FREE_LIST, at_path, is_free, shows
from interplay.generators.environments.inference.tool_words import ID_WORDS, resource_name, stem_of
from interplay.generators.environments.inference.views import own_identity
from interplay.generators.environments.rows.clock import as_time, creation_time
from interplay.generators.environments.rows.constraints import constrained, echoed, has_no_row
from interplay.generators.environments.rows.filters import row_field
from interplay.generators.environments.rows.initial_fields import is_bare_time
from interplay.generators.environments.rows.pagination import CHARACTERS, DEFAULT_PAGE, Page
from interplay.generators.environments.rows.projection import (
    admitted,
    envelope,
    filled,
    in_envelope,
    projected,
    with_success,
)
from interplay.generators.environments.rows.statuses import with_status
from interplay.generators.environments.sandbox.embedded_rows import EmbeddedRows
from interplay.generators.environments.sandbox.row_store import Row
from interplay.generators.environments.sandbox.row_views import RowViews
from interplay.generators.environments.sandbox.shared_identity import identity_in_key
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.results.acknowledgement import (
    SAID,
    acknowledgement,
    as_text,
    documented,
    is_thought,
    text_within,
)
from interplay.generators.results.result_kinds import HOLDING, found_in, is_page, is_talk, list_in
from interplay.generators.values.schema_values import Unsatisfiable, make_valid, make_value
from interplay.generators.values.truncation import LEAVES, trimmed
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import canonical_json, digest, join_pointer, leaves, split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens

DONE: Mapping[str, Any] = {"success": True}
"""The result of a tool without a result schema."""

KEPT = 256
"""Envelopes that are cached at most."""


class ToolResults:
    """Makes the results of tools from rows, or from a seed where there are no rows."""

    def __init__(
        self, seed: WorldSeed, copies: EmbeddedRows, views: RowViews, asked: Mapping[str, frozenset[str]]
    ) -> None:
        """`asked` are fields that all rows of a resource have and show, see `Plan.asked_by`."""
        self._seed = seed
        self._asked = asked
        self._views = views
        self._fillable: dict[str, bool | Unsatisfiable] = {}
        self._another: dict[str, bool] = {}
        self._copies = copies
        self._shapes: dict[tuple[str, str], tuple[Row, Any]] = {}
        self._envelopes: dict[tuple[str, int, int, int, int], Any] = {}

    def _shown(self, plan: ToolPlan, key: str, row: Row) -> Any:
        """Return a row as a tool shows it; cached until the row changes."""
        row = self._copies.full(str(plan.resource), key, row)
        held = self._shapes.get((plan.tool.name, key))
        if held is None or held[0] is not row:
            schema: Mapping[str, Any] = plan.rows.schema if plan.rows is not None else {}
            most = LEAVES // 2 if plan.lists else LEAVES
            kept = self._asked.get(str(plan.resource), ())
            shown = trimmed(projected(schema, row, self._rng(plan, key)), schema, most, kept)
            held = self._shapes[plan.tool.name, key] = (row, shown)
        return held[1]

    def _item(self, plan: ToolPlan, key: str, row: Row) -> Any:
        """Return a row of a list as a tool shows it, in its view if there is one."""
        shown = self._shown(plan, key, row)
        viewed = plan.rows is not None and plan.rows.view is not None
        return self._views.view(plan, row, shown, f"{plan.resource}/{key}")[0] if viewed else shown

    def _rng(self, plan: ToolPlan, key: str) -> Random:
        return self._seed.random(f"{plan.resource}/{key}")

    def row(self, plan: ToolPlan, row: Row, key: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Return the result that shows one row; fields beside the row repeat the arguments and its identity."""
        told = _acknowledged(plan, arguments or {}, identity_in_key(key)) if plan.tool.returns is not None else []
        if told:
            return told[0]
        if plan.tool.effect == "write" and self._shows_another(plan):
            return self.made(plan, arguments or {})
        shown = _as_done(plan, echoed(plan, self._row(plan, row, key), arguments or {}, key), row)
        if plan.tool.effect == "write":
            given = _as_given_within(shown, _of_the_row(plan, arguments or {}))
            shown = _answered(plan, given if is_valid(given, plan.tool.returns or {}) else shown, arguments or {})
        # what is deleted is shown as it was before
        if plan.tool.returns is not None and (plan.operation == "delete" or _only_answers(plan)):
            shown = with_success(plan.tool.returns, shown, wrote=True)
        return constrained(shown, arguments or {}, plan.tool.returns) if has_no_row(plan) else shown

    def _row(self, plan: ToolPlan, row: Row, key: str) -> Any:
        rng = self._rng(plan, key)
        returns = plan.tool.returns
        if returns is None:
            return (
                dict(DONE)
                if plan.operation == "delete"
                else projected({}, self._copies.full(str(plan.resource), key, row), rng)
            )
        if plan.rows is None:
            return _dated(plan, self._made(plan, {"row": key}))
        if plan.rows.many:
            return in_envelope(returns, plan.rows.pointer, [self._item(plan, key, row)], rng, Page())
        shown = self._shown(plan, key, row)
        if plan.rows.view is None:
            return in_envelope(returns, plan.rows.pointer, shown, rng, Page())
        place = f"{plan.resource}/{key}"
        view, known = self._views.view(plan, row, shown, place)
        return self._views.beside(plan, in_envelope(returns, plan.rows.pointer, view, rng, Page()), known, place)

    def field(self, plan: ToolPlan, row: Row, key: str, arguments: Mapping[str, Any]) -> Any:
        """Return the result that shows the one field a tool is about; the whole row if the result schema does not admit that."""
        assert plan.edit is not None
        asked = plan.edit.path or (plan.edit.value_in(arguments),)
        value: Any = self._copies.full(str(plan.resource), key, row)
        for part in asked:
            named = part if isinstance(value, Mapping) and part in value else None
            value = value.get(named or row_field(str(part), value) or "") if isinstance(value, Mapping) else None
        returns = plan.tool.returns
        if returns is None:
            return {"_value": value}
        rng = self._rng(plan, key)
        count = len(value) if isinstance(value, list) else 1
        candidates = [value, {asked[-1]: value}, {"_value": value}]
        if asked[-1] in object_properties(returns):
            candidates.append(in_envelope(returns, join_pointer(str(asked[-1])), value, rng, Page(total=count)))
        fitting = [item for item in candidates if is_valid(item, returns)]
        return fitting[0] if fitting else self.row(plan, row, key)

    def fitting(self, plan: ToolPlan, rows: Sequence[tuple[str, Row]]) -> int:
        """Return how many of these rows fit into a result, at least one."""
        lengths = [len(canonical_json(self._item(plan, key, row))) for key, row in rows]
        return len(rows) if sum(lengths) <= CHARACTERS else max(1, CHARACTERS // max(lengths))

    def rows(self, plan: ToolPlan, page: Page, beside: Mapping[str, Sequence[tuple[str, Row]]] | None = None) -> Any:
        """Return the result that shows several rows, and those of other resources (`beside`) in fields of their own."""
        shown = [self._item(plan, key, row) for key, row in page.rows]
        returns = plan.tool.returns
        if returns is None or plan.rows is None:
            return shown
        result = self._listed(plan.tool.name, returns, plan.rows.pointer, shown, page)
        for field, others in (beside or {}).items():
            items = object_properties(returns)[field].get("items", {})
            made = [projected(items, row, self._seed.random(f"{field}/{key}")) for key, row in others]
            result = {**result, field: made} if is_valid(made, object_properties(returns)[field]) else result
        return result

    def _listed(self, tool: str, returns: Mapping[str, Any], pointer: str, shown: list[Any], page: Page) -> Any:
        """Return rows in their envelope, which is cached, since it is the same for pages of the same size and position."""
        like = tool, len(page.rows), page.total, page.first, page.size
        if like not in self._envelopes:
            if len(self._envelopes) >= KEPT:
                self._envelopes.clear()
            self._envelopes[like] = envelope(returns, pointer, self._seed.random(tool), page)
        result = filled(self._envelopes[like], pointer, shown)
        return (
            result if is_valid(result, returns) else in_envelope(returns, pointer, shown, self._seed.random(tool), page)
        )

    def number(self, plan: ToolPlan, arguments: Mapping[str, Any], count: int) -> Any:
        """Return the result that shows a count: as the value itself, or in its first numeric field."""
        made, returns = self.made(plan, arguments), plan.tool.returns or {}
        shown: Any = count
        if isinstance(made, Mapping):
            fields = object_properties(returns).items()
            whole = [name for name, field in fields if schema_type(field) in ("integer", "number")]
            shown = {**made, **dict.fromkeys(whole[:1], count)}
        return shown if is_valid(shown, returns) else made

    def made(
        self,
        plan: ToolPlan,
        arguments: Mapping[str, Any],
        key: str = "",
        acted: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        """Return a made-up result, determined by seed, tool and arguments, that agrees with the rows that the arguments name.

        Fields named like arguments repeat them; fields for the identity of the row have `key`, and fields of the row `acted` on
        have its values.
        """
        told = _acknowledged(plan, arguments, key)
        if told:
            return told[0]
        made = echoed(plan, _dated(plan, self._made(plan, arguments)), arguments, key, made_up=True)
        identities = {"_".join(name_tokens(name)): value for name, value in arguments.items() if stem_of(name)}
        made = _repeated_within(made, identities) if identities else made
        made = _as_given_within(made, _of_the_row(plan, arguments)) if plan.tool.effect == "write" else made
        made = self._views.named(plan, _of_target(plan, _as_in_row(plan, made, acted), arguments), arguments)
        made = _naming_what_is_meant(plan, _as_done(plan, made), arguments)
        return constrained(made, arguments, plan.tool.returns) if plan.tool.effect == "read" else made

    def _made(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> Any:
        returns = plan.tool.returns
        if returns is None:
            return self._guessed(plan, arguments) or dict(DONE)
        if plan.tool.effect == "read" and is_free(returns):
            guessed = self._guessed(plan, arguments)
            if isinstance(guessed, list) and not is_valid(guessed, returns):
                guessed = {FREE_LIST: guessed}
            if guessed and is_valid(guessed, returns):
                return guessed
        rng = self._seed.random(f"{plan.tool.name}/{digest(arguments)}")
        titled = resource_name(str(returns.get("title", "")))
        made = make_valid(returns, rng, plan.resource or titled or plan.tool.name, self._is_fillable(plan.tool))
        made = trimmed(made, returns)
        pointer, items = list_in(made) if is_page(made) else ("", None)
        if items:  # paging fields must agree with the made-up items
            page = Page(tuple(("", item) for item in items), len(items), 0, max(DEFAULT_PAGE, len(items)))
            made = in_envelope(returns, pointer, items, rng, page)
        return with_success(returns, made, plan.tool.effect == "write")

    def _guessed(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> Any:
        """Return a result guessed from the name of a tool; none if the name tells nothing."""
        told = asked_for(plan)
        guessed = guessed_result(plan.tool) if told is None else None
        rng = self._seed.random(f"{plan.tool.name}/{digest(arguments)}")
        if guessed is not None:
            made = make_valid(guessed, rng, plan.tool.name)
            if not isinstance(made, dict):
                return made
            return made | {name: arguments[name] for name in made if isinstance(arguments.get(name), (str, int, float))}
        return {told[0]: make_valid({"type": told[1]}, rng, told[0])} if told else None

    def _shows_another(self, plan: ToolPlan) -> bool:
        """Tell whether a tool shows a row of another resource than the one it acts on; cached by tool."""
        if plan.tool.name not in self._another:
            self._another[plan.tool.name] = self._views.another(plan)
        return self._another[plan.tool.name]

    def _is_fillable(self, tool: Tool) -> bool:
        """Tell whether a result with all its fields can be valid; cached by tool, since large invalid results are expensive.

        Raises:
            Unsatisfiable: no result is valid.
        """
        if tool.name not in self._fillable:
            returns = tool.returns or {}
            tries = (make_value(returns, Random(f"{tool.name}/{number}"), tool.name) for number in range(2))
            self._fillable[tool.name] = any(is_valid(value, returns) for value in tries) or _contradiction(tool)
        known = self._fillable[tool.name]
        if isinstance(known, Unsatisfiable):
            raise Unsatisfiable(str(known))  # a new one: the cached exception would accumulate tracebacks
        return known


def _contradiction(tool: Tool) -> Unsatisfiable | Literal[False]:
    """Return the reason why no result is valid, even with the fewest fields; false if one is."""
    try:
        make_valid(tool.returns or {}, Random(tool.name), tool.name, full=False)
    except Unsatisfiable as failure:
        return failure
    return False


def _repeated_within(made: Any, identities: Mapping[str, Any], depth: int = 0) -> Any:
    """Return a result whose nested objects repeat the `identities` that the call gives: `tripId` in an event of a trip.

    The names of the identities are in snake case; fields may spell them otherwise.
    """
    if depth > _INNER:
        return made
    if isinstance(made, list):
        return [_repeated_within(item, identities, depth + 1) for item in made]
    if not isinstance(made, dict):
        return made
    spelt = {name: "_".join(name_tokens(name)) for name in made} if depth else {}
    given = {name: identities[own] for name, own in spelt.items() if own in identities}
    same = {name: value for name, value in given.items() if type(value) is type(made[name])}
    return {name: same.get(name, _repeated_within(value, identities, depth + 1)) for name, value in made.items()}


_INNER = 3
"""Levels of nested objects in a result that are searched for identities and given values."""


def _as_given_within(made: Any, arguments: Mapping[str, Any], depth: int = 0) -> Any:
    """Return the result of a write whose nested objects have the given values, if they share several fields with the arguments.

    Arguments that an object shows itself are not used inside it: the `id` and `name` of a pet's category are its own.
    """
    if not isinstance(made, dict) or depth > _INNER:
        return made
    given = {
        name: value
        for name, value in arguments.items()
        if depth and name in made and type(value) is type(made[name]) and not isinstance(value, (dict, list))
    }
    rest = {name: value for name, value in arguments.items() if name not in made}
    inner = {name: _as_given_within(value, rest, depth + 1) for name, value in made.items()}
    return {**inner, **given} if len(given) > 1 else inner


def _of_the_row(plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that may be fields of the row itself: without the `id` of its owner in /leagues/{id}/games."""
    owners = {name for name, _ in plan.parents if stem_of(name) is None}
    return {name: value for name, value in arguments.items() if name not in owners}


def _as_in_row(plan: ToolPlan, made: Any, row: Mapping[str, Any]) -> Any:
    """Return a result that does not show the row acted on, with the values of the fields that both have."""
    if not isinstance(made, dict) or not row:
        return made
    fields = object_properties(plan.tool.returns or {})
    shared = {name: row[name] for name in made if name in row and name not in ID_WORDS and name in fields}
    return {**made, **{name: value for name, value in shared.items() if is_valid(value, fields[name])}}


def _dated(plan: ToolPlan, made: Any) -> Any:
    """Return the made-up result of a write whose `date` or `timestamp` is that of the write."""
    if plan.tool.effect != "write" or not isinstance(made, dict):
        return made
    fields, now = object_properties(plan.tool.returns or {}), creation_time(1)
    bare = [name for name in made if name in fields and is_bare_time(name, fields[name], made[name])]
    told = {name: as_time(now, fields[name], made[name]) for name in bare}
    return {**made, **{name: value for name, value in told.items() if is_valid(value, fields[name])}}


def _as_done(plan: ToolPlan, shown: Any, row: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return the result of a write with a flag that says so set, and that of an action in the status that it sets.

    update_visit -> {"updated": true}, accept_offer -> {"status": "accepted"} where the row has no status
    """
    if not isinstance(shown, dict):
        return shown
    shown = shown | {name: True for name, value in shown.items() if value is False and name == f"{plan.operation}d"}
    if plan.operation != "action":
        return shown
    done = with_status(plan, plan.tool.returns or {}, shown)
    return {**shown, **{name: value for name, value in done.items() if name in shown and name not in row}}


def _of_target(plan: ToolPlan, made: Any, arguments: Mapping[str, Any]) -> Any:
    """Return the result of a write with the identity of its target, unless the schema's title names another resource."""
    given = arguments.get(plan.target or "")
    title = name_tokens(str(plan.rows.schema.get("title", ""))) if plan.rows is not None else []
    named = (name_tokens(noun) for noun in (plan.resource or "", stem_of(plan.target or "") or ""))
    own = plan.operation == "delete" or not title or any(tokens and set(tokens) <= set(title) for tokens in named)
    if plan.tool.effect != "write" or isinstance(given, (dict, list)) or given is None or not own:
        return made
    path = split_pointer(plan.rows.pointer) if plan.rows is not None and not plan.rows.many else ()
    schema = schema_at(object_properties(plan.tool.returns or {}), path) if path else plan.tool.returns
    shown, field = next(at_path(made, path), None), own_identity(schema or {})
    if isinstance(shown, Mapping) and field not in shown:  # a result that is not a row may refer to the row
        field = next((name for name in shown if stem_of(name) == plan.resource), None)
    properties = object_properties(schema or {})
    if not isinstance(shown, Mapping) or field not in shown or str(field) not in properties:
        return made
    for told in admitted(properties[str(field)], given, Random(0)):
        changed = {**shown, str(field): told}
        return placed(made, path, changed) if path else changed
    return made


_CALLED = {"path", "name", "file", "filename", "title", "username", "email"}
_ECHOED, _SHORT = 2, 80
"""Arguments that an acknowledgement repeats at most, and characters of each."""


def _answered(plan: ToolPlan, shown: Any, arguments: Mapping[str, Any]) -> Any:
    """Return the result of a write with few fields whose message, or only other field, says that it was done."""
    fields = object_properties(plan.tool.returns or {})
    if not isinstance(shown, dict) or len(fields) > _LITTLE:
        return shown
    told = found_in(fields) if _only_answers(plan) else None
    said = {
        name: next((text for text in schema.get("examples", ()) if not _CODE.search(str(text))), acknowledgement([]))
        for name, schema in fields.items()
        if name in shown and (name.lower() in ("message", "msg") or name == told) and name not in arguments
        if schema_type(schema) == "string" and not {"enum", "const", "default"} & schema.keys()
        if "examples" not in schema or not _CODE.search(str(shown[name]))
    }
    return {**shown, **said}


def _naming_what_is_meant(plan: ToolPlan, made: Any, arguments: Mapping[str, Any]) -> Any:
    """Return the result of a write whose messages name the row of the call, not that of an example: "car with id 10"."""
    if plan.tool.effect != "write" or not isinstance(made, dict):
        return made
    messages = {
        name: text for name, text in made.items() if is_talk(name) and name not in arguments and isinstance(text, str)
    }
    given = {str(value) for _, value in leaves(arguments)}
    foreign = {name: [code for code in _CODE.findall(text) if code not in given] for name, text in messages.items()}
    target = arguments.get(plan.target or "")
    own = str(target) if isinstance(target, (str, int)) else ""
    told = {
        name: messages[name].replace(codes[0], own) if own and len(codes) == 1 else acknowledgement([])
        for name, codes in foreign.items()
        if codes and " " in messages[name]
    }
    fields = object_properties(plan.tool.returns or {})
    return {**made, **{name: text for name, text in told.items() if is_valid(text, fields.get(name, {}))}}


_CODE = re.compile(r"(?<![\w.-])(?=[\w-]*\d)[\w-]+")
"""A word with a digit: a number, a code, a UUID."""


def _only_answers(plan: ToolPlan) -> bool:
    """Tell whether a write answers only with a text, beside what tells how the call went."""
    fields = object_properties(plan.tool.returns or {})
    found = found_in(fields)
    told = found is not None and found.lower() in _TELLING and schema_type(fields[found]) == "string"
    return told and plan.tool.effect == "write"


_TELLING = {*SAID, *HOLDING, "body"}
"""Fields that hold the text of an answer beside its status."""

_LITTLE = 4
"""Fields of a result that is hardly more than an acknowledgement."""


def _acknowledged(plan: ToolPlan, arguments: Mapping[str, Any], key: str) -> list[Any]:
    """Return an acknowledgement with the names that a call gives, as the only item of a list; an empty list for other tools.

    Acknowledged are writes, thoughts and handovers without a result schema or with a text as result.
    """
    tool, returns = plan.tool, plan.tool.returns
    quiet = tool.effect == "write" or is_thought(tool) or hands_over(tool)
    if not quiet or (returns is not None and text_within(returns) is None):
        return []
    names = [
        name for name in arguments if name == plan.target or stem_of(name) or _CALLED & set(name_tokens(name)[-1:])
    ]
    plain = [
        name for name in names if isinstance(arguments[name], (str, int)) and not isinstance(arguments[name], bool)
    ]
    short = [name for name in plain if 0 < len(str(arguments[name])) <= _SHORT]
    echoed = {name: arguments[name] for name in short[:_ECHOED]}
    if returns is None:
        return [{**DONE, **echoed}]
    said = documented(returns, arguments, tool) or acknowledgement(echoed.values() or filter(None, [key]))
    told = as_text(returns, said)
    return [told] if is_valid(told, returns) else []


def is_shown(plan: ToolPlan, whole: Plan) -> bool:
    """Tell whether a tool's result shows the row that it acts on."""
    resource = whole.resources[str(plan.resource)]
    return plan.rows is not None and bool(object_properties(plan.rows.schema)) and shows(plan.rows, resource)
