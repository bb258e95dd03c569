"""A toolset and a language -> the assistant's system prompt: who it is, what day it is, and the policy."""

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
"""When it is in worlds whose policy says nothing of it: as rows that are new there are stamped."""


def system_prompt(toolset: Toolset, language: str = ENGLISH, prose: bool = True, given: Given | None = None) -> str:
    """Return what the assistant is told in a language, with the policy; without `prose`, with what is enforced of it.

    It says what day it is, unless the policy does, and what is `given`: which account all is about.
    """
    translation, grammar = toolset.translation(language), load_grammar(language)
    plain = toolset.name.replace("_", " ").replace("-", " ")
    title = translation.title or (_title(plain) if language == ENGLISH else plain)
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


@lru_cache(maxsize=256)
def _title(name: str) -> str:
    """Return what people call a service.

    team_manager_leagues_api -> Team Manager Leagues, theater -> the theater, appointment_api -> the appointment service
    """
    tokens = _OPEN.sub("openapi", name).split()
    kept = list(dropwhile(_TECHNICAL.__contains__, tokens))
    kept = list(dropwhile(_TECHNICAL.__contains__, kept[::-1]))[::-1] or tokens
    if len(kept) == 1 and is_known(kept[0]) and can_be_noun(kept[0]):
        return f"the {kept[0]}" if kept == tokens else f"the {kept[0]} service"
    return " ".join(map(capital, acronyms(" ".join(kept)).split())) or name


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
    """Return what the assistant of a toolset is called."""
    return given_name(Random(f"{toolset}/assistant"))


def world_clock(toolset: Toolset) -> WorldClock:
    """Return when dialogues with a toolset take place: when its policy says, else when it is in all made-up worlds."""
    return _told_in(toolset.policy) or MADE_UP


@lru_cache(maxsize=64)
def _told_in(policy: str) -> WorldClock | None:
    """Return the first day that a policy names, with the time beside it if there is one."""
    today = first_day(policy)
    if today is None:
        return None
    line = next(line for line in policy.splitlines() if first_day(line) == today)
    opening = line.lower().partition(str(today.year))[2][:_BESIDE]
    times = sorted(normalised(opening).moments.times)
    return WorldClock(today, times[0][0] if times else None)


_BESIDE = 10
"""Characters after a day within which its time stands."""


def tools_of_users(toolset: Toolset) -> dict[str, Tool]:
    """Return the tools that users have on their own device, by name."""
    return {tool.name: tool for tool in toolset.tools if tool.requestor == "user"}
