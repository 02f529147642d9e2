import { expect, onTestFinished, test } from 'vitest';
import { type DeviceState, followDevice } from '../../../../client/console/devices/follow.ts';
import { CallFailure, type OnLine, type SyncAs } from '../../../../client/console/link/transport.ts';

interface Stream {
  readonly request: SyncAs;
  readonly send: OnLine;
  readonly end: (failure?: CallFailure) => void;
}

/** Follows a device on a service whose messages and clock the test controls. */
function follow() {
  const streams: Stream[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  let now = 1_000;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const transport = {
    sync: (request: SyncAs, send: OnLine, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        streams.push({ request, send, end: (failure) => (failure ? reject(failure) : resolve()) });
        signal.addEventListener('abort', () => resolve());
      }),
  };
  const clock = {
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + milliseconds, wake });
      }),
  };
  const owner = { user: 'ada', claims: { org: 1 }, question: { parameters: {}, subscriptions: [] } };
  const state = followDevice(transport, owner, 'me', end.signal, clock);
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    const due = sleepers.filter(({ at }) => at <= now);
    sleepers = sleepers.filter(({ at }) => at > now);
    for (const { wake } of due) wake();
    for (let round = 0; round < 10; round += 1) await Promise.resolve();
  };
  const stream = (): Stream => streams.at(-1) as Stream;
  return { state, streams, stream, pass };
}

let opId = 0;
const data = (...ids: readonly string[]) => ({
  data: {
    bucket: 'a',
    next_after: String(opId),
    data: ids.map((id) => {
      opId += 1;
      return {
        op_id: String(opId),
        op: 'PUT',
        object_type: 'todos',
        object_id: id,
        data: `{"id":"${id}","n":${opId}}`,
        checksum: 1,
      };
    }),
  },
});
const checkpoint = (checksum: number) => ({
  checkpoint: { last_op_id: '1', buckets: [{ bucket: 'a', checksum, priority: 3 }], streams: [] },
});
const complete = { checkpoint_complete: { last_op_id: '1' } };

const drawn = ({ tables }: DeviceState): string =>
  (tables.get('todos')?.list() ?? [])
    .map(({ row, mark }) => `${row.id}${{ came: '+', changed: '~', gone: '-', none: '' }[mark]}`)
    .join(' ');

test('The first rows of a device do not flash; later rows flash for a short time', async () => {
  const { state, stream, pass } = follow();
  for (const line of [checkpoint(1), data('1'), complete]) stream().send(line);
  expect([drawn(state), state.link.value.kind, state.isWhole.value]).toEqual(['1', 'live', true]);
  const pictures = state.pictures.value;
  for (const line of [checkpoint(2), data('2'), complete]) stream().send(line);
  expect(drawn(state)).toBe('2+ 1');
  expect(state.pictures.value).toBe(pictures + 1);
  await pass(1_500);
  expect(drawn(state)).toBe('2 1');
  expect(state.pictures.value).toBeGreaterThan(pictures + 1);
});

test('When the service goes away, the rows stay, the time is noted, and the device later continues from its buckets', async () => {
  const { state, streams, stream, pass } = follow();
  for (const line of [checkpoint(1), data('1'), complete]) stream().send(line);
  stream().end(new CallFailure('unreachable', 'The service does not answer.'));
  await pass(0);
  expect(state.link.value).toEqual({ kind: 'gone', since: 1_000, why: 'The service does not answer.' });
  expect(drawn(state)).toBe('1');
  await pass(250);
  expect(streams).toHaveLength(2);
  stream().end(new CallFailure('unreachable', 'Still not.'));
  await pass(0);
  expect(state.link.value).toEqual({ kind: 'gone', since: 1_000, why: 'Still not.' });
  await pass(5_000);
  expect(stream().request.body).toMatchObject({ buckets: [{ name: 'a' }] });
  for (const line of [checkpoint(2), data('2'), complete]) stream().send(line);
  expect([drawn(state), state.link.value.kind]).toEqual(['2+ 1', 'live']);
});

test('A token is replaced shortly before it expires, and the link stays live', async () => {
  const { state, streams, stream, pass } = follow();
  for (const line of [{ token_expires_in: 60 }, checkpoint(1), data('1'), complete]) stream().send(line);
  stream().send({ token_expires_in: 40 });
  await pass(250);
  expect(streams).toHaveLength(1);
  stream().send({ token_expires_in: 20 });
  await pass(0);
  await pass(250);
  expect(streams).toHaveLength(2);
  expect(state.link.value.kind).toBe('live');
});

test('A damaged bucket is read again', async () => {
  const { state, streams, stream, pass } = follow();
  for (const line of [checkpoint(99), data('1'), complete]) stream().send(line);
  await pass(0);
  await pass(250);
  expect(streams).toHaveLength(2);
  expect(stream().request.body).toMatchObject({ buckets: [] });
  for (const line of [checkpoint(1), data('1'), complete]) stream().send(line);
  expect(drawn(state)).toBe('1');
});

test('At a thousand rows per second, the device shows four samples per second, reports it, and loses no row', async () => {
  const { state, stream, pass } = follow();
  stream().send(checkpoint(0));
  stream().send(complete);
  let pictures = 0;
  const before = state.pictures.value;
  let sum = 0;
  for (let tenth = 0; tenth < 20; tenth += 1) {
    for (let n = 0; n < 10; n += 1) {
      const ids = Array.from({ length: 10 }, (_, index) => `${tenth}-${n}-${index}`);
      sum += 10;
      for (const line of [checkpoint(sum), data(...ids), complete]) stream().send(line);
    }
    await pass(100);
    if (tenth === 9) {
      pictures = state.pictures.value;
      expect(state.sampling.value).toBeGreaterThan(500);
    }
  }
  expect(state.pictures.value - pictures).toBeLessThanOrEqual(6);
  expect(pictures - before).toBeLessThan(40);
  await pass(250);
  await pass(1_500);
  await pass(1_500);
  expect(state.tables.get('todos')?.size()).toBe(2_000);
  expect(state.sampling.value).toBeUndefined();
});

test.each([
  [new CallFailure('absent', 'This service signs no tokens.')],
  [new CallFailure('refused', 'This service has no secret.', 'SVC_S4108')],
])('%s is reported once, and the stream is not requested again', async (failure) => {
  const { state, streams, stream, pass } = follow();
  stream().end(failure);
  await pass(0);
  await pass(60_000);
  expect(streams).toHaveLength(1);
  expect(state.link.value).toEqual({ kind: 'refused', why: failure.message });
});
