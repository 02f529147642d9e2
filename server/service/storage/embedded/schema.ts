import type { DatabaseSync } from 'node:sqlite';
import { rowPlaceOf } from './rowKeys.ts';

/** The migrations. Each upgrades a data folder by one version. Released migrations never change. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE instance (
    id TEXT NOT NULL,
    -- The last id of operations and lookup entries, also when they are deleted again.
    last_op INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE deployments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    content TEXT NOT NULL,
    slot_name TEXT NOT NULL,
    storage_version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    snapshot_done INTEGER NOT NULL DEFAULT 0,
    last_checkpoint INTEGER,
    last_checkpoint_lsn TEXT,
    no_checkpoint_before TEXT,
    snapshot_lsn TEXT,
    last_checkpoint_at INTEGER,
    last_keepalive_at INTEGER,
    last_error TEXT,
    last_error_at INTEGER,
    -- Last operation that was written, and the last one that a commit has followed, published or not.
    last_op INTEGER NOT NULL DEFAULT 0,
    committed_op INTEGER NOT NULL DEFAULT 0,
    -- A reset has begun, and must be finished before anything else is written.
    resetting INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    deployment INTEGER NOT NULL,
    schema_name TEXT NOT NULL,
    name TEXT NOT NULL,
    oid INTEGER NOT NULL,
    identity TEXT NOT NULL,
    identity_kind TEXT NOT NULL,
    copied INTEGER NOT NULL,
    progress TEXT
  ) STRICT;
  CREATE INDEX tables_of_deployment ON tables (deployment);

  CREATE TABLE buckets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    deployment INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (deployment, name)
  ) STRICT;

  -- Written at its end; read through the index, which alone answers checksums.
  CREATE TABLE ops (
    op_id INTEGER PRIMARY KEY,
    bucket INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    target INTEGER,
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX ops_of_bucket ON ops (bucket, op_id, checksum, kind);

  -- Keys are random, rows may be large: so only the keys are in the tree that is written everywhere.
  CREATE TABLE current_rows (
    id INTEGER PRIMARY KEY,
    source_table INTEGER NOT NULL,
    source_key BLOB NOT NULL,
    lists TEXT NOT NULL,
    row_values BLOB
  ) STRICT;
  CREATE UNIQUE INDEX current_rows_of_table ON current_rows (source_table, source_key);

  CREATE TABLE lookups (
    deployment INTEGER NOT NULL,
    lookup TEXT NOT NULL,
    source_table INTEGER NOT NULL,
    source_key BLOB NOT NULL,
    op_id INTEGER NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (deployment, lookup, source_table, source_key, op_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE write_checkpoints (
    user_key TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    lsn TEXT NOT NULL,
    -- The number before, if it was reached when this one came.
    reached_number INTEGER,
    -- When a client asked for this very number.
    requested_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX requested_write_checkpoints ON write_checkpoints (requested_at) WHERE requested_at IS NOT NULL;
  `,
  `
  -- Operations, see runs.ts. Written at its end; read through the index, which alone answers checksums. The text comes
  -- last: what stands before it can be read without it.
  CREATE TABLE runs (
    first_op INTEGER PRIMARY KEY,
    bucket INTEGER NOT NULL,
    last_op INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    count INTEGER NOT NULL,
    target INTEGER,
    heads BLOB,
    targets BLOB,
    json TEXT NOT NULL
  ) STRICT;
  INSERT INTO runs (first_op, bucket, last_op, kind, checksum, count, target, json)
    SELECT op_id, bucket, op_id, kind, checksum, 1, target, json FROM ops ORDER BY op_id;
  DROP TABLE ops;
  CREATE INDEX runs_of_bucket ON runs (bucket, last_op, first_op, kind, checksum, count);

  -- Where current rows are, see currentRows.ts.
  DROP INDEX current_rows_of_table;
  CREATE TABLE row_places (
    place INTEGER PRIMARY KEY,
    row INTEGER NOT NULL
  ) STRICT;
  -- Those whose place another one has.
  CREATE TABLE displaced_rows (
    place INTEGER NOT NULL,
    source_key BLOB NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (place, source_key)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO row_places (place, row)
    SELECT row_place(source_table, source_key), id FROM current_rows ORDER BY 1;
  INSERT INTO displaced_rows (place, source_key, row)
    SELECT row_place(source_table, source_key), source_key, id FROM current_rows
    WHERE id NOT IN (SELECT row FROM row_places);
  `,
  `
  -- See writeCheckpointKeys.ts. Unknown of those that were written before this column came.
  ALTER TABLE write_checkpoints ADD COLUMN user_part TEXT;
  CREATE INDEX write_checkpoints_of_user ON write_checkpoints (user_part, lsn);
  `,
  `
  -- See checks.ts; NULL in rows of earlier versions.
  ALTER TABLE runs ADD COLUMN "check" INTEGER;
  ALTER TABLE current_rows ADD COLUMN "check" INTEGER;
  ALTER TABLE lookups ADD COLUMN "check" INTEGER;
  `,
  `
  -- What is remembered of the source's log, see deployment.ts, and of its tables, see storage.ts.
  ALTER TABLE deployments ADD COLUMN acknowledged_lsn TEXT;
  ALTER TABLE deployments ADD COLUMN last_event_lsn TEXT;
  ALTER TABLE deployments ADD COLUMN reason TEXT;
  ALTER TABLE tables ADD COLUMN shape TEXT;
  -- Rows that clients do not get as they should, see replication/rows/rowReports.ts.
  ALTER TABLE tables ADD COLUMN row_problems TEXT;
  `,
  `
  -- Which history of which source it belongs to, see deployment.ts.
  ALTER TABLE deployments ADD COLUMN source_system TEXT;
  ALTER TABLE deployments ADD COLUMN source_timeline TEXT;
  ALTER TABLE deployments ADD COLUMN last_event_mark TEXT;
  `,
  `
  -- Texts that took the place of the first one, see deployment.ts.
  ALTER TABLE deployments ADD COLUMN stored_content TEXT;
  ALTER TABLE deployments ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What was copied beside a deployment, and what is to be, see deployment.ts; of its tables, see storage.ts.
  ALTER TABLE deployments ADD COLUMN stored_texts TEXT;
  ALTER TABLE deployments ADD COLUMN base INTEGER;
  ALTER TABLE deployments ADD COLUMN anew TEXT;
  ALTER TABLE deployments ADD COLUMN has_rest INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tables ADD COLUMN beside TEXT;
  `,
  `
  -- The text of a run, compressed, and the bytes that it has without: see texts.ts. Then json is empty.
  ALTER TABLE runs ADD COLUMN zstd BLOB;
  ALTER TABLE runs ADD COLUMN size INTEGER;
  `,
  `
  -- The latest of the places, see rowPlaces.ts.
  CREATE TABLE new_places (
    place INTEGER PRIMARY KEY,
    row INTEGER NOT NULL
  ) STRICT;
  CREATE VIEW all_places AS SELECT place, row FROM row_places UNION ALL SELECT place, row FROM new_places;
  `,
  `
  -- How fast a deployment is copied, see deployment.ts.
  ALTER TABLE deployments ADD COLUMN pace TEXT;
  `,
  `
  -- Which buckets and lookups a row is in, see packedLists.ts. Then lists is empty.
  ALTER TABLE current_rows ADD COLUMN packed BLOB;
  `,
  `
  -- See recordChecks.ts; NULL in rows of earlier versions.
  ALTER TABLE instance ADD COLUMN "check" INTEGER;
  ALTER TABLE deployments ADD COLUMN "check" INTEGER;
  ALTER TABLE tables ADD COLUMN "check" INTEGER;
  `,
  `
  -- See deployment.ts; NULL in rows of earlier versions.
  ALTER TABLE deployments ADD COLUMN deployed_by TEXT;
  `,
];

/** Defines the SQL function that a migration calls. */
export function defineRowPlace(connection: DatabaseSync): void {
  connection.function('row_place', rowPlaceOf as (table: unknown, key: unknown) => number);
}
