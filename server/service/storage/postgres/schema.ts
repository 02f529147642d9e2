/** The schema of all of the storage's tables. Its name is in every statement. */
export const schema = 'headwater';

/**
 * The migrations. Each upgrades the schema by one version. Released migrations never change. Every table has a replica identity,
 * because the source may be in the same database, with a publication for all tables.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE ${schema}.instance (
    id text PRIMARY KEY,
    -- The last id of operations and lookup entries, also when they are deleted again.
    last_op bigint NOT NULL
  );
  INSERT INTO ${schema}.instance VALUES (gen_random_uuid(), 0);

  CREATE TABLE ${schema}.deployments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state text NOT NULL,
    content text NOT NULL,
    slot_name text NOT NULL,
    storage_version integer NOT NULL,
    created_at bigint NOT NULL,
    snapshot_done smallint NOT NULL DEFAULT 0,
    last_checkpoint bigint,
    last_checkpoint_lsn text COLLATE "C",
    no_checkpoint_before text COLLATE "C",
    snapshot_lsn text COLLATE "C",
    last_checkpoint_at bigint,
    last_keepalive_at bigint,
    last_error text,
    last_error_at bigint,
    -- Last operation that was written, and the last one that a commit has followed, published or not.
    last_op bigint NOT NULL DEFAULT 0,
    committed_op bigint NOT NULL DEFAULT 0,
    -- A reset has begun, and must be finished before anything else is written.
    resetting smallint NOT NULL DEFAULT 0
  );

  -- Who writes for a deployment.
  CREATE TABLE ${schema}.leases (
    deployment bigint PRIMARY KEY,
    holder uuid NOT NULL,
    expires_at timestamptz NOT NULL
  );

  CREATE TABLE ${schema}.tables (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    deployment bigint NOT NULL,
    schema_name text NOT NULL,
    name text NOT NULL,
    oid bigint NOT NULL,
    identity text NOT NULL,
    identity_kind text NOT NULL,
    copied smallint NOT NULL,
    progress text
  );
  CREATE INDEX tables_of_deployment ON ${schema}.tables (deployment);

  -- Names may be longer than what an index takes: it holds their hash.
  CREATE TABLE ${schema}.buckets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    deployment bigint NOT NULL,
    hash uuid NOT NULL,
    name text NOT NULL,
    UNIQUE (deployment, hash)
  );

  CREATE TABLE ${schema}.ops (
    op_id bigint NOT NULL,
    bucket bigint NOT NULL,
    kind smallint NOT NULL,
    checksum bigint NOT NULL,
    target bigint,
    -- Characters of the text.
    size integer NOT NULL,
    json text NOT NULL
  );
  CREATE UNIQUE INDEX ops_of_bucket ON ${schema}.ops (bucket, op_id) INCLUDE (checksum, kind);
  ALTER TABLE ${schema}.ops REPLICA IDENTITY USING INDEX ops_of_bucket;

  CREATE TABLE ${schema}.current_rows (
    source_table bigint NOT NULL,
    source_key uuid NOT NULL,
    lists text NOT NULL,
    row_values bytea,
    PRIMARY KEY (source_table, source_key)
  );

  CREATE TABLE ${schema}.lookups (
    deployment bigint NOT NULL,
    hash uuid NOT NULL,
    lookup text NOT NULL,
    source_table bigint NOT NULL,
    source_key uuid NOT NULL,
    op_id bigint NOT NULL,
    -- How many value sets the result holds.
    sets integer NOT NULL,
    result text NOT NULL,
    PRIMARY KEY (deployment, hash, source_table, source_key, op_id)
  );

  CREATE TABLE ${schema}.write_checkpoints (
    hash uuid PRIMARY KEY,
    number bigint NOT NULL,
    lsn text COLLATE "C" NOT NULL,
    -- The number before, if it was reached when this one came.
    reached_number bigint,
    -- When a client asked for this very number.
    requested_at bigint
  );
  CREATE INDEX requested_write_checkpoints ON ${schema}.write_checkpoints (requested_at)
    WHERE requested_at IS NOT NULL;
  `,
  `
  -- The hash of the user's part of the key, see writeCheckpointKeys.ts. Unknown of those that were written before this
  -- column came.
  ALTER TABLE ${schema}.write_checkpoints ADD COLUMN user_hash uuid;
  CREATE INDEX write_checkpoints_of_user ON ${schema}.write_checkpoints (user_hash, lsn);
  `,
  `
  -- What is remembered of the source's log, see deployment.ts, and of its tables, see storage.ts.
  ALTER TABLE ${schema}.deployments ADD COLUMN acknowledged_lsn text COLLATE "C";
  ALTER TABLE ${schema}.deployments ADD COLUMN last_event_lsn text COLLATE "C";
  ALTER TABLE ${schema}.deployments ADD COLUMN reason text;
  ALTER TABLE ${schema}.tables ADD COLUMN shape text;
  -- Rows that clients do not get as they should, see replication/rows/rowReports.ts.
  ALTER TABLE ${schema}.tables ADD COLUMN row_problems text;
  `,
  `
  -- Which history of which source it belongs to, see deployment.ts.
  ALTER TABLE ${schema}.deployments ADD COLUMN source_system text;
  ALTER TABLE ${schema}.deployments ADD COLUMN source_timeline text;
  ALTER TABLE ${schema}.deployments ADD COLUMN last_event_mark text;
  `,
  `
  -- Texts that took the place of the first one, see deployment.ts.
  ALTER TABLE ${schema}.deployments ADD COLUMN stored_content text;
  ALTER TABLE ${schema}.deployments ADD COLUMN revision bigint NOT NULL DEFAULT 0;
  `,
  `
  -- What was copied beside a deployment, and what is to be, see deployment.ts; of its tables, see storage.ts.
  ALTER TABLE ${schema}.deployments ADD COLUMN stored_texts text;
  ALTER TABLE ${schema}.deployments ADD COLUMN base bigint;
  ALTER TABLE ${schema}.deployments ADD COLUMN anew text;
  ALTER TABLE ${schema}.deployments ADD COLUMN has_rest smallint NOT NULL DEFAULT 0;
  ALTER TABLE ${schema}.tables ADD COLUMN beside text;
  `,
  `
  -- How fast a deployment is copied, see deployment.ts.
  ALTER TABLE ${schema}.deployments ADD COLUMN pace text;
  `,
  `
  -- The transaction that has stored it. Unknown of those that were stored before this column came.
  ALTER TABLE ${schema}.write_checkpoints ADD COLUMN stored_by bigint;
  CREATE INDEX write_checkpoints_by_transaction ON ${schema}.write_checkpoints (stored_by);
  `,
  `
  -- See deployment.ts. Unknown of the configs that were deployed before this column came.
  ALTER TABLE ${schema}.deployments ADD COLUMN deployed_by text;
  `,
];
