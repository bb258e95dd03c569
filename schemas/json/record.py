"""The one way records are made: frozen pydantic models that refuse unknown fields."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record; `model_dump_json` and `model_validate_json` bring it to JSON and back unchanged."""

    # A record is built when the first one is made: most commands make few kinds of the many.
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants", defer_build=True)
