"""Keeps records in shard files and a store, counts them, and exports them; knows only the schemas."""
