"""One index of a run -> one record: compose, check, play, check."""

import traceback
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from random import Random

from interplay.flows.assemble import World
from interplay.flows.config import RunConfig
from interplay.generators.blueprints.compose import Composer
from interplay.generators.blueprints.recipes import make_recipe
from interplay.generators.dialogue import Limits, simulate
from interplay.generators.graph.graph import ToolGraph
from interplay.generators.participants.assistant import OracleAssistant
from interplay.generators.participants.user import AgendaUser
from interplay.generators.participants.wording import Words, load_grammar
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.canonical import digest
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.protocols import BlueprintCheck, Environment, TrajectoryCheck
from interplay.schemas.tools import SEARCH_TOOL
from interplay.schemas.verdict import DatasetRecord, Issue, Verdict
from interplay.validators.blueprints import blueprint_checks, check_blueprint
from interplay.validators.chain import check_trajectory, trajectory_checks

VERSION = version("interplay")
CRASHES = (
    ArithmeticError, AttributeError, EnvironmentFailure, LookupError, RecursionError, TypeError, ValueError
)  # fmt: skip
"""What may go wrong in one index without ending the run."""


@dataclass(frozen=True)
class Generator:
    """Makes the records of a run, each from its index alone."""

    config: RunConfig
    world: World
    graph: ToolGraph
    run: str

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The tools that recipes aim at: all that an assistant can call but the search."""
        return tuple(
            tool.name for tool in self.world.toolset.tools if tool.name != SEARCH_TOOL and tool.requestor == "assistant"
        )

    @cached_property
    def composer(self) -> Composer:
        """The composer of blueprints."""
        return Composer(self.world.environment, self.graph, self.world.policy, SEARCH_TOOL)

    @cached_property
    def blueprint_checks(self) -> tuple[BlueprintCheck, ...]:
        """The gates of a blueprint."""
        return blueprint_checks(self.world.toolset, self._open, self.world.policy)

    @cached_property
    def trajectory_checks(self) -> tuple[TrajectoryCheck, ...]:
        """The checks of a trajectory."""
        return trajectory_checks(self.world.toolset, self._open, self.world.policy)

    @cached_property
    def system_prompt(self) -> str:
        """What the assistant is told, with the policy."""
        title = self.world.toolset.name.replace("_", " ").replace("-", " ")
        text = load_grammar()["system_prompt"].format(title=title)
        return f"{text}\n{self.world.toolset.policy}".strip()

    def _open(self, _blueprint: Blueprint) -> Environment:
        return self.world.environment

    async def make_record(self, index: int) -> DatasetRecord:
        """Return what becomes of one index; a pure function of the run's configuration and the index.

        A crash costs this index alone, and leaves where it happened as the reason.
        """
        start = self.world.environment.snapshot()
        try:
            return await self._attempt(index)
        except CRASHES as error:
            self.world.environment.restore(start)
            place = traceback.extract_tb(error.__traceback__)[-1]
            message = f"{type(error).__name__}: {str(error)[:200]} ({Path(place.filename).name}:{place.lineno})"
            return self._record(
                index, "crash", verdicts=(Verdict(check="crash", issues=(Issue(code="crashed", message=message),)),)
            )

    async def _attempt(self, index: int) -> DatasetRecord:
        recipe = make_recipe(self.targets, self.config.recipes, self.config.seed, index)
        made = await self.composer.compose(recipe)
        if isinstance(made, Issue):
            return self._record(index, "compose", verdicts=(Verdict(check="compose", issues=(made,)),))
        gates = await check_blueprint(made, self.blueprint_checks)
        if not gates[-1].passed:
            return self._record(index, gates[-1].check, made, verdicts=gates)
        trajectory = await self.play(made)
        judgement = await check_trajectory(trajectory, made, self.trajectory_checks)
        return self._record(index, judgement.stage, made, trajectory, (*gates, *judgement.verdicts))

    async def play(self, blueprint: Blueprint) -> Trajectory:
        """Play a blueprint by rules; the environment is put back afterwards."""
        seed = f"{blueprint.recipe.seed}/{blueprint.recipe.index}"
        grammar, persona = load_grammar(), blueprint.scenario.persona
        sayings, nouns = self.world.toolset.sayings, self.world.toolset.nouns
        user = AgendaUser(
            blueprint.scenario,
            blueprint.goals,
            Words(grammar["user"], Random(f"{seed}/user"), persona, sayings, nouns),
            blueprint.recipe.vague,
        )
        words = Words(grammar["assistant"], Random(f"{seed}/assistant"), persona, sayings, nouns)
        assistant = OracleAssistant(blueprint, self.world.environment.resources, self.world.policy, words, SEARCH_TOOL)
        start = self.world.environment.snapshot()
        try:
            return await simulate(
                blueprint, user, assistant, self.world.environment, Limits(), self.system_prompt,
                {"user": "rules", "assistant": "rules"}, VERSION,
            )  # fmt: skip
        finally:
            self.world.environment.restore(start)

    def _record(
        self,
        index: int,
        stage: str | None,
        blueprint: Blueprint | None = None,
        trajectory: Trajectory | None = None,
        verdicts: tuple[Verdict, ...] = (),
    ) -> DatasetRecord:
        return DatasetRecord(
            id=digest([self.run, index, blueprint.id if blueprint else None]),
            run=self.run,
            index=index,
            status="accepted" if stage is None else "rejected",
            stage=stage,
            blueprint=blueprint,
            trajectory=trajectory,
            verdicts=verdicts,
        )
