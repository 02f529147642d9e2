import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptOf, type Op, opsOf, rowOf } from '../../../server/service/storage/embedded/runs/runRows.ts';
import { gatherRuns } from '../../../server/service/storage/embedded/runs/runs.ts';
import { kinds } from '../../../server/service/storage/operation.ts';

const anyOp = fc.record({
  // What a batch writes: up to some thousand ids lie between two operations of a bucket.
  step: fc.integer({ min: 1, max: 100_000 }),
  kind: fc.constantFrom(...Object.values(kinds)),
  checksum: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  target: fc.option(fc.integer({ min: 1, max: 2 ** 53 - 1 })),
  json: fc.string({ unit: 'binary' }),
});

const anyRun = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 52 }), fc.array(anyOp, { minLength: 1, maxLength: 40 }))
  .map(([before, ops]) => {
    let opId = before;
    return ops.map(({ step, ...op }): Op => {
      opId += step;
      return { opId, ...op };
    });
  });

describe('a run as a row', () => {
  /** What a statement is given holds until the next row is made only. */
  const stored = (ops: readonly Op[]) => structuredClone(rowOf(ops));

  test('has all that its operations have', () => {
    fc.assert(
      fc.property(anyRun, anyRun, (one, other) => {
        const [row, next] = [stored(one), stored(other)];
        expect(opsOf(row)).toEqual(one);
        expect(opsOf(next)).toEqual(other);
        expect(keptOf(row)).toEqual(one.map(({ json: _, ...kept }) => kept));
      }),
    );
  });

  test('says of all of them what is asked most', () => {
    fc.assert(
      fc.property(anyRun, (ops) => {
        const [firstOp, lastOp, kind, checksum, count, target] = rowOf(ops);
        const [first] = ops;
        expect([firstOp, kind]).toEqual([first?.opId, first?.kind]);
        expect([lastOp, count]).toEqual([ops.at(-1)?.opId, ops.length]);
        expect(checksum).toBe(Number(ops.reduce((sum, op) => sum + BigInt(op.checksum), 0n) % 2n ** 32n));
        expect(target).toBe(Math.max(...ops.map((op) => op.target ?? 0)) || null);
      }),
    );
  });

  test('may be longer than any before it', () => {
    const ops = Array.from({ length: 20_000 }, (_, index): Op => {
      return { opId: index + 1, kind: kinds.PUT, checksum: index, target: null, json: `${index}` };
    });
    expect(opsOf(stored(ops))).toEqual(ops);
  });
});

test('operations of a bucket are in one run up to a length, those of another in another', () => {
  const gathering = gatherRuns();
  const op = (opId: number, length: number): Op => {
    return { opId, kind: kinds.PUT, checksum: 1, target: null, json: 'x'.repeat(length) };
  };
  gathering.add(1, op(1, 10));
  gathering.add(2, op(2, 10));
  gathering.add(1, op(3, 10));
  gathering.add(1, op(4, 100_000));
  gathering.add(1, op(5, 10));
  gathering.add(2, op(6, 10));
  const drawn = gathering.runs.map(({ bucket, ops }) => [bucket, ...ops.map(({ opId }) => opId)]);
  expect(drawn).toEqual([
    [1, 1, 3],
    [2, 2, 6],
    [1, 4],
    [1, 5],
  ]);
});
