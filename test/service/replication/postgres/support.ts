/** A source over a database of its own, and what its streams deliver. */
import type { Options } from '../../../../server/engine/model/definition.ts';
import type { NamePattern, TablePattern } from '../../../../server/engine/plan/plan.ts';
import type { PostgresConnection } from '../../../../server/service/config/settings.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import type { Clock, World } from '../../../../server/service/ground/world.ts';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import {
  type ChangeEvent,
  type CopyPage,
  type Source,
  SourceFailure,
  type SourceStream,
  type StreamSettings,
  type TableInfo,
} from '../../../../server/service/replication/source.ts';
import type { TestPostgres } from '../../../support/processes/postgres.ts';

export const world: World = { clock: systemClock, log: silentLog, env: {}, fetch };

export const options: Options = {
  edition: 3,
  timestampsIso8601: true,
  versionedBucketIds: true,
  fixedJsonExtract: true,
  customPostgresTypes: true,
  sqliteEngine: false,
};

/** Callbacks that ignore the signs of life. */
export const unwatched = { onProgress: () => {}, onWaiting: () => {} };

/** A signal for work that ends without being aborted. */
export const { signal: neverAborted } = new AbortController();

/** The options of edition 1. */
export const plainOptions: Options = { ...options, timestampsIso8601: false, customPostgresTypes: false };

/** `public.todos`, `public.todos_%`, `%.todos`. */
export function pattern(text: string, tag = 'default'): TablePattern {
  const [schema = '', name = ''] = text.split('.');
  return { tag, schema: namePattern(schema), name: namePattern(name) };
}

function namePattern(text: string): NamePattern {
  return text.endsWith('%') ? { text: text.slice(0, -1), wildcard: true } : { text, wildcard: false };
}

export interface TestDatabase {
  readonly name: string;
  readonly source: Source;
  sql(text: string, args?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Opens a stream with its own slot. The default patterns are all tables of `public`. */
  stream(settings?: Partial<StreamChoices>): SourceStream;
  table(name: string): Promise<TableInfo>;
  close(): Promise<void>;
}

interface StreamChoices {
  readonly slot: string;
  readonly patterns: readonly string[];
  readonly options: Options;
  readonly onWaiting: StreamSettings['onWaiting'];
}

export const slot = 'powersync_1_abcd';

/**
 * Opens a database with a publication for all tables. All databases of a server share its slots, so their names contain that of
 * the database.
 */
export async function openDatabase(
  postgres: TestPostgres,
  setup = '',
  changes: Partial<PostgresConnection> = {},
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<TestDatabase> {
  const name = await postgres.createDatabase();
  const sql = (text: string, args?: readonly unknown[]) => postgres.query(text, args, name);
  await sql(`CREATE PUBLICATION powersync FOR ALL TABLES; ${setup}`);
  const source = await openPostgresSource(postgres.connection({ database: name, ...changes }), {
    ...world,
    clock,
  });
  return {
    name,
    source,
    sql,
    stream: (choices) =>
      source.stream({
        deploymentName: choices?.slot ?? `${slot}_${name}`,
        patterns: (choices?.patterns ?? ['public.%']).map((text) => pattern(text)),
        options: choices?.options ?? options,
        ...unwatched,
        ...(choices?.onWaiting && { onWaiting: choices.onWaiting }),
      }),
    table: async (table) => {
      const [match] = await source.tables([pattern(`public.${table}`)]);
      if (match?.table === undefined) throw new Error(`No table ${table}`);
      return match.table;
    },
    close: () => source.close(),
  };
}

export interface Follower {
  /** All so far. */
  readonly events: ChangeEvent[];
  /** Events up to the mark that this call writes. */
  settled(): Promise<ChangeEvent[]>;
  /** Waits until reading ends. Fails with its failure. */
  ended(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads changes until it is stopped. */
export function follow(source: Source, stream: SourceStream, acknowledges = true): Follower {
  const events: ChangeEvent[] = [];
  const stopping = new AbortController();
  let wake = () => {};
  let failure: unknown;
  let returned = 0;
  const run = (async () => {
    try {
      for await (const chunk of stream.changes(stopping.signal)) {
        events.push(...chunk.events);
        const last = chunk.events.findLast(({ kind }) => kind === 'commit' || kind === 'keepalive');
        if (acknowledges && (last?.kind === 'commit' || last?.kind === 'keepalive')) {
          stream.acknowledge(last.position);
        }
        wake();
      }
    } catch (error) {
      failure = error;
    }
    wake();
  })();
  return {
    events,
    settled: async () => {
      const position = await source.position();
      await source.mark();
      const isThere = (event: ChangeEvent) =>
        event.kind === 'keepalive' && event.marked && event.position >= position;
      while (!events.some(isThere)) {
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const fresh = events.slice(returned).filter(({ kind }) => kind !== 'keepalive');
      returned = events.length;
      return fresh;
    },
    ended: async () => {
      await run;
      if (failure !== undefined) throw failure;
    },
    stop: async () => {
      stopping.abort();
      await run;
    },
  };
}

export async function copied(stream: SourceStream, table: TableInfo): Promise<CopyPage[]> {
  const pages: CopyPage[] = [];
  for await (const page of stream.copy(table, undefined, neverAborted)) pages.push(page);
  return pages;
}

export async function failureOf(promise: Promise<unknown>): Promise<SourceFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SourceFailure) return error;
  throw error ?? new Error('It did not fail');
}
