"""Measures reviews of dialogues: their cost relative to the text read, long dialogues, and the effect of bad reviewers.

    python bench/review.py [--quick] [--json] [--dialogues N]

cost      tokens of one reviewer's prompts relative to those of policy, a line for each tool, and messages: for dialogues of the
          clinic played by rules, and for the natural ones in the shared data, if present; `answered` includes a short answer
windows   the largest request about a dialogue of 200 messages
bad       three reviewers, one or all of whom answer badly: the shares of sound and of faulty dialogues that are accepted
"""

import argparse
import asyncio
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.flows.brains import asked_items, review_of  # noqa: E402
from tests.generators import worlds  # noqa: E402
from tests.generators.worlds import generator  # noqa: E402

from interplay.flows.reviewers.gold_file import read_labelled  # noqa: E402
from interplay.flows.reviewers.review_cases import case_of_recorded, case_of_trajectory  # noqa: E402
from interplay.generators.models.client.structured_output import Structured  # noqa: E402
from interplay.generators.participants.by_model.dialogue_reviewer import (  # noqa: E402
    ModelDialogueReviewer,
    requests_for,
)
from interplay.schemas.records.chat import ChatReply, ChatRequest  # noqa: E402
from interplay.schemas.records.review import ReviewCase, message_text  # noqa: E402
from interplay.validators.review.dialogue_committee import DialogueCommittee, ReviewSettings  # noqa: E402

SPOKEN = Path(os.environ.get("INTERPLAY_SHARED", ROOT.parent / "shared")) / "data" / "spoken" / "dialogues.jsonl"
CLINIC = "domain:clinic"
WINDOW = 8_000
DEAREST = 1.5
"""Most tokens of a review, relative to those that must be read."""
BYTES = 4
"""Bytes per token in the figures; windows are made with fewer."""
FALSE = "I have also sent you a parcel."
SMALLEST = ("--dialogues", "4", "--json")
"""Arguments of the smallest run, which a test makes."""

Script = Callable[[str, str], dict[str, Any] | str]
"""The system prompt and the question of a request -> the answer."""


def played(count: int) -> list[ReviewCase]:
    """Return dialogues played by rules, as review cases."""
    toolset = generator(CLINIC).world.toolset
    return [case_of_trajectory(said, task, toolset) for task, said in worlds.played(CLINIC, count)]


def read(case: ReviewCase) -> int:
    """Return the number of bytes that must be read: policy, tools and messages."""
    said = [f"[{place}] {message.role}: {message_text(message)}" for place, message in enumerate(case.messages)]
    return len("\n".join((case.policy, *case.tools, *said)).encode())


def cost(cases: Sequence[ReviewCase]) -> dict[str, Any]:
    """Return the size of the prompts, and of prompts and answers, relative to what must be read."""
    asked, answered, base = [], [], []
    for case in cases:
        prompts, answers = 0, 0
        for request in requests_for(case, WINDOW)[1]:
            prompt, question = (message.content for message in request.messages)
            prompts += len(f"{prompt}{question}".encode())
            answers += len(json.dumps(review_of(prompt, question)).encode())
        asked.append(prompts)
        answered.append(prompts + answers)
        base.append(read(case))
    ratios = sorted(one / other for one, other in zip(asked, base, strict=True))
    return {
        "dialogues": len(cases),
        "tokens_read": sum(base) // BYTES // max(len(cases), 1),
        "tokens_asked": sum(asked) // BYTES // max(len(cases), 1),
        "times": round(sum(asked) / sum(base), 3),
        "median_times": round(median(ratios), 3),
        "most_times": round(ratios[-1], 3),
        "answered_times": round(sum(answered) / sum(base), 3),
    }


