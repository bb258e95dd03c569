"""The oracle assistant: knows the blueprint; asks for what is missing, looks up, confirms, calls, reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.participants.answering import explained, steered, which_holds
from interplay.generators.participants.guiding import Guide
from interplay.generators.participants.listening import UNKNOWN
from interplay.generators.participants.recovering import Recovery
from interplay.generators.participants.reporting import clauses, display, list_of, listing
from interplay.generators.participants.speech import capital, sentence
from interplay.generators.participants.wording import Words
from interplay.generators.values.results import is_empty
from interplay.generators.values.speakable import identity_label, speakable_leaves
from interplay.schemas.blueprint import Action, Blueprint, Condition, ExpectedOutput, Fact, ToolChange
from interplay.schemas.canonical import at_pointer, digest
from interplay.schemas.dialogue import STEP, DialogueAct, DialogueState, Message, ToolCall, offered_after
from interplay.schemas.fault import FaultKind
from interplay.schemas.fields import name_tokens, singular
from interplay.schemas.protocols import Policy
from interplay.schemas.tools import PolicyRule, ResourceModel

LISTED = 4
"""Items that are named before the assistant says "for example"."""


_SAID_OF_MAKING = {**dict.fromkeys(("update", "change", "edit", "modify", "rename", "set", "move", "replace"), "updated"),
                   **dict.fromkeys(("delete", "remove", "erase", "destroy", "clear", "purge"), "deleted"),
                   **dict.fromkeys(("get", "see", "check", "search", "find", "list", "run", "execute", "validate", "verify", "process", "test",
                                    "send", "refresh", "stop", "cancel", "void", "restore", "sync", "start", "trigger"), "done")}  # fmt: skip
"""Verbs of what makes something by its address alone -> what is said of it once it is done."""
"""First words of wishes that make nothing new, though the call may be one that mostly does."""


_IDENTITY = {"id", "ids", "gid", "uuid", "guid", "key", "number", "no", "name", "exposed", "slug", "code", "body",
             "username", "usernames"}  # fmt: skip
"""Words of parameters that say only that they take an identity."""


@dataclass
class Progress:
    """Where the assistant stands in the blueprint."""

    request: int = -1
    level: list[Action] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    results: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    confirmed: bool = False
    searches: list[ToolChange] = field(default_factory=list)
    searched: list[ToolChange] = field(default_factory=list)
    listed: set[tuple[str, str]] = field(default_factory=set)
    probed: bool = False
    suggested: int = 0
    clear: bool = False
    asked_before: bool = False
    unanswered: bool = False
    unknown: set[str] = field(default_factory=set)
    withheld: bool = False


def _in_vain(messages: Sequence[Message]) -> bool:
    """Tell whether a user says goodbye who has been told that what it wanted last is not done."""
    told = next((message.act for message in reversed(messages) if message.role == "assistant"), None)
    return told in ("response_fail", "refuse", "report_error")


class OracleAssistant:
    """Plays the assistant's side of a blueprint without a model, correct by construction."""

    def __init__(
        self,
        blueprint: Blueprint,
        resources: ResourceModel,
        policy: Policy | None,
        words: Words,
        search_tool: str | None,
        rules: Sequence[PolicyRule] = (),
        guide: Guide | None = None,
    ) -> None:
        """Note what is known; `guide` asks for steps on the user's own device, where there is one."""
        self._blueprint = blueprint
        self._guide = guide
        self._roles = {role.tool: role for role in resources.roles}
        self._identities = {resource.name: resource.identity or "id" for resource in resources.resources}
        self._policy = policy
        self._words = words
        self._search_tool = search_tool
        self._rules = rules
        self._offered = blueprint.tools
        self._early = blueprint.scenario.early
        self._at = Progress(told={fact.id for fact in blueprint.scenario.facts if fact.reveal == "before"})
        self._latest = -1
        self._paused: list[Progress] = []
        self._otherwise: dict[str, Any] = {}
        self._unsettled: str | None = None
        self._soothing = self._detour = ""
        self._recovery = Recovery(blueprint)

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `Assistant.respond`."""
        heard = messages[-1]
        self._offered = offered_after(self._blueprint.tools, messages)
        if heard.role == "tool":
            self._take_results(messages)
            return self._try_again() if self._recovery.again else self._on_with(self._recovery.take_found())
        self._hear(heard)
        asked = messages[-2].state.asked if len(messages) > 1 and messages[-2].state else ()
        match heard.act:
            case "insist" if len(messages) > 1 and messages[-2].act == "request":
                return self._insist_on(messages[-2])
            case "ask_back":
                goal = self._at.level[0].goal if self._at.level else None
                return self._message("request", explained(self._words, self._blueprint, asked, goal), asked=asked)
            case "wander":
                before = messages[-2]
                act = before.act or "request"
                return self._message(act, steered(self._words, self._blueprint, before), asked=asked)
            case "withhold" if not self._at.withheld:
                self._at.withheld = True
                labels = self._words.labels([self._blueprint.scenario.fact(name) for name in asked])
                return self._message("request", self._words.draw("must_identify", labels=labels), asked=asked)
            case "withhold":
                self._at.unknown |= {fact.id for fact in self._missing("told")}
            case "resume":
                self._at = self._paused.pop()
                self._at.level = self._ready()
            case "change_mind" if "changes_mind_late" in heard.behaviours:
                self._start()
                self._at.clear = True
            case "insist":
                frame = "refuse_again" if self._blueprint.safety is None else "refuse_harm_again"
                return self._message("refuse", sentence(self._words.draw(frame), self._words.draw("fail_tail")))
            case "off_topic":
                return self._message("response_fail", sentence(self._words.draw("fail"), self._words.draw("fail_tail")))
            case "user_bye":
                return self._message("system_bye", self._words.draw("bye_unserved" if _in_vain(messages) else "bye"))
            case "inform_intent_vague":
                self._start()
                return self._disambiguate()
            case "negate":
                return self._suggest_goal(self._blueprint.scenario.requests[self._at.request][0], again=True)
            case "inform_intent_clear":
                if self._comes_early():
                    return self._message(
                        "response_fail", sentence(self._words.draw("no_tool"), self._words.draw("no_tool_tail"))
                    )
                self._start()
                self._at.clear = True
            case "report" if heard.state is not None:
                done = [name.removeprefix(STEP) for name in heard.state.told if name.startswith(STEP)]
                self._at.results.update(dict.fromkeys(done))
                self._at.level = self._ready()
            case "affirm" if self._at.clear:
                self._at.confirmed = True
            case "fail_inform":
                self._at.unknown |= {item for item in asked if not item.startswith(UNKNOWN)}
                self._at.clear = self._at.unanswered = True
            case _:
                self._at.clear = True
        return self._next()

    def _hear(self, heard: Message) -> None:
        """Take in what a user tells, and in which value; note where it says two."""
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

    def _fact(self, name: str) -> Fact:
        """Return a fact as the user has told it so far."""
        fact = self._blueprint.scenario.fact(name)
        return fact.model_copy(update={"value": self._otherwise[name]}) if name in self._otherwise else fact

    def _comes_early(self) -> bool:
        """Tell whether the next request is one whose tools are not there yet; it is so once."""
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
        self._at = Progress(request=self._latest, told=before.told, results=before.results, calls=before.calls)
        self._at.level = self._ready()
        changes = self._blueprint.changes
        self._at.searches = [change for change in changes if change.query and change.request == self._at.request]

    def _ready(self) -> list[Action]:
        """Return the actions of the request that can run now: all that they depend on has run."""
        goals = self._blueprint.scenario.requests[self._at.request]
        return [
            action
            for action in self._blueprint.actions
            if action.goal in goals
            and action.id not in self._at.results
            and all(needed in self._at.results for needed in action.depends_on)
        ]

    def _message(
        self, act: DialogueAct, content: str, calls: Sequence[ToolCall] = (), asked: Sequence[str] = ()
    ) -> Message:
        goal = self._at.level[0].goal if self._at.level else None
        tool = self._blueprint.goals[goal].tool if goal is not None else None
        content, self._soothing = sentence(self._soothing, content) if self._soothing else content, ""
        state = DialogueState(
            goal=goal,
            tool=tool if self._at.clear else None,
            filled=tuple(sorted(self._at.told)),
            asked=tuple(asked),
            next_act=act,
        )
        return Message(
            role="assistant",
            content=content,
            act=act,
            tool_calls=tuple(calls),
            state=state,
            spoken=self._words.take_spoken(),
        )

    def _call_id(self, action: str) -> str:
        return "c" + digest([self._blueprint.id, action, len(self._at.calls)])[:8]

    def _take_results(self, messages: tuple[Message, ...]) -> None:
        for message in reversed(messages):
            if message.role != "tool":
                break
            action = self._at.calls.get(str(message.tool_call_id))
            if action is not None and action not in self._at.results:
                self._at.results |= self._recovery.settle(action, message, self._at.results)
        self._at.level = self._ready()
        self._at.confirmed = False

    def _disambiguate(self) -> Message:
        """Find out what a vague user wants: ask openly, or suggest."""
        if self._at.searches and not self._at.searched:
            return self._search()
        wanted = self._blueprint.goals[self._blueprint.scenario.requests[self._at.request][0]]
        if self._words.rng.random() < 0.5 or wanted.tool not in self._offered:
            return self._message("clarify", self._words.draw("clarify"))
        return self._first_suggestion()

    def _first_suggestion(self) -> Message:
        wanted = self._blueprint.scenario.requests[self._at.request][0]
        others = [
            index
            for index, goal in enumerate(self._blueprint.goals)
            if goal.tool != self._blueprint.goals[wanted].tool and goal.tool in self._offered
        ]
        if others and self._words.rng.random() < 0.5:
            return self._suggest_goal(self._words.rng.choice(others))
        return self._suggest_goal(wanted)

    def _suggest_goal(self, goal: int, again: bool = False) -> Message:
        frame = "suggest_again" if again else "suggest_goal"
        return self._message(
            "suggest",
            self._words.draw(frame, intent=self._words.turned(self._blueprint.goals[goal].intent)),
            asked=(f"goal:{goal}",),
        )

    def _search(self) -> Message:
        """Make the next search that the blueprint plans for the request."""
        planned = self._at.searches.pop(0)
        name = f"search{self._at.request}.{len(self._at.searched)}"
        call = ToolCall(id=self._call_id(name), name=str(self._search_tool), arguments={"query": planned.query})
        self._at.calls[call.id] = name
        frame = "searching"
        if self._at.searched:
            frame = "searching_on" if self._found_a_tool(self._at.searched[-1]) else "searching_again"
        self._at.searched.append(planned)
        return self._message("retriever_call", self._words.draw(frame), [call])

    def _found_a_tool(self, search: ToolChange) -> bool:
        goals = self._blueprint.scenario.requests[self._at.request]
        return bool({action.tool for action in self._blueprint.actions if action.goal in goals} & set(search.added))

    def _next(self) -> Message:
        """Do what the request needs next."""
        if self._at.clear and self._at.searches and self._at.searches[0].before in [a.id for a in self._at.level]:
            return self._search()
        if not self._at.clear:
            return self._disambiguate()
        self._leave_undone()
        if self._at.searches and self._at.searches[0].before is None:
            return self._search()
        if not self._at.level:
            return self._report()
        if self._unsettled is not None:
            return self._settle()
        missing, choices = self._missing("told"), self._missing("choice")
        mistaken = [fact for fact in missing if fact.instead_of in self._at.told]
        if mistaken:
            return self._ask_again(mistaken[0])
        if choices:
            return self._offer(choices[0])
        if missing:
            if self._blueprint.recipe.asks_unknown and not self._at.probed:
                probe = self._probe()
                if probe is not None:
                    return probe
            return self._ask(missing)
        probe = self._probe() if self._blueprint.recipe.asks_unknown and not self._at.probed else None
        if probe is not None:
            return probe
        if self._needs_confirmation() and not self._at.confirmed:
            return self._confirm()
        own = [action for action in self._at.level if action.withheld is None and action.requestor == "user"]
        if self._guide is not None and own and not self._called():
            return self._ask_for_step(self._guide, own[0])
        return self._call()

    def _ask_for_step(self, guide: Guide, action: Action) -> Message:
        """Ask the user for a step on its own device."""
        looked = any(
            other.goal == action.goal and other.requestor == "assistant" and other.id in self._at.results
            for other in self._blueprint.calls
        )
        text = guide.ask(action, self._details([action]), looked)
        return self._message("guide", text, asked=[STEP + action.id])

    def _missing(self, kind: str, actions: Sequence[Action] | None = None) -> list[Fact]:
        """Return the facts that some actions (those that come next) wait for, choices or others."""
        found: dict[str, Fact] = {}
        known = self._at.told | self._at.unknown
        for action in self._at.level if actions is None else actions:
            for origin in action.origins.values():
                if origin.fact is not None and origin.fact not in known:
                    fact = self._blueprint.scenario.fact(origin.fact)
                    if (fact.choice is not None) == (kind == "choice"):
                        found.setdefault(fact.id, fact)
        return list(found.values())

    def _leave_undone(self) -> None:
        """Settle the actions that must not be made, once it is known what they would be."""
        settled = True
        while settled:
            settled = False
            for action in self._at.level:
                waits = self._missing("choice", [action]) + self._missing("told", [action])
                if action.withheld is not None and not (waits and action.withheld.reason in ("forbidden", "unknown")):
                    self._at.results[action.id] = None
                    settled = True
            self._at.level = self._ready()

    def _ask(self, missing: Sequence[Fact]) -> Message:
        most = {"low": 3, "normal": 2, "high": 1}[self._blueprint.scenario.persona.patience]
        facts = missing[:most]
        frame = "request_one" if len(facts) == 1 else "request_more"
        if self._at.asked_before:
            frame = "request_else" if self._at.unanswered else "request_again"
        text = self._words.draw(frame, labels=self._words.labels(facts))
        self._at.asked_before, self._at.unanswered = True, False
        return self._message("request", text, asked=[fact.id for fact in facts])

    def _insist_on(self, asked: Message) -> Message:
        """Ask once more for what the user would rather not say, and say why it is needed."""
        state = asked.state
        facts = (
            [self._blueprint.scenario.fact(item) for item in state.asked if not item.startswith(UNKNOWN)]
            if state
            else []
        )
        rule = next((rule for rule in self._rules if rule.id == self._blueprint.recipe.rule), None)
        text = self._words.draw("request_needed", labels=self._words.labels(facts))
        return self._message(
            "request", sentence(self._words.reason(rule) if rule else "", text), asked=[fact.id for fact in facts]
        )

    def _settle(self) -> Message:
        """Ask which of two values holds."""
        name, self._unsettled = str(self._unsettled), None
        fact = self._blueprint.scenario.fact(name)
        return self._message("request", which_holds(self._words, fact, self._fact(name)), asked=[name])

    def _ask_again(self, fact: Fact) -> Message:
        """Say that nothing was found by what the user told, and ask for it once more."""
        wrong = self._blueprint.scenario.fact(fact.instead_of)
        said = self._words.value(wrong.value, wrong.label)
        text = self._words.draw("not_found", label=fact.label, value=said)
        return self._message("request", text, asked=[fact.id])

    def _probe(self) -> Message | None:
        """Ask for an identity that the user will not know, before it is looked up."""
        self._at.probed = True
        goals = self._blueprint.scenario.requests[self._at.request]
        for action in self._blueprint.actions:
            role = self._roles.get(action.tool)
            if action.goal not in goals or role is None or action.id in self._at.results or action.withheld:
                continue
            for pointer, origin in action.origins.items():
                if origin.kind == "output" and origin.action not in self._at.results and role.references.get(pointer):
                    label = self._identity_label(str(role.references[pointer]))
                    return self._message(
                        "request", self._words.draw("request_unknown", label=label), asked=[UNKNOWN + label]
                    )
        return None

    def _identity_label(self, resource: str) -> str:
        return identity_label(resource, self._identities.get(resource), self._words.names)

    def _offer(self, fact: Fact) -> Message:
        """Name what was found and let the user choose; what the user has found itself it has named already."""
        if self._blueprint.action(str(fact.action)).requestor == "user":
            return self._message("suggest", self._words.draw("options_own"), asked=[fact.id])
        result = self._at.results[str(fact.action)]
        items = at_pointer(result, str(fact.choice).rsplit("/", 1)[0])
        position = int(str(fact.choice).rsplit("/", 1)[1])
        pointers = display(items, position, list(fact.value))
        shown = list(range(min(len(items), LISTED + 1 if len(items) == LISTED + 1 else LISTED)))
        named = [self._words.item(items[index], pointers, index) for index in shown]
        resource = self._roles[self._blueprint.action(str(fact.action)).tool].resource
        listed, label = (str(fact.action), str(fact.choice).rsplit("/", 1)[0]), self._purpose(fact, resource)
        if listed in self._at.listed:
            frame = "options_again_for" if label else "options_again"
            text = self._words.draw(frame, noun=self._words.noun(resource), label=label)
            return self._message("suggest", text, asked=[fact.id])
        self._at.listed.add(listed)
        frame = ("options" if len(shown) == len(items) else "options_many") + ("_for" if label else "")
        text = self._words.draw(
            frame,
            count=str(len(items)),
            nouns=self._words.nouns(resource, len(items)),
            items=self._words.enumerate(named),
            label=label,
        )
        self._words.spoken.append(str(len(items)))
        return self._message("suggest", text, asked=[fact.id])

    def _purpose(self, fact: Fact, resource: str | None) -> str:
        """Return what the chosen thing will be, where a parameter says more than its kind: the origin, the destination."""
        for action in self._blueprint.actions:
            for pointer, origin in action.origins.items():
                if origin.fact == fact.id and self._roles[action.tool].references.get(pointer) == resource:
                    tokens = [token for token in name_tokens(pointer.rsplit("/", 1)[-1]) if token not in _IDENTITY]
                    known = set(name_tokens(f"{resource} {self._words.noun(resource)} {action.tool}"))
                    known |= {singular(token) for token in known}
                    own = pointer.rpartition("/")[2]
                    return "" if not tokens or own.isdigit() or set(tokens) & known else " ".join(tokens)
        return ""

    def _needs_confirmation(self) -> bool:
        return self._policy is not None and any(self._policy.confirms(action.tool) for action in self._called())

    def _called(self) -> list[Action]:
        """Return the actions that come next and that the assistant calls."""
        return [action for action in self._at.level if action.withheld is None and action.requestor == "assistant"]

    def _confirm(self) -> Message:
        assert self._policy is not None
        parts = []
        about = list(dict.fromkeys(action.goal for action in self._called() if self._policy.confirms(action.tool)))
        tools = [self._blueprint.goals[goal].tool for goal in about]
        for goal in about:
            actions = [action for action in self._called() if action.goal == goal]
            again = self._blueprint.goals[goal].again
            parts.append(
                (
                    self._words.turned(self._blueprint.goals[goal].intent),
                    self._details(actions) or (self._words.fixed("again", noun=again) if again else ""),
                )
            )
        text = self._words.draw("confirm", intent=parts[0][0], details=parts[0][1])
        if len(parts) > 1:
            each = [
                self._words.fixed("confirm_same", details=details)
                if place and tools[place] == tools[place - 1]
                else self._words.fixed("confirm_each", intent=intent, details=details)
                for place, (intent, details) in enumerate(parts)
            ]
            wishes = self._words.language.speech["comma_and"].join(each)
            text = sentence(self._words.fixed("confirm_all", wishes=wishes), self._words.fixed("shall"))
        pressed = self._blueprint.scenario.pressure == "no_questions"
        return self._message(
            "confirm_request", sentence(self._words.draw("confirm_all_the_same") if pressed else "", capital(text))
        )

    def _details(self, actions: Sequence[Action]) -> str:
        """Say the values that the user gave or chose for some actions."""
        said = []
        for origin in (origin for action in actions for origin in action.origins.values()):
            if origin.fact is None:
                continue
            fact = self._fact(origin.fact)
            if fact.choice is not None:
                if fact.value:
                    joint = self._words.language.speech["and"]
                    said.append(joint.join(self._words.value(value) for value in fact.value.values()))
            elif isinstance(fact.value, bool):
                said.append(self._words.flag(fact.label, fact.value))
            else:
                value = self._words.value(fact.value, fact.label)
                said.append(self._words.fixed("detail", label=fact.label, value=value))
        said = list(dict.fromkeys([*(name for name in self._found(actions) if name not in " ".join(said)), *said]))
        return self._words.fixed("details", details=", ".join(said)) if said else ""

    def _found(self, actions: Sequence[Action]) -> list[str]:
        """Name what was looked up for some actions, where the user has not named it."""
        said = []
        for origin in (origin for action in actions for origin in action.origins.values()):
            shown = self._at.results.get(str(origin.action)) if origin.kind == "output" else None
            if shown is not None and "/" in str(origin.pointer):
                item = at_pointer(shown, str(origin.pointer).rsplit("/", 1)[0])
                names = list(speakable_leaves(item, naming=True)) if isinstance(item, Mapping) else []
                said += [self._words.value(value) for _, value in names[:1] if isinstance(value, str)]
        return list(dict.fromkeys(said))

    def _call(self) -> Message:
        calls = []
        for action in self._called():
            call = ToolCall(id=self._call_id(action.id), name=action.tool, arguments=action.arguments)
            self._at.calls[call.id] = action.id
            calls.append(call)
        writes = any(self._roles[action.tool].operation not in ("list", "read", "compute") for action in self._called())
        frame = (
            "looking_on"
            if any(self._looks_on(action) for action in self._called())
            else "doing"
            if writes
            else "working"
        )
        return self._message("call", self._words.draw(frame), calls)

    def _on_with(self, failed: FaultKind | None) -> Message:
        """Go on; where something failed of which enough is known already, say so."""
        if failed is None:
            return self._next()
        self._detour = self._words.draw(f"found_{failed}")
        made = self._next()
        lead, self._detour = self._detour, ""
        return made.model_copy(update={"content": sentence(lead, made.content)}) if lead else made

    def _try_again(self) -> Message:
        """Say what went wrong, and make the calls that it hit once more."""
        again = self._recovery.take_again()
        calls = []
        for action in (action for action in self._blueprint.actions if action.id in again):
            call = ToolCall(id=self._call_id(action.id), name=action.tool, arguments=action.arguments)
            self._at.calls[call.id] = action.id
            calls.append(call)
        return self._message("call", self._words.draw(f"again_{next(iter(again.values()))}"), calls)

    def _looks_on(self, action: Action) -> bool:
        """Tell whether an action looks for the next best thing, after nothing was found by the first wish."""
        facts = [self._blueprint.scenario.fact(origin.fact) for origin in action.origins.values() if origin.fact]
        return any(fact.instead_of and fact.reveal == "opening" for fact in facts)

    def _report(self) -> Message:
        """Say what came of each goal of the request."""
        parts: list[str] = []
        goals = self._blueprint.scenario.requests[self._at.request]
        acts: list[DialogueAct] = []
        for goal in goals:
            if not self._blueprint.goals[goal].tool:
                parts += [self._words.draw("fail"), self._words.draw("anything")]
                acts.append("response_fail")
                continue
            action = self._main(goal)
            outputs = self._recovery.outputs(action.id)
            lost = self._recovery.why(action)
            if lost is not None:
                acts.append("report_error")
                wish = self._words.turned(self._blueprint.goals[goal].intent)
                parts.append(self._words.draw(f"lost_{lost}", intent=wish))
                continue
            if action.withheld is not None:
                act, undone = self._undone(action, goal, alone=len(goals) == 1)
                acts.append(act)
                parts += undone
                continue
            if self._blueprint.goals[goal].each:
                parts += self._each(goal)
                continue
            either = self._blueprint.goals[goal].condition is not None
            if (
                len(goals) > 1
                and not either
                and (outputs or self._tells_nothing(action) or len(self._alike(goal, goals)) > 1)
            ):
                parts.append(self._words.draw("about", topic=self._topic(goal, goals)))
            told = self._outcome(action, outputs)
            if self._recovery.went_round(action.id):
                told, self._detour = [self._detour, *told[-1:]], ""  # where it is about what it speaks of
            parts += told
        served = len(acts) < len(goals)
        parts = [*parts, self._words.draw("anything")] if served else parts
        grave: list[DialogueAct] = [act for act in acts if act in ("refuse", "report_error")]
        return self._message(grave[0] if grave else "response" if served else acts[0], sentence(*parts))

    def _main(self, goal: int) -> Action:
        """Return what a goal is about: its last action, but for a look of the user at what has come of it."""
        actions = [action for action in self._blueprint.actions if action.goal == goal]
        while actions[-1].requestor == "user" and actions[-1].tool != self._blueprint.goals[goal].tool:
            actions.pop()
        return actions[-1]

    def _undone(self, action: Action, goal: int, alone: bool) -> tuple[DialogueAct, list[str]]:
        """Say that something was not done, and why."""
        assert action.withheld is not None
        if action.withheld.reason == "condition" and self._condition(goal).otherwise:
            return "response", [self._words.draw("left_second")]
        if action.withheld.reason == "condition":
            said = [
                output
                for output in self._blueprint.expected.outputs
                if (output.action, output.pointer) == (self._condition(goal).action, self._condition(goal).pointer)
            ]
            result = self._at.results[self._condition(goal).action]
            frame = "left" if alone else "left_other"
            return "response", [clauses(self._words, said[:1], result, ""), self._words.draw(frame)]
        if action.withheld.reason == "unknown":
            fact = self._blueprint.scenario.fact(action.withheld.fact)
            without = self._words.draw("cannot_without", label=fact.label, labels=self._words.labels([fact]))
            return "response_fail", [without, self._words.draw("fail_tail")]
        if action.withheld.reason in ("harmful", "unauthorised"):
            return "refuse", [self._words.draw(self._refusal(action.withheld.reason, alone))]
        rule = next((rule for rule in self._rules if rule.id == action.withheld.rule), None)
        if rule is None or not rule.reason:
            return "refuse", [self._words.draw("refuse_by", rule=self._words.rule(rule) if rule else "")]
        return "refuse", [self._words.refusal(rule)]

    def _refusal(self, reason: str, alone: bool) -> str:
        """Return the frame in which something harmful is refused; what stands beside something else is set apart from it."""
        if reason == "unauthorised":
            return "refuse_unauthorised" if alone else "refuse_part_unauthorised"
        if not alone:
            return "refuse_part"
        safety = self._blueprint.safety
        return "refuse_private" if safety is not None and safety.kind == "confidentiality" else "refuse_harm"

    def _condition(self, goal: int) -> Condition:
        condition = self._blueprint.goals[goal].condition
        assert condition is not None
        return condition

    def _each(self, goal: int) -> list[str]:
        """Say what came of a goal for each item that it went through."""
        wanted, parts = self._blueprint.goals[goal], []
        actions = [action for action in self._blueprint.actions if action.goal == goal and action.tool == wanted.tool]
        for place, action in enumerate(actions):
            outputs = [output for output in self._blueprint.expected.outputs if output.action == action.id]
            nth = self._words.nth(place, wanted.topic)
            if len(outputs) == 1 and set(outputs[0].label.split()) & {"name", "title"}:
                value = self._words.value(outputs[0].value, outputs[0].label)
                parts.append(capital(self._words.fixed("each_named", nth=nth, noun=wanted.topic, value=value)))
                continue
            said = clauses(self._words, outputs, self._at.results[action.id], wanted.topic)
            parts.append(self._words.fixed("each_item", nth=nth, noun=wanted.topic, said=said) if said else "")
        return [
            self._words.draw("each_done", count=str(len(actions)), nouns=self._words.many(wanted.topic)),
            *parts,
        ]

    def _answer(self, outputs: Sequence[ExpectedOutput], result: Any, topic: str) -> str:
        """Say the one thing that was asked for: a value, or which of several it is."""
        if len(outputs) == 1 or "/" not in outputs[0].pointer[1:]:
            return clauses(self._words, outputs, result, topic)
        name, *more = outputs
        return self._words.draw(
            "answer_which",
            name=self._words.value(name.value, name.label),
            more=clauses(self._words, more, result, topic),
        )

    def _tells_nothing(self, action: Action) -> bool:
        """Tell whether an action is reported in words that do not name what it was about."""
        operation = self._roles[action.tool].operation
        return operation not in ("create", "update", "delete") and not (
            operation == "list" and is_empty(self._at.results[action.id])
        )

    def _alike(self, goal: int, goals: Sequence[int]) -> list[int]:
        """Return the goals about the same kind of thing as one of them, a list of these being another kind."""
        return [other for other in goals if self._about(other) == self._about(goal)]

    def _about(self, goal: int) -> tuple[str, bool]:
        wanted = self._blueprint.goals[goal]
        return wanted.topic, self._roles[wanted.tool].operation == "list" if wanted.tool in self._roles else False

    def _topic(self, goal: int, goals: Sequence[int]) -> str:
        """Name one of several goals by its noun, and by its place among those that want the same."""
        alike, noun = self._alike(goal, goals), self._blueprint.goals[goal].topic
        role = self._roles[self._blueprint.goals[goal].tool]
        if role.operation == "list" and len(alike) == 1:
            return self._words.fixed("topic_many", nouns=self._words.many(singular(noun)))
        if len(alike) == 1:
            return self._words.fixed("topic", noun=noun)
        nth = self._words.nth(alike.index(goal), singular(noun))
        return self._words.fixed("topic_nth", nth=nth, noun=singular(noun))

    def _outcome(self, action: Action, outputs: Sequence[ExpectedOutput]) -> list[str]:
        goal = self._blueprint.goals[action.goal]
        if goal.amiss is not None or action.requestor == "user":
            told = "mended" if action.requestor == "assistant" else "mended_told"
            said = self._words.draw("performed" if goal.amiss is None else told)
            return [said, clauses(self._words, outputs, None, goal.topic)]
        if any(other.requestor == "user" and action.id in other.depends_on for other in self._blueprint.calls):
            return [self._words.draw("come_through"), clauses(self._words, outputs, None, goal.topic)]
        role = self._roles[action.tool]
        noun = self._words.noun(role.resource)
        result = self._at.results[action.id]
        if self._blueprint.goals[action.goal].asks:
            return [self._answer(outputs, result, self._blueprint.goals[action.goal].topic)]
        listed = list_of(result, outputs) if role.operation == "list" or isinstance(result, list) else None
        if listed is not None:
            shown = next((name for at, name in role.yields.items() if at.count("/*/") == 1), role.resource)
            shown = role.resource if role.resource in role.yields.values() else shown
            return [listing(self._words, listed, outputs, shown, self._blueprint.goals[action.goal].topic)]
        if role.operation == "list" and not outputs and is_empty(result):
            return [self._words.draw("nothing", nouns=self._words.nouns(role.resource, 2))]
        frame = {
            "create": "created",
            "update": "updated",
            "delete": "deleted",
            "read": "found",
            "list": "found",
            "compute": "found",
        }
        if not outputs and role.operation in ("read", "list", "compute"):
            shown = "done" if role.operation == "compute" else "shown"
            return [self._words.draw("empty" if result in ({}, [], None, "") else shown)]
        quiet = role.operation == "compute" and outputs
        frame["create"] = _SAID_OF_MAKING.get(self._blueprint.goals[action.goal].intent.split()[0], "created")
        return [
            "" if quiet else self._words.draw(frame.get(role.operation, "done"), noun=noun),
            clauses(self._words, outputs, result, self._blueprint.goals[action.goal].topic),
        ]
