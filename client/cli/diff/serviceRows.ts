/** The rows of a running service's source that configs read, and the users who are connected to it. */
import {
  type Config,
  type KnownSource,
  plansOf,
  quoteName,
  requestReads,
  sourceTablesOf,
  type TestedRow,
  type UserRows,
} from '../../../server/engine/index.ts';
import type { Api } from '../../api/api.ts';
import { CliFailure } from '../failure.ts';
import type { Progress } from '../progress.ts';

type Table = KnownSource['catalog']['tables'][number];
type Value = TestedRow['values'][string];

interface ServiceRows {
  readonly rows: readonly TestedRow[];
  /** Notes about rows that were left out, or may have changed in the meantime. */
  readonly notes: readonly string[];
}

/** The maximum number of rows for each table. It limits the memory that the comparison needs. */
const mostRows = 20_000;

/** The number of rows in one answer of a service. */
const pageSize = 1_000;

export async function readServiceRows(
  api: Pick<Api, 'query'>,
  configs: readonly Config[],
  { catalog, defaultSchema }: KnownSource,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<ServiceRows> {
  const tables = new Set(configs.flatMap((config) => sourceTablesOf(config, catalog)));
  const rows: TestedRow[] = [];
  const notes: string[] = [];
  for (const table of tables) {
    const name = table.schema === defaultSchema ? table.name : `${table.schema}.${table.name}`;
    const source = `${quoteName(table.schema)}.${quoteName(table.name)}`;
    const [counted] = await api.query(`SELECT count(*) AS rows FROM ${source}`, [], signal);
    const all = Number(counted?.rows ?? 0);
    let read = 0;
    while (read < Math.min(all, mostRows)) {
      progress.show(`Reading ${name} …`);
      // This order is the same for each page, whatever key the table has.
      const sql = `SELECT * FROM ${source} AS r ORDER BY r::text LIMIT ${pageSize} OFFSET ${read}`;
      const page = await api.query(sql, [], signal);
      if (page.length === 0) break;
      for (const row of page) rows.push(rowOf(name, row, table));
      read += page.length;
    }
    if (read < all)
      notes.push(
        `Only ${count(read)} of the ${count(all)} rows of ${name} were read, so the result is incomplete, and parts of it are uncertain.`,
      );
  }
  return { rows, notes };
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

function rowOf(name: string, row: Readonly<Record<string, unknown>>, table: Table): TestedRow {
  const values = Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      toSourceValue(value, table.columns.get(column)?.type),
    ]),
  );
  return { table: name, id: String(row.id ?? ''), values };
}

/** Converts a value from JSON, which has only one kind of number, and contains large integers and bytes as text. */
function toSourceValue(value: unknown, type: string | undefined): Value {
  if (typeof value === 'number') return type === 'real' || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value === 'string' && type === 'integer' && /^-?\d+$/.test(value)) return BigInt(value);
  if (typeof value === 'string' && type === 'blob') return new Uint8Array(Buffer.from(value, 'base64'));
  return value as Value;
}

/** Returns each connected user with the requests of their clients. */
export async function connectedUsers(
  api: Pick<Api, 'diagnose'>,
  signal: AbortSignal,
): Promise<readonly UserRows[]> {
  const { clients } = await api.diagnose({ clients: true }, signal);
  if (clients === undefined)
    throw new CliFailure(
      'This service does not report who is connected. Specify users in a file: --users FILE.',
    );
  const users = new Map(
    clients.map(({ user, subscriptions = [] }) => {
      const asked = subscriptions.map(({ stream, parameters }) => ({
        stream,
        parameters: parameters ?? {},
      }));
      return [JSON.stringify([user, asked]), { user, asked }];
    }),
  );
  return [...users.values()].map(({ user, asked }) => ({
    user,
    asking: {
      claims: { sub: user },
      parameters: {},
      subscriptions: asked as UserRows['asking']['subscriptions'],
    },
  }));
}

/** Returns the values of connected users that the configs read but no service reports. */
export function unknownOfConnected(configs: readonly Config[]): readonly string[] {
  const reads = configs.flatMap(plansOf).flatMap(requestReads);
  const names = reads.flatMap(({ part, path: [name] }) => {
    if (part === 'connection')
      return name === undefined ? 'connection.parameters()' : `connection.parameter('${name}')`;
    if (part !== 'auth' || name === 'sub') return [];
    return name === undefined ? 'auth.parameters()' : `auth.parameter('${name}')`;
  });
  return [...new Set(names)];
}
