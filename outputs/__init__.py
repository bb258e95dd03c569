"""Records -> shard files, the dataset store, figures, exports, pictures and pages; knows only the schemas.

exporters/  the accepted records of a run -> files to train on, loaded again and compared
graphs/     a graph report -> GraphML, a picture, or a page that can be searched
report/     a run in the store -> figures, coverage, and the dataset card
gym/        adapters for trainers: packages of their own, see gym/README.md; they talk only to `interplay serve`
viewer/     records -> an index of them, and pages that show them to people
store/      records -> shard files -> a DuckDB database that people can query

Order: shard files are written during a run and loaded into the store; report computes figures from it; exporters write
it with its card. A folder imports only those below it in this list; graphs stands alone.
"""
