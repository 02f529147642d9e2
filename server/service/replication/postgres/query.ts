/** A statement of the user's: read-only, one at a time, bounded in time and rows. */
import pg, { type FieldDef } from 'pg';
import type { PostgresConnection } from '../../config/settings.ts';
import { type Client, openClient, socketOf } from '../../postgres/client.ts';
import type { QueryResult } from '../source.ts';
import { toSourceFailure } from './failure.ts';
import type { Queries } from './queries.ts';
import { openTypeCatalog } from './types.ts';
import { toConverter } from './values/convert.ts';

const MOST_ROWS = 1000;
const TIMEOUT_MS = 10_000;

/** As a new config shows them, but for structured values, which stay as the database writes them. */
const options = { timestampsIso8601: true, customPostgresTypes: false };

export async function runQuery(
  connection: PostgresConnection,
  queries: Queries,
  sql: string,
  args: readonly (string | number | boolean)[],
): Promise<QueryResult> {
  let client: Client | undefined;
  try {
    client = await openClient(connection);
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${TIMEOUT_MS}`);
    const { fields, rows } = await firstRows(client, sql, args);
    const types = openTypeCatalog(queries);
    await types.load(fields.map(({ dataTypeID }) => dataTypeID));
    const converters = fields.map(({ dataTypeID }) => toConverter(dataTypeID, types, options));
    return {
      columns: fields.map(({ name }) => name),
      rows: rows.map((row) =>
        row.map((text, at) => (text === null ? null : (converters[at]?.(text) ?? null))),
      ),
    };
  } catch (error) {
    throw toSourceFailure(error, connection);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

interface Found {
  readonly fields: readonly FieldDef[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Prepared, so that it is a single statement: nothing can follow that ends the transaction. */
function firstRows(
  client: Client,
  text: string,
  args: readonly (string | number | boolean)[],
): Promise<Found> {
  const rows: (string | null)[][] = [];
  const types = { getTypeParser: () => (value: unknown) => value };
  const query = new pg.Query({
    ...{ text, values: [...args], rowMode: 'array', queryMode: 'extended' },
    types: types as never,
  });
  return new Promise((resolve, reject) => {
    query.on('row', (row: unknown, result) => {
      if (rows.length < MOST_ROWS) rows.push(row as (string | null)[]);
      if (rows.length < MOST_ROWS) return;
      resolve({ fields: result?.fields ?? [], rows });
      // The statement may have any number of rows to give: it is cut off, and with it its transaction.
      socketOf(client).destroy();
    });
    query.on('end', ({ fields }) => resolve({ fields, rows }));
    query.on('error', reject);
    client.query(query);
  });
}
