"""A sound dialogue -> the same with one fault planted, its calls run again, and the label that it must get.

Each function returns the messages of a dialogue that went wrong in one way alone, and the fault; none where there is no
place for it. Results and final state come from running all calls again, so that nothing gives the fault away but itself.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from interplay.flows.assemble import World
from interplay.generators.environments.faults import with_faults
from interplay.schemas.blueprint import Action, Blueprint, Fact
from interplay.schemas.canonical import canonical_json, leaves, split_pointer
from interplay.schemas.dialogue import DialogueState, Message, ToolCall, Trajectory
from interplay.schemas.json_schema import is_valid
from interplay.schemas.tools import SEARCH_TOOL, Tool
from interplay.validators.claims import claims
from interplay.validators.matching import Made, match_calls
from interplay.validators.mentions import said
from interplay.validators.text import normalised

ASKING = ("request", "clarify", "suggest", "confirm_request")
Messages = list[Message]


class Scene:
    """A dialogue that passed, its task, and the world in which it was played."""

    def __init__(self, trajectory: Trajectory, blueprint: Blueprint, world: World, rng: Random) -> None:
        self.trajectory, self.blueprint, self.world, self.rng = trajectory, blueprint, world, rng
        self.tools = {tool.name: tool for tool in world.toolset.tools}
        self.messages = list(trajectory.messages)
        self.places: Mapping[str, Made] = match_calls(trajectory, blueprint, self.tools).places

    def writes(self, name: str) -> bool:
        """Tell whether a tool changes something."""
        return name in self.tools and self.tools[name].effect == "write"

    def done(self, writes: bool | None = None) -> list[tuple[Action, Made]]:
        """Return the actions that were called, with their calls."""
        found = [(action, self.places[action.id]) for action in self.blueprint.calls if action.id in self.places]
        faulty = {fault.tool for fault in self.blueprint.faults}
        return [
            (action, made)
            for action, made in found
            if not made.failed and action.tool not in faulty and (writes is None or self.writes(action.tool) == writes)
        ]

    def needed(self) -> list[tuple[Action, Made]]:
        """Return the calls that cannot be left out: those that write, and those of which something must be said."""
        told = {output.action for output in self.blueprint.expected.outputs}
        return [pair for pair in self.done() if self.writes(pair[0].tool) or pair[0].id in told]

    def values(self, before: int) -> list[Any]:
        """Return the values that were passed or returned before a message, each once."""
        found: dict[str, Any] = {}
        searches = {call.id for call in self.trajectory.calls() if call.name == SEARCH_TOOL}
        for made in self.messages[:before]:
            for call in made.tool_calls:
                for _, value in leaves(call.arguments) if call.name != SEARCH_TOOL else ():
                    found.setdefault(canonical_json(value), value)
            if made.role == "tool" and not made.failed and made.tool_call_id not in searches:
                for _, value in leaves(_read(made.content)):
                    found.setdefault(canonical_json(value), value)
        return list(found.values())

    def after_results(self, index: int) -> int:
        """Return the message after the results of the calls in a message."""
        place = index + 1
        while place < len(self.messages) and self.messages[place].role == "tool":
            place += 1
        return place

    def arguments_for(self, tool: Tool, before: int, fixed: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return arguments for what a tool requires, from what is known; `fixed` are kept where they fit."""
        known = self.values(before)
        made: dict[str, Any] = {}
        properties = tool.parameters.get("properties", {})
        for name in tool.parameters.get("required", ()):
            if name in fixed and is_valid(fixed[name], properties.get(name, {})):
                made[name] = fixed[name]
                continue
            fitting = [
                value for value in known if value not in ("", None) and is_valid(value, properties.get(name, {}))
            ]
            if not fitting:
                return None
            made[name] = self.rng.choice(fitting)
        return made if is_valid(made, tool.parameters) else None


def _read(text: str) -> Any:
    import json  # noqa: PLC0415

    try:
        return json.loads(text)
    except ValueError:
        return text


def with_call(message: Message, old: str, new: Sequence[ToolCall]) -> Message:
    """Return a message with other calls in place of one."""
    calls = tuple(made for call in message.tool_calls for made in (new if call.id == old else (call,)))
    return message.model_copy(update={"tool_calls": calls})


def without_call(messages: Messages, made: Made) -> Messages:
    """Return the messages without a call and its result; a message that is empty then goes as well."""
    kept: Messages = []
    for index, message in enumerate(messages):
        if message.tool_call_id == made.call.id:
            continue
        if index == made.index:
            message = with_call(message, made.call.id, ())
            if not message.tool_calls:
                continue
        kept.append(message)
    return kept


