/** Transactions of a writer, over a database that records the statements and can repeat or fail a transaction. */
import type { QueryResultRow } from 'pg';
import { expect, test } from 'vitest';
import type { Database, Run } from '../../../server/service/storage/postgres/database.ts';
import { BatchWriter } from '../../../server/service/storage/postgres/writer/batchWriter.ts';
import type { RowWrite } from '../../../server/service/storage/storage.ts';

const row = (key: string): RowWrite => ({
  table: 1,
  key,
  ops: [],
  lookups: [{ lookup: key, values: [] }],
  current: { values: undefined, memberships: [], lookups: [key] },
});
const nothing = async () => undefined;

interface LastIds {
  /** The last id of all deployments. */
  instance: number;
  /** The last id of the deployment. */
  deployment: number;
}

/** One row fills a transaction. Before it ends, a transaction is repeated as often as `collisions` says. */
function open(stored: LastIds = { instance: 10, deployment: 10 }) {
  const statements: string[] = [];
  const state = { collisions: 0, failure: undefined as Error | undefined };
  const answer = (sql: string, args: readonly unknown[]): readonly object[] => {
    const taken = /SET last_op = last_op \+ (\d+) RETURNING/.exec(sql);
    if (taken !== null) {
      stored.instance += Number(taken[1]);
      return [{ last_op: stored.instance }];
    }
    if (/deployments SET last_op = \$3/.test(sql)) {
      if (stored.deployment !== args[1]) return [];
      stored.deployment = Number(args[2]);
      return [{}];
    }
    return sql.startsWith('SELECT last_op') ? [{ last_op: stored.instance }] : [];
  };
  const run: Run = async <Row extends QueryResultRow>(sql: string, args: readonly unknown[] = []) => {
    statements.push(sql.trim().split(' ')[0] ?? '');
    return answer(sql, args) as Row[];
  };
  const database: Pick<Database, 'run' | 'transaction'> = {
    run,
    transaction: async (work) => {
      const before = stored.deployment;
      for (; state.collisions > 0; state.collisions -= 1) {
        await work(run);
        stored.deployment = before;
      }
      const result = await work(run);
      if (state.failure === undefined) return result;
      stored.deployment = before;
      throw state.failure;
    },
  };
  const writer = new BatchWriter({
    database: { ...database, close: async () => {} },
    lease: { demand: async () => void statements.push('demand') },
    limits: { maxRecordCount: 1, maxEstimatedSize: 1_000_000 },
    changes: { add: () => {} },
    deployment: 1,
  });
  writer.begin(stored.deployment);
  return { writer, stored, statements, state };
}

test('every transaction demands the right to write first (1)', async () => {
  const { writer, statements } = open();
  await writer.write({ rows: [row('a'), row('b')] }, nothing);
  await writer.alone(nothing);
  const demands = statements.flatMap((statement, index) => (statement === 'demand' ? [index] : []));
  // Ids are taken between the transactions.
  expect(demands.map((index) => statements[index - 1])).toEqual(['UPDATE', 'UPDATE', statements.at(-2)]);
  expect(demands).toHaveLength(3);
});

test('the ids of other writers are left out, and ids grow (2)', async () => {
  const { writer, stored } = open();
  await writer.write({ rows: [row('a')] }, nothing);
  expect(writer.lastOp).toBe(11);
  stored.instance += 5;
  await writer.write({ rows: [row('b')] }, nothing);
  expect([writer.lastOp, stored.deployment]).toEqual([17, 17]);
});

test('the right to write is lost where another process has written (3)', async () => {
  const { writer, stored } = open();
  stored.deployment = 12;
  await expect(writer.write({ rows: [row('a')] }, nothing)).rejects.toMatchObject({ kind: 'lost' });
});

test('a transaction that is repeated after a collision does not lose the right to write (4)', async () => {
  const { writer, stored, state } = open();
  state.collisions = 2;
  const seen: number[] = [];
  await writer.write({ rows: [row('a')] }, async (_, lastOp) => void seen.push(lastOp));
  expect([seen, stored.deployment]).toEqual([[11, 11, 11], 11]);
  expect(await writer.alone(async (_, lastOp) => lastOp)).toBe(11);
});

test('a transaction that failed has not moved the last id (4)', async () => {
  const { writer, stored, state } = open();
  state.failure = new Error('no disk');
  await expect(writer.write({ rows: [row('a')] }, nothing)).rejects.toThrow('no disk');
  expect(await writer.alone(async (_, lastOp) => lastOp).catch(() => 'failed')).toBe('failed');
  state.failure = undefined;
  expect(await writer.alone(async (_, lastOp) => lastOp)).toBe(10);
  await writer.write({ rows: [row('a')] }, nothing);
  expect(stored.deployment).toBe(12);
});
