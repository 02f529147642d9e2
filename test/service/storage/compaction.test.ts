import { describe, expect, test } from 'vitest';
import { clearableOf, clearFor, type HeadedOp } from '../../../server/service/storage/compaction.ts';
import { searchCovering } from '../../../server/service/storage/covering.ts';
import { headOf, kinds, textOfOp } from '../../../server/service/storage/operation.ts';
import { put, remove } from './contract/rig.ts';

describe('the search for covering operations', () => {
  const headed = (opId: number, id: string): HeadedOp => {
    const text = textOfOp(put('a', id), opId);
    return { opId, kind: kinds.PUT, checksum: 1, target: null, head: headOf(text) };
  };

  test('remembers the newest operation of each row', () => {
    const covering = searchCovering();
    const ops = [headed(9, 'x'), headed(8, 'y'), headed(7, 'x'), headed(6, 'x'), headed(5, 'y')];
    expect(ops.map(covering.of)).toEqual([undefined, undefined, 9, 9, 8]);
  });

  test('leaves rows that do not fit into its memory to another round, which begins with them', () => {
    const covering = searchCovering(200);
    const ops = ['x', 'y', 'z', 'x', 'y', 'z', 'y'].map((id, index) => headed(9 - index, id));
    expect(ops.map(covering.of)).toEqual([
      undefined,
      undefined,
      undefined,
      9,
      undefined,
      undefined,
      undefined,
    ]);
    expect(covering.nextRound()).toBe(8);
    const left = [ops[1], ops[2], ops[4], ops[5], ops[6]].filter((op) => op !== undefined);
    expect(left.map(covering.of)).toEqual([undefined, undefined, 8, undefined, 8]);
    expect(covering.nextRound()).toBe(7);
    expect([ops[2], ops[5]].filter((op) => op !== undefined).map(covering.of)).toEqual([undefined, 7]);
    expect(covering.nextRound()).toBeUndefined();
  });

  test('needs no other round for rows that never changed', () => {
    const covering = searchCovering(200);
    for (let n = 5_000; n > 0; n -= 1) covering.of(headed(n, `${n}`));
    expect(covering.nextRound()).toBeUndefined();
  });

  test('ends even if its memory is too small for one row', () => {
    const covering = searchCovering(1);
    const ops = ['x', 'x', 'y', 'y'].map((id, index) => headed(9 - index, id));
    const found = ops.map(covering.of);
    expect(covering.nextRound()).toBe(7);
    expect([...found, ...ops.slice(2).map(covering.of)]).toEqual([
      ...[undefined, 9, undefined, undefined],
      ...[undefined, 7],
    ]);
    expect(covering.nextRound()).toBeUndefined();
  });

  test('is not misled by texts that look like fields', () => {
    const covering = searchCovering();
    const tricky = [',"data":', '","checksum":1,"subkey":"', ',\\"subkey\\":'];
    const ops = [...tricky, ...tricky].map((id, index) => headed(9 - index, id));
    expect(ops.map(covering.of)).toEqual([undefined, undefined, undefined, 9, 8, 7]);
  });
});

describe('a CLEAR', () => {
  const op = (opId: number, kind: number, checksum: number, target: number | null = null) => ({
    opId,
    kind,
    checksum,
    target,
  });

  test('replaces all operations before the first PUT', () => {
    const ops = [op(1, kinds.MOVE, 1), op(2, kinds.REMOVE, 1), op(3, kinds.CLEAR, 1), op(4, kinds.PUT, 1)];
    expect(clearableOf(ops)).toEqual(ops.slice(0, 3));
    expect(clearableOf(ops.slice(0, 3))).toEqual(ops.slice(0, 3));
  });

  test('has the last id, the sum modulo 2³² and the highest target', () => {
    const ops = [
      op(1, kinds.MOVE, 2 ** 32 - 1, 9),
      op(2, kinds.MOVE, 2 ** 32 - 2, 7),
      op(3, kinds.REMOVE, 1),
    ];
    expect(clearFor(ops)).toEqual({
      opId: 3,
      kind: kinds.CLEAR,
      checksum: 2 ** 32 - 2,
      target: 9,
      replaced: kinds.REMOVE,
      json: '{"op_id":"3","op":"CLEAR","checksum":4294967294}',
    });
  });

  test('has no target if no operation covers the replaced ones', () => {
    expect(clearFor([op(1, kinds.REMOVE, 1), op(2, kinds.REMOVE, 1)]).target).toBeNull();
  });
});

describe('the text of an operation', () => {
  test('has null if there is no data', () => {
    expect(JSON.parse(textOfOp(remove('a', 'x'), 4))).toMatchObject({ op: 'REMOVE', data: null });
  });
});
