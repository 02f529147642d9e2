/** Runs a statement of the user, which can only read, with limits for time, rows and bytes. */
import type { FieldDef, QueryArrayResult } from 'pg';
import type { PostgresConnection } from '../../config/settings.ts';
import { type Client, openClient, socketOf } from '../../postgres/client.ts';
import { type QueryResult, SourceFailure } from '../source.ts';
import { toQueryResult } from './answer.ts';
import type { Queries } from './queries.ts';
import { becomeReader, type Candidate, candidatesQuery } from './reader.ts';
import {
  longestReading,
  type ReadingSession,
  type ReadStatement,
  readRows,
  WrongArguments,
} from './reading.ts';
import { toSourceFailure } from './sourceFailures.ts';
import { openTypeCatalog } from './types.ts';

/** The time in milliseconds after which the answer must have been lost in the network. */
const silence = longestReading + 5_000;

/** The SQLSTATE for a missing right. */
const lacksARight = '42501';

export async function runQuery(
  connection: PostgresConnection,
  queries: Queries,
  reading: ReadStatement,
  signal: AbortSignal,
): Promise<QueryResult> {
  let client: Client | undefined;
  const over = AbortSignal.any([signal, AbortSignal.timeout(silence)]);
  const breakOff = (): void => void (client && socketOf(client).destroy());
  try {
    const become = becomeReader(await queries.all<Candidate>(candidatesQuery));
    client = await openClient(connection);
    over.addEventListener('abort', breakOff);
    if (over.aborted) breakOff();
    const read = await readRows(sessionOf(client), `${bounds}; ${become}`, reading);
    const types = openTypeCatalog(queries);
    await types.load(read.fields.map(({ type }) => type));
    return toQueryResult(read, types);
  } catch (error) {
    // The role that reads lacks a right. It may be a different role than the connection's user.
    const isPlain = error instanceof WrongArguments || (error as { code?: unknown }).code === lacksARight;
    if (isPlain) throw new SourceFailure('other', 'SVC_S1120', (error as Error).message, { cause: error });
    throw toSourceFailure(error, connection);
  } finally {
    over.removeEventListener('abort', breakOff);
    await client?.end().catch(() => undefined);
  }
}

/**
 * Statements of the user find tables as in the user's other programs. Since PostgreSQL 14, the server can check during a statement
 * whether its client still exists.
 */
const bounds = `SET LOCAL statement_timeout = ${longestReading};
SET LOCAL search_path TO DEFAULT;
SELECT set_config(name, '1s', true) FROM pg_settings WHERE name = 'client_connection_check_interval'`;

function sessionOf(client: Client): ReadingSession {
  const types = { getTypeParser: () => (value: unknown) => value };
  return {
    execute: (sql) => client.query(sql),
    describe: (sql) => describe(client, sql),
    async texts(text, args) {
      const query = { text, values: [...args], rowMode: 'array' as const, types: types as never };
      const { rows } = (await client.query(query)) as QueryArrayResult<(string | null)[]>;
      return rows;
    },
  };
}

/** Describes a statement, which `pg` itself cannot do without running it. */
function describe(client: Client, text: string): ReturnType<ReadingSession['describe']> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let fields: readonly FieldDef[] = [];
    const { connection } = client;
    const note = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
      parameters = dataTypeIDs;
    };
    connection.once('parameterDescription', note);
    const finish = (settle: () => void): void => {
      connection.off('parameterDescription', note);
      settle();
    };
    const submitted = {
      submit() {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(message: { readonly fields: readonly FieldDef[] }) {
        fields = message.fields;
      },
      handleReadyForQuery() {
        finish(() =>
          resolve({ parameters, fields: fields.map(({ name, dataTypeID: type }) => ({ name, type })) }),
        );
      },
      handleError(error: Error) {
        finish(() => reject(error));
      },
    };
    client.query(submitted as never);
  });
}
