import { DatabaseError, type PoolClient, type QueryResultRow, types } from 'pg';
import type { PostgresServer } from '../../config/settings.ts';
import { type Backoff, backoffAfter } from '../../ground/backoff.ts';
import type { World } from '../../ground/world.ts';
import { openPool } from '../../postgres/client.ts';
import { describeFailure, type ServerFailureKind } from '../../postgres/failure.ts';
import { damagedRow, StorageFailure, type StorageFailureKind } from '../storageFailure.ts';

/** Runs a statement; integers of eight bytes come as numbers: ids stay below 2^53. */
export type Run = <Row extends QueryResultRow>(sql: string, args?: readonly unknown[]) => Promise<Row[]>;

export interface Database {
  readonly run: Run;
  /**
   * Runs all of the work or none of it. It is repeated after a collision with another transaction, so the work may run more
   * than once.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Milliseconds in which what others got in the way of is repeated, and in which a server that has no place
 * for another connection is asked again.
 */
const patience = { collision: 60_000, place: 15_000 };
const afterCollision: Backoff = { first: 10, longest: 1_000 };

/**
 * An index returns rows in order, so that a limit ends the reading. A bitmap is built from all rows before any is read: a whole
 * bucket for each thousand of its operations, as long as the server takes it for a small one.
 */
const inOrder = 'SET enable_bitmapscan = off;';

export function openDatabase(server: PostgresServer, { clock }: Pick<World, 'clock'>): Database {
  const pool = openPool(server, { settings: inOrder });
  let isClosed = false;

  /** Other processes may hold all connections of the server for a moment: after a start, many clients connect to all of them. */
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
        // A refusal by the server leaves a sound connection; any other failure does not.
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
   * Repeats work that ends with a collision, which has changed nothing. This includes a single statement, which is a
   * transaction as well as a block is.
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

/** `too_many_connections` */
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
  // `data_corrupted` and `index_corrupted`: the codes of a server with checksums of its pages.
  if (error instanceof DatabaseError && ['XX001', 'XX002'].includes(error.code ?? ''))
    return damagedRow(`a page of the storage's database (${message})`);
  const full = error instanceof DatabaseError && error.code === '53100';
  if (full) return new StorageFailure('full', `The storage's disk is full: ${message}.`, { cause: error });
  return new StorageFailure(kinds[kind], `Storage: ${message}`, { cause: error });
}
