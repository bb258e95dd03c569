"""Joins the rooms: configuration, assembly of parts, stages, Prefect flows, command line."""
