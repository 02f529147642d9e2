/** The embedded database, opened when something first needs it, with all that is captured from then on. */
import type { EmbeddedConnection } from '../../config/settings.ts';
import type { World } from '../../ground/world.ts';
import type { Reading } from '../postgres/reading.ts';
import { SourceFailure } from '../source.ts';
import { INSTALL } from './capture.ts';
import { type DatabaseProcess, StatementFailure, startDatabase } from './child.ts';
import type { Answer, Query, StatementPlace } from './database/protocol.ts';
import { INSTALL_LEDGER } from './ledger.ts';
import { EndlessStatement } from './loadInTime.ts';
import { loadProject } from './loadProject.ts';

export interface EmbeddedDatabase {
  opened(): Promise<DatabaseProcess>;
  /** Values as text. Errors are {@link SourceFailure}s. */
  query(sql: string, parameters?: Query['parameters']): Promise<Answer>;
  /** A statement of the user's, which can only read, and is bounded. */
  read(reading: Reading, signal: AbortSignal): Promise<Answer>;
  /** The rows of a statement, as lines of `COPY`. */
  copyOut(select: string): Promise<Buffer>;
  /** In one transaction; streams are told. */
  execute(sql: string): Promise<void>;
  /** Resolves when others had more turns than this. */
  activity(after: number): Promise<void>;
  /** For good: whoever asks afterwards does not open it again. */
  close(): Promise<void>;
}

export function toDatabase(
  connection: EmbeddedConnection & { readonly password: string },
  folder: string,
  world: World,
): EmbeddedDatabase {
  let current: Promise<DatabaseProcess> | undefined;
  const closing = new AbortController();
  const opened = async (): Promise<DatabaseProcess> => {
    if (closing.signal.aborted)
      throw new SourceFailure('closed', 'SVC_S1101', 'The embedded database is closed.');
    if (current !== undefined) return current;
    const opening = open(connection, folder, world, closing.signal);
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    current = opening;
    opening.then(({ ended }) => ended.then(forget), forget);
    return opening;
  };
  const ask: DatabaseProcess['ask'] = async (request) => {
    const { ask: send } = await opened();
    return send(request).catch(failWithCode);
  };
  return {
    opened,
    query: (sql, parameters = []) => ask({ kind: 'query', sql, parameters }),
    read: async (reading, signal) =>
      (await opened()).read({ kind: 'read', ...reading }, signal).catch(failWithCode),
    copyOut: async (select) => {
      const { lines = new Uint8Array() } = await ask({ kind: 'copy', select });
      return Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
    },
    execute: async (sql) => void (await ask({ kind: 'execute', sql })),
    activity: async (after) => void (await ask({ kind: 'activity', after })),
    close: async () => {
      closing.abort();
      const running = await current?.catch(() => undefined);
      await running?.stop();
    },
  };
}

function failWithCode(error: unknown): never {
  throw error instanceof StatementFailure
    ? new SourceFailure('other', 'SVC_S1120', error.message, { cause: error })
    : error;
}

/** Again without a statement that never ends: the process ends with it. */
async function open(
  connection: EmbeddedConnection & { readonly password: string },
  folder: string,
  world: World,
  closing: AbortSignal,
): Promise<DatabaseProcess> {
  const endless: StatementPlace[] = [];
  for (;;) {
    const started = await startDatabase(folder, connection.password, world, closing);
    try {
      await prepare(started, connection, endless, world);
      return started;
    } catch (error) {
      await started.stop();
      if (!(error instanceof EndlessStatement)) throw error;
      endless.push(error.place);
    }
  }
}

async function prepare(
  started: DatabaseProcess,
  { schema }: EmbeddedConnection,
  endless: readonly StatementPlace[],
  { log }: World,
): Promise<void> {
  const { rows } = await started.ask({ kind: 'query', sql: IS_INSTALLED, parameters: [] });
  await started.ask({ kind: 'execute', sql: INSTALL + INSTALL_LEDGER });
  const [[before = null] = []] = rows;
  if (schema !== undefined)
    await loadProject({ database: started, schema, endless, isOld: before === 'old', log });
}

/** `old`: its schema was loaded before there was a ledger. */
const IS_INSTALLED = `SELECT CASE WHEN to_regclass('headwater.script') IS NULL THEN 'old' ELSE 'new' END
  FROM pg_namespace WHERE nspname = 'headwater'`;
