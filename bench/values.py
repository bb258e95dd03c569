"""Measures how realistic the values of records are: filler strings, lost writes, and inconsistent values.

    python bench/values.py [--quick] [--json] [--verbose] [--records N] [SPEC ...]

Specifications default to three bundled domains and six API descriptions below INTERPLAY_SHARED (default ../shared).

Filler is a string of a call or result that nothing explains: no example, enumeration, default or description of a tool, and no
authored row, contains it; it has no known form (time, address, code); none of its words is a known kind (person, place, job);
and it mentions no topic and nothing that the tools are about. An id of two words is filler too. A write is contradicted if its
result, or a later result with the same row, has another value under the same name in any spelling. Rules over the fields of one
object tell whether values agree. Also, each write of a description is tried once: its answer is misleading if it has another
value than the call under the same name, another row than the call names (`contact` of a `contact_id`, the last identity of its
path), or reports trouble.
"""

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import Any

from shared_data import OPENAPI

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World as SampledWorld
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.generators.values.lifetimes import tells_trouble
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.described_values import described_choices, described_examples
from interplay.generators.values.texts.formatted_texts import TODAY, in_ascii
from interplay.generators.values.texts.names.field_vocabulary import KNOWN
from interplay.generators.values.texts.things import translations
from interplay.schemas.calls.call_contradiction import contradicted
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.records.tool import SEARCH_TOOL, Tool
from interplay.schemas.words.calendar import WEEKDAYS
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
DESCRIPTIONS = (
    "asana.yaml",
    "trello.yaml",
    "notion.json",
    "train_travel.yaml",
    "xero_projects.yaml",
    "petstore_v3.yaml",
)
QUICK, WHOLE = 60, 300
"""Numbers of records for each specification."""
SHOWN = 5
"""Most inconsistent objects that are shown."""
SMALLEST = ("--records", "4", "--json", "domain:clinic")
"""Arguments of the smallest run, which a test makes."""

