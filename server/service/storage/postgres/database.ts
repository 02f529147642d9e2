import { DatabaseError, type PoolClient, type QueryResultRow, types } from 'pg';
import type { PostgresServer } from '../../config/settings.ts';
import { type Backoff, backoffAfter } from '../../ground/backoff.ts';
import type { World } from '../../ground/world.ts';
import { openPool } from '../../postgres/client.ts';
import { describeFailure, type ServerFailureKind } from '../../postgres/failure.ts';
import { damagedRow, StorageFailure, type StorageFailureKind } from '../storageFailure.ts';

/** Runs a statement. Integers of eight bytes become numbers, because ids stay below 2^53. */
export type Run = <Row extends QueryResultRow>(sql: string, args?: readonly unknown[]) => Promise<Row[]>;

export interface Database {
  readonly run: Run;
  /**
   * Runs all of the work or none of it. The work may run more than once, because it is repeated after a collision with another
   * transaction.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * The time limits in milliseconds for repeating work after collisions, and for connecting while the server has no free
 * connection.
 */
const patience = { collision: 60_000, place: 15_000 };
const afterCollision: Backoff = { first: 10, longest: 1_000 };

/**
 * Prevents bitmap scans. An index scan returns rows in order, so a limit ends the reading. A bitmap is built from all rows before
 * any is read. As long as the server takes a bucket for a small one, it would read the entire bucket for each thousand of its
 * operations.
 */
const inOrder = 'SET enable_bitmapscan = off;';

export function openDatabase(server: PostgresServer, { clock }: Pick<World, 'clock'>): Database {
  const pool = openPool(server, { settings: inOrder });
  let isClosed = false;

  /**
   * Connects. Other processes may hold all connections of the server for a moment, because after a start many clients connect to
   * all processes, so the attempt is repeated.
   */
  const connect = async (): Promise<PoolClient> => {
    const end = clock.steady() + patience.place;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isFull(error) || isClosed || clock.steady() >= end) throw error;
        await clock.sleep(backoffAfter(attempts, afterCollision));
      }
    }
  };

  const withClient = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    if (isClosed) throw new StorageFailure('closed', 'The storage is closed.');
    try {
      const client = await connect();
      let failure: unknown;
      try {
        return await work(client);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        // The connection is still usable after the server refused a statement, but not after any other failure.
        client.release(failure !== undefined && !(failure instanceof DatabaseError));
      }
    } catch (error) {
      throw storageFailureOf(error, server);
    }
  };

  const once = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      await client.query('BEGIN');
      try {
        const result = await work(runOn(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });

  /**
   * Repeats work that ends with a collision, which has changed nothing. This also applies to single statements, because each is a
   * transaction.
   */
  const untilAlone = async <T>(attempt: () => Promise<T>): Promise<T> => {
    const end = clock.steady() + patience.collision;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isCollision(error) || clock.steady() >= end) throw error;
        await clock.sleep(backoffAfter(attempts, afterCollision));
      }
    }
  };

  return {
    run: (sql, args) => untilAlone(() => withClient((client) => runOn(client)(sql, args))),
    transaction: (work) => untilAlone(() => once(work)),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
}

const int8 = 20;
const parsers = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

function runOn(client: PoolClient): Run {
  return async <Row extends QueryResultRow>(sql: string, args: readonly unknown[] = []) => {
    const { rows } = await client.query<Row>({ text: sql, values: [...args], types: parsers });
    return rows;
  };
}

/** The code is `too_many_connections`. */
function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '53300';
}

function isCollision(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof DatabaseError && ['40001', '40P01'].includes(cause.code ?? '');
}

const kinds: Readonly<Record<ServerFailureKind, StorageFailureKind>> = {
  unreachable: 'unreachable',
  refused: 'not-writable',
  settings: 'not-writable',
  closed: 'unreachable',
  other: 'other',
};

export function storageFailureOf(error: unknown, server: PostgresServer): unknown {
  if (error instanceof StorageFailure || !(error instanceof Error)) return error;
  const isOurs = !(
    error instanceof DatabaseError ||
    'code' in error ||
    /[Cc]onnection|timeout/.test(error.message)
  );
  if (isOurs) return error;
  const { kind, message } = describeFailure(error, server);
  // The codes are `data_corrupted` and `index_corrupted`, from a server with checksums of its pages.
  if (error instanceof DatabaseError && ['XX001', 'XX002'].includes(error.code ?? ''))
    return damagedRow(`a page of the storage's database (${message})`);
  const full = error instanceof DatabaseError && error.code === '53100';
  if (full) return new StorageFailure('full', `The storage's disk is full: ${message}.`, { cause: error });
  return new StorageFailure(kinds[kind], `Storage: ${message}`, { cause: error });
}
