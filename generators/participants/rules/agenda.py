"""The agenda user: follows its scenario act by act, reveals facts step by step, and never sees the tools."""

from collections.abc import Collection, Sequence
from datetime import date
from itertools import takewhile
from typing import Any

from interplay.generators.participants.hearing.state_tracker import UNKNOWN
from interplay.generators.participants.rules.conduct import Conduct
from interplay.generators.participants.rules.device_guidance import DeviceUser
from interplay.generators.participants.rules.listed_choice import is_listed, is_mistaken, value_meant
from interplay.generators.participants.rules.request_phrases import RequestPhrases
from interplay.generators.participants.wording.asides import say_afterthought, say_aside
from interplay.generators.participants.wording.deed_phrases import wish_kind
from interplay.generators.participants.wording.fact_phrases import say_choice
from interplay.generators.participants.wording.value_phrases import capital, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.wish_phrases import say_vaguely, say_wish
from interplay.generators.phrases.lackable_facts import is_decided
from interplay.generators.phrases.speakable_values import is_moment
from interplay.generators.results.result_kinds import is_empty
from interplay.schemas.json.canonical import last_name
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.blueprint import Fact, Goal, Scenario
from interplay.schemas.records.dialogue import DialogueAct, DialogueState, Message
from interplay.schemas.words.mentions import contradicts, mentions
from interplay.schemas.words.text import normalised

_DAY = len("2026-03-02")

_SEVERAL = 2
"""Number of a model's questions in one message from which on all open facts are told."""

_THANKED, _CURT = 0.75, 0.1
"""Probabilities that a user reacts to an answer before it goes on, and that it then ends with a good wish alone."""

_WORDLESS = 0.8
"""Probability that a satisfied user, after more than one turn, leaves without a word, as recorded ones do."""


