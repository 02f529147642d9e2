import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DeviceStep,
  type LiveDevice,
  openDevice,
  type TableChange,
} from '../../../../client/console/devices/device.ts';

interface Operation {
  readonly op_id: string;
  readonly op: 'PUT' | 'REMOVE' | 'CLEAR' | 'MOVE';
  readonly object_type?: string;
  readonly object_id?: string;
  readonly subkey?: string;
  readonly data?: string | null;
  readonly checksum: number;
}

let opId = 0;

function put(id: string, data: object | string = {}, more: Partial<Operation> = {}): Operation {
  opId += 1;
  const text = typeof data === 'string' ? data : JSON.stringify({ id, ...data });
  return {
    op_id: String(opId),
    op: 'PUT',
    object_type: 'todos',
    object_id: id,
    data: text,
    checksum: 7,
    ...more,
  };
}

function remove(id: string): Operation {
  opId += 1;
  return { op_id: String(opId), op: 'REMOVE', object_type: 'todos', object_id: id, data: null, checksum: 11 };
}

const entry = (bucket: string, checksum: number, priority = 3) => ({
  bucket,
  checksum,
  priority,
  count: 1,
  subscriptions: [{ default: 0 }],
});
const checkpoint = (...buckets: readonly object[]) => ({
  checkpoint: {
    last_op_id: String(opId),
    buckets,
    streams: [{ name: 'todos', is_default: true, errors: [] }],
  },
});
const diff = (updated: readonly object[], removed: readonly string[] = []) => ({
  checkpoint_diff: { last_op_id: String(opId), updated_buckets: updated, removed_buckets: removed },
});
const data = (bucket: string, ...operations: readonly Operation[]) => ({
  data: {
    bucket,
    after: '0',
    next_after: operations.at(-1)?.op_id ?? '0',
    has_more: false,
    data: operations,
  },
});
const complete = { checkpoint_complete: { last_op_id: '1' } };
const partly = (priority: number) => ({ partial_checkpoint_complete: { last_op_id: '1', priority } });

function takeAll(device: LiveDevice, ...lines: readonly object[]): DeviceStep | undefined {
  return lines.map((line) => device.take(line as Record<string, unknown>)).at(-1);
}

/** Draws the changes of a step as `+1 ~2 -3`. */
function drawnChange(step: DeviceStep | undefined, table = 'todos'): string {
  if (step?.kind !== 'published') return step?.kind ?? 'nothing';
  const { came, changed, gone } =
    step.changes.get(table) ?? ({ came: [], changed: [], gone: [] } as TableChange);
  return [
    ...came.map(({ id }) => `+${id}`),
    ...changed.map(({ id }) => `~${id}`),
    ...gone.map(({ id }) => `-${id}`),
  ].join(' ');
}

function shown(device: LiveDevice, table = 'todos'): readonly string[] {
  return [...(device.tables.get(table)?.values() ?? [])].map((row) => row.data).sort();
}

