import { expect, test } from 'vitest';
import { CallFailure, type Transport } from '../../../client/console/link/transport.ts';
import { askDiagnosis, followService } from '../../../client/console/state/follow.ts';
import { createServiceState, type LinkState } from '../../../client/console/state/service.ts';

/** One attempt to follow the events: lines that come, and how it ends. */
type Attempt = {
  readonly lines?: readonly object[];
  readonly failure?: CallFailure;
  /** To the question how it is, which may fail as well. */
  readonly answer?: Promise<never>;
};

const picture = {
  kind: 'picture',
  at: '2026-01-01T00:00:05.000Z',
  version: '1',
  client_count: 2,
  clients: [],
};
const start = Date.parse('2026-01-01T00:00:00.000Z');

const returnsAfter = async (attempts: readonly Attempt[]): Promise<number> =>
  (await follow(attempts)).state.returns.value;

const linksAfter = async (attempts: readonly Attempt[]): Promise<readonly LinkState[]> =>
  (await follow(attempts)).links;

/** The states of the link after each attempt; time goes by while it pauses only. */
async function follow(attempts: readonly Attempt[]) {
  const state = createServiceState();
  const end = new AbortController();
  const links: LinkState[] = [];
  let now = start;
  let next = 0;
  const transport: Transport = {
    call: async () => attempts[next - 1]?.answer ?? { data: { connections: [] } },
    clockAhead: () => undefined,
    sync: async () => {},
    events: async (onLine) => {
      const attempt = attempts[next];
      next += 1;
      for (const line of attempt?.lines ?? []) {
        onLine(line);
        links.push(state.link.value);
      }
      if (attempt?.failure) throw attempt.failure;
    },
  };
  await followService(transport, state, end.signal, {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      // Of the diagnosis, which is asked beside it.
      if (milliseconds === 5_000)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      now += milliseconds;
      if (next > links.length) links.push(state.link.value);
      if (next >= attempts.length) end.abort();
    },
  });
  return { links, state };
}

test('What is lost is told with the time since when, however often it fails, and is there again afterwards', async () => {
  const failure = new CallFailure('unreachable', 'The service does not answer.');
  const links = await linksAfter([{ failure }, { failure }, { lines: [picture] }]);
  expect(links.map(({ kind }) => kind)).toEqual(['gone', 'gone', 'connected']);
  const [first, second] = links;
  expect(first?.kind === 'gone' && second?.kind === 'gone' && second.since === first.since).toBe(true);
});

test('A service that is there again is counted, and one that comes for the first time is not', async () => {
  const failure = new CallFailure('unreachable', 'No.');
  expect(await returnsAfter([{ lines: [picture] }])).toBe(0);
  expect(await returnsAfter([{ lines: [picture] }, { failure }, { lines: [picture] }])).toBe(1);
});

test('A service without events is asked instead, and a lost session is told as such', async () => {
  const links = await linksAfter([
    { failure: new CallFailure('absent', 'Not found') },
    { failure: new CallFailure('signed out', 'No') },
  ]);
  expect(links.map(({ kind }) => kind)).toEqual(['asking', 'signed out']);
});

test('A diagnosis that cannot be read leaves the one before', async () => {
  const state = createServiceState();
  const answers = [{ data: { connections: [] } }, 'nonsense'];
  const transport = transportWith(async () => answers.shift());
  const { signal } = new AbortController();
  expect(await askDiagnosis(transport, state, signal, { now: () => start })).toBeUndefined();
  expect(await askDiagnosis(transport, state, signal, { now: () => start })).toMatchObject({
    kind: 'refused',
  });
  expect(state.diagnosis.value?.at).toBe(start);
});

function transportWith(call: Transport['call'], clockAhead?: number): Transport {
  return { call, clockAhead: () => clockAhead, sync: async () => {}, events: async () => {} };
}

test('The age of an answer is judged by the clock of the service, however wrong the one here is', async () => {
  const state = createServiceState();
  const hour = 3_600_000;
  const transport = transportWith(async () => ({ data: { connections: [] } }), -2 * hour);
  await askDiagnosis(transport, state, new AbortController().signal, { now: () => start });
  expect(state.diagnosis.value?.at).toBe(start - 2 * hour);
});

test('A service without events that refuses the token, or is gone, is not said to be asked', async () => {
  const absent = new CallFailure('absent', 'Not found');
  const failing = (kind: 'signed out' | 'unreachable'): Attempt => {
    const answer = Promise.reject(new CallFailure(kind, 'No.'));
    answer.catch(() => undefined);
    return { failure: absent, answer };
  };
  const links = await linksAfter([failing('signed out'), failing('unreachable'), { failure: absent }]);
  expect(links.map(({ kind }) => kind)).toEqual(['signed out', 'gone', 'asking']);
});

test('What happens is asked about at once, and what was published is known', async () => {
  const state = createServiceState();
  const end = new AbortController();
  let asked = 0;
  let send: (line: unknown) => void = () => {};
  const transport: Transport = {
    ...transportWith(async () => {
      asked += 1;
      return {};
    }),
    events: (onLine, signal) =>
      new Promise((resolve) => {
        send = onLine;
        signal.addEventListener('abort', () => resolve());
      }),
  };
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };
  const followed = followService(transport, state, end.signal, {
    now: () => start,
    sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  });
  send(picture);
  await settle();
  expect(asked).toBe(1);
  send({ kind: 'checkpoint', last_op_id: '7' });
  await settle();
  expect([asked, state.lastOp.value]).toEqual([1, '7']);
  send({ kind: 'happening', happening: { id: 1, at: picture.at, kind: 'deploy', message: 'New.' } });
  await settle();
  expect([asked, state.happenings.value.length]).toEqual([2, 1]);
  end.abort();
  await followed;
});
