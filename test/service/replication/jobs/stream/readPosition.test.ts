import { expect, test } from 'vitest';
import { ReadPosition } from '../../../../../server/service/replication/jobs/stream/readPosition.ts';
import { toLsn } from '../../../../../server/service/replication/postgres/lsn.ts';

const at = (place: number) => toLsn(BigInt(place));
const event = (place: number, mark?: string) => ({
  position: at(place),
  ...(mark !== undefined && { mark }),
});

/** Opens the position of a stream that receives all events up to `readBefore` again. */
function begin(readBefore = 0) {
  let now = 1_000;
  let isOver = readBefore === 0;
  const reunion = {
    isOver: () => isOver,
    pass: (place: string) => {
      isOver ||= place >= at(readBefore);
    },
  };
  const position = new ReadPosition(reunion, { steady: () => now });
  const advance = (ms: number) => {
    now += ms;
  };
  return { position, advance };
}

test('neither the position nor the last event moves back (1)', () => {
  const { position } = begin();
  position.commit(event(5, 'five'));
  position.commit(event(3, 'three'));
  position.pass(at(4));
  expect([position.end, position.last]).toEqual([at(5), event(5, 'five')]);
  position.pass(at(9));
  expect([position.end, position.last]).toEqual([at(9), event(5, 'five')]);
});

test('the source may drop the events before the last one at once, and the last one after three minutes (2)', () => {
  const { position, advance } = begin();
  position.commit(event(5, 'five'));
  position.commit(event(7, 'seven'));
  position.pass(at(9));
  expect(position.forgettable()).toBe(at(5));
  advance(3 * 60_000 - 1);
  expect(position.forgettable()).toBe(at(5));
  advance(1);
  expect(position.forgettable()).toBe(at(9));
});

test('an event without a mark cannot be compared, so the source may drop it at once (2)', () => {
  const { position } = begin();
  position.commit(event(5));
  expect(position.forgettable()).toBe(at(5));
});

test('rows are stored with the event that ends their transaction, or with the last event if that one is unknown (3)', () => {
  const { position } = begin();
  position.commit(event(5));
  position.begin(event(7));
  expect(position.eventOfRows()).toEqual(event(7));
  position.commit(event(7));
  position.begin(undefined);
  expect(position.eventOfRows()).toEqual(event(7));
});

test('while events are repeated, rows are stored without an event (3), and the history is not recorded (4)', async () => {
  const { position } = begin(7);
  let records = 0;
  const record = async () => {
    records += 1;
  };
  position.begin(event(5));
  expect(position.eventOfRows()).toBeUndefined();
  position.commit(event(5));
  expect(position.eventOfRows()).toBeUndefined();
  expect(await position.join(record)).toBe(false);
  expect([records, position.isJoined]).toEqual([0, false]);
  position.commit(event(7));
  expect(await position.join(record)).toBe(true);
  expect(await position.join(record)).toBe(true);
  expect([records, position.isJoined]).toEqual([1, true]);
});

test('a history that could not be recorded is recorded the next time (4)', async () => {
  const { position } = begin();
  const failing = position.join(() => Promise.reject(new Error('no storage')));
  await expect(failing).rejects.toThrow('no storage');
  expect(position.isJoined).toBe(false);
});
