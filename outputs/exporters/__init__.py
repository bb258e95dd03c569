"""The accepted records of a run -> one file per split in the format of a trainer, a dataset card, and a check that it loads.

export.py          writes a whole export, moves it into place, and loads it again
export_formats.py  the names of the formats, and the look-up of one
row_format.py      what an export must know about a format: rows, features, note for the card, losses
selection.py       verdicts, people's labels and what a format can hold -> the records that become rows
pairs.py           attempts at one task -> pairs of a right and a wrong one with a common beginning
exported_dialogue.py  a trajectory -> what the assistant sees of it: the messages that every format starts from
columns.py         a record -> the columns to filter rows by
export_settings.py the settings of an export: columns, splits, lengths, sizes of files; what cannot be its target
export_rows.py     the records of a run -> rows, each with its split
formats/           a module for each format, listed in its map
trainer_files.py   dataset_info.json, croissant.json, and what to paste into trainers
split_files.py     rows -> JSON Lines, Parquet or a saved dataset
message_lists.py   messages with words and calls -> the words as a message of their own
templates/         a chat template -> which rows it renders, and what it loses of them
hub_upload.py      an export -> a repository of the Hugging Face Hub
export_check.py    the folder of an export -> altered files, and rows that the run would give differently by now
reload_check.py    an export, loaded as its users will -> how each row compares with what it should be

Order: export (export_settings) begins; export_rows takes records from the store (selection, pairs), exported_dialogue, a format
(export_formats, row_format, message_lists) and columns make rows, split_files and trainer_files write them, templates tries
them, reload_check and export_check compare, hub_upload publishes them. To add a format, write its module in `formats` with a
`FORMAT`, and add its name to `FormatName` in `export_formats`.
"""
