"""The tables of the dataset store and their version; a store of an older version is rebuilt from its shards.

Whoever changes `TABLES` must increase `VERSION`.
"""

from duckdb import DuckDBPyConnection

from interplay.schemas.errors import StoreError, StoreOutdated

VERSION = 19
"""The version of `TABLES`."""

TABLES = f"""
CREATE TABLE migrations AS SELECT {VERSION}::INTEGER AS version;  -- programs from before look for their version here

-- What a run was asked for, and the tools that its dialogues can use.
CREATE TABLE runs (id VARCHAR PRIMARY KEY, config JSON, seed BIGINT, toolset VARCHAR);
CREATE TABLE toolsets (
    digest VARCHAR PRIMARY KEY, name VARCHAR, licence VARCHAR, provenance JSON, policy VARCHAR,
    record JSON USING COMPRESSION zstd);
CREATE TABLE tools (
    toolset VARCHAR, position INTEGER, name VARCHAR, description VARCHAR, effect VARCHAR, requestor VARCHAR,
    parameters JSON, returns JSON);
CREATE TABLE edges (
    toolset VARCHAR, producer VARCHAR, output VARCHAR, consumer VARCHAR, input VARCHAR, score DOUBLE, verified BOOLEAN,
    note VARCHAR, evidence JSON);

-- The shard files that the rows come from, and one row for each attempt at an index of a run, accepted or rejected.
CREATE TABLE shards (run VARCHAR, name VARCHAR, digest VARCHAR, rows BIGINT, loaded BIGINT, PRIMARY KEY (run, name));
CREATE TABLE records (
    id VARCHAR PRIMARY KEY, run VARCHAR, index BIGINT, status VARCHAR, stage VARCHAR, pattern VARCHAR, target VARCHAR,
    goals INTEGER, turns INTEGER, calls INTEGER, signature VARCHAR, split VARCHAR, toolset VARCHAR, termination VARCHAR,
    models JSON, version VARCHAR, shard VARCHAR, record VARCHAR USING COMPRESSION zstd,
    -- How hard its task is and where it comes from; its tools in order.
    difficulty DOUBLE, operator VARCHAR, parent VARCHAR, sequence VARCHAR,
    -- The chain of harm that a safety scenario is about, which of its twins it is, and what the twins have in common.
    safety VARCHAR, twin VARCHAR, pair VARCHAR, story VARCHAR, revisions INTEGER,
    -- Which attempt at the task of its index it is; what went wrong first in it, and with which message.
    attempt INTEGER DEFAULT 0, fault VARCHAR, went_wrong INTEGER, language VARCHAR DEFAULT 'en',
    continues VARCHAR,  -- the record that stands before it in its session
    -- How many attempts at its task pass, with the 95 % interval, and why it is left out.
    pass_rate DOUBLE, pass_low DOUBLE, pass_high DOUBLE, filter_reason VARCHAR,
    -- How plausible its task is, and how many draws were dropped before it since they made too little sense.
    sense DOUBLE, redrawn INTEGER,
    -- The characters of the dialogue, and what templates of trainers lose: read from texts, these would take seconds.
    characters BIGINT, words_beside_calls BOOLEAN, parallel_calls BOOLEAN);

-- What was said and done; `position` counts the messages of a dialogue from 0, and a call has that of its message. `offered`
-- are all tools that are offered after a message, null where it changes nothing; `model` and `speaker` are null where rules spoke.
CREATE TABLE messages (
    record_id VARCHAR, position INTEGER, role VARCHAR, act VARCHAR, content VARCHAR USING COMPRESSION zstd,
    tool_call_id VARCHAR, failed BOOLEAN, masked VARCHAR USING COMPRESSION zstd, offered VARCHAR, model VARCHAR,
    speaker VARCHAR, characters INTEGER);
CREATE TABLE calls (
    record_id VARCHAR, position INTEGER, call_id VARCHAR, tool VARCHAR, requestor VARCHAR,
    arguments VARCHAR USING COMPRESSION zstd, result VARCHAR USING COMPRESSION zstd, failed BOOLEAN);

-- What each check said (`check_name`, since CHECK is a word of SQL), each issue that it found, and what a task covers.
CREATE TABLE verdicts (
    record_id VARCHAR, position INTEGER, check_name VARCHAR, passed BOOLEAN, scores JSON, cost DOUBLE);
CREATE TABLE issues (
    record_id VARCHAR, check_name VARCHAR, code VARCHAR, message VARCHAR, pointer VARCHAR, severity VARCHAR);
CREATE TABLE covered (record_id VARCHAR, kind VARCHAR, name VARCHAR);

-- What every check said of every revision of a blueprint, and how reviewers scored it. `round` counts from 0; the last round
-- of a record holds the verdicts on its trajectory too. An abstention has no metric.
CREATE TABLE rounds (
    record_id VARCHAR, round INTEGER, position INTEGER, blueprint VARCHAR, operator VARCHAR, check_name VARCHAR,
    passed BOOLEAN, codes JSON, feedback JSON);
CREATE TABLE reviews (
    record_id VARCHAR, round INTEGER, reviewer VARCHAR, metric VARCHAR, score INTEGER, reason VARCHAR);

-- What the rows of an export are made of (see `stored_dialogue`), of records that may become some.
CREATE TABLE dialogues (record_id VARCHAR, run VARCHAR, index BIGINT, dialogue VARCHAR USING COMPRESSION zstd);

-- How many are left after a step where `reason` is null, else how many were lost on the way to it. What was rejected by no
-- fault passed all checks, and was left out for another reason.
CREATE VIEW funnel AS
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
FROM steps JOIN reached ON place = position - 1 AND (counted = 'dialogues' OR first) GROUP BY ALL;
"""


def make_tables(connection: DuckDBPyConnection) -> None:
    """Create the tables, all or none, if there are none yet; else check their version.

    Raises:
        StoreError: the tables are of a newer version.
        StoreOutdated: the tables are of an older version.
    """
    if not connection.execute("SELECT 1 FROM duckdb_tables() WHERE database_name = 'store'").fetchall():
        connection.execute(f"BEGIN; {TABLES} COMMIT")
    elif (version := version_of(connection)) < VERSION:
        raise StoreOutdated(f"the tables are of version {version}, an older one than {VERSION}.")


def version_of(connection: DuckDBPyConnection) -> int:
    """Return the version of the tables.

    Raises:
        StoreError: they are of a newer version.
    """
    version = int(connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchall()[0][0])
    if version > VERSION:
        raise StoreError(
            f"the tables are of version {version}, this program knows version {VERSION}. "
            "Use a newer interplay, or delete the file: the store is built anew from the shard files."
        )
    return version
