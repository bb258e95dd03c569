"""The tables of the dataset store, built up by small functions that are applied once each and in order.

To change the tables, add a function at the end of `MIGRATIONS`; never change one that was published.
"""

from collections.abc import Callable

from duckdb import DuckDBPyConnection

from interplay.outputs.store.stored_record import FAULTS, TERMINATIONS
from interplay.schemas.errors import StoreError

READ_INDICES = 200
"""Indices of a run whose records are in memory at once."""

FUNNEL = """
    CREATE OR REPLACE VIEW funnel AS
    WITH reached AS (
        SELECT run, attempt = 0 AS first, coalesce(filter_reason, stage) AS reason, CASE
            WHEN status = 'accepted' THEN 7
            WHEN termination IS NOT NULL AND fault IS NULL THEN 6
            WHEN termination IS NOT NULL AND stage = 'review' THEN 5
            WHEN termination IS NOT NULL THEN 4
            WHEN pattern IS NULL THEN 0
            WHEN stage IN ('model', 'crash', 'branch') THEN 3
            WHEN stage = 'committee' THEN 2
            ELSE 1 END AS place, count(*) AS records
        FROM records GROUP BY ALL
    ), steps(position, step, counted) AS (VALUES
        (0, 'recipes', 'tasks'), (1, 'composed', 'tasks'), (2, 'gates', 'tasks'), (3, 'reviewed', 'tasks'),
        (4, 'played', 'dialogues'), (5, 'checks', 'dialogues'), (6, 'judged', 'dialogues'), (7, 'accepted', 'dialogues')
    )
    SELECT run, position, step, counted, NULL AS reason, sum(records)::BIGINT AS times
    FROM steps JOIN reached ON place >= position AND (counted = 'dialogues' OR first) GROUP BY ALL
    UNION ALL
    SELECT run, position, step, counted, reason, sum(records)::BIGINT AS times
    FROM steps JOIN reached ON place = position - 1 AND (counted = 'dialogues' OR first) GROUP BY ALL
"""

_PARTS = 16
"""Of the records, where all together do not fit in memory."""

Migration = Callable[[DuckDBPyConnection], object]


def runs_and_toolsets(connection: DuckDBPyConnection) -> None:
    """What a run was asked for, and the tools that its dialogues can use."""
    connection.execute("""
        CREATE TABLE runs (id VARCHAR PRIMARY KEY, config JSON, seed BIGINT, toolset VARCHAR);
        CREATE TABLE toolsets (
            digest VARCHAR PRIMARY KEY, name VARCHAR, licence VARCHAR, provenance JSON, policy VARCHAR,
            record JSON USING COMPRESSION zstd);
        CREATE TABLE tools (
            toolset VARCHAR, position INTEGER, name VARCHAR, description VARCHAR, effect VARCHAR, requestor VARCHAR,
            parameters JSON, returns JSON);
        CREATE TABLE edges (
            toolset VARCHAR, producer VARCHAR, output VARCHAR, consumer VARCHAR, input VARCHAR, score DOUBLE,
            verified BOOLEAN, note VARCHAR, evidence JSON);
    """)


def records(connection: DuckDBPyConnection) -> None:
    """One row per index of a run, accepted or rejected, and the shard files that the rows come from."""
    connection.execute("""
        CREATE TABLE records (
            id VARCHAR PRIMARY KEY, run VARCHAR, index BIGINT, status VARCHAR, stage VARCHAR, pattern VARCHAR,
            target VARCHAR, goals INTEGER, turns INTEGER, calls INTEGER, signature VARCHAR, split VARCHAR,
            toolset VARCHAR, termination VARCHAR, models JSON, version VARCHAR, shard VARCHAR,
            record VARCHAR USING COMPRESSION zstd);
        CREATE TABLE shards (
            run VARCHAR, name VARCHAR, digest VARCHAR, rows BIGINT, loaded BIGINT, PRIMARY KEY (run, name));
    """)


def messages_and_calls(connection: DuckDBPyConnection) -> None:
    """What was said and done; `position` counts a dialogue's messages from 0, and a call has its message's."""
    connection.execute("""
        CREATE TABLE messages (
            record_id VARCHAR, position INTEGER, role VARCHAR, act VARCHAR, content VARCHAR USING COMPRESSION zstd,
            tool_call_id VARCHAR, failed BOOLEAN, masked VARCHAR USING COMPRESSION zstd);
        CREATE TABLE calls (
            record_id VARCHAR, position INTEGER, call_id VARCHAR, tool VARCHAR, requestor VARCHAR,
            arguments VARCHAR USING COMPRESSION zstd, result VARCHAR USING COMPRESSION zstd, failed BOOLEAN);
    """)


