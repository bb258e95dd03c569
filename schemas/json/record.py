"""The base class of all records: frozen pydantic models that refuse unknown fields."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record; `model_dump_json` and `model_validate_json` convert it to JSON and back unchanged."""

    # deferred: a record's validator is built when the first one is made, and most commands make few kinds
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants", defer_build=True)
