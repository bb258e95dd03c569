"""Chat templates: what they lose is found, and what they do not lose is not."""

from pathlib import Path

import pytest
from tests.outputs.builders import answers, asks, call, make_record, make_toolset, says

from interplay.outputs.exporters.formats.trl import to_trl
from interplay.outputs.exporters.templates import template_process
from interplay.outputs.exporters.templates.chat_template import TemplateReport, try_template
from interplay.outputs.exporters.templates.template_process import TemplateProcess
from interplay.schemas.errors import ConfigError

WHOLE = """{{ tools | tojson }}{% for message in messages %}
<{{ message.role }}>{{ message.reasoning_content }}{{ message.content }}
{%- for call in message.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}{% endfor %}"""


def tried(folder: Path, template: str) -> TemplateReport:
    one, two = call(1, "find_hotel", city="Graz"), call(2, "find_hotel", city="Linz")
    said = [
        asks("Hi."), says("Let me look.", one, two, reasoning="Two places."), answers(one, "1"), answers(two, "2"),
        says("Both are free."),
    ]  # fmt: skip
    row = to_trl(make_record(0, said), make_toolset().tools[:2])
    (folder / "chat.jinja").write_text(template, encoding="utf-8")
    with TemplateProcess(folder / "chat.jinja") as opened:
        return try_template(opened, "chat.jinja", [row])


def test_a_template_that_tells_all_loses_nothing(tmp_path: Path) -> None:
    report = tried(tmp_path, WHOLE)
    assert (report.rows, report.whole, report.lost, report.refused) == (1, 1, {}, {})


@pytest.mark.parametrize(
    ("told", "instead", "lost"),
    [
        ("{{ tools | tojson }}", "", "tools"),
        ("{{ message.reasoning_content }}", "", "reasoning"),
        ("in message.tool_calls or []", "in (message.tool_calls or [])[:1]", "parallel_calls"),
        ("{{ call.function | tojson }}", "{{ call.function.name }}", "arguments"),
        (
            "{{ message.content }}",
            "{% if not message.tool_calls %}{{ message.content }}{% endif %}",
            "words_beside_calls",
        ),
        ("{{ message.content }}", "{% if message.role != 'tool' %}{{ message.content }}{% endif %}", "results"),
        ("{{ message.content }}", "{% if message.role != 'system' %}{{ message.content }}{% endif %}", "system"),
    ],
)
def test_what_a_template_loses_is_named(tmp_path: Path, told: str, instead: str, lost: str) -> None:
    assert tried(tmp_path, WHOLE.replace(told, instead)).lost == {lost: 1}


def test_a_template_that_refuses_says_why(tmp_path: Path) -> None:
    assert tried(tmp_path, "{{ raise_exception('One call at a time!') if messages }}").refused == {
        "One call at a time!": 1
    }


def test_arguments_are_given_as_text_to_a_template_that_wants_text(tmp_path: Path) -> None:
    report = tried(
        tmp_path, WHOLE.replace("{{ call.function | tojson }}", "{{ call.function.name + call.function.arguments }}")
    )
    assert (report.whole, report.text_arguments) == (1, True)


def test_the_block_for_what_is_learnt_is_read(tmp_path: Path) -> None:
    assert tried(tmp_path, "{% generation %}" + WHOLE + "{% endgeneration %}").whole == 1


@pytest.mark.parametrize("text", ["{% for %}", "{{ messages", "no template at all", "{{ tools }}"])
def test_what_is_no_chat_template_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"is no chat template .*Give a Jinja file"):
        tried(tmp_path, text)


def test_a_template_cannot_leave_its_sandbox(tmp_path: Path) -> None:
    report = tried(tmp_path, "{{ ''.__class__.__mro__[1].__subclasses__() if messages }}")
    assert report.whole == 0
    assert sum(report.refused.values()) == 1


def test_a_template_that_goes_on_forever_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_process, "SECONDS", 2.0)
    loops = "{% for message in messages %}" + "{% for a in range(99999) %}" * 3 + "{% endfor %}" * 4
    with pytest.raises(ConfigError, match="took more than 2 s over one dialogue"):
        tried(tmp_path, loops)


def test_a_template_that_grows_without_end_is_refused(tmp_path: Path) -> None:
    grown = "{{ messages }}{% set all = namespace(text='a') %}{% for _ in range(60) %}{% set all.text = all.text ~ all.text %}{% endfor %}"
    assert tried(tmp_path, grown).refused == {"MemoryError": 1}
    assert tried(tmp_path, "{% for message in messages %}{{ 'a' * 9999999 }}{% endfor %}").refused == {
        "more than 20,000,000 characters": 1
    }


def test_both_sides_of_a_pair_are_rendered(tmp_path: Path) -> None:
    one, two = call(1, "find_hotel", city="Graz"), call(2, "find_hotel", city="Linz")
    sides = [
        to_trl(make_record(0, said), ())["messages"]
        for said in ([asks("Hi."), says("", one)], [asks("Hi."), says("", one, two)])
    ]
    row = {"prompt": sides[0][:2], "chosen": sides[0][2:], "rejected": sides[1][2:], "tools": []}
    (tmp_path / "chat.jinja").write_text(
        WHOLE.replace("in message.tool_calls or []", "in (message.tool_calls or [])[:1]")
    )
    with TemplateProcess(tmp_path / "chat.jinja") as opened:
        report = try_template(opened, "chat.jinja", [row])
    assert (report.rows, report.whole, report.lost) == (2, 1, {"parallel_calls": 1})


def test_what_words_apart_would_save_is_counted(tmp_path: Path) -> None:
    report = tried(
        tmp_path,
        WHOLE.replace("{{ message.content }}", "{% if not message.tool_calls %}{{ message.content }}{% endif %}"),
    )
    assert (report.whole, report.whole_apart) == (0, 1)
    assert "1 more with --words-apart" in report.summary()