def windows(case: ReviewCase, messages: int = 200) -> dict[str, Any]:
    """Return the number of windows of a dialogue of `messages` messages, and the tokens of the largest request."""
    many = (case.messages * (messages // len(case.messages) + 1))[:messages]
    made, requests = requests_for(case.model_copy(update={"messages": many}), WINDOW)
    sizes = [sum(len(message.content.encode()) for message in request.messages) for request in requests]
    return {"messages": messages, "windows": len(made), "largest_request": max(sizes) // BYTES}


class Scripted:
    """A model that answers by a script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def complete(self, request: ChatRequest) -> ChatReply:
        answer = self._script(request.messages[0].content, request.messages[1].content)
        return ChatReply(content=answer if isinstance(answer, str) else json.dumps(answer))


def honest(prompt: str, question: str) -> dict[str, Any]:
    """Object to the planted lie if it is there, and to nothing else."""
    before = question.split(FALSE)[0] if FALSE in question else ""
    places = re.findall(r"^\[(\d+)\] assistant: ", before, re.MULTILINE)
    return review_of(prompt, question, [("deeds", int(places[-1]), FALSE)] if places else [])


def yes(prompt: str, question: str) -> dict[str, Any]:
    return review_of(prompt, question)


def no(prompt: str, question: str) -> dict[str, Any]:
    """Object to everything, with a real quote."""
    said = [line for line in question.split("Messages:\n")[1].splitlines() if "] assistant: " in line]
    place, quote = int(said[-1][1:].split("]")[0]), said[-1].split("] assistant: ")[1][:30]
    return review_of(prompt, question, [(item, place, quote) for item in asked_items(prompt, question)])


def misquoting(prompt: str, question: str) -> dict[str, Any]:
    """Object to everything, with a quote that nobody said."""
    return review_of(prompt, question, [(item, 1, "nobody said this") for item in asked_items(prompt, question)])


def contradictory(prompt: str, question: str) -> dict[str, Any]:
    answer = no(prompt, question)
    return {**answer, "yes": asked_items(prompt, question)}


def forgetful(prompt: str, question: str) -> dict[str, Any]:
    return {**review_of(prompt, question), "yes": asked_items(prompt, question)[::2]}


BAD: dict[str, Script] = {
    "nonsense": lambda _, __: "I like it.", "misquoting": misquoting, "contradictory": contradictory,
    "forgetful": forgetful, "always_yes": yes, "always_no": no,
}  # fmt: skip


async def accepted(cases: Sequence[ReviewCase], scripts: Sequence[Script]) -> float:
    """Return the share of dialogues that a committee of scripted reviewers accepts."""
    seats = [ModelDialogueReviewer(f"r{n}", Structured(Scripted(script))) for n, script in enumerate(scripts)]
    committee = DialogueCommittee(seats, ReviewSettings(reviewers=len(seats)))
    verdicts = [await committee.check(case) for case in cases]
    return round(sum(verdict.passed for verdict in verdicts) / len(verdicts), 3)


def lying(case: ReviewCase) -> ReviewCase:
    """Return a dialogue in which the assistant's last words claim something that was not done."""
    place = max(n for n, message in enumerate(case.messages) if message.role == "assistant" and message.content)
    changed = case.messages[place].model_copy(update={"content": f"{case.messages[place].content} {FALSE}"})
    return case.model_copy(update={"messages": (*case.messages[:place], changed, *case.messages[place + 1 :])})


async def bad(cases: Sequence[ReviewCase]) -> dict[str, dict[str, float]]:
    """Return the shares of accepted dialogues if one of three reviewers answers badly, and if all do."""
    faulty = [lying(case) for case in cases]
    found = {}
    for name, script in BAD.items():
        found[name] = {
            "one_sound": await accepted(cases, [honest, honest, script]),
            "one_faulty": await accepted(faulty, [honest, honest, script]),
            "all_sound": await accepted(cases, [script] * 3),
            "all_faulty": await accepted(faulty, [script] * 3),
        }
    return found


def kept(figures: dict[str, Any]) -> bool:
    """Tell whether all limits are kept; only calibration can detect reviewers who always agree."""
    few = {name: row for name, row in figures["bad"].items() if name != "always_yes"}
    return (
        all(row["times"] <= DEAREST for row in figures["cost"].values())
        and figures["windows"]["largest_request"] <= WINDOW
        and all(row["one_sound"] == 1 and row["one_faulty"] == 0 for row in figures["bad"].values())
        and all(row["all_sound"] == row["all_faulty"] == 0 for row in few.values())
    )


def measure(dialogues: int) -> dict[str, Any]:
    """Return all figures."""
    cases = played(dialogues)
    costs = {"clinic": cost(cases)}
    if SPOKEN.exists():
        costs["spoken"] = cost([case_of_recorded(one.dialogue) for one in read_labelled(SPOKEN)])
    return {"cost": costs, "windows": windows(cases[0]), "bad": asyncio.run(bad(cases))}


def main() -> None:
    """Measure and print; the exit code is 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="10 dialogues instead of 60")
    parser.add_argument("--dialogues", type=int, default=60, help="dialogues that the rules play")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    figures = measure(10 if options.quick else options.dialogues)
    for name, found in figures.items() if not options.json else ():
        rows = found.items() if all(isinstance(row, dict) for row in found.values()) else [("", found)]
        for case, row in rows:
            told = "  ".join(f"{key} {value}" for key, value in row.items())
            print(f"{name:<8}{case:<14}{told}")
    if options.json:
        print(json.dumps(figures, indent=2))
    sys.exit(not kept(figures))


if __name__ == "__main__":
    main()
