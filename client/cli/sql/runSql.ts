/** Runs SQL in a PostgreSQL database, over a separate connection that lasts as long as the statements. */
import pg, { type QueryArrayResult } from 'pg';
import { CliFailure } from '../failure.ts';
import type { SqlResult } from '../world.ts';

/** The timeout for connecting, in milliseconds. */
const connectTimeout = 10_000;

export async function runSql(
  url: string,
  statements: string,
  signal: AbortSignal,
): Promise<readonly SqlResult[]> {
  const client = new pg.Client({
    connectionString: readUrl(url),
    connectionTimeoutMillis: connectTimeout,
    application_name: 'headwater sql',
  });
  // A failure of the connection also fails the statements.
  client.on('error', () => {});
  const leave = () => void client.end().catch(() => {});
  signal.addEventListener('abort', leave);
  try {
    await client.connect().catch((error: unknown) => {
      throw new CliFailure(whyUnreachable(client, error));
    });
    const asText = { getTypeParser: () => (value: string) => value };
    const results = (await client
      .query({ text: statements, rowMode: 'array', types: asText })
      .catch((error: unknown) => {
        throw refusalOf(statements, error);
      })) as unknown as QueryArrayResult<(string | null)[]> | QueryArrayResult<(string | null)[]>[];
    return [results].flat().map(({ command, rowCount, fields, rows }) => ({
      command,
      rowCount: rowCount ?? undefined,
      columns: fields.map(({ name }) => name),
      rows,
    }));
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

function readUrl(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  // The message does not contain the text, because it may include a password.
  throw new CliFailure(
    '--database must be an address such as postgresql://postgres:PASSWORD@127.0.0.1:5499/postgres.',
  );
}

function whyUnreachable({ host, port }: pg.Client, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ECONNREFUSED' ? 'nothing listens there. Is the database running?' : `${message}.`;
  return `Cannot reach the database at ${host}:${port}: ${reason}`;
}

function refusalOf(statements: string, error: unknown): CliFailure {
  const { message, code, position, detail, hint } = error as Partial<pg.DatabaseError>;
  const place = position === undefined ? '' : ` at ${placeOf(statements, Number(position))}`;
  const more = [detail, hint].filter((text) => text !== undefined).map((text) => `\n${text}`);
  return new CliFailure(
    `The database refused this${place}: ${message}${code ? ` (${code})` : ''}${more.join('')}`,
    1,
  );
}

/** @param position the position in characters, counted from 1 */
function placeOf(statements: string, position: number): string {
  const before = [...statements]
    .slice(0, position - 1)
    .join('')
    .split('\n');
  return `${before.length}:${[...(before.at(-1) ?? '')].length + 1}`;
}