_FORMS = re.compile(
    r"\d{4}-\d\d(-\d\d)?([T ].*)?|\d\d?:\d\d.*|P(\d+[DW]|T\d+[HMS])+|[^@\s]+@[\w.-]+\.\w+|\S+://\S+|/\S*|\+?[\d\s().,:%-]+|[A-Z]{2,3}|"
    r"(?=\S*\d)[\w:.#@+/=-]+|[0-9a-f]{8,}|[\w-]+\.(png|jpg|pdf|txt|csv)|([\w-]+\.)+(com|org|net)|[a-z]{2}([-_][A-Z]{2})?|[\w.*+-]+/[\w.*+-]+",
    re.DOTALL,
)
"""Matches strings of a known form: times, addresses, numbers, codes."""
_IDENTITIES = {"id", "gid", "uuid", "guid", "uid"}


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield each object in a value, the outer ones first."""
    if isinstance(value, Mapping):
        yield value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from objects(item)


def strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name of its field, text) for each string in a value."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, name)


_CALLING = {"name", "username", "login", "handle", "user"}
"""Last words of fields that hold names of people, also in lower case."""


class Explained:
    """The explanations for strings of one toolset."""

    def __init__(self, world: Any, tools: Mapping[str, Tool], is_authored: bool) -> None:
        self._told = set[str]()
        for tool in tools.values():
            for schema in (*objects(tool.parameters), *objects(tool.returns or {})):
                held = [schema.get(key) for key in ("examples", "enum", "default", "const", "example")]
                self._told.update(text for _, text in strings([item for item in held if item is not None]))
                if isinstance(schema.get("description"), str):
                    self._told.update(described_choices(schema, True) + described_examples(schema, True))
        if is_authored:
            self._told.update(text for _, text in strings(world.environment.state()))
        people = sample_words.given_names() | sample_words.family_names()
        places = {part for place in sample_words.CITIES for part in place if part} | {*sample_words.REGIONS}
        people |= {in_ascii(name).capitalize() for name in people}
        self._kinds = people | places | {*sample_words.TAGS, *WEEKDAYS}
        rng = Random(0)
        self._kinds |= {sample_words.job(rng) for _ in range(20_000)} | {sample_words.colour(rng) for _ in range(500)}
        self._topics = tuple(map(str.lower, sample_words.TOPICS))
        nouns = {word for kind in world.environment.resources.resources for word in name_tokens(kind.name)}
        nouns |= {singular(word) for tool in tools.values() for word in name_tokens(tool.original_name)}
        self._nouns = {noun for noun in nouns if len(noun) > 2}
        things = {" ".join(name_tokens(kind.name)) for kind in world.environment.resources.resources} | self._nouns
        self._catalogue = tuple(translations(thing, "de") for thing in sorted(things))

    def origin(self, name: str, text: str) -> str:
        """Return the kind of explanation for a string; empty if there is none."""
        tokens = name_tokens(name)
        if not text or text in self._told:
            return "told"
        if tokens[-1:] and tokens[-1] in _IDENTITIES and " " in text:
            return ""
        if _FORMS.fullmatch(text):
            return "form"
        known = KNOWN.get(tokens[-1], ()) if tokens else ()
        if text in known or text in self._kinds or text.lower() in self._kinds:
            return "kind"
        lowered = text.lower()
        words = re.findall(r"\w+", text)
        called = bool(tokens) and singular(tokens[-1]) in _CALLING
        if any(word in self._kinds or (called and word.capitalize() in self._kinds) for word in words):
            return "kind"
        if any(topic in lowered for topic in self._topics) or not self._nouns.isdisjoint(
            map(singular, map(str.lower, words))
        ):
            return "idea"
        return "thing" if any(known(text) for known in self._catalogue) else ""


def _moment(value: Any) -> Any:
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d", value):
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "")).replace(tzinfo=None)
    except ValueError:
        return None


_SPANS = (("start", "end"), ("starts", "ends"), ("created", "updated"), ("created", "modified"), ("departure", "arrival"), ("from", "to"), ("begin", "end"), ("opened", "closed"), ("created", "completed"), ("created", "closed"), ("start", "due"))  # fmt: skip
_PARTS = (
    ("subtotal", "tax", "total"),
    ("net", "tax", "gross"),
    ("net", "vat", "gross"),
    ("used", "remaining", "total"),
)


def agreements(row: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield each rule that applies to the fields of an object, and whether they satisfy it."""
    held = {tuple(name_tokens(key)): value for key, value in row.items()}
    text = {tokens: value for tokens, value in held.items() if isinstance(value, str)}
    given = next((text[way] for way in (("first", "name"), ("given", "name")) if way in text), "")
    family = next((text[way] for way in (("last", "name"), ("family", "name")) if way in text), "")
    full = next((text[way] for way in (("full", "name"), ("display", "name"), ("name",)) if way in text), "")
    called = f"{given} {family}".strip() or full
    first, _, last = called.partition(" ")
    is_person = first in sample_words.given_names() and (not last or last in sample_words.family_names())
    mail = next((text[way] for way in (("email",), ("email", "address")) if way in text), "")
    if mail and is_person and mail.endswith("@example.com"):
        yield "email", any(in_ascii(part) in mail for part in called.split())
    if given and family and full and is_person:
        yield "full name", full == f"{given} {family}"
    for early, late in _SPANS:
        for tokens, value in held.items():
            other = held.get(tuple(late if token == early else token for token in tokens)) if early in tokens else None
            begin, end = _moment(value), _moment(other)
            if begin is not None and end is not None:
                yield f"{early} {late}", begin <= end
    for part, rest, whole in _PARTS:
        found = [held.get((name,), held.get((name, "amount"))) for name in (part, rest, whole)]
        numbers = [number for number in found if isinstance(number, (int, float))]
        if len(numbers) == len(found):
            yield "total", abs(numbers[0] + numbers[1] - numbers[2]) < 0.02
    birth = next(
        (_moment(value) for tokens, value in text.items() if {"birth", "born", "birthday", "birthdate"} & {*tokens}),
        None,
    )
    if birth is not None and isinstance(held.get(("age",)), int):
        yield "age", abs((TODAY - date(birth.year, birth.month, birth.day)).days // 365 - held[("age",)]) <= 1
    city = next((place for place in sample_words.CITIES if place[0] == text.get(("city",))), None)
    country = text.get(("country",)) or text.get(("country", "code"))
    if city is not None and country:
        yield "country", country in city
    currencies = {value for tokens, value in text.items() if tokens[-1:] == ("currency",)}
    if currencies and sum(tokens[-1:] == ("currency",) for tokens in text) > 1:
        yield "currency", len(currencies) == 1


def _scalars(value: Any) -> dict[tuple[str, ...], Any]:
    """Return the scalar fields of an object by the words of their names, including those of `data`, `body` and `attributes`."""
    found: dict[tuple[str, ...], Any] = {}
    for key, item in value.items() if isinstance(value, Mapping) else ():
        if isinstance(item, Mapping) and key in ("data", "body", "attributes"):
            found |= _scalars(item)
        elif isinstance(item, (str, int, float)):
            found[tuple(name_tokens(key))] = item
    return found


def _identity(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the identity field of a row and its value, or None."""
    named = (key for key in row if key in _IDENTITIES or name_tokens(key)[-1:] == ["id"])
    return next(((key, str(row[key])) for key in named if isinstance(row[key], (str, int))), None)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, str) and isinstance(second, str):
        if _moment(first) is not None and _moment(second) is not None:
            return first[:10] == second[:10]
        one, other = (re.sub(r"\W+", "", text).casefold() for text in (first, second))
        return one in other or other in one
    return type(first) is not type(second) or first == second


def contradictions(tools: Mapping[str, Tool], calls: list[tuple[ToolCall, Any]]) -> Iterator[tuple[str, str, bool]]:
    """Yield (tool, argument, whether it is kept) for each argument of a write that a result shows again.

    Later results count if they show the same row as the write's own result, until the next write.
    """
    rows: dict[tuple[str, str], tuple[str, dict[tuple[str, ...], Any]]] = {}
    for call, value in calls:
        tool = tools.get(call.name)
        if tool is None or value is None:
            continue
        if tool.effect == "write":
            rows.clear()
            lost = {tuple(name_tokens(name)) for name in contradicted(tool, call.arguments, value)}
            asked = _scalars(call.arguments)
            places = tool.http.locations if tool.http is not None else {}
            asked = {tokens: item for tokens, item in asked.items() if not {*tokens[-1:]} & _IDENTITIES}
            fixed = {tuple(name_tokens(name)) for name, place in places.items() if place in ("path", "header")}
            shown = next((row for row in objects(value) if _identity(row)), value if isinstance(value, Mapping) else {})
            held = _scalars(shown)
            for tokens, item in asked.items():
                if tokens in held and tokens not in fixed:
                    beside = any(other[-len(tokens) :] == tokens and said == item for other, said in held.items())
                    yield call.name, "_".join(tokens), beside or (tokens not in lost and _same(item, held[tokens]))
            key = _identity(shown)
            if key is not None:
                rows[key] = (
                    call.name,
                    {
                        tokens: item
                        for tokens, item in asked.items()
                        if held.get(tokens) == item and tokens not in fixed
                    },
                )
            continue
        for row in objects(value):
            key = _identity(row)
            name, given = rows.get(key, ("", {})) if key is not None else ("", {})
            held = _scalars(row)
            for tokens, item in given.items():
                if tokens in held:
                    yield name, "_".join(tokens), _same(item, held[tokens])


def misleading(tool: Tool, arguments: Mapping[str, Any], value: Any) -> Iterator[str]:
    """Yield a text for each field of a write's answer that contradicts the call, or that reports a failure."""
    if not isinstance(value, Mapping):
        return
    if len(value) == 1 and isinstance(inner := next(iter(value.values())), Mapping):
        value = inner
    asked, places = _scalars(arguments), tool.http.locations if tool.http is not None else {}
    fixed = {tuple(name_tokens(name)) for name, place in places.items() if place in ("path", "header")}
    own = _identity(value)
    for tokens, held in _scalars(value).items():
        given = asked.get(tokens)
        is_own = own is not None and tuple(name_tokens(own[0])) == tokens and tokens in fixed and len(tokens) == 1
        if given is not None and not is_own and not _same(given, held) and str(given) != str(held):
            yield f"{'_'.join(tokens)}: {given!r} became {held!r}"
    for name, item in value.items():
        shown, given = _identity(item) if isinstance(item, Mapping) else None, asked.get((*name_tokens(name), "id"))
        if shown is not None and shown[0] in _IDENTITIES and given is not None and str(given) != shown[1]:
            yield f"{name}: {given!r} became {shown[1]!r}"
        if tells_trouble(name) and item:
            yield f"{name}: {item!r} of a call that went well"
        if name.lower() in ("ok", "success", "successful") and item is False:
            yield f"{name}: false of a call that went well"
    parts = tool.http.path.rstrip("/").split("/") if tool.http is not None else [""]
    named = arguments.get(parts[-1][1:-1]) if parts[-1].startswith("{") and parts[-1].endswith("}") else None
    if (
        own is not None
        and own[0] in _IDENTITIES
        and named is not None
        and own[1] not in map(str, arguments.values())
        and str(named) not in map(str, value.values())
    ):
        yield f"{own[0]}: {named!r} became {own[1]!r}"


async def tried_writes(environment: Sandbox) -> tuple[int, list[str]]:
    """Call each write once from the same state; return how many succeeded, and the misleading fields of their answers."""
    world, start, count, found = SampledWorld(environment), environment.snapshot(), 0, []
    for tool in environment.toolset.tools:
        if tool.effect != "write":
            continue
        environment.restore(start)
        try:
            arguments = sample_arguments(world, tool, Random(tool.name), optional=3)
        except Unsatisfiable:
            continue
        result = await environment.call(ToolCall(id="call00001", name=tool.name, arguments=arguments))
        if result.error is None:
            count += 1
            found += [f"{tool.name}.{wrong}" for wrong in misleading(tool, arguments, result.value)]
    environment.restore(start)
    return count, found


def _value(answer: Message | None) -> Any:
    """Return the value of a tool's answer; None if it failed."""
    if answer is None or answer.failed:
        return None
    try:
        return json.loads(answer.content)
    except ValueError:
        return answer.content


async def measure(spec: str, records: int) -> dict[str, Any]:
    """Return the figures of one specification; times are CPU seconds."""
    started = time.process_time()
    world = open_world([spec])
    graph = await open_graph(world)
    ready = time.process_time()
    tools = {tool.name: tool for tool in world.environment.toolset.tools if tool.name != SEARCH_TOOL}
    explained = Explained(world, tools, spec.startswith("domain:"))
    made = Generator(RunConfig(toolset=(spec,), seed=1), world, graph, "bench")
    origins, fields, agreed, differ, lost = (
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
    )
    shown: list[str] = []
    kept = 0
    accepted = 0
    spent = 0.0
    for index in range(records):
        begun = time.process_time()
        record = await made.make_record(index)
        spent += time.process_time() - begun
        if record.trajectory is None or record.stage is not None:
            continue
        accepted += 1
        calls = [
            (call, _value(answer))
            for _, call, answer in record.trajectory.calls_with_results()
            if call.name != SEARCH_TOOL
        ]
        for call, value in calls:
            for name, text in (*strings(call.arguments), *strings(value)):
                origin = explained.origin(name, text)
                origins[origin or "filler"] += 1
                if not origin:
                    fields[f"{name}={text[:40]}"] += 1
            for row in (*objects(call.arguments), *objects(value)):
                for rule, holds in agreements(row):
                    agreed[rule] += holds
                    differ[rule] += not holds
                    if not holds and len(shown) < SHOWN:
                        shown.append(f"{rule}: {json.dumps(row)[:240]}")
        for name, argument, holds in contradictions(tools, calls):
            kept += holds
            lost[f"{name}.{argument}"] += not holds
    total, rules = max(1, sum(origins.values())), sum(agreed.values()) + sum(differ.values())
    held = Sandbox(import_openapi(Path(spec.removeprefix("openapi:"))).toolset) if spec.startswith("openapi:") else None
    tried, misled = await tried_writes(held) if held is not None else (0, [])
    return {
        "spec": spec.rsplit("/", 1)[-1], "records": accepted, "strings": total, "filler": round(origins["filler"] / total, 4),
        "origins": {name: round(count / total, 3) for name, count in origins.most_common()}, "agree": round(sum(agreed.values()) / max(1, rules), 4), "rules": rules,
        "disagree": {name: count for name, count in differ.most_common() if count}, "writes": kept + sum(lost.values()), "contradicted": sum(lost.values()), "lost": {name: count for name, count in lost.most_common(12) if count},
        "tried": tried, "misleading": len(misled), "misled": misled[:12],
        "shown": shown, "most_filler": dict(fields.most_common(25)), "open_s": round(ready - started, 2), "records_per_cpu_s": round(records / max(spent, 0.001), 1),
    }  # fmt: skip


def main() -> None:
    """Measure each specification and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", help="specifications of tools")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} records for each")
    parser.add_argument("--records", type=int, default=WHOLE, help="records for each")
    parser.add_argument("--verbose", action="store_true", help="print what is filler, and what is lost")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    measured = []
    for spec in options.specs or [*DOMAINS, *(f"openapi:{OPENAPI / name}" for name in DESCRIPTIONS)]:
        measured.append(asyncio.run(measure(spec, QUICK if options.quick else options.records)))
        if not options.json:
            shown = {
                key: value
                for key, value in measured[-1].items()
                if options.verbose or key not in ("most_filler", "shown", "misled")
            }
            print("  ".join(f"{key} {value}" for key, value in shown.items()), flush=True)
    if options.json:
        print(json.dumps(measured, indent=2))


if __name__ == "__main__":
    main()
