"""The accepted records of a run -> one file per split in the format of a trainer, a dataset card, and a check that it loads.

export.py          writes an export as a whole, loads it again, and moves it into place
export_formats.py  the names of the formats, and the look-up of one
row_format.py      what there is to know of a format: rows, features, note for the card, losses
selection.py       what was decided, what people say, what a format holds -> the records that become rows
pairs.py           attempts at one task -> pairs that are the same up to where one goes wrong
assistant_view.py  a trajectory -> what the assistant sees of it, of which every format is made
columns.py         a record -> the columns by which rows are chosen
export_settings.py what is asked of an export: columns, splits, lengths, sizes of files; what is no place for it
export_rows.py     the records of a run -> rows, each with its split
formats/           a module for each format, listed in its map
trainer_files.py   dataset_info.json, croissant.json, and what to paste into trainers
split_files.py     rows -> JSON Lines, Parquet or a saved dataset
message_lists.py   words beside calls -> a message of their own
templates/         a chat template -> which rows it renders, and what it loses of them
hub_upload.py      an export -> a repository of the Hugging Face Hub
export_check.py    the folder of an export -> files that are not as they were written, rows that the run gives otherwise by now
reload_check.py    an export, loaded as its users will -> how each row compares with what it should be

Order: export (export_settings) begins; export_rows takes records from the store (selection, pairs), assistant_view, a format
(export_formats, row_format, message_lists) and columns make rows, split_files and trainer_files write them, templates tries
them, reload_check and export_check compare, hub_upload gives them out. To add a format, write its module in `formats` with a `FORMAT` and add its name to `FormatName` in `export_formats`.
"""
