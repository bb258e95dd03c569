"""Results of a request -> an assistant's report: what was done, what was found, and what was not done and why."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

from interplay.generators.participants.rules.confirmation_request import ConfirmationRequest, is_about_one
from interplay.generators.participants.rules.deed_report import DeedReport
from interplay.generators.participants.rules.retry import Retry
from interplay.generators.participants.wording.deed_phrases import (
    TURNING,
    asked_plural,
    head_noun,
    wish_kind,
)
from interplay.generators.participants.wording.fact_phrases import name_nth, say_field, with_currency
from interplay.generators.participants.wording.goal_phrases import Topics
from interplay.generators.participants.wording.languages import Filling, as_said
from interplay.generators.participants.wording.named_wishes import Named
from interplay.generators.participants.wording.result_phrases import (
    IN_LINES,
    Total,
    all_of,
    called_by,
    clauses,
    item_of,
    laid_out,
    list_of,
    listing,
    own_label,
    say_name,
)
from interplay.generators.participants.wording.value_phrases import capital, in_lines, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import with_whole_address
from interplay.generators.phrases.labels.field_labels import SEARCH_TERM, label_of
from interplay.generators.phrases.lackable_facts import is_decided
from interplay.generators.phrases.speakable_values import is_opaque, speakable_leaves
from interplay.generators.results.result_kinds import (
    is_empty,
    is_page,
    says_only_that_it_went_well,
    shows_part,
    total_in,
)
from interplay.schemas.json.canonical import at_pointer, last_name, leaves, value_at
from interplay.schemas.records.blueprint import Action, Blueprint, Condition, ExpectedOutput, Fact, Goal
from interplay.schemas.records.dialogue import DialogueAct
from interplay.schemas.records.tool import PolicyRule, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import plural
from interplay.schemas.words.word_classes import can_be_noun, is_predicate


@dataclass
class GoalReport:
    """Reports the outcome of the requests of one dialogue; `results` holds those of all actions so far, by id.

    `naming` names the rows of actions, `identities` holds the identity fields of resources. `detour` is a remark on a failed call
    whose result is already known, to be said with that result.
    """

    blueprint: Blueprint
    words: Voice
    roles: Mapping[str, ToolRole]
    rules: Sequence[PolicyRule]
    recovery: Retry
    results: Mapping[str, Any]
    naming: ConfirmationRequest
    identities: InitVar[Mapping[str, str]]
    detour: str = field(default="", init=False)
    _scoped: bool = field(default=False, init=False)
    _held: set[int] = field(default_factory=set, init=False)
    _abouts: int = field(default=0, init=False)
    _before: str = field(default="", init=False)

    def __post_init__(self, identities: Mapping[str, str]) -> None:
        parts = self.blueprint, self.words, self.roles, self.results, self.naming
        self._deed_report = DeedReport(*parts, identities)
        self._topics = Topics(self.blueprint.goals, self.roles, self.words)

    def report(self, request: int) -> tuple[DialogueAct, str]:
        """Return the act and the words that report each goal of a request."""
        goals = self.blueprint.scenario.requests[request]
        parts: list[str] = []
        self._abouts = 0
        self._deed_report.begin()
        acts: list[DialogueAct] = []
        for goal in goals:
            act, said = self._of_goal(goal, goals)
            acts += [act] if act is not None else []
            parts += said
        served = len(acts) < len(goals)
        parts = [*parts, self.words.draw("anything")] if served else parts
        if sentence(*parts) == self._before and len(goals) == 1 and (own := self._own_value(goals[0], goals, "")):
            topic = self.words.fixed("topic_with", topic=self._topics.kind(goals[0]), own=own)
            parts[0] = self.words.run_on(f"{self._about(topic)} {parts[0]}")
        self._before = sentence(*parts)
        grave: list[DialogueAct] = [act for act in acts if act in ("refuse", "report_error")]
        return grave[0] if grave else "response" if served else acts[0], sentence(*parts)

    def _of_goal(self, goal: int, goals: Sequence[int]) -> tuple[DialogueAct | None, list[str]]:
        """Report one of several goals; the act is that of a failure or refusal, else None."""
        wanted = self.blueprint.goals[goal]
        if not wanted.tool:
            offer = self.instead(wanted.intent) or self.words.draw("anything")
            return "response_fail", [self.words.draw("fail"), offer]
        action = self._main(goal)
        lost = self.recovery.why(action)
        if lost is not None:
            known = is_about_one(self.roles[wanted.tool])
            frame = f"lost_{lost}" if action.withheld is None else f"unmade_{lost}"
            return "report_error", [self.words.draw(frame, intent=self.words.turned(wanted.intent, known))]
        if action.withheld is not None:
            return self._undone(action, goal, alone=len(goals) == 1)
        if wanted.each:
            return None, self._each(goal)
        outputs = self.recovery.outputs(action.id)
        told = self._outcome(action, outputs)
        told[:0] = self._instead(action)
        topic = self._topic(goal, goals, told) if len(goals) > 1 and wanted.condition is None else ""
        if self.recovery.went_round(action.id):
            told, self.detour = [self.detour, *told[-1:]], ""  # the remark comes with the result that it is about
        elif len(goals) == 1 and outputs:
            told = self._of_one(action, told)
        elif topic:
            first, *more = [part for part in told if part]
            told = [self.words.run_on(f"{topic} {first}"), *more]
        return None, told

    def _instead(self, action: Action) -> Iterator[str]:
        """Say that nothing was found for the first choice, if the user told an alternative at once."""
        for name in (origin.fact for origin in action.origins.values()):
            fact = self.blueprint.scenario.fact(name) if name is not None else None
            if fact is None or not fact.instead_of or fact.reveal != "opening":
                continue
            wrong = self.blueprint.scenario.fact(fact.instead_of)
            said = [self.words.value(one.value, one.label) for one in (wrong, fact)]
            frame = (
                "found_instead_so" if all(map(is_predicate, said)) and self.words.lexicon is None else "found_instead"
            )
            yield self.words.draw(frame, first=said[0], value=said[1])

    def instead(self, intent: str) -> str:
        """Offer to show the rows that an unserved wish is about, else say what the assistant can help with."""
        return self._near(intent) or self._scope(intent)

    def _near(self, intent: str) -> str:
        """Offer to show the rows that an unserved wish is about, if a tool lists them; else empty."""
        offered = (self.roles[name] for name in self.blueprint.tools if name in self.roles)
        listed = {role.resource for role in offered if role.operation == "list"}
        nouns = [self.words.noun(kind) for kind in sorted(filter(None, listed))]
        spoken = ((one, as_said(self.words.many(one))) for one in nouns)
        noun = next((many for one, many in spoken if any(f" {said} " in f" {intent} " for said in (one, many))), "")
        return self.words.draw("fail_near", things=noun) if noun else ""

    def _scope(self, intent: str) -> str:
        """Say, once in a dialogue, what else the assistant can help with: the resources that most of its tools act on."""
        shown = {role.resource for role in self.roles.values() if role.operation in ("list", "read")}
        offered = [self.roles[name].resource for name in self.blueprint.tools if name in self.roles]
        offered = [
            kind for kind in offered if kind in shown
        ] or offered  # leaves out technical resources such as "auths"
        found = Counter(self.words.noun(kind) for kind in offered if kind).most_common()
        nouns = [noun for noun, _ in found if can_be_noun(head_noun(noun))][:_KINDS]
        if not nouns or self._scoped:
            return ""
        self._scoped = True
        spoken = [(as_said(noun), as_said(self.words.many(noun))) for noun in nouns]
        nouns = [many for one, many in spoken if not any(f" {said} " in f" {intent} " for said in (one, many))]
        if not nouns:
            return ""  # it has just refused to do something with these very things
        return self.words.draw("fail_scope", things=self.words.enumerate(nouns))

    def _topic(self, goal: int, goals: Sequence[int], told: Sequence[str]) -> str:
        """Say which of several goals is reported, by what distinguishes it, unless the report says so anyway."""
        action, wanted = self._main(goal), self.blueprint.goals[goal]
        said, alike = sentence(*told), self._topics.alike(goal, goals)
        role = self.roles[action.tool]
        deed = role.operation in ("create", "update", "delete")
        if not self.recovery.outputs(action.id) and role.operation not in ("read", "list", "compute"):
            return ""
        things = [thing for thing in self.naming.things([action]) if thing.own or thing.main]
        main = next((thing for thing in things if thing.main), things[0] if len(things) == 1 else None)
        if role.operation != "list" and main is not None:
            told_already = main.said in said or (not main.own and main.said.partition(",")[0] in said)
            noun = wanted.topic if main.main else next(filter(None, main.nouns), wanted.topic)
            return "" if told_already else self._about(self._topics.called(noun, main))
        owner = self._owner(goal) if role.operation == "list" and self.words.lexicon is None else None
        if (
            owner is not None
            and owner.said not in said
            and all(self._owner(other) != owner for other in goals if other != goal)
        ):
            return self._about(self._topics.called(next(filter(None, owner.nouns)), owner))
        if len(alike) == 1 and self.words.speaks_of(told[0], wanted.topic):
            return ""
        if len(alike) == 1 and (deed or not self._tells_something(action)):
            return ""
        rows = self._rows(goal)
        if len(alike) > 1 and rows and all(self._rows(other) == rows for other in alike):
            return ""
        own = self._own_value(goal, alike, said) if len(alike) > 1 else ""
        name = self.words.fixed("topic_with", topic=self._topics.kind(goal), own=own) if own else ""
        return self._about(name or self._topics.name(goal, goals))

    def _owner(self, goal: int) -> Named | None:
        """Return the only row that the call of a goal names, besides the user: the doctor whose free times are listed."""
        named = [thing for thing in self.naming.things([self._main(goal)]) if any(thing.nouns)]
        return named[0] if len(named) == 1 and not self.naming.is_the_user(named[0]) else None

    def _rows(self, goal: int) -> set[str]:
        """Return the identities that the call of a goal gives of rows of its own kind; {""} where it can name none: a profile."""
        action = self._main(goal)
        role = self.roles[action.tool]
        own = [pointer for pointer, kind in role.references.items() if kind == role.resource]
        if not own:
            alone = role.operation == "update" or (role.operation == "read" and not action.arguments)
            return {""} if alone else set()
        given = (value_at(action.arguments, pointer) for pointer in own)
        return {str(value) for value in given if value is not None}

    def _of_one(self, action: Action, told: Sequence[str]) -> list[str]:
        """Return the report of one row that was looked up, named again now and then: "I've checked the role Buyer: ..."."""
        wanted, said = self.blueprint.goals[action.goal], sentence(*told)
        things = [thing for thing in self.naming.things([action]) if thing.main and thing.said not in said]
        first, *more = [part for part in told if part]
        reads = self.roles[action.tool].operation == "read" and len(things) == 1
        if not reads or self.words.rng.random() >= _NAMED_AGAIN:
            return [first, *more]
        about = self.words.draw("about_one", topic=self._topics.called(wanted.topic, things[0]))
        lower = self.words.lexicon is None and re.match(r"(?:The|It|There)\b", first) is not None
        return [f"{about} {first[:1].lower() + first[1:] if lower else first}", *more]

    def _about(self, topic: Filling) -> str:
        """Say which topic is reported now; from the second one on, as the next of several."""
        said, self._abouts = self.words.draw("about_next" if self._abouts else "about", topic=topic), self._abouts + 1
        return said

    def _own_value(self, goal: int, alike: Sequence[int], told: str) -> str:
        """Return a value that the user told for only one of several like goals, if the report does not contain it; else empty."""
        facts = [fact for fact in self.blueprint.scenario.facts if fact.choice is None and isinstance(fact.value, str)]
        for fact in facts:
            others = [other for other in facts if other.goal in alike and other.label == fact.label]
            differs = len({other.value for other in others}) == len(others)
            if fact.goal == goal and not fact.instead_of and fact.label != SEARCH_TERM and differs:
                said = self.words.value(fact.value, fact.label)
                if said in told or is_opaque(fact.value) or len(said.split()) > _LONG:
                    return ""
                return self.words.fixed("detail", label=fact.label, value=said)
        return ""

    def _tells_something(self, action: Action) -> bool:
        """Tell whether an action's report does not show by itself what it is about."""
        return bool(self.recovery.outputs(action.id)) or self._tells_nothing(action)

    def _main(self, goal: int) -> Action:
        """Return the main action of a goal: its last one, except for the user's own look at the outcome."""
        actions = [action for action in self.blueprint.actions if action.goal == goal]
        while actions[-1].requestor == "user" and actions[-1].tool != self.blueprint.goals[goal].tool:
            actions.pop()
        return actions[-1]

    def _undone(self, action: Action, goal: int, alone: bool) -> tuple[DialogueAct, list[str]]:
        """Say that something was not done, and why."""
        assert action.withheld is not None
        if action.withheld.reason == "condition" and self._condition(goal).otherwise:
            return "response", [self.words.draw("left_second")]
        if action.withheld.reason == "condition":
            said = [
                output
                for output in self.blueprint.expected.outputs
                if (output.action, output.pointer) == (self._condition(goal).action, self._condition(goal).pointer)
            ]
            result = self.results[self._condition(goal).action]
            frame = "left" if alone else "left_other"
            return "response", [clauses(self.words, said[:1], result, ""), self.words.draw(frame)]
        if action.withheld.reason == "unknown":
            fact = self.blueprint.scenario.fact(action.withheld.fact)
            return "response_fail", [self.cannot_without(fact)]
        if action.withheld.reason in ("harmful", "unauthorised"):
            return "refuse", [self.words.draw(self._refusal(action.withheld.reason, alone))]
        rule = next((rule for rule in self.rules if rule.id == action.withheld.rule), None)
        if rule is None or not rule.reason:
            return "refuse", [self.words.draw("refuse_by", rule=self.words.rule(rule) if rule else "")]
        offer = f"duty_{rule.duty.kind}" if rule.duty is not None and action.duties else ""
        return "refuse", [self.words.refusal(rule), self.words.draw(offer) if offer else ""]

    def offered(self, request: int) -> tuple[str, ...]:
        """Return the ids of the rules that require an offer in place of what a request wanted."""
        goals = self.blueprint.scenario.requests[request]
        left = [action for action in self.blueprint.actions if action.goal in goals and action.withheld]
        return tuple(dict.fromkeys(duty.rule for action in left for duty in action.duties))

    def held(self, actions: Sequence[Action]) -> str:
        """Say, once, how the conditions of the next calls were found to hold."""
        goals = dict.fromkeys(
            action.goal for action in actions if action.tool == self.blueprint.goals[action.goal].tool
        )
        conditions = [self.blueprint.goals[goal].condition for goal in goals if goal not in self._held]
        self._held |= goals.keys()
        said = [self._found_so(condition) for condition in conditions if condition and not condition.otherwise]
        return sentence(*(capital(self.words.draw("held", said=clause)) for clause in said))

    def _found_so(self, condition: Condition) -> str:
        found = at_pointer(self.results[condition.action], condition.pointer)
        said = ExpectedOutput(
            action=condition.action, pointer=condition.pointer, label=condition.label, value=found, hint=condition.hint
        )
        clause = clauses(self.words, [said], self.results[condition.action], condition.noun)
        first = clause.partition(" ")[0]
        return clause if first.endswith(":") and self.words.lexicon is not None else clause[:1].lower() + clause[1:]

    def cannot_without(self, fact: Fact) -> str:
        """Say that something cannot be done without a fact that is unknown or undecided."""
        frame = "cannot_before" if is_decided(fact.label, fact.hint) else "cannot_without"
        without = self.words.draw(frame, label=fact.label, labels=self.words.labels([fact]))
        return sentence(without, self.words.draw("fail_tail"))

    def _refusal(self, reason: str, alone: bool) -> str:
        """Return the frame that refuses something harmful; beside other goals, it is set apart from them."""
        if reason == "unauthorised":
            return "refuse_unauthorised" if alone else "refuse_part_unauthorised"
        if not alone:
            return "refuse_part"
        safety = self.blueprint.safety
        return "refuse_private" if safety is not None and safety.kind == "confidentiality" else "refuse_harm"

    def _condition(self, goal: int) -> Condition:
        condition = self.blueprint.goals[goal].condition
        assert condition is not None
        return condition

    def _each(self, goal: int) -> list[str]:
        """Report a goal for each item; what is the same for all is said once."""
        wanted = self.blueprint.goals[goal]
        actions = [action for action in self.blueprint.actions if action.goal == goal and action.tool == wanted.tool]
        outputs = [[out for out in self.blueprint.expected.outputs if out.action == action.id] for action in actions]
        looked = self.roles[wanted.tool].operation in ("read", "list", "compute")
        done = self.words.draw(
            "each_looked" if looked else "each_done",
            all=all_of(self.words, len(actions)),
            nouns=self.words.many(wanted.topic),
        )
        if all(len(own) == 1 and set(own[0].label.split()) & {"name", "title"} for own in outputs):
            names = [self.words.value(own.value, own.label) for [own] in outputs]
            return [done, self.words.fixed("each_names", items=self.words.enumerate(names))]
        told = [
            clauses(self.words, own, self.results[action.id], wanted.topic, wanted.tool)
            for own, action in zip(outputs, actions, strict=True)
        ]
        if len(told) > 1 and len(set(told)) == 1:
            return [done, self.words.fixed("each_alike", said=told[0]) if told[0] else ""]
        things = [next((thing for thing in self.naming.things([own]) if thing.main), None) for own in actions]
        if all(things):
            topics = [self._topics.called(wanted.topic, thing) for thing in things if thing is not None]
            abouts = [self._about(topic) for topic in topics]
            return [
                done,
                *(self.words.run_on(f"{about} {own}") for about, own in zip(abouts, told, strict=True) if own),
            ]
        nths = [name_nth(self.words, place, wanted.topic) for place in range(len(told))]
        parts = [
            self.words.fixed("each_item", nth=nth, noun=wanted.topic, said=said) if said else ""
            for nth, said in zip(nths, told, strict=True)
        ]
        return [done, *parts]

    def _answer(self, outputs: Sequence[ExpectedOutput], result: Any, topic: str, tool: str) -> str:
        """Say the one thing that was asked for: a value, or which of several rows it is."""
        if len(outputs) == 1 or "/" not in outputs[0].pointer[1:]:
            return clauses(self.words, outputs, result, topic, tool)
        if len({item_of(output.pointer) for output in outputs}) > 1:
            spread, items = laid_out(self.words, [self._named(output, result) for output in outputs])
            return self.words.draw("answer_which_ones_lines" if spread else "answer_which_ones", items=items)
        name, *more = outputs
        return self.words.draw(
            "answer_which",
            name=self._named(name, result),
            more=clauses(self.words, more, result, topic, tool),
        )

    def _named(self, output: ExpectedOutput, result: Any) -> str:
        """Say the name of the row that an output stands in."""
        return say_name(self.words, output, at_pointer(result, item_of(output.pointer)))

    def _tells_nothing(self, action: Action) -> bool:
        """Tell whether an action is reported in words that do not name what it was about."""
        operation = self.roles[action.tool].operation
        return operation not in ("create", "update", "delete") and not (
            operation == "list" and is_empty(self.results[action.id])
        )

    def _outcome(self, action: Action, outputs: Sequence[ExpectedOutput]) -> list[str]:
        """Report what was done or found, and the expected outputs."""
        goal = self.blueprint.goals[action.goal]
        if goal.amiss is not None or action.requestor == "user":
            told = "mended" if action.requestor == "assistant" else "mended_told"
            said = self.words.draw("performed" if goal.amiss is None else told)
            return [said, clauses(self.words, outputs, None, goal.topic)]
        if any(other.requestor == "user" and action.id in other.depends_on for other in self.blueprint.calls):
            return [self.words.draw("come_through"), clauses(self.words, outputs, None, goal.topic)]
        result, operation = self.results[action.id], self.roles[action.tool].operation
        if goal.asks:
            return [self._answer(outputs, result, goal.topic, action.tool)]
        listed = (
            list_of(result, outputs) if operation == "list" or isinstance(result, list) or is_page(result) else None
        )
        if listed and all(isinstance(item, bool) for item in listed):
            answers = self.words.enumerate([self.words.value(item) for item in listed])
            return [capital(self.words.fixed("reported", value=answers))]
        made = operation in ("create", "update", "delete")
        if made and not outputs and wish_kind(goal.intent) == "look" and len(list(leaves(result))) <= _LITTLE:
            outputs = self._made(action, result)
        if listed is not None and made and len(listed) > 1:
            return [self._deed_report.report(action), self._listing(action, listed, outputs, goal)]
        asked = {pointer for question in goal.asks_for if question.words for pointer in question.pointers}
        alone = listed is not None and len(listed) == 1 and bool(outputs)
        if alone and (operation == "read" or asked.issuperset(each.pointer for each in outputs)):
            listed = None  # a field of the only item is told as such
        if listed is not None and not made:
            return [self._listing(action, listed, outputs, goal)]
        if not outputs and operation in ("read", "list", "compute"):
            return [self._nothing_to_say(action, result)]
        if self.words.lexicon is None and not asked:
            outputs = with_whole_address(outputs)
        quiet = outputs and operation in ("compute", "read", "list")
        if quiet and len(outputs) >= IN_LINES and not asked:
            return ["", self._in_full(action, outputs, result)]
        noun = "result" if goal.intent.partition(" ")[0] in TURNING else goal.topic
        said = _as_asked(self.words, goal, outputs) or clauses(self.words, outputs, result, noun, action.tool)
        if quiet and len(outputs) == 1 and isinstance(outputs[0].value, bool) and goal.asks_for and ":" not in said:
            lower = said if self.words.lexicon is not None else said[:1].lower() + said[1:]
            said = self.words.fixed("answer_yes" if outputs[0].value else "answer_no", said=lower)
        done = "" if quiet else self._deed_report.report(action)
        return [done, "" if said in done else said]

    def _in_full(self, action: Action, outputs: Sequence[ExpectedOutput], result: Any) -> str:
        """Report a row field by field, for a user who wanted to see it as a whole."""
        topic = self.blueprint.goals[action.goal].topic
        main, lines = [thing for thing in self.naming.things([action]) if thing.main], []
        for output in outputs:
            said = self.words.value(output.value, output.label)
            above, _, name = output.pointer.rpartition("/")
            said = with_currency(said, output.value, output.label, value_at(result, above), name)
            if [said] != [thing.said for thing in main]:  # its name comes first
                lines.append(
                    capital(say_field(self.words, own_label(output.label, topic), output.value, said, "entry"))
                )
        if len(main) != 1:
            return self.words.draw("shown_lines", items=in_lines(lines))
        return f"{self.words.draw('about_one', topic=self._topics.called(topic, main[0]))}\n{in_lines(lines)}"

    def _made(self, action: Action, result: Any) -> list[ExpectedOutput]:
        """Return the output for a user who wanted to get what a call creates: the most telling value of its result."""
        given = list(map(str, action.arguments.values()))
        found = [(at, value) for at, value in speakable_leaves(result) if str(value) not in given]
        return [
            ExpectedOutput(action=action.id, pointer=at, label=label_of(at), value=value, hint={})
            for at, value in found[:1]
            if at.count("/") == 1
        ]

    def _listing(self, action: Action, items: list[Any], outputs: Sequence[ExpectedOutput], goal: Goal) -> str:
        """Report the items of a list; the noun may be that of a list within a row, if the wish has it: a goal's custom fields."""
        named, result = called_by(outputs[0].pointer), self.results[action.id]
        total = Total(total_in(result, len(items)), shows_part(result, len(items)))
        if named and (named in goal.intent or plural(named) in goal.intent):
            return listing(self.words, items, outputs, None, named, total)
        if own := self.words.things.get(action.tool):
            return listing(self.words, items, outputs, None, own, total)
        shown = self._shown(action)
        asked = asked_plural(goal.intent)
        if asked and shown not in self.words.names and head_noun(asked) != head_noun(self.words.noun(shown)):
            return listing(self.words, items, outputs, None, asked, total)
        return listing(self.words, items, outputs, shown, goal.topic, total)

    def _shown(self, action: Action) -> str | None:
        """Return the resource of the rows in a list: the tool's own, or the one whose identity each of them has."""
        role = self.roles[action.tool]
        if role.resource in role.yields.values():
            return role.resource
        own = ((at, name) for at, name in role.yields.items() if at.count("/*/") == 1)
        return next((name for at, name in own if _CODES.issuperset(name_tokens(last_name(at)))), role.resource)

    def _nothing_to_say(self, action: Action, result: Any) -> str:
        """Report a look-up of which no value is told."""
        role = self.roles[action.tool]
        if role.operation == "list" and is_empty(result):
            return self.words.draw("nothing", nouns=self.words.nouns(role.resource, 2))
        if says_only_that_it_went_well(result):
            return self.words.draw("answered")
        shown = "done" if role.operation == "compute" else "shown"
        return self.words.draw("empty" if result in ({}, [], None, "") else shown, details="")


def _as_asked(words: Voice, goal: Goal, outputs: Sequence[ExpectedOutput]) -> str:
    """Answer in the words of a question about one row: "know what an order costs" -> "The order costs 277."."""
    asked = _COSTS.fullmatch(goal.intent) if words.lexicon is None else None
    if asked is None or len(outputs) != 1 or outputs[0].label != "result":
        return ""
    return f"The {asked[1]} {asked[2]} {words.value(outputs[0].value, outputs[0].label)}."


_COSTS = re.compile(r"know (?:what|how much|how many) (?:an?|the) ((?:[\w-]+ ){0,2}[\w-]+) (\w+s)")

_NAMED_AGAIN = 0.8
"""Probability that an answer names its row again."""

_CODES = word_set("identities", "codes")

_KINDS = 3
"""Maximum number of resources named as what an assistant can help with."""

_LONG = 7
"""Maximum words of a value that distinguishes goals: a date with its time has that many."""

_LITTLE = 4
"""Maximum number of values of a result from which its most telling one is reported."""