def result_of(call: ToolCall) -> Message:
    """Return the message that answers a call; its content is filled in when all calls are run again."""
    return Message(role="tool", tool_call_id=call.id)


def new_call(name: str, arguments: dict[str, Any], rng: Random) -> ToolCall:
    """Return a call under an id of its own."""
    identifier = "".join(rng.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(9))
    return ToolCall(id=identifier, name=name, arguments=arguments)


def state_of(goal: int | None) -> DialogueState:
    """Return the state of a message about a goal."""
    return DialogueState(goal=goal)


def set_leaf(value: Any, path: Sequence[str], leaf: Any) -> Any:
    """Return a value with another leaf."""
    if not path:
        return leaf
    if isinstance(value, list):
        return [set_leaf(item, path[1:], leaf) if place == int(path[0]) else item for place, item in enumerate(value)]
    return {**value, path[0]: set_leaf(value[path[0]], path[1:], leaf)}


def wrong_tool(scene: Scene) -> Messages | None:
    """Call another tool that changes something in place of the right one, with what is known."""
    options = []
    for action, made in scene.done(writes=True):
        offered = scene.trajectory.offered_at(made.index)
        wanted = {other.tool for other in scene.blueprint.actions}
        for name in offered:
            tool = scene.tools.get(name)
            if tool is not None and tool.effect == "write" and name not in wanted and tool.requestor == "assistant":
                arguments = scene.arguments_for(tool, made.index, action.arguments)
                if arguments is not None:
                    options.append((made, name, arguments))
    if not options:
        return None
    made, name, arguments = scene.rng.choice(options)
    call = made.call.model_copy(update={"name": name, "arguments": arguments})
    messages = list(scene.messages)
    messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
    return messages


def _other_values(scene: Scene, grounded: bool) -> list[tuple[Made, str, Any]]:
    """Return other values for arguments of calls that matter: known ones of the same kind, or ones that nobody gave."""
    options: list[tuple[Made, str, Any]] = []
    for action, made in scene.needed():
        schema = scene.tools[action.tool].parameters
        others = [other.arguments for other in scene.blueprint.actions if other.tool == action.tool]
        for pointer, value in leaves(action.arguments):
            origin = action.origins.get(pointer)
            if (
                origin is None
                or origin.kind not in ("user", "output")
                or isinstance(value, bool)
                or value in ("", None)
            ):
                continue
            pool = scene.values(made.index) if grounded else _strange(value, scene.rng)
            for other in pool:
                arguments = set_leaf(action.arguments, split_pointer(pointer), other)
                if (
                    type(other) is type(value) and other != value and _akin(value, other)
                    and is_valid(arguments, schema) and arguments not in others
                    and grounded == _known(scene, other, made.index)
                ):  # fmt: skip
                    options.append((made, pointer, other))
    return options


def _known(scene: Scene, value: Any, before: int) -> bool:
    searches = {call.id for call in scene.trajectory.calls() if call.name == SEARCH_TOOL}
    texts = [
        normalised(message.content)
        for message in scene.messages[:before]
        if message.role != "assistant" and message.tool_call_id not in searches
    ]
    texts.append(normalised(scene.trajectory.system_prompt))
    return said(texts, value)


def _akin(value: Any, other: Any) -> bool:
    """Tell whether two values look as if they stood in the same column."""
    if not isinstance(value, str):
        return True
    shape = [character.isdigit() for character in value if not character.isalpha()]
    return shape == [character.isdigit() for character in other if not character.isalpha()]


def _strange(value: Any, rng: Random) -> list[Any]:
    """Return values of the same shape that nobody said."""
    if isinstance(value, str):
        digits = [place for place, character in enumerate(value) if character.isdigit()]
        made = []
        for place in digits:
            changed = str((int(value[place]) + rng.randrange(1, 9)) % 10)
            made.append(value[:place] + changed + value[place + 1 :])
        return made or [f"{value} Quorvex"]
    return [value + rng.randrange(11, 997)] if isinstance(value, int | float) else []


def _with_argument(scene: Scene, grounded: bool) -> Messages | None:
    options = _other_values(scene, grounded)
    if not options:
        return None
    made, pointer, value = scene.rng.choice(options)
    arguments = set_leaf(made.call.arguments, split_pointer(pointer), value)
    call = made.call.model_copy(update={"arguments": arguments})
    messages = list(scene.messages)
    messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
    return messages


