/** The only session of the database. All connections and the service itself use it in turns. */
import { randomUUID } from 'node:crypto';
import type { PGlite, Results } from '@electric-sql/pglite';
import { openTurns } from '../../../../shared/turns.ts';
import { type ReadingSession, type ReadRows, type ReadStatement, readRows } from '../../postgres/reading.ts';
import { loadScripts } from '../loading/load.ts';
import type { LoadParts, LoadTarget } from '../loading/run.ts';
import { outOfMemory, releaseLocks } from './advisoryLocks.ts';
import type { Owner } from './confinement/login.ts';
import { copyInMessages, isCopyIn, withoutRows } from './copyIn.ts';
import type { Extensions } from './extensions.ts';
import { bodyOf, errorIn, type Message, message, messagesIn } from './messages.ts';
import type { Workplace } from './parent.ts';
import type { LoadScripts, Query } from './protocol.ts';
import { openSessionSettings, type SessionSetting, type SessionSettings } from './sessionSettings.ts';

export interface Session {
  /** Waits for a turn. Returns the function that ends it. */
  enter(settings: SessionSettings): Promise<() => void>;
  /** Runs one message of the protocol, within a turn. `sql` contains the statements of the message, if there are any. */
  run(bytes: Buffer, sql?: string): Promise<Buffer>;
  /** Releases advisory locks, within a turn. */
  unlock(): Promise<void>;
  /** Discards what clients left in the session: locks, temporary tables, cursors. It takes a separate turn. */
  forget(): Promise<void>;
  /** Runs a statement of the service, in a separate turn. Values are returned as text. */
  query(query: Query): Promise<Results<(string | null)[]>>;
  /** Runs a statement of the user, in a separate turn. Returns undefined if it is no longer wanted when its turn comes. */
  read(reading: ReadStatement, isWanted: () => boolean): Promise<(ReadRows & DescribedTypes) | undefined>;
  /** Returns the rows of a statement of the service, as lines of `COPY`. */
  copyOut(select: string): Promise<Uint8Array>;
  /** Runs several statements in one transaction, in a separate turn. */
  execute(sql: string): Promise<void>;
  /** Runs scripts of the project, in a separate turn. */
  load(request: LoadScripts, begins: LoadParts['begins']): Promise<void>;
}

interface DescribedTypes {
  /** The types of the columns, as JSON. */
  readonly types: string;
}

interface SessionParts {
  readonly database: PGlite;
  readonly owner: Owner;
  readonly extensions: Extensions;
  readonly workplace: Workplace;
  /** Called after every turn of a client. */
  readonly onTurn: () => void;
}

export function openSession({ database, owner, extensions, workplace, onTurn }: SessionParts): Session {
  tellStatements(database, workplace);
  /** The statement of the client that has the turn. One message prepares it, and another one executes it. */
  let prepared = '';
  const turns = openTurns();
  const texts = asTexts(database);
  let last: SessionSettings | undefined;
  const settle = async (settings: SessionSettings | undefined): Promise<void> => {
    if (last === settings) return;
    if (last !== undefined) await keepSettings(database, last);
    // A client may have changed settings in a way that is not visible, for example in a function.
    await database.exec('RESET ROLE; RESET ALL');
    last = settings;
    for (const statement of settings?.statements ?? []) await database.exec(statement).catch(() => {});
  };
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    turns.run(async () => {
      await settle(undefined);
      return work();
    });
  /** Runs work with the rights of the owner. Use it only for statements that run no code of a project. */
  const aloneAsOwner = <T>(work: () => Promise<T>): Promise<T> =>
    turns.run(async () => {
      await settle(ownerSettings);
      try {
        return await owner.act(work);
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== outOfMemory) throw error;
        await database.exec(releaseLocks);
        return owner.act(work);
      }
    });
  const send = async (bytes: Buffer, sql: string): Promise<Buffer> => {
    const ended = workplace.begin(sql);
    try {
      return Buffer.from(await database.execProtocolRaw(bytes));
    } finally {
      ended();
    }
  };
  const copy: LoadTarget['copy'] = async (sql, rows) =>
    framesIn(await send(copyInMessages(sql, Buffer.from(rows)), sql));
  return {
    async enter(settings) {
      const release = await turns.take();
      prepared = '';
      await settle(settings);
      return () => {
        workplace.hold('over');
        release();
        onTurn();
      };
    },
    async run(bytes, sql) {
      if (sql !== undefined) await extensions.prepareFor(sql);
      prepared = sql ?? prepared;
      const isComplete = sql !== undefined && isCopyIn(sql);
      const answer = await send(
        isComplete || !/\bstdin\b/i.test(prepared) ? bytes : withoutRows(bytes),
        prepared,
      );
      workplace.hold('open');
      return answer;
    },
    unlock: async () => void (await database.exec(releaseLocks)),
    forget: () =>
      alone(async () => {
        await database.exec('DISCARD ALL');
      }),
    query: ({ sql, parameters, rights }) =>
      (rights === 'owner' ? aloneAsOwner : alone)(() =>
        database.query<(string | null)[]>(sql, [...parameters], { rowMode: 'array', parsers: texts }),
      ),
    read: (reading, isWanted) =>
      alone(async () => {
        if (!isWanted()) return undefined;
        const own = toReadingSession(database, texts);
        const found = await readRows(own, becomeReader(), reading);
        const oids = found.fields.map(({ type }) => type).join(',');
        const [described] = await own.texts('SELECT headwater.types($1::oid[])', [`{${oids}}`]);
        return { ...found, types: described?.[0] ?? '[]' };
      }),
    copyOut: (select) =>
      alone(async () => {
        const sql = `COPY (${select}) TO STDOUT`;
        const answer = await send(message('Q', sql), sql);
        return Buffer.concat(framesIn(answer).flatMap((each) => (each.type === 'd' ? [bodyOf(each)] : [])));
      }),
    execute: (sql) =>
      aloneAsOwner(() => within(database, 'BEGIN', async () => void (await database.exec(sql)), 'COMMIT')),
    load: (request, begins) =>
      alone(() => loadScripts({ ...toLoadTarget({ database, owner, extensions }), copy }, request, begins)),
  };
}