def verdicts_and_issues(connection: DuckDBPyConnection) -> None:
    """What each check said (`check_name`, since CHECK is a word of SQL), and each issue that it found."""
    connection.execute("""
        CREATE TABLE verdicts (
            record_id VARCHAR, position INTEGER, check_name VARCHAR, passed BOOLEAN, scores JSON, cost DOUBLE);
        CREATE TABLE issues (
            record_id VARCHAR, check_name VARCHAR, code VARCHAR, message VARCHAR, pointer VARCHAR, severity VARCHAR);
    """)


def tools_that_change(connection: DuckDBPyConnection) -> None:
    """All tools that are offered after a message, as a JSON list; null where the message changes nothing."""
    connection.execute("ALTER TABLE messages ADD COLUMN offered VARCHAR")


def who_speaks(connection: DuckDBPyConnection) -> None:
    """The model that wrote a message, and what the configuration calls it; null where rules did."""
    connection.execute("ALTER TABLE messages ADD COLUMN model VARCHAR")
    connection.execute("ALTER TABLE messages ADD COLUMN speaker VARCHAR")


def what_tasks_cover(connection: DuckDBPyConnection) -> None:
    """How hard a task is and where it comes from; its tools in order; and what it covers, one row each."""
    connection.execute("""
        ALTER TABLE records ADD COLUMN difficulty DOUBLE;
        ALTER TABLE records ADD COLUMN operator VARCHAR;
        ALTER TABLE records ADD COLUMN parent VARCHAR;
        ALTER TABLE records ADD COLUMN sequence VARCHAR;
        CREATE TABLE covered (record_id VARCHAR, kind VARCHAR, name VARCHAR);
    """)


def safety_scenarios(connection: DuckDBPyConnection) -> None:
    """The chain of harm that a safety scenario is about, which of its twins it is, and what the twins have in common."""
    connection.execute("ALTER TABLE records ADD COLUMN safety VARCHAR")
    connection.execute("ALTER TABLE records ADD COLUMN twin VARCHAR")
    connection.execute("ALTER TABLE records ADD COLUMN pair VARCHAR")


def rounds_and_reviews(connection: DuckDBPyConnection) -> None:
    """What every check said of every revision of a blueprint, and how reviewers scored it.

    `round` counts from 0; the last round of a record holds the verdicts on its trajectory too. An abstention has no metric.
    """
    connection.execute("""
        ALTER TABLE records ADD COLUMN story VARCHAR;
        ALTER TABLE records ADD COLUMN revisions INTEGER;
        CREATE TABLE rounds (
            record_id VARCHAR, round INTEGER, position INTEGER, blueprint VARCHAR, operator VARCHAR, check_name VARCHAR,
            passed BOOLEAN, codes JSON, feedback JSON);
        CREATE TABLE reviews (
            record_id VARCHAR, round INTEGER, reviewer VARCHAR, metric VARCHAR, score INTEGER, reason VARCHAR);
    """)


def attempts_and_faults(connection: DuckDBPyConnection) -> None:
    """Which attempt at the task of an index a record is; what went wrong first in it, and with which message."""
    connection.execute("ALTER TABLE records ADD COLUMN attempt INTEGER DEFAULT 0")
    connection.execute("ALTER TABLE records ADD COLUMN fault VARCHAR")
    connection.execute("ALTER TABLE records ADD COLUMN went_wrong INTEGER")


def languages(connection: DuckDBPyConnection) -> None:
    """In which language a dialogue is held."""
    connection.execute("ALTER TABLE records ADD COLUMN language VARCHAR DEFAULT 'en'")


def sessions(connection: DuckDBPyConnection) -> None:
    """The record that stands before a record in its session, for those that were loaded before as well.

    Read a few indices at a time: the JSON of all records does not fit in memory.
    """
    connection.execute("ALTER TABLE records ADD COLUMN continues VARCHAR")
    ranges = connection.execute(
        f"SELECT run, index // {READ_INDICES} AS part FROM records JOIN runs ON runs.id = run "
        "WHERE json_extract(config, '$.tasks_per_session') > 1 GROUP BY ALL"
    ).fetchall()
    for run, part in ranges:
        connection.execute(
            "UPDATE records SET continues = json_extract_string(record, '$.blueprint.start.source') "
            "WHERE run = ? AND index BETWEEN ? AND ? "
            "AND json_extract_string(record, '$.blueprint.start.origin') = 'session'",
            [run, part * READ_INDICES, (part + 1) * READ_INDICES - 1],
        )


def names_of_faults(connection: DuckDBPyConnection) -> None:
    """What goes wrong is called as reviewers and gold call it, in the columns; records are renamed as they are read."""
    for column, names in (("fault", FAULTS), ("termination", TERMINATIONS)):
        for old, new in names.items():
            connection.execute(f"UPDATE records SET {column} = ? WHERE {column} = ?", [new, old])


