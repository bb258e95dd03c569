"""Compares the language of dialogues by rules with that of recorded ones: short turns, questions, dates, ids, choices.

    python bench/naturalness.py [--quick] [--json] [--records N] [--toolset SPEC ...] [--language CODE]

Measured on accepted records of the three bundled domains and four descriptions, and on recorded dialogues of tau-bench
(INTERPLAY_SHARED). The form of turns is classified by the same patterns (naturalness.yaml) for both; the rest by dialogue acts.
  short_turns        share of user turns with fewer than 8 words: at most .18
  seeking_turns      share of user turns that ask for information, by their form: at least .06; `seeking_by_act`: by goals
  assistant_words    median words of assistant turns without calls; between the quartiles of the recorded ones
  read_out           share of records in which fields are recited, as "the status is open and the amount is 5": at most .05
  full_dates         share of spoken dates with a year: at most .40
  ids_first          share of records in which the assistant first asks for an identifier: at most .03
  not_shown          choices of something that the assistant has not said before: none; `chosen` is the number of choices
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from shared_data import DATA, OPENAPI, spec_of

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import normalised

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
DESCRIPTIONS = ("petstore_v3.yaml", "train_travel.yaml", "museum.yaml", "notion.json")
QUICK, WHOLE = 40, 300
SMALLEST = ("--records", "3", "--toolset", "domain:clinic", "--json")
"""Arguments of the smallest run, which a test makes."""

RECORDED = DATA / "tau" / "airline_trajectories.json"
PATTERNS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
SHORT = 8
LIMITS = {"short_turns": 0.18, "read_out": 0.05, "full_dates": 0.40, "ids_first": 0.03}
SEEKING = 0.06


@dataclass
class Counted:
    """The counts over dialogues of one source; `by_act` stays 0 for recorded dialogues, which have no acts."""

    language: str = "en"
    dialogues: int = 0
    users: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    read_out: int = 0
    ids_first: int = 0
    chosen: int = 0
    not_shown: list[str] = field(default_factory=list)
    by_act: int = 0

    def hear(self, turns: Iterable[tuple[str, str]]) -> None:
        """Count one dialogue, given as (role, text) pairs."""
        turns = [(role, text) for role, text in turns if text.strip()]
        self.dialogues += 1
        self.users += [text for role, text in turns if role == "user"]
        told = [text for role, text in turns if role == "assistant"]
        self.said += told
        self.read_out += any(map(self._recites, told))

    def _recites(self, text: str) -> bool:
        """Tell whether a turn recites two fields by name, one right after the other."""
        return re.search(self._form("recited"), text.lower()) is not None

    def _form(self, name: str) -> str:
        return str(PATTERNS[self.language][name])

    def figures(self) -> dict[str, Any]:
        """Return the figures."""
        words = sorted(len(text.split()) for text in self.said)
        quartiles = statistics.quantiles(words, n=4) if len(words) > 1 else [0, 0, 0]
        full, spoken = 0, 0
        for text in (*self.users, *self.said):
            days = normalised(text).moments.days
            full += sum(day[0] is not None for day in days)
            spoken += len(days) or bool(re.search(self._form("relative"), text.lower()))
        return {
            "dialogues": self.dialogues,
            "short_turns": _share(sum(len(text.split()) < SHORT for text in self.users), len(self.users)),
            "seeking_turns": _share(sum(map(self._seeks, self.users)), len(self.users)),
            "seeking_by_act": _share(self.by_act, len(self.users)),
            "assistant_words": round(statistics.median(words or [0])),
            "assistant_quartiles": [round(quartiles[0]), round(quartiles[2])],
            "read_out": _share(self.read_out, self.dialogues),
            "full_dates": _share(full, spoken),
            "dates": spoken,
            "ids_first": _share(self.ids_first, self.dialogues),
            "chosen": self.chosen,
            "not_shown": len(self.not_shown),
            "not_shown_examples": self.not_shown[:5],
        }

    def _seeks(self, text: str) -> bool:
        text = text.lower()
        return bool(re.search(self._form("seeking"), text)) and not re.search(self._form("doing"), text)


def _share(part: int, whole: int) -> float:
    return round(part / max(1, whole), 4)


def recorded() -> Counted:
    """Count the recorded dialogues, without the message that ends them."""
    found = Counted()
    for row in json.loads(RECORDED.read_text(encoding="utf-8"))["trajectories"] if RECORDED.exists() else ():
        to_user = [message for message in row["messages"] if not message.get("tool_calls")]
        turns = ((message["role"], message.get("content") or "") for message in to_user)
        found.hear((role, text) for role, text in turns if "###STOP###" not in text)
    return found


def count_record(record: DatasetRecord, found: Counted) -> None:
    """Count an accepted record, including the figures that need dialogue acts."""
    blueprint, trajectory = record.blueprint, record.trajectory
    assert trajectory is not None
    assert blueprint is not None
    messages = trajectory.messages[blueprint.begins :]
    heard = [message for message in messages if message.role in ("user", "assistant") and not message.tool_calls]
    found.hear((message.role, message.content) for message in heard)
    asked = next((message for message in messages if message.act == "request" and message.state), None)
    found.ids_first += asked is not None and _asks_for_id(asked, blueprint)
    opened: set[int | None] = set()
    shown = ""
    for message in messages:
        if message.role == "assistant":
            shown += f"\n{message.content}"
        if message.role != "user" or message.state is None:
            continue
        new = message.state.goal not in opened and (message.act or "").startswith(("inform_intent", "off_topic"))
        request = [goal for group in blueprint.scenario.requests if message.state.goal in group for goal in group]
        asks = any(blueprint.goals[goal].asks or blueprint.goals[goal].asks_for for goal in request)
        found.by_act += (new and asks) or message.act in ("ask_back", "narrow")
        opened |= {message.state.goal} if new else set()
        for fact in _chosen(message, blueprint) if message.act == "choose" else ():
            found.chosen += 1
            if not _is_shown(fact, shown, blueprint):
                found.not_shown.append(f"{blueprint.recipe.index}: {message.content}"[:160])


def _asks_for_id(message: Message, blueprint: Blueprint) -> bool:
    """Tell whether a question asks for an identifier, known to the user or not."""
    assert message.state is not None
    name = next(iter(message.state.asked), "")
    known = {fact.id: fact for fact in blueprint.scenario.facts}
    return name.startswith("unknown:") or (name in known and known[name].hint.get("type") == "identity")


def _chosen(message: Message, blueprint: Blueprint) -> Sequence[Fact]:
    told = message.state.told if message.state else ()
    facts = (blueprint.scenario.fact(name) for name in told)
    return [fact for fact in facts if fact.choice is not None and fact.description is None]


def _is_shown(fact: Fact, shown: str, blueprint: Blueprint) -> bool:
    """Tell whether the assistant said what the user chooses, or the user's own device showed it."""
    if fact.action is not None and blueprint.action(fact.action).requestor == "user":
        return True
    values = fact.value.items() if isinstance(fact.value, dict) else ()
    return all(_says(shown, value, pointer.rsplit("/", 1)[-1]) for pointer, value in values)


