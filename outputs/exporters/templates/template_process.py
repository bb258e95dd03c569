"""An untrusted chat template -> the text of dialogues, rendered in a process of its own with bounded time and memory.

A template is a program. A sandbox keeps it from files and from the interpreter, but not from running forever or growing without
limit. So a second Python process renders it, and is asked in lines of JSON:

    -> "{{ messages }}..."                      the template          <- {"text": ""} or {"refused": "unexpected '}'"}
    -> {"messages": [...], "tools": [...]}      one dialogue          <- {"text": "..."} or {"refused": "One call at a time!"}
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

from interplay.schemas.errors import ConfigError
from interplay.schemas.plain_file import plain_text

LARGEST, LONGEST_TEXT = 1_000_000, 20_000_000
"""Maximum characters of a template, and of one rendered dialogue."""
SECONDS, BYTES = 20.0, 2 << 30
"""Time limit for one dialogue, and memory limit of the process."""

REMEDY = "Give a Jinja file, as models have it."

Objects = list[dict[str, Any]]


class Refusal(NamedTuple):
    """Why a dialogue was not rendered, in the words of the template or the renderer."""

    why: str


class TemplateProcess:
    """A template ready to render dialogues; a context manager."""

    def __init__(self, path: Path) -> None:
        """Read the template file and start the process.

        Raises:
            ConfigError: the file cannot be read, is too large, or is not a valid template.
        """
        self._name = f"--template {path}"
        try:
            text = plain_text(path)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{self._name}: cannot be read ({error}). {REMEDY}") from error
        if len(text) > LARGEST:
            raise ConfigError(f"{self._name}: has more than {LARGEST:,} characters. Give the chat template alone.")
        command = [sys.executable, "-m", __name__]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._answers: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            found = self._ask(text)
            if isinstance(found, Refusal):
                raise ConfigError(f"{self._name}: is no chat template ({found.why}). {REMEDY}")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def render(self, messages: Objects, tools: Objects) -> str | Refusal:
        """Return the rendered text of a dialogue, or why it was refused.

        Raises:
            ConfigError: rendering takes too long, or the process ended.
        """
        return self._ask({"messages": messages, "tools": tools})

    def _ask(self, question: Any) -> str | Refusal:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=SECONDS)
        except (Empty, OSError):
            line = ""
        if not line:
            over = "ended without an answer" if self._process.poll() is not None else f"took more than {SECONDS:.0f} s"
            raise ConfigError(f"{self._name}: {over} over one dialogue. Give the template of a model.")
        answer = json.loads(line)
        return Refusal(answer["refused"]) if "refused" in answer else answer["text"]

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # the pipe was closed
            for line in self._process.stdout:
                self._answers.put(line)
        self._answers.put("")


def _answer_questions() -> None:
    """Render what is asked for on standard input; the main loop of the process."""
    from jinja2.meta import find_undeclared_variables  # noqa: PLC0415

    _bound_memory()
    template = None
    for line in sys.stdin:
        try:
            question = json.loads(line)
            if template is None:
                environment, text = _environment(), ""
                template = environment.from_string(question)
                if "messages" not in find_undeclared_variables(environment.parse(question)):
                    raise ValueError("it writes no messages")
            else:
                text = _rendered(template, question["messages"], question["tools"])
            answer = (
                {"text": text} if len(text) <= LONGEST_TEXT else {"refused": f"more than {LONGEST_TEXT:,} characters"}
            )
        except Exception as error:  # a template is an untrusted program
            answer = {"refused": str(error) or type(error).__name__}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _bound_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # not every system supports such limits
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def _rendered(template: Any, messages: Objects, tools: Objects) -> str:
    tokens = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    return str(template.render(messages=messages, tools=tools or None, add_generation_prompt=False, **tokens))


def _environment() -> Any:
    """Return a Jinja environment set up as in `transformers`."""
    from jinja2 import TemplateError, nodes  # noqa: PLC0415
    from jinja2.ext import Extension, loopcontrols  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Generation(Extension):
        """The `generation` block, which marks what is to be learnt; its content is rendered unchanged."""

        tags = {"generation"}  # noqa: RUF012  (as the library declares it)

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    def refuse(reason: str) -> None:
        raise TemplateError(reason)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda _: "2026-01-01"  # deterministic output
    return environment


def to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    """Return a value as JSON, as the `tojson` filter of `transformers` writes it."""
    separators = options.get("separators")
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators and tuple(separators),
        sort_keys=bool(options.get("sort_keys")),
    )  # fmt: skip


if __name__ == "__main__":
    _answer_questions()
