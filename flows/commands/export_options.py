"""The options of `interplay export`."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.outputs.exporters.export_formats import FormatName, Shape

ToOption = Annotated[
    Path, typer.Option("--to", metavar="DIR", help="The folder to write; an earlier export is replaced.")
]

FormatOption = Annotated[FormatName, typer.Option("--format", help="The shape of messages and tools.")]

ShapeOption = Annotated[Shape, typer.Option("--as", help="The files to write.")]

ReasoningOption = Annotated[
    bool, typer.Option("--reasoning/--no-reasoning", help="Whether to keep what the assistant thought.")
]

LabelsOption = Annotated[
    Path | None,
    typer.Option("--labels", metavar="FILE", help="What people say of records; they overrule reviewers."),
]

ColumnsOption = Annotated[
    bool, typer.Option("--columns/--no-columns", help="Whether rows have the columns by which they are chosen.")
]

SplitOption = Annotated[
    str, typer.Option("--split", metavar="SHARES", help="The shares of train, validation and test.")
]

HoldOutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hold-out",
        metavar="TOOL",
        help="Only the test split may use it: a tool, or all of a source. Can be given more than once.",
    ),
]

MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", min=1, metavar="N", help="Leave longer dialogues out, and count them.")
]

TokenizerOption = Annotated[
    str, typer.Option("--tokenizer", metavar="FILE", help="A tokenizer.json to count by; else characters / 4.")
]

FileSizeOption = Annotated[
    int,
    typer.Option("--file-size", min=1, metavar="MB", help="Begin another file where one has so many megabytes."),
]

TemplateOption = Annotated[
    Path | None,
    typer.Option("--template", metavar="FILE", help="A chat template: say what it loses of the dialogues."),
]

WordsApartOption = Annotated[
    bool,
    typer.Option(
        "--words-apart", help="Put words beside calls into a message of their own, where templates lose them."
    ),
]

PushOption = Annotated[
    str, typer.Option("--push", metavar="OWNER/NAME", help="Upload it to this dataset of the Hugging Face Hub.")
]

PrivateOption = Annotated[bool, typer.Option("--private", help="Make the dataset on the Hub private.")]

RevisionOption = Annotated[
    str | None,
    typer.Option("--revision", metavar="BRANCH", help="The branch on the Hub; made where it is not there."),
]