def wrong_argument(scene: Scene) -> Messages | None:
    """Pass another value of the same kind that was said or returned before."""
    return _with_argument(scene, grounded=True)


def ungrounded_argument(scene: Scene) -> Messages | None:
    """Pass a value that nobody gave."""
    return _with_argument(scene, grounded=False)


def missed_step(scene: Scene) -> Messages | None:
    """Leave a call out, and go on without a word about it."""
    used = {origin.action for action in scene.blueprint.calls for origin in action.origins.values()}
    options = [pair for pair in scene.needed() if pair[0].id not in used]
    if not options:
        return None
    action, made = scene.rng.choice(options)
    if any(other.goal == action.goal and other.id != action.id for other, _ in scene.needed()):
        return None  # what is said of the others would have to be told apart
    messages = without_call(scene.messages, made)
    told = _told(messages, made.index)
    if told is None or (scene.writes(action.tool) and _busy(scene, action, made)):
        return None
    content = "All right. What else can I do for you?"
    messages[told] = messages[told].model_copy(update={"content": content, "act": None, "state": None, "spoken": ()})
    return messages


def _told(messages: Messages, begin: int) -> int | None:
    """Return the message in which the outcome of a call is told."""
    later = range(begin, len(messages))
    return next((index for index in later if messages[index].act == "response"), None)


def _busy(scene: Scene, action: Action, made: Made) -> bool:
    """Tell whether other changes are made in the same turn, of which is told in one breath."""
    told = _told(scene.messages, made.index) or len(scene.messages)
    begin = max((index for index in range(made.index) if scene.messages[index].role == "user"), default=0)
    return any(other.id != action.id and begin < place.index < told for other, place in scene.done(writes=True))


def extra_write(scene: Scene) -> Messages | None:
    """Make one more change that nobody asked for."""
    options: list[tuple[int, str, dict[str, Any]]] = []
    wanted = {other.tool for other in scene.blueprint.actions if other.withheld}
    for _, made in scene.done():
        place = scene.after_results(made.index)
        for name in scene.trajectory.offered_at(made.index):
            tool = scene.tools.get(name)
            if tool is None or tool.effect != "write" or name in wanted or tool.requestor != "assistant":
                continue
            arguments = scene.arguments_for(tool, place, {})
            if arguments is not None and not all(_known(scene, value, place) for _, value in leaves(arguments)):
                continue
            if arguments is not None and not any(
                action.tool == name and action.arguments == arguments for action in scene.blueprint.actions
            ):
                options.append((place, name, arguments))
    if not options:
        return None
    place, name, arguments = scene.rng.choice(options)
    call = new_call(name, arguments, scene.rng)
    made = Message(role="assistant", tool_calls=(call,), act="call", state=scene.messages[place - 1].state)
    return [*scene.messages[:place], made, result_of(call), *scene.messages[place:]]


def early_stop(scene: Scene) -> Messages | None:
    """Let the assistant say goodbye, or give up, where it has still to do something."""
    options = [
        index
        for index, message in enumerate(scene.messages)
        if message.role == "assistant" and index and scene.messages[index - 1].role in ("user", "tool")
        and any(made.index >= index for _, made in scene.needed())
    ]  # fmt: skip
    if not options:
        return None
    index = scene.rng.choice(options)
    if any(message.act == "user_bye" for message in scene.messages[:index]):
        return None
    goal = scene.messages[index].state.goal if scene.messages[index].state else None
    bye = Message(
        role="assistant", content="Thank you for writing to us. Goodbye!", act="system_bye", state=state_of(goal)
    )
    if scene.rng.random() < 0.5:
        return [*scene.messages[:index], bye]
    due = next(action for action, made in scene.needed() if made.index >= index)
    text = "I'm sorry, I can't help with that any further."
    stop = Message(role="assistant", content=text, act="response_fail", state=state_of(due.goal))
    end = Message(role="user", content="Oh. Goodbye then.", act="user_bye")
    if any(action.withheld and action.goal == due.goal for action in scene.blueprint.actions):
        return [*scene.messages[:index], bye]
    first = scene.blueprint.scenario.requests[0] if scene.blueprint.scenario.requests else ()
    alone = len(scene.blueprint.scenario.requests) < 2 or due.goal not in first
    return [*scene.messages[:index], stop, end, bye] if alone else [*scene.messages[:index], bye]


