/**
 * Runs a statement of the user that can only read, regardless of the rights of the connection. It runs in a read-only
 * transaction, inside a function that belongs to a role which may only read. Inside such a function, PostgreSQL lets no statement
 * change the role back (`SET ROLE`, `set_config`), not even SQL that the function runs. The rows are read through a cursor, which
 * accepts only a single query: no `COPY`, no `DO`, no second statement. At the end, everything is rolled back.
 */
import { readFields } from '../../../engine/plan/values/postgres/texts.ts';

/** One connection, without an open transaction. */
export interface ReadingSession {
  execute(sql: string): Promise<unknown>;
  /** Parses a statement without running it. */
  describe(sql: string): Promise<Description>;
  /** Runs a statement and returns values as PostgreSQL writes them. */
  texts(sql: string, args: readonly string[]): Promise<readonly (readonly (string | null)[])[]>;
}

interface Description {
  /** The types as oids. */
  readonly parameters: readonly number[];
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly type: number;
}

export interface ReadStatement {
  readonly sql: string;
  readonly args: readonly (string | number | boolean)[];
}

export interface ReadRows {
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there are more rows than requested. */
  readonly truncated: boolean;
}

/** The limits of the answer. Bytes are counted as text, and a row that exceeds the limit is omitted. */
const most = { rows: 1000, bytes: 4 * 2 ** 20 };

/** The time limit of one statement in milliseconds. It applies even if the server does not end the statement. */
export const longestReading = 10_000;

/** The number of arguments differs from the number of parameters. */
export class WrongArguments extends Error {}

/** @param become statements that switch the transaction to a role which may only read */
export async function readRows(
  session: ReadingSession,
  become: string,
  { sql, args }: ReadStatement,
): Promise<ReadRows> {
  try {
    // The function is created first, which a user with read-only transactions by default may also do.
    await session.execute(`BEGIN READ WRITE; ${become}`);
    const { parameters, fields } = await session.describe(sql);
    if (parameters.length !== args.length) throw new WrongArguments(explainCount(parameters, args));
    await session.execute(functionFor(await namesOf(session, parameters)));
    await session.execute('SET TRANSACTION READ ONLY');
    const found = await session.texts(call, [sql, arrayOf(args)]);
    const lines = found.flatMap(([line]) => line ?? []);
    return { fields, rows: lines.map(readFields), truncated: lines.length < found.length };
  } finally {
    await session.execute('ROLLBACK').catch(() => undefined);
  }
}

function explainCount(parameters: readonly unknown[], args: readonly unknown[]): string {
  return `sql.args must have a value for each parameter of the statement ($1, …): ${parameters.length}, not ${args.length}.`;
}

async function namesOf(session: ReadingSession, types: readonly number[]): Promise<readonly string[]> {
  if (types.length === 0) return [];
  const rows = await session.texts(
    'SELECT pg_catalog.format_type(t.oid, NULL) FROM pg_catalog.unnest($1::oid[]) WITH ORDINALITY AS t (oid, at) ORDER BY at',
    [`{${types.join(',')}}`],
  );
  return rows.map(([name]) => name as string);
}

const call = 'SELECT pg_temp.headwater_read($1::text, $2::text[])';

/**
 * Returns rows as texts, with a NULL at the end if there are more. `row_security` is off, so that rows which the role may not see
 * are an error instead of being omitted silently.
 */
function functionFor(types: readonly string[]): string {
  const values = types.map((type, index) => `args[${index + 1}]::${type}`);
  const using = values.length === 0 ? '' : ` USING ${values.join(', ')}`;
  return `CREATE FUNCTION pg_temp.headwater_read(statement text, args text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET row_security = off AS $headwater$
DECLARE
  found_rows refcursor; found_row record; written text; bytes bigint := 0; lines int := 0;
BEGIN
  OPEN found_rows NO SCROLL FOR EXECUTE statement${using};
  LOOP
    FETCH found_rows INTO found_row;
    EXIT WHEN NOT FOUND;
    written := found_row::text;
    bytes := bytes + octet_length(written);
    lines := lines + 1;
    IF lines > ${most.rows} OR bytes > ${most.bytes} THEN
      RETURN NEXT NULL;
      EXIT;
    END IF;
    RETURN NEXT written;
  END LOOP;
END $headwater$`;
}

function arrayOf(args: readonly (string | number | boolean)[]): string {
  return `{${args.map((arg) => `"${String(arg).replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