/** Stores the settings of the connection. If the query fails, the connection keeps its previous settings. */
async function keepSettings(database: PGlite, settings: SessionSettings): Promise<void> {
  if (settings.changed === undefined) return;
  await database.query<SessionSetting>(settings.changed).then(
    ({ rows }) => settings.keep(rows),
    () => undefined,
  );
}

function tellStatements(database: PGlite, workplace: Workplace): void {
  const tellStatement = <Rest extends readonly unknown[], T>(
    run: (sql: string, ...rest: Rest) => Promise<T>,
  ) => {
    return async (sql: string, ...rest: Rest): Promise<T> => {
      const ended = workplace.begin(sql);
      try {
        return await run(sql, ...rest);
      } finally {
        ended();
      }
    };
  };
  database.exec = tellStatement(database.exec.bind(database));
  database.query = tellStatement(database.query.bind(database)) as PGlite['query'];
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

function toLoadTarget({
  database,
  owner,
  extensions,
}: Pick<SessionParts, 'database' | 'owner' | 'extensions'>): Omit<LoadTarget, 'copy'> {
  return {
    async exec(sql) {
      await extensions.prepareFor(sql);
      await database.exec(sql);
    },
    execAsOwner: (sql) => owner.act(() => database.exec(sql)),
  };
}

/** Settings with which names refer to PostgreSQL's own objects, regardless of the objects of a project. */
const ownerSettings = openSessionSettings(new Map([['search_path', 'pg_catalog, pg_temp']]));

/** Returns the messages of an answer, or throws its first error. */
function framesIn(answer: Buffer): readonly Message[] {
  const frames = messagesIn(answer);
  const failed = frames.find(({ type }) => type === 'E');
  if (failed !== undefined) throw errorIn(failed);
  return frames;
}

/**
 * Returns statements that switch to a role which exists only in this transaction, under a random name, so that no table can be
 * granted to it beforehand.
 */
function becomeReader(): string {
  const name = `headwater_${randomUUID().replaceAll('-', '')}`;
  return `CREATE ROLE ${name} NOLOGIN BYPASSRLS; GRANT pg_read_all_data TO ${name}; SET LOCAL ROLE ${name}`;
}

function toReadingSession(database: PGlite, parsers: ReturnType<typeof asTexts>): ReadingSession {
  return {
    execute: (sql) => database.exec(sql),
    async describe(sql) {
      const { queryParams, resultFields } = await database.describeQuery(sql);
      return {
        parameters: queryParams.map(({ dataTypeID }) => dataTypeID),
        fields: resultFields.map(({ name, dataTypeID: type }) => ({ name, type })),
      };
    },
    async texts(sql, args) {
      const options = { rowMode: 'array', parsers } as const;
      return (await database.query<(string | null)[]>(sql, [...args], options)).rows;
    },
  };
}

/** Returns parsers that keep values as text, for every type that would otherwise be converted. */
function asTexts(database: PGlite): Record<string, (text: string) => string> {
  return Object.fromEntries(Object.keys(database.parsers).map((oid) => [oid, (text: string) => text]));
}