def policy_broken(scene: Scene) -> Messages | None:
    """Act without the confirmation that a rule asks for, or do what a rule forbids."""
    options: list[Messages] = []
    for index in range(1, len(scene.messages) - 1):
        question, answer = scene.messages[index], scene.messages[index + 1]
        follows = scene.messages[index + 2] if index + 2 < len(scene.messages) else None
        if question.act == "confirm_request" and answer.act == "affirm" and follows is not None and follows.tool_calls:
            before = scene.messages[index - 1]
            if before.role in ("user", "tool") and before.act != "affirm":
                options.append([*scene.messages[:index], *scene.messages[index + 2 :]])
    for action in scene.blueprint.actions:
        if action.withheld is None or action.withheld.reason not in ("forbidden", "harmful", "unauthorised"):
            continue
        for index, message in enumerate(scene.messages):
            about = message.state.goal if message.state is not None else None
            if message.act == "refuse" and about == action.goal:
                call = new_call(action.tool, action.arguments, scene.rng)
                made = Message(role="assistant", tool_calls=(call,), act="call", state=message.state)
                options.append([*scene.messages[:index], made, result_of(call), *scene.messages[index:]])
                break
    return scene.rng.choice(options) if options else None


def false_claim(scene: Scene) -> Messages | None:
    """Leave a change out and say that it was made; or say that what is not to be done was done."""
    options: list[Messages] = []
    for action, made in scene.done(writes=True):
        used = {origin.action for other in scene.blueprint.calls for origin in other.origins.values()}
        if action.id in used or action.failed:
            continue
        told = _told(scene.messages, made.index)
        if told is not None and claims(scene.messages[told]) and not _busy(scene, action, made):
            options.append(without_call(scene.messages, made))
    held = {
        action.goal for action in scene.blueprint.actions if action.withheld and action.withheld.reason == "forbidden"
    }
    refusals = [
        index for index, message in enumerate(scene.messages)
        if message.act == "refuse" and message.state is not None and message.state.goal in held
    ]  # fmt: skip
    others = [m for m in scene.messages if m.act in ("response_fail", "refuse")]
    if len(refusals) == 1 and len(others) == 1:
        told = scene.messages[refusals[0]].model_copy(
            update={"content": "All right, that has been done.", "act": "response"}
        )
        options.append([*scene.messages[: refusals[0]], told, *scene.messages[refusals[0] + 1 :]])
    return scene.rng.choice(options) if options else None


def loop(scene: Scene) -> Messages | None:
    """Make the same call over and over."""
    options = [made for _, made in scene.done(writes=False)]
    if not options:
        return None
    made = scene.rng.choice(options)
    place = scene.after_results(made.index)
    again: Messages = []
    for _ in range(scene.rng.randrange(3, 7)):
        call = new_call(made.call.name, dict(made.call.arguments), scene.rng)
        again += [
            Message(role="assistant", tool_calls=(call,), act="call", state=scene.messages[made.index].state),
            result_of(call),
        ]
    return [*scene.messages[:place], *again, *scene.messages[place:]]


def users_fault(scene: Scene) -> Messages | None:
    """Let the user end too early, keep a fact back, or say something else than it knows."""
    ways = [_user_ends, _user_keeps_back, _user_invents]
    scene.rng.shuffle(ways)
    return next((made for way in ways if (made := way(scene)) is not None), None)


def _bye(words: str) -> Messages:
    return [
        Message(role="user", content=words, act="user_bye"),
        Message(role="assistant", content="Goodbye!", act="system_bye"),
    ]


def _user_ends(scene: Scene) -> Messages | None:
    options = [
        index
        for index, message in enumerate(scene.messages)
        if message.role == "assistant" and not message.tool_calls and message.act in (*ASKING, "response")
        and any(made.index > index for _, made in scene.needed())
    ]  # fmt: skip
    options = [index for index in options if scene.messages[index].act != "response" or _something_left(scene, index)]
    if not options:
        return None
    return [*scene.messages[: scene.rng.choice(options) + 1], *_bye("I have to go, never mind. Bye!")]


def _something_left(scene: Scene, index: int) -> bool:
    """Tell whether a request is still to be brought up."""
    raised = {m.state.goal for m in scene.messages[: index + 1] if m.role == "user" and m.state is not None}
    return any(
        made.index > index and not raised & set(_request(scene.blueprint, action.goal))
        for action, made in scene.needed()
    )


def _request(blueprint: Blueprint, goal: int) -> tuple[int, ...]:
    return next((group for group in blueprint.scenario.requests if goal in group), (goal,))


