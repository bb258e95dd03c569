"""What a flow can be asked to choose among: literals that the command line and the flows share."""

from typing import Literal

PartBy = Literal["date", "number"]
"""What the parts of a workspace are named by."""
RunnerName = Literal["threads", "processes", "dask"]
"""The task runners of Prefect on which shards can be made."""