def _says(shown: str, value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return True
    day = re.match(r"\d{4}-(\d\d)-(\d\d)", value) if isinstance(value, str) else None
    if day is not None:  # a day may be named in a relative form
        return mentions(shown, value) or bool(
            re.search(PATTERNS["en"]["relative"] + "|" + PATTERNS["de"]["relative"], shown.lower())
        )
    return mentions(shown, value, name=name)


async def count(spec: str, records: int, language: str) -> Counted:
    """Make and count a number of accepted records."""
    settings = {"toolset": [spec], "seed": 11, "language": language}
    world = open_world([spec])
    made = Generator(parse_config(settings, "bench"), world, await open_graph(world, 0), "run")
    found, index = Counted(language), 0
    while found.dialogues < records and index < 3 * records:
        record = await made.make_record(index)
        index += 1
        if record.status == "accepted":
            count_record(record, found)
    return found


def main() -> int:
    """Print the figures; the exit code is 1 if the limits do not hold over all sources."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} records of each source instead of {WHOLE}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--records", type=int, help="records of each source")
    parser.add_argument("--toolset", action="append", help="sources instead of the seven")
    parser.add_argument("--language", default="en", help="what users speak")
    options = parser.parse_args()
    described = [spec_of(OPENAPI / name) for name in DESCRIPTIONS if (OPENAPI / name).exists()]
    sources = options.toolset or [*DOMAINS, *(described if options.language == "en" else ())]
    size = options.records or (QUICK if options.quick else WHOLE)
    found = {spec: asyncio.run(count(spec, size, options.language)) for spec in sources}
    figures = {spec.rpartition("/")[2]: own.figures() for spec, own in found.items()}
    together = Counted(options.language)
    for own in found.values():
        for name in ("users", "said", "not_shown"):
            getattr(together, name).extend(getattr(own, name))
        for name in ("dialogues", "read_out", "ids_first", "chosen", "by_act"):
            setattr(together, name, getattr(together, name) + getattr(own, name))
    beside = recorded().figures()
    told = {"recorded": beside, **figures, "all": together.figures()}
    if options.json:
        json.dump(told, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        _print(told)
    return 0 if _holds(told["all"], beside) else 1


def _holds(ours: dict[str, Any], beside: dict[str, Any]) -> bool:
    low, high = beside["assistant_quartiles"]
    within = not beside["dialogues"] or low <= ours["assistant_words"] <= high
    few = all(ours[name] <= most for name, most in LIMITS.items())
    return within and few and ours["seeking_turns"] >= SEEKING and not ours["not_shown"]


def _print(told: dict[str, dict[str, Any]]) -> None:
    names = [name for name in told["recorded"] if name != "not_shown_examples"]
    print("source".ljust(20), *(name.rjust(max(8, len(name))) for name in names))
    for source, own in told.items():
        print(source[:20].ljust(20), *(str(own[name]).rjust(max(8, len(name))) for name in names))
    for source, own in told.items():
        for text in own["not_shown_examples"] if source != "all" else ():
            print(f"not shown, {source}: {text}")


if __name__ == "__main__":
    sys.exit(main())
