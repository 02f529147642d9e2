import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addOp,
  endDraft,
  type RunDraft,
  rowOf,
  runDraftOf,
} from '../../../server/service/storage/embedded/runs/drafts.ts';
import { keptOf, type Op, opsOf, textOfRun } from '../../../server/service/storage/embedded/runs/runRows.ts';
import { gatherRuns } from '../../../server/service/storage/embedded/runs/runs.ts';
import {
  decompress,
  type StoreText,
  storeAsItIs,
  storeCompressed,
} from '../../../server/service/storage/embedded/runs/texts.ts';
import { kinds } from '../../../server/service/storage/operation.ts';

const anyOp = fc.record({
  // A batch writes up to some thousand ids between two operations of a bucket.
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

const anyStore = fc.constantFrom(storeAsItIs, storeCompressed);

describe('a run as a row', () => {
  /** Copies the parameters of a statement, which are valid only until the memory is used again. */
  const stored = (ops: readonly Op[], store: StoreText = storeAsItIs) => {
    const draft = runDraftOf(1, ops);
    const row = structuredClone(rowOf(draft, store));
    endDraft(draft);
    return row;
  };

  test('has all values of its operations', () => {
    fc.assert(
      fc.property(anyRun, anyRun, anyStore, (one, other, store) => {
        const [row, next] = [stored(one, store), stored(other, store)];
        expect(opsOf(row)).toEqual(one);
        expect(opsOf(next)).toEqual(other);
        expect(keptOf(row)).toEqual(one.map(({ json: _, ...kept }) => kept));
      }),
    );
  });

  test('has the bounds, count, checksum and highest target of its operations in columns', () => {
    fc.assert(
      fc.property(anyRun, (ops) => {
        const [firstOp, lastOp, kind, checksum, count, target] = stored(ops);
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

  const long = (json: (index: number) => string) =>
    Array.from({ length: 300 }, (_, index): Op => {
      return { opId: index + 1, kind: kinds.PUT, checksum: index, target: null, json: json(index) };
    });

  test('is compressed if that makes it shorter, and decompressed to the bytes that are sent', () => {
    const ops = long((index) => `{"id":"é€😀 ${index}","text":"The same of each of them"}`);
    const row = stored(ops, storeCompressed);
    const [, , , , , , , , json, zstd, size] = row;
    expect(json).toBe('');
    expect(zstd?.length).toBeLessThan((size ?? 0) / 4);
    expect(textOfRun(row)).toEqual(Buffer.from(ops.map((op) => op.json).join(',')));
    expect(opsOf(row)).toEqual(ops);
  });

  test('is not compressed if it is short, or would not get shorter', () => {
    const printable = (byte: number) => String.fromCharCode(0x20 + (byte % 95));
    const random = Array.from({ length: 300 }, () => Array.from(randomBytes(60), printable).join(''));
    for (const ops of [long((index) => random[index] ?? ''), long(() => 'x'.repeat(9)).slice(0, 20)]) {
      const row = stored(ops, storeCompressed);
      expect(row[9]).toBeNull();
      expect(textOfRun(row)).toBe(ops.map((op) => op.json).join(','));
    }
  });

  test('with another compressed text is damaged, even without a checksum', () => {
    const row = stored(
      long((index) => `{"n":${index}}`.repeat(5)),
      storeCompressed,
    );
    const [zstd, size] = [row[9] ?? new Uint8Array(), row[10] ?? 0];
    expect(decompress(zstd, size)).toBeDefined();
    expect(decompress(zstd, size - 1)).toBeUndefined();
    expect(decompress(zstd, size + 1)).toBeUndefined();
    expect(decompress(zstd.subarray(0, 40), size)).toBeUndefined();
    expect(() => textOfRun([...row.slice(0, 10), size + 1] as unknown as typeof row)).toThrow('[SVC_S2403]');
  });
});

describe('gathered operations', () => {
  const op = (opId: number, length: number): Op => {
    return { opId, kind: kinds.PUT, checksum: 1, target: null, json: 'x'.repeat(length) };
  };
  const written = (add: (add: (bucket: number, op: Op) => void, write: () => void) => void) => {
    const drawn: number[][] = [];
    const { add: addTo, write } = gatherRuns((run: RunDraft) => {
      drawn.push([run.bucket, ...opsOf(structuredClone(rowOf(run, storeAsItIs))).map(({ opId }) => opId)]);
    });
    add(addTo, write);
    return drawn;
  };

  test('are in one run per bucket up to a length, in the order of their first operations', () => {
    const runs = written((add, write) => {
      add(1, op(1, 10));
      add(2, op(2, 10));
      add(1, op(3, 10));
      add(1, op(4, 200_000));
      add(1, op(5, 10));
      add(2, op(6, 10));
      write();
      add(1, op(7, 10));
      write();
    });
    expect(runs).toEqual([
      [1, 1, 3],
      [2, 2, 6],
      [1, 4],
      [1, 5],
      [1, 7],
    ]);
  });

  test('of one bucket are written as soon as a run is full', () => {
    const runs = written((add) => {
      for (let id = 1; id <= 2_200; id += 1) add(1, op(id, 10));
    });
    expect(runs.map(([, ...ops]) => ops.length)).toEqual([1_000, 1_000]);
  });

  test('of any number of buckets wait up to a size', () => {
    let most = 0;
    let waiting = 0;
    const { add } = gatherRuns((run) => {
      waiting -= run.size;
    });
    for (let id = 1; id <= 20_000; id += 1) {
      waiting += 1_000;
      add(id, op(id, 1_000));
      most = Math.max(most, waiting);
    }
    expect(most).toBeGreaterThan(1_000_000);
    expect(most).toBeLessThan(7_000_000);
  });

  test('are not written after they were dropped', () => {
    const drawn: number[] = [];
    const { add, write, drop } = gatherRuns((run) => drawn.push(run.firstOp));
    add(1, op(1, 10));
    drop();
    add(1, op(1, 20));
    write();
    write();
    expect(drawn).toEqual([1]);
  });
});

test('a draft uses the memory of an ended draft, but none of its contents', () => {
  const one = runDraftOf(1, [{ opId: 1, kind: kinds.PUT, checksum: 1, target: 7, json: 'a'.repeat(500) }]);
  endDraft(one);
  const other = runDraftOf(2, [{ opId: 5, kind: kinds.MOVE, checksum: 2, target: null, json: 'b' }]);
  addOp(other, { opId: 6, kind: kinds.PUT, checksum: 3, target: null, json: 'c' });
  expect(opsOf(structuredClone(rowOf(other, storeAsItIs)))).toEqual([
    { opId: 5, kind: kinds.MOVE, checksum: 2, target: null, json: 'b' },
    { opId: 6, kind: kinds.PUT, checksum: 3, target: null, json: 'c' },
  ]);
});
