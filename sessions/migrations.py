"""The tables of a session, one small function for each change of format. A function that has shipped is never edited."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x4B4C4447
"""`KLDG`, in SQLite's header: what tells a session from any other SQLite file."""

migrate = Migrations("kernel-ledger")


@migrate()
def m001_tables(db: Database) -> None:
    """Everything that format 1 keeps."""
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")
    for statement in _TABLES_1:
        db.execute(statement)


@migrate()
def m001_views(db: Database) -> None:
    """What a person reads with any SQLite tool (documented in README.md)."""
    for statement in _VIEWS_1:
        db.execute(statement)


@migrate()
def m002_newest_runs(db: Database) -> None:
    """Find the newest runs of each version without reading every run's environment; the format stays 1."""
    db.execute("CREATE INDEX runs_newest ON runs (version, device, id, confirms)")


@migrate()
def m003_includes(db: Database) -> None:
    """Headers of the project that a version's source includes: they are part of its hash, so that the format becomes 2."""
    db.execute("ALTER TABLE versions ADD COLUMN includes TEXT NOT NULL DEFAULT '{}'")
    db.execute("UPDATE meta SET value = '2' WHERE key = 'format'")
    db.execute("PRAGMA user_version = 2")


FORMAT = 2
"""The format this program writes, in `PRAGMA user_version`; a larger one is refused."""

_TABLES_1 = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "INSERT INTO meta VALUES ('format', '1')",
    "CREATE TABLE project (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, goal TEXT NOT NULL, value TEXT NOT NULL)",
    """CREATE TABLE versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, parent TEXT,
        author_kind TEXT NOT NULL, author_name TEXT NOT NULL, created TEXT NOT NULL, hypothesis TEXT NOT NULL,
        language TEXT NOT NULL, entry TEXT NOT NULL, source BLOB NOT NULL, encoding TEXT NOT NULL, bom INTEGER NOT NULL,
        launch TEXT NOT NULL, template TEXT NOT NULL, options TEXT NOT NULL, constants TEXT NOT NULL)""",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL REFERENCES versions (hash), device TEXT NOT NULL,
        started TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0, seed TEXT NOT NULL,
        confirms INTEGER REFERENCES runs (id), environment TEXT NOT NULL)""",
    "CREATE INDEX runs_version ON runs (version)",
    """CREATE TABLE passes (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs (id), name TEXT NOT NULL,
        status TEXT NOT NULL, started TEXT NOT NULL, seconds REAL NOT NULL, kernel_seconds REAL, reference_seconds REAL,
        wall_seconds REAL, gates_passed INTEGER NOT NULL, gates_failed INTEGER NOT NULL, gates_not_run INTEGER NOT NULL,
        failure TEXT, reason TEXT, kind TEXT, data TEXT, gates TEXT NOT NULL, environment TEXT)""",
    "CREATE INDEX passes_run ON passes (run)",
    """CREATE TABLE samples (
        id INTEGER PRIMARY KEY AUTOINCREMENT, pass INTEGER NOT NULL REFERENCES passes (id), process INTEGER NOT NULL,
        a TEXT NOT NULL, b TEXT NOT NULL, sm_clock_mhz TEXT NOT NULL, set_aside INTEGER NOT NULL)""",
    "CREATE INDEX samples_pass ON samples (pass)",
    """CREATE TABLE suggestions (
        id INTEGER PRIMARY KEY AUTOINCREMENT, base TEXT NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
        prompt TEXT NOT NULL, answer TEXT NOT NULL, created TEXT NOT NULL, hypothesis TEXT NOT NULL, metric TEXT NOT NULL,
        input_tokens INTEGER, output_tokens INTEGER, price_usd REAL, decision TEXT NOT NULL, accepted_hunks TEXT NOT NULL,
        result TEXT)""",
    """CREATE TABLE traces (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs (id), side TEXT NOT NULL,
        wall_ns INTEGER NOT NULL, events INTEGER NOT NULL, names TEXT NOT NULL, lanes TEXT NOT NULL,
        start_ns BLOB NOT NULL, duration_ns BLOB NOT NULL, kind BLOB NOT NULL, lane BLOB NOT NULL, name BLOB NOT NULL,
        UNIQUE (run, side))""",
)

_VIEWS_1 = (
    """CREATE VIEW versions_view AS
        SELECT versions.name, substr(versions.hash, 1, 7) AS hash, parents.name AS parent, versions.author_kind AS author,
               versions.author_name, versions.hypothesis, versions.created, CAST(versions.source AS TEXT) AS source
        FROM versions LEFT JOIN versions AS parents ON parents.hash = versions.parent ORDER BY versions.id""",
    """CREATE VIEW runs_view AS
        SELECT runs.id AS run, versions.name AS version, runs.device, runs.started, runs.finished, runs.confirms,
               group_concat(passes.name || ' ' || passes.status, ', ') AS passes, sum(passes.gates_passed) AS gates_passed,
               sum(passes.gates_failed) AS gates_failed, sum(passes.gates_not_run) AS gates_not_run,
               max(passes.kernel_seconds) * 1e3 AS kernel_ms, max(passes.reference_seconds) * 1e3 AS reference_ms,
               max(passes.wall_seconds) * 1e3 AS wall_ms
        FROM runs JOIN versions ON versions.hash = runs.version LEFT JOIN passes ON passes.run = runs.id
        GROUP BY runs.id ORDER BY runs.id""",
    """CREATE VIEW samples_view AS
        SELECT passes.run, versions.name AS version, samples.process, 'reference' AS side, side.key AS round,
               side.value AS seconds
        FROM samples JOIN passes ON passes.id = samples.pass JOIN runs ON runs.id = passes.run
        JOIN versions ON versions.hash = runs.version, json_each(samples.a) AS side
        UNION ALL
        SELECT passes.run, versions.name, samples.process, 'version', side.key, side.value
        FROM samples JOIN passes ON passes.id = samples.pass JOIN runs ON runs.id = passes.run
        JOIN versions ON versions.hash = runs.version, json_each(samples.b) AS side""",
    """CREATE VIEW gates_view AS
        SELECT passes.run, versions.name AS version, json_extract(gate.value, '$.gate') AS gate,
               json_extract(gate.value, '$.status') AS status, json_extract(gate.value, '$.sentence.text') AS sentence,
               json_extract(gate.value, '$.facts') AS facts
        FROM passes JOIN runs ON runs.id = passes.run JOIN versions ON versions.hash = runs.version,
             json_each(passes.gates) AS gate""",
)