describe('A device', () => {
  test('shows rows only after their checkpoint is complete', () => {
    const device = openDevice();
    takeAll(device, checkpoint(entry('a', 14)), data('a', put('1'), put('2')));
    expect(shown(device)).toEqual([]);
    expect(drawnChange(takeAll(device, complete))).toBe('+1 +2');
    expect(shown(device)).toEqual(['{"id":"1"}', '{"id":"2"}']);
  });

  test('reports the added, changed and removed rows of each checkpoint', () => {
    const device = openDevice();
    takeAll(device, checkpoint(entry('a', 14)), data('a', put('1'), put('2')), complete);
    const step = takeAll(
      device,
      diff([entry('a', 14 + 7 + 11 + 7)]),
      data('a', put('1', { title: 'x' }), remove('2'), put('3')),
      complete,
    );
    expect(drawnChange(step)).toBe('+3 ~1 -2');
  });

  test('does not report a row as changed if it is written again with the same content', () => {
    const device = openDevice();
    takeAll(device, checkpoint(entry('a', 7)), data('a', put('1')), complete);
    expect(drawnChange(takeAll(device, diff([entry('a', 14)]), data('a', put('1')), complete))).toBe('');
  });

  test('publishes the rows of urgent buckets first, and the rows of other buckets later', () => {
    const device = openDevice();
    takeAll(
      device,
      checkpoint(entry('now', 7, 1), entry('later', 7, 3)),
      data('now', put('1')),
      data('later', put('2')),
    );
    const step = takeAll(device, partly(1));
    expect(drawnChange(step)).toBe('+1');
    expect(step).toMatchObject({ isWhole: false });
    expect(drawnChange(takeAll(device, complete))).toBe('+2');
  });

  test('loses the rows of a removed bucket, unless another bucket contains them', () => {
    const device = openDevice();
    takeAll(
      device,
      checkpoint(entry('a', 14), entry('b', 7)),
      data('a', put('1'), put('2')),
      data('b', put('2', { from: 'b' })),
      complete,
    );
    expect(drawnChange(takeAll(device, diff([], ['a']), complete))).toBe('-1');
    expect(shown(device)).toEqual(['{"id":"2","from":"b"}']);
    expect(drawnChange(takeAll(device, checkpoint(), complete))).toBe('-2');
  });

  test('shows the row that was written last if an id has several rows', () => {
    const device = openDevice();
    const older = put('1', { n: 1 });
    const newer = put('1', { n: 2 });
    takeAll(device, checkpoint(entry('a', 7), entry('b', 7)), data('b', newer), data('a', older), complete);
    expect(shown(device)).toEqual(['{"id":"1","n":2}']);
  });

  test('drops a bucket whose checksum is wrong, and requests it from its beginning', () => {
    const device = openDevice();
    takeAll(
      device,
      checkpoint(entry('a', 7), entry('b', 7)),
      data('a', put('1')),
      data('b', put('2')),
      complete,
    );
    const step = takeAll(device, diff([entry('a', 99)]), data('a', put('3')), complete);
    expect(step).toEqual({ kind: 'damaged', buckets: ['a'] });
    expect(device.body({ parameters: {}, subscriptions: [] }, 'me')).toMatchObject({
      buckets: [{ name: 'b', after: expect.any(String) }],
    });
    // The device keeps the rows of the bucket until it receives new ones.
    expect(shown(device)).toHaveLength(2);
    const again = takeAll(device, checkpoint(entry('a', 7), entry('b', 7)), data('a', put('3')), complete);
    expect(drawnChange(again)).toBe('+3 -1');
  });

  test('computes checksums in 32 bits, and empties a bucket at CLEAR', () => {
    const device = openDevice();
    const large = 0xfffffff0;
    takeAll(device, checkpoint(entry('a', (large + large) | 0)));
    const operations = [put('1', {}, { checksum: large }), put('2', {}, { checksum: large })];
    expect(drawnChange(takeAll(device, data('a', ...operations), complete))).toBe('+1 +2');
    const clear: Operation = { op_id: '999', op: 'CLEAR', checksum: 5 };
    const move: Operation = { op_id: '1000', op: 'MOVE', checksum: 1 };
    const step = takeAll(device, diff([entry('a', 13)]), data('a', clear, move, put('2')), complete);
    expect(drawnChange(step)).toBe('-1');
  });

  test('continues from its last operation after the connection is lost', () => {
    const device = openDevice();
    takeAll(device, checkpoint(entry('a', 7)), data('a', put('1', {}, { op_id: '41' })), complete);
    expect(device.body({ parameters: { a: 1 }, subscriptions: [] }, 'me')).toMatchObject({
      buckets: [{ name: 'a', after: '41' }],
      client_id: 'me',
      parameters: { a: 1 },
    });
    const more = put('2', {}, { op_id: '42' });
    expect(drawnChange(takeAll(device, checkpoint(entry('a', 14)), data('a', more), complete))).toBe('+2');
  });

  test('keeps all columns of a row of ten megabytes, but only the beginning of a long text', () => {
    const device = openDevice();
    const body = `é${'x'.repeat(10_000_000)}`;
    takeAll(device, checkpoint(entry('a', 7)), data('a', put('1', { body, n: 1 })), complete);
    const row = device.tables.get('todos')?.get('1');
    expect(row?.data.length).toBeLessThan(5_000);
    expect(row?.cut).toEqual(new Map([['body', body.length]]));
    expect(JSON.parse(row?.data ?? '')).toMatchObject({
      id: '1',
      n: 1,
      body: expect.stringMatching(/^éxxx/),
    });
  });

  test('takes no more rows than it can keep, and reports that it is full', () => {
    const device = openDevice({ rows: 2, characters: 1_000 });
    const step = takeAll(device, checkpoint(entry('a', 21)), data('a', put('1'), put('2'), put('3')));
    expect(step).toEqual({ kind: 'full' });
    expect(takeAll(device, complete)).toEqual({ kind: 'full' });
  });

  test('ignores unknown lines, and data of buckets that it does not have', () => {
    const device = openDevice();
    expect(takeAll(device, { something_new: 1 })).toEqual({ kind: 'nothing' });
    expect(takeAll(device, data('gone', put('1')), { token_expires_in: 12 })).toEqual({
      kind: 'token',
      expiresIn: 12,
    });
    expect(device.received()).toBe(0);
  });

  test('has the rows of a simple model after any operations, and reports each change between them', () => {
    const ids = fc.constantFrom('1', '2', '3');
    const operation = fc.record({ id: ids, isThere: fc.boolean(), value: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(fc.array(fc.array(operation, { maxLength: 6 }), { maxLength: 6 }), (rounds) => {
        const device = openDevice();
        const model = new Map<string, string>();
        const told = new Map<string, string>();
        let checksum = 0;
        for (const round of rounds) {
          const operations = round.map(({ id, isThere, value }) => {
            if (isThere) model.set(id, JSON.stringify({ id, value }));
            else model.delete(id);
            return isThere ? put(id, { value }) : remove(id);
          });
          for (const each of operations) checksum += each.checksum;
          const step = takeAll(device, checkpoint(entry('a', checksum)), data('a', ...operations), complete);
          if (step?.kind !== 'published') throw new Error(step?.kind);
          const change = step.changes.get('todos');
          for (const row of [...(change?.came ?? []), ...(change?.changed ?? [])]) told.set(row.id, row.data);
          for (const row of change?.gone ?? []) told.delete(row.id);
          expect(shown(device)).toEqual([...model.values()].sort());
          expect([...told.values()].sort()).toEqual([...model.values()].sort());
        }
      }),
    );
  });
});