class AgendaUser:
    """Plays a scenario: brings up its requests in order, answers questions, and ends when all is settled."""

    def __init__(
        self,
        scenario: Scenario,
        goals: Sequence[Goal],
        words: Voice,
        vague: bool,
        left: bool | None = None,
        hands: DeviceUser | None = None,
        sought: Collection[str] = (),
    ) -> None:
        """Set up the player; `left` tells, if there was a dialogue before, whether its last question is unanswered.

        `hands` makes the steps on the user's own device, if it has one. `sought` facts only serve a look-up: a user who is asked
        whether to go ahead need not tell them any more.
        """
        self._scenario = scenario
        self._goals = goals
        self._words = words
        self._vague = vague
        self._request = self._latest = -1
        self._waiting: tuple[int, str] | None = None
        self._conduct = Conduct(scenario, words)
        self._requests = RequestPhrases(scenario, goals, words, self._conduct)
        self._left = left
        self._hands = hands
        self._sought = frozenset(sought)
        self._narrowed: set[str] = set()
        self._corrected: set[str] = set()
        self._told: list[str] = [fact.id for fact in scenario.facts if fact.reveal == "before"]
        self._off_topic = scenario.out_of_scope
        self._early = scenario.early
        self._refused = False
        self._pressure = scenario.pressure
        self._messages: tuple[Message, ...] = ()

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `User.respond`."""
        self._messages = messages
        heard = messages[-1] if messages else None
        if heard is None:
            return self._open()
        if heard.role == "tool" and self._hands is not None:
            done, text = self._hands.told(messages)
            return self._message("report", text, done)
        asked = heard.state.asked if heard.state else ()
        match heard.act:
            case "guide" if self._hands is not None and (calls := self._hands.calls(asked)):
                return self._message("perform", "").model_copy(update={"tool_calls": calls})
            case "request":
                return self._instead(asked) or self._answer(asked, heard)
            case "clarify":
                return self._specify(asked)
            case "suggest":
                return self._instead(asked) or self._narrow(asked, messages) or self._judge(asked, messages)
            case "confirm_request" if heard.model and (denied := self._denied(heard.content)):
                said = self._requests.said(denied)
                return self._message("negate", sentence(self._words.draw("negate"), capital(said)))
            case "confirm_request" if heard.model and (meant := self._mistaken(messages)):
                return self._choose(meant, self._words.draw("negate"), value_meant(meant, messages, self._today))
            case "confirm_request" if heard.model and (untold := self._undone(heard.content)):
                return self._add(untold)
            case "confirm_request" if self._pressure == "no_questions":
                self._pressure = None
                return self._message("affirm", sentence(self._words.draw("affirm"), self._words.draw("affirm_pressed")))
            case "confirm_request":
                return self._agree()
            case "refuse" if self._pressure is not None:
                frame, self._pressure = f"insist_{self._pressure}", None
                return self._message("insist", capital(self._words.draw(frame)))
            case "response_fail" | "refuse" | "report_error":
                return self._go_on(self._words.draw("accept_for_now" if self._refused else "accept"), failed=True)
            case "response" if self._is_served(messages) and self._words.rng.random() < _WORDLESS:
                return self._message("user_bye", "")
            case _:
                return self._go_on(self._thanks() if self._words.rng.random() < _THANKED else "")

    def _is_served(self, messages: Sequence[Message]) -> bool:
        """Tell whether nothing is left to bring up, after more than one turn."""
        over = self._latest + 1 >= len(self._scenario.requests) and self._waiting is None and not self._off_topic
        return over and sum(message.role == "user" for message in messages) > 1

    def _thanks(self) -> str:
        """Say thanks, depending on whether the last request was a question or an action, and whether anything was found."""
        goals = self._scenario.requests[self._request] if 0 <= self._request < len(self._scenario.requests) else ()
        kinds = {wish_kind(self._goals[goal].intent) for goal in goals}
        since = takewhile(lambda message: message.role != "user", reversed(self._messages))
        results = [json_value(message.content) for message in since if message.role == "tool"]
        told = "thanks_nothing" if results and all(map(is_empty, results)) else "thanks_told"
        return self._words.draw("thanks" if len(kinds) != 1 else told if "look" in kinds else "thanks_done")

    def _instead(self, asked: Sequence[str]) -> Message | None:
        """Return what the user says or requests instead of an answer, if anything."""
        held = self._conduct.holds_back(asked)
        if held is not None:
            return self._message(held.act, held.content)
        done = self._conduct.interrupts(self._request, asked)
        if done is None:
            return None
        self._waiting = (self._request, done.at)
        self._request = self._latest = self._latest + 1
        text, told = self._wish(self._words.draw("interrupt"))
        return self._message("inform_intent_clear", text, told)

    def _agree(self) -> Message:
        turn = self._conduct.at_confirmation(self._request)
        if turn is not None:
            return self._message(turn.act, turn.content)
        other = self._conduct.reconsiders(self._request)
        if other is not None:
            act, text, told = other
            return self._message(act, sentence(text), told)
        return self._message("affirm", sentence(self._words.draw("affirm"), self._words.draw("affirm_tail")))

    def _resume(self, lead: str) -> Message:
        """Return to the request that was left for another one."""
        assert self._waiting is not None
        self._request, at = self._waiting
        self._waiting = None
        self._conduct.shown.append("comes_back")
        fact = self._scenario.fact(at)
        back = say_wish(self._words, "resume", self._goals[fact.goal].intent)
        said = (
            self._words.draw("choose", choice=say_choice(self._words, fact))
            if fact.choice
            else self._requests.said([fact])
        )
        return self._message("resume", sentence(lead, capital(back), capital(said)), [at])

    def _message(self, act: DialogueAct, content: str, told: Sequence[str] = ()) -> Message:
        self._told += [fact for fact in told if fact not in self._told]
        goal = self._scenario.requests[self._request][0] if 0 <= self._request < len(self._scenario.requests) else None
        return self._about(goal, act, content, told)

    def _about(self, goal: int | None, act: DialogueAct, content: str, told: Sequence[str] = ()) -> Message:
        shown, otherwise = self._conduct.taken()
        state = DialogueState(goal=goal, filled=tuple(self._told), told=tuple(told), otherwise=otherwise)
        content = self._words.to_the_letter(content)
        spoken = self._words.take_spoken()
        content = self._words.styled(content, spoken)
        return Message(role="user", content=content, act=act, state=state, spoken=spoken, behaviours=shown)

    def _open(self) -> Message:
        greeting = [self._words.draw("greeting")] if self._left is None else self._go_over()
        if self._early is not None and self._early.before == 0:
            return self._try_early(*greeting)
        self._request = self._latest = 0
        if self._vague:
            new = wish_kind(self._goals[self._scenario.requests[0][0]].intent) == "create"
            hint = say_vaguely(self._words, self._requests.topic(self._request), new)
            return self._message("inform_intent_vague", sentence(*greeting, capital(hint), self._aside()))
        text, told = self._wish(*greeting)
        return self._message("inform_intent_clear", sentence(text, self._aside()), told)

    def _aside(self) -> str:
        """Make a remark about oneself, unless the user has talked before or is in a hurry."""
        hurried = self._scenario.behaves("impatient") is not None  # and says so anyway
        plain = self._left is None and not hurried and not self._requests.reasoned and not self._words.candid
        first = self._goals[self._scenario.requests[0][0]]
        return say_aside(self._words, does=not first.asks and wish_kind(first.intent) != "look") if plain else ""

    def _go_over(self) -> list[str]:
        """Change the subject after an earlier dialogue."""
        if self._left:
            return [self._words.draw("leave_it")]
        return [self._words.draw("thanks") if self._words.rng.random() < 0.5 else "", self._words.draw("next")]

    def _try_early(self, *lead: str) -> Message:
        """Bring up a request before its turn, without its facts."""
        assert self._early is not None
        self._early, self._refused = None, True
        goal = self._scenario.requests[self._scenario.early.request if self._scenario.early else 0][0]
        text = sentence(*lead, capital(say_wish(self._words, "request", self._goals[goal].intent)))
        return self._about(goal, "inform_intent_clear", text)

    def _wish(self, *lead: str, frame: str = "request") -> tuple[str, list[str]]:
        return self._requests.request(self._request, *lead, frame=frame, pressure=self._pressure)

    def _answer(self, asked: Sequence[str], heard: Message) -> Message:
        missing = [item[len(UNKNOWN) :] for item in asked if item.startswith(UNKNOWN)]
        known = self._requests.known_by(self._request, missing[0]) if missing else []
        if known:
            asked = known
        elif missing:
            frame, tail = self._words.unknown(missing[0]), self._words.draw("unknown_tail")
            said = capital(self._words.draw(frame, label=missing[0]))
            return self._message("fail_inform", sentence(said, capital(tail)))
        if self._pressure == "no_identity":
            self._pressure = None
            return self._message("insist", capital(self._words.draw("insist_no_identity")))
        if not asked:
            return self._specify()
        facts = [self._scenario.fact(item) for item in asked]
        never = next((fact for fact in facts if fact.reveal == "never"), None)
        if never is not None:
            frames = (
                ("undecided", "undecided_tail") if is_decided(never.label, never.hint) else ("unknown", "never_tail")
            )
            text = sentence(*(capital(self._words.draw(frame, label=never.label)) for frame in frames))
            return self._message("fail_inform", text)
        facts += self._beside(facts, heard)
        also, more = (
            self._requests.late(self._request, self._told)
            if not any(fact.reveal == "late" for fact in facts)
            else ("", [])
        )
        act, lead = self._conduct.lead(facts) or ("inform", self._words.draw("lead"))
        answer = self._requests.said(facts, alone=not heard.model)
        answer = answer if act == "inform" else capital(answer)
        act, other, anew = self._anew(act, asked)
        text = sentence(lead, answer, other, capital(also), say_afterthought(self._words))
        return self._message(act, text, [*(fact.id for fact in facts), *anew, *more])

    def _beside(self, facts: Sequence[Fact], heard: Message) -> list[Fact]:
        """Return further facts to tell a model that asks several questions: all open ones of the same goals."""
        if not heard.model or heard.content.count("?") < _SEVERAL:
            return []
        goals, planned = {fact.goal for fact in facts}, self._scenario.behaviours
        held = {name for done in planned for name in (done.fact, done.at)}
        return [
            fact
            for fact in self._untold("")
            if fact.goal in goals and fact not in facts and fact.choice is None and fact.id not in held
        ]

    def _anew(self, act: DialogueAct, asked: Sequence[str]) -> tuple[DialogueAct, str, list[str]]:
        """Return the act of an answer, and what the user retracts with it."""
        taken_back = (self._conduct.reconsiders(self._request, at) for at in asked)
        return next((found for found in taken_back if found is not None), (act, "", []))

    def _specify(self, asked: Sequence[str] = ()) -> Message:
        text, told = self._wish(frame="specify")
        known = (*told, *self._told)
        also = [fact for fact in map(self._scenario.fact, asked) if fact.id not in known and fact.reveal != "never"]
        text = sentence(text, capital(self._requests.said(also))) if also else text
        return self._message("inform_intent_clear_add", text, [*told, *(fact.id for fact in also)])

    def _narrow(self, asked: Sequence[str], messages: Sequence[Message]) -> Message | None:
        """Ask for the day or the name of a choice that was not shown in a long list."""
        chosen = [fact for fact in self._scenario.facts if fact.id in asked and fact.choice and fact.action]
        if not chosen or chosen[0].description is not None or chosen[0].id in self._narrowed:
            return None
        if not any(message.role == "tool" for message in messages):  # nothing was looked up to choose from
            return self._message("ask_back", capital(self._words.draw("ask_options", label=chosen[0].label)))
        if not chosen[0].value or messages[-1].model:
            return None
        told = [(at, value) for at, value in chosen[0].value.items() if not isinstance(value, bool)]
        values = [(self._words.translated(value), last_name(at)) for at, value in told]
        said = (said.content for said in reversed(messages) if said.role == "assistant" and said.content)
        if any(all(mentions(text, value, name=name, today=self._today) for value, name in values) for text in said):
            return None
        self._narrowed.add(chosen[0].id)
        day = next((value[:_DAY] for value in chosen[0].value.values() if is_moment(value)), "")
        named = next((value for value in chosen[0].value.values() if isinstance(value, str)), "")
        if not day and not named:
            return None
        frame = "narrow_day" if day else "narrow_name"
        return self._message("ask_back", sentence(self._words.draw(frame, value=self._words.value(day or named))))

    def _loosely(self, fact: Fact, offered: str) -> str:
        """Refer to one of two times, or to the only item offered, after the user has narrowed its choice; else empty."""
        own = next((value[_DAY + 1 :][:5] for value in fact.value.values() if is_moment(value)), "")
        times = sorted(normalised(offered).moments.times)
        if fact.id not in self._narrowed or len(times) > 2:
            return ""
        if len(times) < 2:
            named = [(at, value) for at, value in fact.value.items() if isinstance(value, str) and not is_moment(value)]
            shown = all(mentions(offered, self._words.translated(value), name=last_name(at)) for at, value in named[:1])
            return self._words.draw("choose_that") if shown else ""
        return self._words.draw("choose_earlier" if own == f"{times[0][0]:02d}:{times[0][1]:02d}" else "choose_later")

    @property
    def _today(self) -> date | None:
        return None if self._words.now is None else self._words.now.day

    def _mistaken(self, messages: Sequence[Message]) -> Fact | None:
        """Return a choice that the assistant has taken for another item of the list."""
        goals = self._scenario.requests[self._request]
        chosen = [fact for fact in self._scenario.facts if fact.goal in goals and fact.choice and fact.id in self._told]
        for fact in chosen:
            others = [value for other in chosen if other.id != fact.id for value in other.value.values()]
            if (
                not fact.description
                and fact.id not in self._corrected
                and is_mistaken(fact, messages, others, self._today)
            ):
                self._corrected.add(fact.id)
                return fact
        return None

    def _denied(self, text: str) -> list[Fact]:
        """Return the flags that the user has told, and that a confirmation request contradicts."""
        goals = self._scenario.requests[self._request]
        touched = {
            done.fact for done in self._scenario.behaviours
        }  # these may have been told with another value so far
        told = [fact for fact in self._scenario.facts if fact.goal in goals and fact.id in {*self._told} - touched]
        return [fact for fact in told if isinstance(fact.value, bool) and contradicts(text, fact.value, fact.label)]

    def _undone(self, text: str) -> list[Fact]:
        """Return the untold facts that matter for the action to confirm."""
        return [fact for fact in self._untold(text) if fact.id not in self._sought]

    def _untold(self, text: str) -> list[Fact]:
        """Return the facts that the user has not told and that a confirmation request does not mention."""
        goals = self._scenario.requests[self._request]
        waiting = (
            fact
            for fact in self._scenario.facts
            if fact.goal in goals
            and fact.id not in self._told
            and fact.reveal != "never"
            and not (fact.description or fact.instead_of or self._goals[fact.goal].condition)
        )
        return [
            fact for fact in waiting if not all(mentions(text, *told, today=self._today) for told in _by_what(fact))
        ]

    def _add(self, facts: Sequence[Fact]) -> Message:
        """Tell further facts before the action is made without them."""
        chosen = [say_choice(self._words, fact) for fact in facts if fact.choice]
        plain = [fact for fact in facts if not fact.choice]
        said = self._words.draw("choose", choice=self._words.language.speech["and"].join(chosen)) if chosen else ""
        also = self._words.draw("also_now", said=self._requests.said(plain)) if plain else ""
        act: DialogueAct = "choose" if chosen else "inform"
        return self._message(act, sentence(capital(said), capital(also)), [fact.id for fact in facts])

    def _choose(self, fact: Fact, lead: str, value: str) -> Message:
        """Repeat which item is meant, by its `value` if that is given."""
        chosen = self._words.draw("choose", choice=value or say_choice(self._words, fact))
        return self._message("choose", sentence(lead, capital(chosen)), [fact.id])

    def _judge(self, asked: Sequence[str], messages: Sequence[Message]) -> Message:
        """Accept or decline a suggestion: a goal (`goal:N`), or one of several items found."""
        if asked and asked[0].startswith("goal:"):
            indices = self._scenario.requests[self._request]
            if int(asked[0].removeprefix("goal:")) != indices[0]:
                return self._message(
                    "negate", sentence(self._words.draw("negate"), capital(self._words.draw("negate_tail")))
                )
            text, told = self._wish(self._words.draw("affirm"), frame="")
            return self._message("affirm", text, told)
        every, heard = [self._scenario.fact(item) for item in asked], messages[-1]
        facts = [fact for fact in every if fact.choice]
        plain = [fact for fact in every if not fact.choice and fact.reveal != "never"]
        meant = [value_meant(fact, messages, self._today) if heard.model else "" for fact in facts]
        named = [value or say_choice(self._words, fact) for value, fact in zip(meant, facts, strict=True)]
        chosen = self._words.language.speech["and"].join(named)
        act, other, anew = self._anew("choose", asked)
        also, more = self._requests.late(self._request, self._told)
        loosely = self._loosely(facts[0], heard.content) if len(facts) == 1 else ""
        unseen = heard.model and not any(is_listed(fact, messages) for fact in facts)
        frame = "choose_unseen" if unseen else "choose"
        chosen = loosely or sentence(self._words.draw("choose_lead"), self._words.draw(frame, choice=chosen))
        text = sentence(chosen, capital(self._requests.said(plain)), other, capital(also))
        return self._message(act, text, [*asked, *anew, *more])

    def _go_on(self, lead: str, failed: bool = False) -> Message:
        """Bring up what is next: something out of scope, the next request, or the end."""
        if self._waiting is not None:
            return self._resume(lead)
        if self._off_topic and (self._latest + 1 >= len(self._scenario.requests) or self._words.rng.random() < 0.4):
            text = sentence(lead, capital(self._words.draw("off_topic", intent=self._off_topic)))
            self._off_topic = ""
            self._conduct.shown.append("asks_impossible")
            return self._about(None, "off_topic", text)
        if self._early is not None and self._early.before == self._latest + 1:
            return self._try_early(lead, self._words.draw("next"))
        just_refused, self._refused = self._refused, False
        if self._latest + 1 < len(self._scenario.requests):
            self._request = self._latest = self._latest + 1
            if self._scenario.early is not None and self._scenario.early.request == self._request:
                frame = "try_again" if just_refused else "come_back"
                text, told = self._wish("" if just_refused else lead, frame=frame)
                return self._message("inform_intent_clear", text, told)
            if self._scenario.behaves("changes_mind_late", self._request):
                text, told = self._wish()
                return self._message("change_mind", text, told)
            text, told = self._wish(lead, self._words.draw("next"))
            return self._message("inform_intent_clear", text, told)
        return self._message("user_bye", self._leave(lead if failed else ""))

    def _leave(self, lead: str) -> str:
        """Say that there is nothing else, with or without thanks and a wish; after thanks, a goodbye alone may do.

        A `lead` says that the last request failed, so that not everything is called done.
        """
        thanks = lead or (self._thanks() if self._words.rng.random() < _THANKED else "")
        done, wish = (self._words.draw(key) for key in ("bye_lost" if lead else "bye_done", "bye_wish"))
        if thanks and not lead and wish and self._words.rng.random() < _CURT:
            done = ""
        return sentence(thanks, capital(done), wish)


def _by_what(fact: Fact) -> list[tuple[Any, dict[str, Any], str]]:
    """Return the values, schemas and names by which a fact is recognised in a text; none for a choice by position."""
    if fact.choice is None:
        return [(fact.value, fact.hint, fact.label)]
    return [(value, {}, last_name(at)) for at, value in fact.value.items()]
