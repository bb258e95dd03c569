"""A YAML file -> the configuration of a run, checked key by key; errors name the file, the key and what was expected.

config.py             the configuration: everything that decides a record's bytes, and a few settings that do not
config_file.py        a YAML file, or settings -> the configuration, or what is wrong and where
model_settings.py     the models, the roles that they play, and which of their settings decide a record
world_settings.py     how many records share a made-up world, and what these worlds are like
dialogue_settings.py  where dialogues begin, and how they branch
curation_settings.py  which accepted records are left out of exports
gym_settings.py       rewards of agents in training, and limits of the server
config_schema.py      the settings -> their JSON Schema, by which editors complete and check a configuration
specs.py              the specification of a toolset, as `openapi:shop.yaml?only=get_*` <-> its parts

Order: model_settings, dialogue_settings and the others check their sections, config the whole; config_file reads it. To add a
setting, add a field with a description; one that does not decide a record's bytes is also added to `NOT_IN_RECORDS`.
"""

MOST_RECORDS = 10**9
"""The most records that a run may be asked for."""