def solving_and_funnel(connection: DuckDBPyConnection) -> None:
    """How many attempts at a task pass, with the 95 % interval; why a record is left out; and the funnel of a run.

    A row of `funnel` tells how many are left after a step where `reason` is null, else how many were lost on the way to it.
    What was rejected by no fault passed all checks, and was left out for another reason.
    """
    for column in ("pass_rate", "pass_low", "pass_high"):
        connection.execute(f"ALTER TABLE records ADD COLUMN {column} DOUBLE")
    connection.execute("ALTER TABLE records ADD COLUMN filter_reason VARCHAR")
    connection.execute(FUNNEL)


def sense_of_tasks(connection: DuckDBPyConnection) -> None:
    """How plausible tasks are, and how many draws were dropped before each since they made too little sense."""
    connection.execute("ALTER TABLE records ADD COLUMN sense DOUBLE; ALTER TABLE records ADD COLUMN redrawn INTEGER")


def dialogues_alone(connection: DuckDBPyConnection) -> None:
    """What the rows of an export are made of (see `stored_dialogue`), of records that may become some.

    Records that were loaded before have none: their dialogues are made of the records when they are asked for.
    """
    connection.execute(
        "CREATE TABLE dialogues (record_id VARCHAR, run VARCHAR, index BIGINT, dialogue VARCHAR USING COMPRESSION zstd)"
    )


def sizes_of_dialogues(connection: DuckDBPyConnection) -> None:
    """The characters of messages and of dialogues, and what trainers' templates lose: read from texts, these would take seconds.

    Of a part of the records at a time: what is said in all of them does not fit in memory.
    """
    connection.execute("""
        ALTER TABLE records ADD COLUMN characters BIGINT;
        ALTER TABLE records ADD COLUMN words_beside_calls BOOLEAN;
        ALTER TABLE records ADD COLUMN parallel_calls BOOLEAN;
        ALTER TABLE messages ADD COLUMN characters INTEGER;
        ALTER TABLE messages ALTER characters TYPE INTEGER USING length(content);
    """)
    for part in range(_PARTS):
        of_part = f"hash(record_id) % {_PARTS} = {part}"
        connection.execute(f"""
            WITH called AS (
                SELECT record_id, position, sum(length(tool) + length(arguments)) AS written,
                       count(*) FILTER (requestor = 'assistant') AS own FROM calls WHERE {of_part} GROUP BY ALL
            ), sized AS (
                SELECT record_id, sum(characters + coalesce(written, 0)) AS characters,
                       bool_or(characters > 0 AND coalesce(own, 0) > 0) AS beside, bool_or(coalesce(own, 0) > 1) AS parallel
                FROM (SELECT record_id, position, characters FROM messages WHERE {of_part})
                LEFT JOIN called USING (record_id, position) GROUP BY record_id
            )
            UPDATE records SET characters = sized.characters, words_beside_calls = beside, parallel_calls = parallel
            FROM sized WHERE record_id = id
        """)


def funnel_of_groups(connection: DuckDBPyConnection) -> None:
    """The funnel counts records that fared alike at once, as new stores do from the beginning."""
    connection.execute(FUNNEL)


MIGRATIONS: tuple[Migration, ...] = (
    runs_and_toolsets,
    records,
    messages_and_calls,
    verdicts_and_issues,
    tools_that_change,
    who_speaks,
    what_tasks_cover,
    safety_scenarios,
    rounds_and_reviews,
    attempts_and_faults,
    languages,
    sessions,
    names_of_faults,
    solving_and_funnel,
    sense_of_tasks,
    dialogues_alone,
    sizes_of_dialogues,
    funnel_of_groups,
)


def version_of(connection: DuckDBPyConnection, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Return how many migrations were applied.

    Raises:
        StoreError: the store was written by a newer version.
    """
    version = int(connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchall()[0][0])
    if version > len(migrations):
        raise StoreError(
            f"the tables are of version {version}, this program knows version {len(migrations)}. "
            "Use a newer interplay, or delete the file: the store is built anew from the shard files."
        )
    return version


def migrate(connection: DuckDBPyConnection, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Apply what is missing, all or nothing, and return how many migrations that were.

    Raises:
        StoreError: the store was written by a newer version.
    """
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name VARCHAR)")
    version = version_of(connection, migrations)
    connection.execute("BEGIN")
    for number, migration in enumerate(migrations[version:], start=version + 1):
        migration(connection)
        connection.execute("INSERT INTO migrations VALUES (?, ?)", [number, getattr(migration, "__name__", "")])
    connection.execute("COMMIT")
    return len(migrations) - version
