/**
 * The objects that are installed in the embedded database to capture changes. Every change of every table is written into a log,
 * in the order of commits, because there is only one session. Event triggers keep the capture up to date when tables change.
 */
import { ownerOid, userName } from './database/confinement/roles.ts';
import { describing } from './describing.ts';

/** The name of the trigger in SQL. It precedes every name that a project is likely to choose. */
export const captureTrigger = '"!headwater_capture"';

/** The schema of the service's own objects. It is separate from the user's tables, and is never synced or shown. */
export const ownSchema = 'headwater';

/**
 * The SQL that installs the capture. `kind` is I, U or D for rows, X for truncate, T for the description of a table, and M for a
 * mark. Rows are composite values as text. The functions have their own settings, so that values look the same regardless of the
 * settings of a client.
 */
export const install = `${describing}
CREATE TABLE IF NOT EXISTS headwater.slot (name text PRIMARY KEY, confirmed bigint NOT NULL);
CREATE TABLE IF NOT EXISTS headwater.timeline (
  number bigserial PRIMARY KEY, id uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(), began bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS headwater.log (
  seq bigserial PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
  kind "char" NOT NULL,
  relation oid,
  new_row text,
  old_row text
);
CREATE TABLE IF NOT EXISTS headwater.description (
  relation oid, seq bigint, content text NOT NULL, PRIMARY KEY (relation, seq)
);

CREATE OR REPLACE FUNCTION headwater.capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET "TimeZone" = 'UTC' SET datestyle = 'ISO' SET intervalstyle = 'postgres'
SET bytea_output = 'hex' SET extra_float_digits = '1' AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN INSERT INTO headwater.log (kind, relation, new_row) VALUES ('I', TG_RELID, textin(record_out(NEW)));
    WHEN 'UPDATE' THEN
      INSERT INTO headwater.log (kind, relation, new_row, old_row) VALUES ('U', TG_RELID, textin(record_out(NEW)), textin(record_out(OLD)));
    WHEN 'DELETE' THEN INSERT INTO headwater.log (kind, relation, old_row) VALUES ('D', TG_RELID, textin(record_out(OLD)));
    ELSE INSERT INTO headwater.log (kind, relation) VALUES ('X', TG_RELID);
  END CASE;
  RETURN NULL;
END $$;

-- The owner of a table can drop, disable and rename its triggers. Triggers run in the order of their names: a trigger of the project that
-- ran first could change the row again, and the older change would be the last one in the log.
CREATE OR REPLACE FUNCTION headwater.ensure_triggers(wanted oid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  other record;
BEGIN
  -- Bit 0 of the type: for each row.
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = wanted
    AND tgfoid = 'headwater.capture()'::regprocedure AND tgtype & 1 = 1) THEN
    EXECUTE format('CREATE TRIGGER ${captureTrigger} AFTER INSERT OR UPDATE OR DELETE ON %s
      FOR EACH ROW EXECUTE FUNCTION headwater.capture()', wanted::regclass);
  END IF;
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = wanted
    AND tgfoid = 'headwater.capture()'::regprocedure AND tgtype & 1 = 0) THEN
    EXECUTE format('CREATE TRIGGER headwater_truncate AFTER TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION headwater.capture()', wanted::regclass);
  END IF;
  FOR other IN SELECT tgname FROM pg_trigger WHERE tgrelid = wanted
    AND tgfoid = 'headwater.capture()'::regprocedure AND tgtype & 1 = 1 AND quote_ident(tgname) <> '${captureTrigger}' LOOP
    EXECUTE format('ALTER TRIGGER %I ON %s RENAME TO ${captureTrigger}', other.tgname, wanted::regclass);
  END LOOP;
  FOR other IN SELECT tgname FROM pg_trigger WHERE tgrelid = wanted
    AND tgfoid = 'headwater.capture()'::regprocedure AND tgenabled <> 'A' LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', wanted::regclass, other.tgname);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION headwater.attend(wanted oid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_text text := headwater.describe(wanted);
  at bigint;
BEGIN
  IF found_text IS NULL THEN RETURN; END IF;
  PERFORM headwater.ensure_triggers(wanted);
  IF found_text = (
    SELECT content FROM headwater.description WHERE relation = wanted ORDER BY seq DESC LIMIT 1
  ) THEN RETURN; END IF;
  INSERT INTO headwater.log (kind, relation, new_row) VALUES ('T', wanted, found_text) RETURNING seq INTO at;
  INSERT INTO headwater.description VALUES (wanted, at, found_text);
END $$;

CREATE OR REPLACE FUNCTION headwater.attend_altered(altered oid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  row_type oid := (SELECT reltype FROM pg_class WHERE oid = altered);
BEGIN
  PERFORM headwater.attend(altered);
  -- Rarely anything has rows of it as values, and all descriptions are long to read.
  IF EXISTS (
    SELECT FROM pg_type t JOIN pg_depend d ON d.refobjid IN (t.oid, t.typarray)
    WHERE t.oid = row_type AND d.refclassid = 'pg_type'::regclass AND d.deptype = 'n'
  ) THEN
    PERFORM headwater.attend(relation) FROM (
      SELECT DISTINCT relation FROM headwater.description WHERE content LIKE '%"oid":"' || row_type || '"%'
    ) AS users;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION headwater.attend_all() RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT headwater.attend(oid) FROM pg_class WHERE relkind = 'r' AND relpersistence <> 't' ORDER BY oid
$$;

CREATE OR REPLACE FUNCTION headwater.on_ddl() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  command record;
BEGIN
  FOR command IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
    IF command.object_type = 'schema' THEN PERFORM headwater.attend_all();
    ELSIF command.classid = 'pg_class'::regclass THEN PERFORM headwater.attend_altered(command.objid);
    -- A renamed label of an enum changes rows of every table that has it.
    ELSIF command.classid = 'pg_type'::regclass THEN PERFORM headwater.attend_all();
    ELSIF command.classid = 'pg_trigger'::regclass THEN
      PERFORM headwater.attend(tgrelid) FROM pg_trigger WHERE oid = command.objid AND tgname <> '!headwater_capture';
    ELSIF command.classid = 'pg_publication'::regclass THEN
      -- Publications are created with the rights of a superuser: see privileges.ts.
      UPDATE pg_publication SET pubowner = '${userName}'::regrole WHERE oid = command.objid AND pubowner = ${ownerOid};
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION headwater.on_drop() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM headwater.attend_altered(objid) FROM (
    SELECT DISTINCT objid FROM pg_event_trigger_dropped_objects()
    WHERE classid = 'pg_class'::regclass AND objsubid > 0
  ) AS dropped;
  PERFORM headwater.attend(relation) FROM (
    SELECT DISTINCT to_regclass(format('%I.%I', address_names[1], address_names[2])) AS relation
    FROM pg_event_trigger_dropped_objects() WHERE classid = 'pg_trigger'::regclass
  ) AS without_trigger WHERE relation IS NOT NULL;
END $$;

DROP EVENT TRIGGER IF EXISTS headwater_ddl;
CREATE EVENT TRIGGER headwater_ddl ON ddl_command_end
  WHEN TAG IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'ALTER TYPE', 'ALTER SCHEMA',
    'ALTER TRIGGER', 'CREATE PUBLICATION')
  EXECUTE FUNCTION headwater.on_ddl();
ALTER EVENT TRIGGER headwater_ddl ENABLE ALWAYS;
DROP EVENT TRIGGER IF EXISTS headwater_drop;
CREATE EVENT TRIGGER headwater_drop ON sql_drop EXECUTE FUNCTION headwater.on_drop();
ALTER EVENT TRIGGER headwater_drop ENABLE ALWAYS;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA headwater FROM PUBLIC;
GRANT EXECUTE ON FUNCTION headwater.types(oid[]), headwater.describe(oid) TO ${userName};
SELECT headwater.attend_all();
`;
