/** The embedded source: a PostgreSQL in a separate process, for developers who have no server. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { readTypes, type TypeRow } from '../../../engine/plan/values/postgres/types.ts';
import type { EmbeddedConnection } from '../../config/settings.ts';
import { listenAt } from '../../ground/addresses.ts';
import { FolderInUse, waitForFolder } from '../../ground/folderLock.ts';
import { makePrivate } from '../../ground/privateFiles.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { toQueryResult } from '../postgres/answer.ts';
import { explainBreak } from '../postgres/explainBreak.ts';
import { numberOf, toLsn } from '../postgres/lsn.ts';
import { slotHealth } from '../postgres/slotHealth.ts';
import { missingTables } from '../postgres/tables.ts';
import { type PreflightCheck, reportOk, reportUnchecked } from '../preflight.ts';
import { isReset, type Source, SourceFailure, type SourceHealth } from '../source.ts';
import { changeRow } from './changeRow.ts';
import { endPatience } from './database/lock.ts';
import { errorMessage } from './database/messages.ts';
import { type EmbeddedDatabase, toDatabase } from './database.ts';
import { DatabaseEnd } from './databaseEnd.ts';
import { type DatabaseLimits, usualLimits } from './limits.ts';
import { catalogOf, listTables } from './listing.ts';
import { keptPassword } from './password.ts';
import { explainMissing } from './scripts/leftOut.ts';
import { scriptProblems } from './scripts/scriptProblems.ts';
import { confirmedIn, historyIn, positionIn } from './slots.ts';
import { toStream } from './stream.ts';
import { findTables, matchTables, measureEmbedded, toTableInfo } from './tables.ts';

/** Opens the source. The database starts with the first client or the first question. */
export async function openEmbeddedSource(
  connection: EmbeddedConnection,
  folder: string,
  world: World,
  limits: DatabaseLimits = usualLimits,
): Promise<Source> {
  await makePrivate(folder, () => true, world.log);
  await refuseInUse(folder, world);
  const password = connection.password ?? (await keptPassword(folder));
  const database = toDatabase({ connection: { ...connection, password }, folder, world, limits });
  const front = await listen(connection, database, world);
  const { port } = front.address() as { port: number };
  const { id, tag } = connection;
  const catalog = catalogOf((sql) => database.query(sql));
  /** Inserts a mark through `execute`, so that streams read it immediately instead of after the next statement of a client. */
  const mark = () => database.execute(`INSERT INTO headwater.log (kind) VALUES ('M')`);
  return {
    id,
    tag,
    type: 'embedded',
    defaultSchema: 'public',
    uri: `postgresql://127.0.0.1:${port}/postgres`,
    clientUri: `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    health: () => healthOf(database, world),
    preflight: async () => [await preflightOf(database, world)],
    link: database.link,
    schema: () => listTables(catalog),
    async tables(patterns) {
      const found = await findTables(database);
      const infos = found.map(({ sourceId, description }) => toTableInfo(sourceId, description));
      const skipped = (await database.scripts())?.skipped ?? [];
      const columnsOf = (oid: number): ReadonlySet<string> => {
        const columns = found.find((each) => each.sourceId === oid)?.description.columns ?? [];
        return new Set(columns.map(({ name }) => name));
      };
      const { matches, unmatched } = matchTables(patterns, infos, tag);
      const missing = await missingTables(catalog, unmatched);
      return explainMissing([...matches, ...missing], skipped, columnsOf);
    },
    measure: (table) => measureEmbedded(database, table),
    async shape(oid) {
      const found = await findTables(database);
      const description = found.find((each) => each.sourceId === oid)?.description;
      return description && toTableInfo(oid, description).shape;
    },
    history: () => historyIn(database),
    position: () => positionIn(database),
    mark,
    async query(sql, args, signal) {
      const answer = await database.read({ sql, args }, signal);
      const { columns, oids = [], types = '[]', rows, truncated = false } = answer;
      const fields = columns.map((name, at) => ({ name, type: oids[at] ?? 0 }));
      return toQueryResult({ fields, rows, truncated }, readTypes(JSON.parse(types) as TypeRow[]));
    },
    stream: (settings) => toStream(database, settings, world),
    async backlogNames() {
      const { rows } = await database.query('SELECT name FROM headwater.slot');
      return rows.map(([name]) => String(name));
    },
    async backlog(slot) {
      const { rows } = await database.query('SELECT FROM headwater.slot WHERE name = $1', [slot]);
      if (rows.length === 0) return { kind: 'absent' };
      const confirmed = await confirmedIn(database, slot);
      const end = await positionIn(database);
      return {
        kind: 'ready',
        confirmed: toLsn(confirmed),
        end,
        lagBytes: Number(numberOf(end) - confirmed),
      };
    },
    // There is nothing to free, because the database belongs to this process.
    endReaders: async () => {},
    dropBacklog: async (slot) =>
      void (await database.query('DELETE FROM headwater.slot WHERE name = $1', [slot])),
    explain: explainBreak,
    backlogHealth: slotHealth,
    own: {
      scripts: database.scripts,
      scriptRuns: database.scriptRuns,
      async applyScripts() {
        await database.applyScripts();
        await mark();
      },
      reset: database.reset,
      async write(change) {
        const row = await changeRow(database, change);
        await mark();
        return row;
      },
      abandon: database.abandon,
    },
    async close() {
      front.close();
      await database.close();
    },
  };
}

/**
 * Fails at the start of the service if the database is in use, and not only when it is needed, because a service without its
 * source is not ready.
 */
async function refuseInUse(folder: string, { clock, log }: World): Promise<void> {
  const onWait = (owner: string) =>
    log.write('info', `Waiting up to ${endPatience / 1000} s for ${owner} to release the embedded database`, {
      folder,
    });
  try {
    await waitForFolder(folder, endPatience, clock, onWait);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new SourceFailure('settings', 'SVC_S1101', error.message, { cause: error });
  }
}

/** Returns the health. While the database cannot answer, it returns the reason. */
async function healthOf(database: EmbeddedDatabase, { clock }: World): Promise<SourceHealth> {
  const answered = new AbortController();
  const stuck = async (): Promise<SourceHealth | undefined> => {
    while (!answered.signal.aborted) {
      const problem = database.problem();
      if (problem !== undefined) return { connected: problem.kind !== 'silence', problems: [problem] };
      await clock.sleep(looksEvery, answered.signal);
    }
    return undefined;
  };
  const well = async (): Promise<SourceHealth> => {
    const scripts = await database.scripts();
    return { connected: true, problems: scripts ? scriptProblems(scripts) : [] };
  };
  try {
    const asked = well();
    return (await Promise.race([asked, stuck()])) ?? (await asked);
  } catch (error) {
    const level = isReset(error) ? 'warning' : 'fatal';
    return { connected: false, problems: [{ level, message: (error as Error).message }] };
  } finally {
    answered.abort();
  }
}

/** Returns the preflight. The service creates the database itself, so nothing can prevent replication if it answers. */
async function preflightOf(database: EmbeddedDatabase, world: World): Promise<PreflightCheck> {
  const { connected, problems } = await healthOf(database, world);
  if (connected) return reportOk('source', 'The database is embedded in the service, which sets it up.');
  return reportUnchecked('source', problems.map(({ message }) => message).join(' '));
}

/** The interval of checks, in milliseconds. */
const looksEvery = 250;

/** Listens on a fixed port, to which clients can connect even while the database is not running. */
async function listen(
  { port = 0, portFrom }: EmbeddedConnection,
  database: EmbeddedDatabase,
  { log, clock }: World,
): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    database.open().then(
      ({ port: inner, ended }) =>
        join(socket, connect({ port: inner, host: '127.0.0.1', noDelay: true }), () =>
          Promise.race([ended, clock.sleep(ending)]),
        ),
      (error: unknown) => {
        log.write('error', 'The embedded database does not start.', { error: String(error) });
        socket.destroy();
      },
    );
  });
  const key = portFrom === 'option' ? '--database-port' : 'replication.connections[0].port';
  const place = { host: '127.0.0.1', port, key, isProposed: portFrom === 'proposal' };
  await listenAt(server, place).catch((error: Error) => {
    throw new SourceFailure('settings', 'SVC_S1101', error.message, { cause: error.cause });
  });
  return server;
}

/** The maximum time in milliseconds between the end of a connection and the end of its process, if the process has caused both. */
const ending = 1_000;

/** @param endOf resolves to the reason if the database has ended, or to anything else if it has not */
function join(client: Socket, inner: Socket, endOf: () => Promise<unknown>): void {
  client.on('close', () => inner.destroy());
  inner.on('error', () => undefined);
  inner.on('close', () =>
    startAlone('A connection to the embedded database', async () => {
      const end = client.destroyed ? undefined : await endOf();
      if (end instanceof DatabaseEnd) client.write(errorMessage(crashShutdown, end.message, 'FATAL'));
      client.destroySoon();
    }),
  );
  client.pipe(inner);
  inner.pipe(client, { end: false });
}

/** The SQLSTATE that clients get after a crash. */
const crashShutdown = '57P02';

/** Returns the queries in the form for any PostgreSQL. Answers are JSON, in which oids are strings. */
