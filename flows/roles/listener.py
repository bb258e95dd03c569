"""The words of a dialogue -> its acts and states, as rules that play beside a model understand them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from interplay.flows.roles.system_prompt import world_clock
from interplay.generators.participants.hearing.assistant_reader import AssistantReader
from interplay.generators.participants.hearing.state_tracker import StateTracker
from interplay.generators.participants.hearing.task_translation import in_words_of, tool_in_words_of
from interplay.generators.participants.hearing.user_reader import UserReader
from interplay.generators.participants.wording.languages import ENGLISH, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.own_phrases import own_phrases
from interplay.generators.phrases.labels.field_labels import OWN_NAMES
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import mentions
from interplay.validators.findings.translated_values import TranslatedValues


def open_listener(
    blueprint: Blueprint,
    own: Mapping[str, Tool] | None = None,
    toolset: Toolset | None = None,
    today: date | None = None,
) -> StateTracker:
    """Return the tracker of one dialogue about a blueprint; `own` are the tools of the user, by name.

    Dates may be relative to `today`, by default the day in the world of the toolset. In languages other than English, the
    `toolset` holds the translations of names and values.
    """
    code, today = blueprint.scenario.language, today or (None if toolset is None else world_clock(toolset).day)
    glossary = None if toolset is None else TranslatedValues(toolset)

    def says(text: str, value: Any, schema: Mapping[str, Any], name: str) -> bool:
        return mentions(glossary.gloss(text, code) if glossary else text, value, schema, name, today)

    language = load_language(code, blueprint.scenario.persona.tone)
    naming = dict.fromkeys(OWN_NAMES, language.grammar["assistant"]["request_name"])
    askings: Mapping[str, Sequence[str]] = (
        naming if toolset is None else {**naming, **own_phrases(toolset.tools).askings, **toolset.askings}
    )
    if code != ENGLISH and toolset is not None:
        lexicon = Lexicon(language, toolset.translation(code))
        blueprint = in_words_of(blueprint, lexicon)
        askings = {**naming, **lexicon.own.askings}
        own = {name: tool_in_words_of(tool, lexicon) for name, tool in (own or {}).items()}
    return StateTracker(blueprint, UserReader(says), AssistantReader(says, own or {}, askings))


def with_acts(
    trajectory: Trajectory,
    blueprint: Blueprint,
    own: Mapping[str, Tool] | None = None,
    toolset: Toolset | None = None,
    listener: StateTracker | None = None,
) -> Trajectory:
    """Return a trajectory whose messages all have acts and states; for messages of models, they are read from the words.

    A `listener` may have followed the dialogue already.
    """
    before, since = trajectory.messages[: blueprint.begins], trajectory.messages[blueprint.begins :]
    if all(message.state is not None or message.role == "tool" for message in since):
        return trajectory
    listener = listener or open_listener(blueprint, own, toolset, first_day(trajectory.system_prompt))
    return trajectory.model_copy(update={"messages": (*before, *listener.track(since))})