def _told_at(scene: Scene) -> list[tuple[int, Fact]]:
    """Return the messages in which the user is asked for one fact that a call needs, and tells it."""
    used = {o.fact for a, _ in scene.needed() for o in a.origins.values() if o.kind == "user" and o.fact}
    found = []
    for index in range(1, len(scene.messages)):
        question, message = scene.messages[index - 1], scene.messages[index]
        if message.role != "user" or message.act != "inform" or message.state is None or question.state is None:
            continue
        if len(message.state.told) == 1 and message.state.told[0] in used & set(question.state.asked):
            found.append((index, scene.blueprint.scenario.fact(message.state.told[0])))
    return found


def _user_keeps_back(scene: Scene) -> Messages | None:
    options = [(index, fact) for index, fact in _told_at(scene) if not isinstance(fact.value, bool)]
    if not options:
        return None
    index, fact = scene.rng.choice(options)
    silent = Message(role="user", content="Sorry, I don't know that.", act="fail_inform", state=state_of(fact.goal))
    text = "I'm sorry, without it I can't go on."
    sorry = Message(role="assistant", content=text, act="response_fail", state=state_of(fact.goal))
    return [*scene.messages[:index], silent, sorry, *_bye("Too bad. Bye.")]


def _user_invents(scene: Scene) -> Messages | None:
    options = []
    for index, fact in _told_at(scene):
        if isinstance(fact.value, bool) or fact.instead_of or not isinstance(fact.value, str | int | float):
            continue
        if any(done.fact == fact.id for done in scene.blueprint.scenario.behaviours):
            continue
        told = {canonical_json(other.value) for other in scene.blueprint.scenario.facts}
        for other in _strange(fact.value, scene.rng):
            if canonical_json(other) not in told and said(
                [normalised(f"It is {other}.")], other, fact.hint, fact.label
            ):
                options.append((index, fact, other))
    if not options:
        return None
    index, fact, other = scene.rng.choice(options)
    messages = list(scene.messages)
    messages[index] = messages[index].model_copy(update={"content": f"It is {other}."})
    changed = False
    for action, made in scene.done():
        for pointer, origin in action.origins.items():
            if origin.kind == "user" and origin.fact == fact.id and made.index > index:
                calls = [c for c in messages[made.index].tool_calls if c.id == made.call.id]
                arguments = set_leaf(calls[0].arguments, split_pointer(pointer), other)
                if not is_valid(arguments, scene.tools[action.tool].parameters):
                    return None
                call = made.call.model_copy(update={"arguments": arguments})
                messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
                changed = True
    return messages if changed else None


PLANTS: Mapping[str, Callable[[Scene], Messages | None]] = {
    "wrong_tool": wrong_tool,
    "wrong_argument": wrong_argument,
    "ungrounded_argument": ungrounded_argument,
    "missed_step": missed_step,
    "extra_write": extra_write,
    "early_stop": early_stop,
    "policy_broken": policy_broken,
    "false_claim": false_claim,
    "loop": loop,
    "users_fault": users_fault,
}


async def replayed(messages: Messages, scene: Scene, name: str) -> Trajectory | None:
    """Run all calls again from the start; return the dialogue with what they return now; none if that undoes the fault."""
    environment = scene.world.environment
    faulty = with_faults(environment, scene.blueprint.faults)
    start = environment.snapshot()
    results: dict[str, tuple[str, bool]] = {}
    for message in messages:
        for call in message.tool_calls:
            result = await faulty.call(call)
            results[call.id] = (result.text, result.error is not None)
    filled = [
        message
        if message.role != "tool"
        else message.model_copy(
            update={"content": results[message.tool_call_id or ""][0], "failed": results[message.tool_call_id or ""][1]}
        )
        for message in messages
    ]
    final = environment.digest()
    environment.restore(start)
    own = {call.id for call in scene.trajectory.calls()}
    if name == "extra_write" and any(failed for call, (_, failed) in results.items() if call not in own):
        return None
    return scene.trajectory.model_copy(update={"messages": tuple(filled), "final_digest": final})


def without_acts(trajectory: Trajectory) -> Trajectory:
    """Return a dialogue as models leave it: without acts and states, but for goodbyes."""
    byes = ("user_bye", "system_bye")
    plain = tuple(
        message.model_copy(update={"act": message.act if message.act in byes else None, "state": None, "spoken": ()})
        for message in trajectory.messages
    )
    return trajectory.model_copy(update={"messages": plain})
