"""Literals for the parameters of flows, shared with the command line."""

from typing import Literal

PartBy = Literal["date", "number"]
"""How the parts of a workspace are named."""
RunnerName = Literal["threads", "processes", "dask"]
"""The Prefect task runners on which shards can be made."""
