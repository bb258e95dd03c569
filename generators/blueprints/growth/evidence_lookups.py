"""A call that rules govern -> the look-ups made before it, whose results the rules' decisions rest on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from interplay.generators.blueprints.arguments.resolution import Resolver
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.phrases.speakable_values import is_moment
from interplay.schemas.json.canonical import leaves
from interplay.schemas.protocols import Policy
from interplay.schemas.records.tool import PolicyRule, ToolRole
from interplay.schemas.rule_evidence import Evidence


@dataclass(frozen=True)
class EvidenceLookups:
    """Makes the look-ups that the rule decisions of one draft rest on."""

    resolver: Resolver
    policy: Policy

    @property
    def _draft(self) -> Draft:
        return self.resolver.draft

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence(self.policy, self.resolver.world.environment.resources)

    async def for_call(self, wanted: PlannedCall, rules: Sequence[PolicyRule]) -> list[str]:
        """Look up whatever would show that one of `rules` forbids an allowed call; return the steps it depends on.

        Raises:
            DeadEnd: no tool shows it.
        """
        needed = [await self._settled(wanted, rule, refused=False) for rule in rules if rule.shown_by]
        return list(dict.fromkeys(step for steps in needed for step in steps))

    async def for_refusal(self, wanted: PlannedCall, rule: PolicyRule) -> list[str]:
        """Look up the evidence that a rule forbids a call; return the steps that the refusal depends on.

        Raises:
            DeadEnd: no tool shows it.
        """
        return await self._settled(wanted, rule, refused=True)

    async def _settled(self, wanted: PlannedCall, rule: PolicyRule, refused: bool) -> list[str]:
        if not self._is_shown(wanted, rule, refused, len(self._draft.steps)):
            await self._look_up(wanted, rule, refused)
        return self._waited_for(wanted, rule, refused)

    async def _look_up(self, wanted: PlannedCall, rule: PolicyRule, refused: bool) -> None:
        """Make the first look-up that shows the evidence for a rule.

        Raises:
            DeadEnd: no tool shows it.
        """
        world = self.resolver.world
        for name in rule.shown_by or self._readers(wanted):
            role = world.roles.get(name)
            if role is None or world.tools[name].effect == "write":
                continue
            subject = self._subject(wanted, role)
            for dated in (False, True):
                with self._draft.trial():
                    arguments = self.resolver.choose(name, subject, lookup=True)
                    arguments |= self._days(name, subject) if dated else {}
                    await self.resolver.run(
                        await self.resolver.prepare(name, wanted.goal, wanted.request, arguments, depth=1)
                    )
                    if self._is_shown(wanted, rule, refused, len(self._draft.steps)):
                        return
                    raise DeadEnd(f"{name} does not show what {rule.id} rests on")
        raise DeadEnd(f"no look-up shows what {rule.id} rests on")

    def _days(self, name: str, subject: Subject | None) -> dict[str, str]:
        """Return the optional date arguments of a look-up, set to the date of its row, which it may not show otherwise.

        Raises:
            DeadEnd: the tool takes no date, or the row has none.
        """
        inputs = self.resolver.chooser.inputs(name)
        moments = (value for value in subject.row.values() if is_moment(value)) if subject is not None else iter(())
        day = str(next(moments, ""))[:10]
        taken = [at for at in inputs.optional if day and at not in inputs.references]
        days = {at: day for at in taken if inputs.schema(f"/{at}").get("format") == "date"}
        if not days:
            raise DeadEnd(f"{name} cannot be asked for a day")
        return days

    def _is_shown(self, wanted: PlannedCall, rule: PolicyRule, refused: bool, until: int) -> bool:
        """Tell whether the first `until` steps of the draft show the evidence for a rule's decision."""
        made = (step.exchange for step in self._draft.steps[:until] if step.withheld is None)
        history = (*self._draft.past, *made)
        if not refused:
            return self._evidence.was_looked_up(rule, wanted.call, history)
        state = self.resolver.world.environment.state()
        return self._evidence.shows_breach(rule, wanted.call, history, state)

    def _waited_for(self, wanted: PlannedCall, rule: PolicyRule, refused: bool) -> list[str]:
        """Return the step that completes the evidence, if it belongs to the call's request; else no step."""
        for until, step in enumerate(self._draft.steps, start=1):
            if self._is_shown(wanted, rule, refused, until):
                return [step.id] if step.request == wanted.request and step.withheld is None else []
        return []

    def _subject(self, wanted: PlannedCall, role: ToolRole) -> Subject | None:
        """Return the row that a look-up is about: one that the call names, else one linked to such a row."""
        world = self.resolver.world
        references = world.roles[wanted.tool].references
        named = [(references[at], str(value)) for at, value in leaves(dict(wanted.arguments)) if at in references]
        subjects = [subject for kind, value in named if (subject := world.subject(kind, value)) is not None]
        own = next((subject for subject in subjects if subject.resource == role.resource), None)
        linked = (world.linked(subject, str(role.resource)) for subject in subjects)
        return own or next((subject for subject in linked if subject is not None), None)

    def _readers(self, wanted: PlannedCall) -> Iterator[str]:
        """Yield the tools that list or read rows of the resources that a call acts on or refers to."""
        roles = self.resolver.world.roles
        kinds = {roles[wanted.tool].resource, *roles[wanted.tool].references.values()}
        yield from (
            name for name, role in roles.items() if role.operation in ("list", "read") and role.resource in kinds
        )
