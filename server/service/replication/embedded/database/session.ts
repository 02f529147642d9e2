/** The one session of the database, which all connections and the service itself share in turns. */
import type { PGlite, Results } from '@electric-sql/pglite';
import type { Extensions } from './extensions.ts';
import { errorMessage, message } from './messages.ts';
import type { Query } from './protocol.ts';
import type { SessionSettings } from './sessionSettings.ts';
import { openTurns } from './turns.ts';

export interface Session {
  /** Waits for a turn; the result ends it. */
  enter(settings: SessionSettings): Promise<() => void>;
  /** One message of the protocol, within a turn. Where it holds statements, these are `sql`. */
  run(bytes: Buffer, sql?: string): Promise<Buffer>;
  /** A copy from a blob, within a turn; the response without its ReadyForQuery. */
  copy(sql: string, blob: Blob): Promise<Buffer>;
  /** A statement of the service's own, in a turn of its own. Values come as text. */
  query(query: Query): Promise<Results<(string | null)[]>>;
  /** The rows of a statement of the service's own, as lines of `COPY`. */
  copyOut(select: string): Promise<Uint8Array>;
  /** Several statements in one transaction, in a turn of its own. */
  execute(sql: string): Promise<void>;
}

/** `onTurn` is called after every turn of others than the service. */
export function openSession(database: PGlite, extensions: Extensions, onTurn: () => void): Session {
  const turns = openTurns();
  const texts = asTexts(database);
  let last: SessionSettings | undefined;
  const settle = async (settings: SessionSettings | undefined): Promise<void> => {
    if (last === settings) return;
    if ((last?.statements.length ?? 0) > 0) await database.exec('RESET ALL');
    last = settings;
    for (const statement of settings?.statements ?? []) await database.exec(statement).catch(() => {});
  };
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await turns.take();
    try {
      await settle(undefined);
      return await work();
    } finally {
      release();
    }
  };
  return {
    async enter(settings) {
      const release = await turns.take();
      await settle(settings);
      return () => {
        release();
        onTurn();
      };
    },
    async run(bytes, sql) {
      if (sql !== undefined) await extensions.prepareFor(sql);
      return Buffer.from(await database.execProtocolRaw(bytes));
    },
    async copy(sql, blob) {
      try {
        const { affectedRows = 0 } = await database.query(sql, [], { blob });
        return message('C', `COPY ${affectedRows}`);
      } catch (error) {
        const { code = 'XX000', message: text } = error as Error & { code?: string };
        return errorMessage(code, text);
      }
    },
    query: ({ sql, parameters, readOnly }) =>
      alone(() => {
        const query = () =>
          database.query<(string | null)[]>(sql, [...parameters], { rowMode: 'array', parsers: texts });
        return readOnly ? within(database, 'BEGIN READ ONLY', query, 'ROLLBACK') : query();
      }),
    copyOut: (select) =>
      alone(async () => {
        const { blob } = await database.query(`COPY (${select}) TO '/dev/blob'`);
        return new Uint8Array((await blob?.arrayBuffer()) ?? []);
      }),
    execute: (sql) =>
      alone(async () => {
        await extensions.prepareFor(sql);
        await within(database, 'BEGIN', () => database.exec(sql), 'COMMIT');
      }),
  };
}

async function within<T>(database: PGlite, begin: string, work: () => Promise<T>, end: string): Promise<T> {
  await database.exec(begin);
  try {
    const result = await work();
    await database.exec(end);
    return result;
  } catch (error) {
    await database.exec('ROLLBACK');
    throw error;
  }
}

/** For every type that would be read as something else. */
function asTexts(database: PGlite): Record<string, (text: string) => string> {
  return Object.fromEntries(Object.keys(database.parsers).map((oid) => [oid, (text: string) => text]));
}
