"""A toolset and a language -> the assistant's system prompt: its name, the date, and the policy."""

import re
from functools import lru_cache
from itertools import dropwhile
from random import Random

from interplay.generators.participants.wording.languages import ENGLISH, load_grammar
from interplay.generators.participants.wording.value_phrases import acronyms, capital
from interplay.generators.participants.wording.voice import WorldClock
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.sample_words import given_name
from interplay.schemas.records.blueprint import Given
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.words.calendar import day_names, month_names
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.text import normalised
from interplay.schemas.words.word_classes import can_be_noun, is_known

MADE_UP = WorldClock(TODAY, 12)
"""The time in worlds whose policy names no date: that of new rows there."""


def system_prompt(toolset: Toolset, language: str = ENGLISH, prose: bool = True, given: Given | None = None) -> str:
    """Return the assistant's system prompt in a language; without `prose`, only the enforced part of the policy is in it.

    It names the date, unless the policy does, and the `given` account that the dialogue is about.
    """
    translation, grammar = toolset.translation(language), load_grammar(language)
    plain = toolset.name.replace("_", " ").replace("-", " ")
    title = translation.title or _own_title(toolset.title) or (_title(plain) if language == ENGLISH else plain)
    policy = translation.policy or (toolset.policy if prose else toolset.ruled_policy)
    today = (
        "" if first_day(policy) is not None else _said(world_clock(toolset), grammar["system_prompt_today"], language)
    )
    text = grammar["system_prompt"].format(title=title, assistant=assistant_name(toolset.name), today=today)
    told = (
        translation.tools.get(tool.name) or tool.description.split(chr(10))[0] or tool.summary or words_of(tool.name)
        for tool in tools_of_users(toolset).values()
    )
    steps = "\n".join(f"- {step}" for step in told)
    device = grammar["system_prompt_device"].format(steps=steps) if steps else ""
    about = grammar["system_prompt_given"].format(label=given.label, value=given.value) if given is not None else ""
    return f"{text}{about}{device}\n{policy}".strip()


def _own_title(title: str) -> str:
    """Return the proper name in the title of a source: "Firefly III API v6.5.5" -> "Firefly III"; empty if it has none."""
    tokens = _without_technical(_MARKS.sub(" ", title).split())
    plain = len(tokens) == 1 and is_known(tokens[0].lower()) and can_be_noun(tokens[0].lower())
    return "" if plain or title.lower() == title or len(tokens) > _LONGEST else " ".join(tokens)


_LONGEST = 5
"""Maximum words of a proper name; a longer title describes the service."""

_MARKS, _VERSION = re.compile(r"[^\w\s.&'’+-]|\s[-–—]\s"), re.compile(r"[vV]\d+(?:\.\d+)*$|\d+(?:\.\d+)+$|[vV]ersion$")


@lru_cache(maxsize=256)
def _title(name: str) -> str:
    """Return a readable name of a service.

    team_manager_leagues_api -> Team Manager Leagues, theater -> the theater, appointment_api -> the appointment service
    """
    tokens = _OPEN.sub("openapi", name).split()
    kept = _without_technical(tokens) or tokens
    if len(kept) == 1 and is_known(kept[0]) and can_be_noun(kept[0]):
        return f"the {kept[0]}" if kept == tokens else f"the {kept[0]} service"
    return " ".join(map(capital, acronyms(" ".join(kept)).split())) or name


def _without_technical(tokens: list[str]) -> list[str]:
    """Return the words of a name without those at its ends that say what kind of thing an interface is, or its version."""
    left = list(dropwhile(_is_technical, tokens))
    return list(dropwhile(_is_technical, left[::-1]))[::-1]


def _is_technical(token: str) -> bool:
    return token.lower() in _TECHNICAL or _VERSION.match(token) is not None


_TECHNICAL = word_set("nouns", "technical")
_OPEN = re.compile(r"\bopen api\b")


def _said(clock: WorldClock, template: str, language: str) -> str:
    day = clock.day
    return template.format(
        weekday=day_names(language)[day.weekday()],
        day=day.day,
        month=month_names(language)[day.month - 1],
        year=day.year,
        hour=clock.hour,
    )


def assistant_name(toolset: str) -> str:
    """Return the first name of a toolset's assistant."""
    return given_name(Random(f"{toolset}/assistant"))


def world_clock(toolset: Toolset) -> WorldClock:
    """Return the time of dialogues with a toolset: that of its policy, else that of all made-up worlds."""
    return _told_in(toolset.policy) or MADE_UP


@lru_cache(maxsize=64)
def _told_in(policy: str) -> WorldClock | None:
    """Return the first date in a policy, with the hour beside it, if any."""
    today = first_day(policy)
    if today is None:
        return None
    line = next(line for line in policy.splitlines() if first_day(line) == today)
    opening = line.lower().partition(str(today.year))[2][:_BESIDE]
    times = sorted(normalised(opening).moments.times)
    return WorldClock(today, times[0][0] if times else None)


_BESIDE = 10
"""Characters after a date within which its time is looked for."""


def tools_of_users(toolset: Toolset) -> dict[str, Tool]:
    """Return the tools on users' own devices, by name."""
    return {tool.name: tool for tool in toolset.tools if tool.requestor == "user"}
