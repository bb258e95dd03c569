"""The oracle assistant: knows the blueprint; asks for missing facts, looks up, confirms, calls, reports."""

from collections.abc import Sequence
from typing import Any

from interplay.generators.participants.hearing.state_tracker import UNKNOWN
from interplay.generators.participants.rules.confirmation_request import ConfirmationRequest
from interplay.generators.participants.rules.device_guidance import StepRequests
from interplay.generators.participants.rules.elicitation import Elicitation, Question, explained, steered
from interplay.generators.participants.rules.goal_report import GoalReport
from interplay.generators.participants.rules.request_progress import RequestProgress
from interplay.generators.participants.rules.retry import Retry
from interplay.generators.participants.rules.tool_calls import ToolCalls
from interplay.generators.participants.wording.languages import heard_as
from interplay.generators.participants.wording.value_phrases import sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.protocols import Policy
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import STEP, DialogueAct, DialogueState, Message, ToolCall, offered_after
from interplay.schemas.records.fault import FaultKind
from interplay.schemas.records.tool import PolicyRule, ResourceModel


class OracleAssistant:
    """Plays the assistant's side of a blueprint without a model, correct by construction."""

    def __init__(
        self,
        blueprint: Blueprint,
        resources: ResourceModel,
        policy: Policy | None,
        words: Voice,
        search_tool: str | None,
        rules: Sequence[PolicyRule] = (),
        guide: StepRequests | None = None,
    ) -> None:
        """Set up the player; `guide` asks for steps on the user's own device, if there is one."""
        self._blueprint = blueprint
        self._guide = guide
        roles = resources.by_tool
        self._words = words
        self._rule = next((rule for rule in rules if rule.id == blueprint.recipe.rule), None)
        self._offered = blueprint.tools
        self._early = blueprint.scenario.early
        self._at = RequestProgress(told={fact.id for fact in blueprint.scenario.facts if fact.reveal == "before"})
        self._latest = -1
        self._paused: list[RequestProgress] = []
        self._otherwise: dict[str, Any] = {}
        self._unsettled: str | None = None
        self._soothing = ""
        self._back = False
        self._said: set[str] = set()
        self._recovery = Retry(blueprint)
        identities = {resource.name: resource.identity or "id" for resource in resources.resources}
        self._asking = Elicitation(blueprint, words, roles, identities)
        self._calling = ToolCalls(blueprint, words, roles, search_tool)
        self._confirming = ConfirmationRequest(
            blueprint, words, policy, roles, self._at.results, self._otherwise, identities, rules
        )
        self._telling = GoalReport(
            blueprint, words, roles, rules, self._recovery, self._at.results, self._confirming, identities
        )

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `Assistant.respond`."""
        heard = messages[-1]
        self._offered = offered_after(self._blueprint.tools, messages)
        if heard.role == "tool":
            self._take_results(messages)
            if self._recovery.again:
                return self._message(*self._calling.again(self._at, self._recovery.take_again()))
            return self._continue(self._recovery.take_found())
        self._hear(heard)
        before = messages[-2] if len(messages) > 1 else None
        asked = before.state.asked if before is not None and before.state else ()
        made = self._farewell(messages) if heard.act == "user_bye" else self._reply(heard, before, asked)
        if made is not None:
            return made
        self._note(heard, asked, before.act if before is not None else None)
        return self._next()

    def _reply(self, heard: Message, before: Message | None, asked: Sequence[str]) -> Message | None:
        """Return the reply to a message that does not advance the request; None if the request goes on."""
        match heard.act:
            case "insist" if before is not None and before.act == "request":
                return self._ask(self._asking.still(asked, self._rule))
            case "ask_back" if (narrowed := self._asking.narrowing(asked)) is not None:
                return self._ask(self._asking.narrowed(self._at, narrowed))
            case "ask_back":
                return self._message("request", explained(self._words, self._blueprint, asked), asked=asked)
            case "wander" if before is not None:
                text = steered(self._words, self._blueprint, before, heard)
                return self._message(before.act or "request", text, asked=asked)
            case "withhold" if not self._at.withheld:
                self._at.withheld = True
                return self._ask(self._asking.who_it_is(asked))
            case "insist":
                return self._decline(
                    "refuse", "refuse_again" if self._blueprint.safety is None else "refuse_harm_again"
                )
            case "off_topic":
                return self._decline("response_fail", "fail", wish=self._blueprint.scenario.out_of_scope)
            case "negate" if before is not None and before.act == "confirm_request":
                return self._message("clarify", self._words.draw("left_alone"))
            case "negate":
                return self._ask(
                    self._asking.another_wish(self._blueprint.scenario.requests[self._at.request][0], asked)
                )
            case "inform_intent_clear" if self._comes_early():
                self._back = True
                return self._decline("response_fail", "no_tool", "no_tool_tail")
        return None

    def _farewell(self, messages: Sequence[Message]) -> Message:
        """Say goodbye: with regret if the last thing failed, unless that was out of scope after a success."""
        before = messages[-2] if len(messages) > 1 else None
        failed = before is not None and before.act in ("response_fail", "refuse", "report_error")
        served = failed and messages[-3].act == "off_topic" and any(said.act == "response" for said in messages)
        if failed:
            return self._message("system_bye", self._words.draw("bye_mostly" if served else "bye_unserved"))
        thanked = heard_as("thanking").search(messages[-1].content.lower())
        parts = ("bye_thanked" if thanked else "bye_settled", "bye_offer", "bye")
        return self._message("system_bye", sentence(*map(self._words.draw, parts)))

    def _note(self, heard: Message, asked: Sequence[str], question: DialogueAct | None) -> None:
        """Record how a message advances the request; a yes is for the question right before it."""
        match heard.act:
            case "withhold":
                self._at.unknown |= {fact.id for fact in self._at.missing(self._blueprint, "told")}
            case "resume":
                self._at = self._paused.pop()
                self._at.look_ahead(self._blueprint)
            case "inform_intent_vague":
                self._start()
            case "inform_intent_clear":
                self._start()
                self._at.clear = True
            case "change_mind" if "changes_mind_late" in heard.behaviours:
                self._start()
                self._at.clear = True
            case "report" if heard.state is not None:
                done = [name.removeprefix(STEP) for name in heard.state.told if name.startswith(STEP)]
                self._at.results.update(dict.fromkeys(done))
                self._at.look_ahead(self._blueprint)
            case "affirm" if self._at.clear and question == "confirm_request":
                self._at.confirmed = True
            case "fail_inform":
                self._at.unknown |= {item for item in asked if not item.startswith(UNKNOWN)}
                self._at.clear = self._at.unanswered = True
            case _:
                self._at.clear = True

    def _hear(self, heard: Message) -> None:
        """Record the facts that a user tells and their values; note a contradiction."""
        if heard.state is None:
            return
        self._at.told |= set(heard.state.told)
        for name in heard.state.told:
            self._otherwise.pop(name, None)
        self._otherwise.update(heard.state.otherwise)
        done = self._blueprint.scenario.behaves("contradicts")
        if done is not None and "contradicts" in heard.behaviours and done.fact in heard.state.otherwise:
            self._unsettled = done.fact
        if heard.act == "complain":
            self._soothing = self._words.draw("soothe")

    def _comes_early(self) -> bool:
        """Tell, once, whether the next request comes before its tools are offered."""
        early = self._early
        if early is None or early.before != self._latest + 1:
            return False
        self._early = None
        return True

    def _start(self) -> None:
        """Turn to the next request."""
        before = self._at
        if before.level and before.clear:
            self._paused.append(before)
        self._latest += 1
        early = self._blueprint.scenario.early
        returns = self._back and early is not None and early.request == self._latest
        if returns:
            self._back, self._soothing = False, self._words.draw("tool_back")
        self._at = RequestProgress(request=self._latest, told=before.told, results=before.results, calls=before.calls)
        self._at.acknowledged = returns
        self._at.look_ahead(self._blueprint)
        changes = self._blueprint.changes
        self._at.searches = [change for change in changes if change.query and change.request == self._at.request]

    def _ask(self, question: Question) -> Message:
        return self._message(question.act, question.text, asked=question.asked)

    def _decline(self, act: DialogueAct, frame: str, tail: str = "fail_tail", wish: str = "") -> Message:
        said = self._telling.instead(wish) if wish else ""
        return self._message(act, sentence(self._words.draw(frame), said, self._words.draw(tail)))

    def _message(
        self,
        act: DialogueAct,
        content: str,
        calls: Sequence[ToolCall] = (),
        asked: Sequence[str] = (),
        duties: Sequence[str] = (),
    ) -> Message:
        goal = self._at.level[0].goal if self._at.level else self._last_goal()
        tool = self._blueprint.goals[goal].tool if goal is not None else None
        if self._soothing:
            content, self._soothing = self._soothing if calls else sentence(self._soothing, content), ""
        state = DialogueState(
            goal=goal,
            tool=tool if self._at.clear else None,
            filled=tuple(sorted(self._at.told)),
            asked=tuple(asked),
            next_act=act,
            duties=tuple(duties),
        )
        content = self._words.to_the_letter(content)
        said = content.lower()
        return Message(
            role="assistant",
            content=content,
            act=act,
            tool_calls=tuple(calls),
            state=state,
            spoken=tuple(value for value in self._words.take_spoken() if value.lower() in said),
        )

    def _last_goal(self) -> int | None:
        """Return the last goal of the request, for when none of its actions is left."""
        requests = self._blueprint.scenario.requests
        return requests[self._at.request][-1] if 0 <= self._at.request < len(requests) else None

    def _take_results(self, messages: tuple[Message, ...]) -> None:
        for message in reversed(messages):
            if message.role != "tool":
                break
            action = self._at.calls.get(str(message.tool_call_id))
            if action is not None and action not in self._at.results:
                self._at.results |= self._recovery.result_of(action, message, self._at.results)
        self._at.look_ahead(self._blueprint)
        self._at.confirmed = False

    def _next(self) -> Message:
        """Do what the request needs next."""
        at = self._at
        if at.clear and at.searches and at.searches[0].before in [action.id for action in at.level]:
            return self._message(*self._calling.search(at))
        if not at.clear:
            if at.searches and not at.searched:
                return self._message(*self._calling.search(at))
            wanted, at.acknowledged = self._blueprint.scenario.requests[at.request][0], True
            return self._ask(self._asking.what_is_wanted(wanted, self._offered))
        at.leave_undone(self._blueprint)
        if at.searches and at.searches[0].before is None:
            return self._message(*self._calling.search(at))
        if not at.level:
            if at.is_stranded(self._blueprint):
                return self._decline("response_fail", "fail")
            return self._message(*self._telling.report(at.request), duties=self._telling.offered(at.request))
        asked = self._question()
        if asked is not None:
            return self._ask(asked)
        lacking = at.lacking(self._blueprint)
        if lacking is not None:
            return self._message("response_fail", self._telling.cannot_without(lacking))
        if self._confirming.is_needed(at.called) and not at.confirmed:
            question, duties = self._confirming.with_duties(self._confirming.question(at.called), at.called)
            question = sentence(self._telling.held(at.called), question)
            self._said |= {*duties}
            return self._message("confirm_request", question, duties=duties)
        if self._guide is not None and at.steps and not at.called:
            return self._ask_for_step(self._guide, at.steps[0])
        held = self._telling.held(at.called)
        act, lead, calls = self._calling.next(at)
        unsaid = [action for action in at.called if any(duty.rule not in self._said for duty in action.duties)]
        lead, duties = self._confirming.with_duties(lead, unsaid) if unsaid else (lead, ())
        return self._message(act, sentence(held, lead) if held else lead, calls, duties=duties)

    def _question(self) -> Question | None:
        """Return the question to ask before the next calls, if any."""
        at, scenario = self._at, self._blueprint.scenario
        if self._unsettled is not None:
            name, self._unsettled = self._unsettled, None
            return self._asking.which_value(scenario.fact(name), self._confirming.fact(name))
        missing, choices = at.missing(self._blueprint, "told"), at.missing(self._blueprint, "choice")
        mistaken = [fact for fact in missing if fact.instead_of in at.told]
        if mistaken:
            return self._asking.another(mistaken[0])
        if choices:
            return self._asking.choice(at, choices[0])
        unknown = self._asking.identity(at)
        if unknown is not None:
            return unknown
        return self._asking.facts(at, missing) if missing else None

    def _ask_for_step(self, guide: StepRequests, action: Action) -> Message:
        """Ask the user for a step on its own device."""
        looked = any(
            other.goal == action.goal and other.requestor == "assistant" and other.id in self._at.results
            for other in self._blueprint.calls
        )
        text = guide.ask(action, self._confirming.details([action]), looked)
        return self._message("guide", text, asked=[STEP + action.id])

    def _continue(self, failed: FaultKind | None) -> Message:
        """Do what comes next; if a call failed and its result is already known, say so first."""
        if failed is None:
            return self._next()
        self._telling.detour = self._words.draw(f"found_{failed}")
        made = self._next()
        lead, self._telling.detour = self._telling.detour, ""
        return made.model_copy(update={"content": f"{lead} {made.content}".strip()}) if lead else made
