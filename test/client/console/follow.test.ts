import { expect, test } from 'vitest';
import { CallFailure, type Transport } from '../../../client/console/link/transport.ts';
import { askDiagnosis, followService } from '../../../client/console/state/follow.ts';
import { createServiceState, type LinkState } from '../../../client/console/state/service.ts';

/** One attempt to follow the events: the lines that arrive, and the failure that ends it. */
type Attempt = {
  readonly lines?: readonly object[];
  readonly failure?: CallFailure;
  /** The answer to a request for the diagnosis, if the request fails. */
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

/** Returns the states of the link after each attempt. Time passes only during pauses. */
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
      // Loops other than the events: the next diagnosis, the age of the shown state, and the limit of a silent stream.
      if ([1_000, 5_000, 20_000].includes(milliseconds))
        return new Promise((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve());
        });
      now += milliseconds;
      if (next > links.length) links.push(state.link.value);
      if (next >= attempts.length) end.abort();
    },
  });
  return { links, state };
}

test('A lost service is shown with the time of the first failure, and as connected after it returns', async () => {
  const failure = new CallFailure('unreachable', 'The service does not answer.');
  const links = await linksAfter([{ failure }, { failure }, { lines: [picture] }]);
  expect(links.map(({ kind }) => kind)).toEqual(['gone', 'gone', 'connected']);
  const [first, second] = links;
  expect(first?.kind === 'gone' && second?.kind === 'gone' && second.since === first.since).toBe(true);
});

test('The return of a service is counted, but not its first connection', async () => {
  const failure = new CallFailure('unreachable', 'No.');
  expect(await returnsAfter([{ lines: [picture] }])).toBe(0);
  expect(await returnsAfter([{ lines: [picture] }, { failure }, { lines: [picture] }])).toBe(1);
});

test('A service without events is polled instead, and a lost session is reported as signed out', async () => {
  const links = await linksAfter([
    { failure: new CallFailure('absent', 'Not found') },
    { failure: new CallFailure('signed out', 'No') },
  ]);
  expect(links.map(({ kind }) => kind)).toEqual(['asking', 'signed out']);
});

test('A diagnosis that cannot be read does not replace the previous one', async () => {
  const state = createServiceState();
  const answers = [{ data: { connections: [] } }, 'nonsense'];
  const transport = transportWith(async () => answers.shift());
  const { signal } = new AbortController();
  expect(await askDiagnosis({ transport, state, signal, clock: { now: () => start } })).toBeUndefined();
  expect(await askDiagnosis({ transport, state, signal, clock: { now: () => start } })).toMatchObject({
    kind: 'refused',
  });
  expect(state.diagnosis.value?.at).toBe(start);
});

function transportWith(call: Transport['call'], clockAhead?: number): Transport {
  return { call, clockAhead: () => clockAhead, sync: async () => {}, events: async () => {} };
}

test('The time of an answer is on the clock of the service, even if the local clock is wrong', async () => {
  const state = createServiceState();
  const hour = 3_600_000;
  const transport = transportWith(async () => ({ data: { connections: [] } }), -2 * hour);
  const { signal } = new AbortController();
  await askDiagnosis({ transport, state, signal, clock: { now: () => start } });
  expect(state.diagnosis.value?.at).toBe(start - 2 * hour);
});

test('A service without events is not shown as polled if it refuses the token or is gone', async () => {
  const absent = new CallFailure('absent', 'Not found');
  const failing = (kind: 'signed out' | 'unreachable'): Attempt => {
    const answer = Promise.reject(new CallFailure(kind, 'No.'));
    answer.catch(() => undefined);
    return { failure: absent, answer };
  };
  const links = await linksAfter([failing('signed out'), failing('unreachable'), { failure: absent }]);
  expect(links.map(({ kind }) => kind)).toEqual(['signed out', 'gone', 'asking']);
});

test('An event triggers a new diagnosis at once, and the last published operation is recorded', async () => {
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

/** Opens a page with a clock that the test moves, and a service that the test can freeze. */
function openPage({ hasEvents }: { readonly hasEvents: boolean }) {
  const state = createServiceState();
  const end = new AbortController();
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = start;
  let attempts = 0;
  let onLine: (line: unknown) => void = () => {};
  let isFrozen = false;
  const never = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('Aborted.'))));
  const transport: { -readonly [Key in keyof Transport]: Transport[Key] } = {
    call: (_method, _path, _body, signal) =>
      isFrozen ? never(signal) : Promise.resolve({ data: { connections: [] } }),
    clockAhead: () => undefined,
    sync: async () => {},
    events: (take, signal) => {
      attempts += 1;
      onLine = take;
      return hasEvents ? never(signal) : Promise.reject(new CallFailure('absent', 'Not found'));
    },
  };
  const done = followService(transport, state, end.signal, {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const sleeper = { at: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        const leave = () => {
          sleepers.delete(sleeper);
          resolve();
        };
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave);
      }),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      if (hasEvents && !isFrozen) onLine(picture);
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    state,
    pass,
    /** Puts the machine to sleep, so that nothing arrives and no timer is called in time. */
    sleepFor: async (seconds: number): Promise<void> => {
      now += 1_000 * seconds;
      for (const sleeper of [...sleepers]) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
    freeze: () => {
      isFrozen = true;
    },
    /** Lines still arrive, but other requests are not answered. */
    freezeAnswers: () => {
      transport.call = (_method, _path, _body, signal) => never(signal);
    },
    thaw: () => {
      isFrozen = false;
    },
    attempts: () => attempts,
    close: () => {
      end.abort();
      return done;
    },
  };
}

test.each([
  { hasEvents: true, kind: 'connected' },
  { hasEvents: false, kind: 'asking' },
])('A service that freezes is shown as gone within seven seconds: $kind', async ({ hasEvents, kind }) => {
  const page = openPage({ hasEvents });
  await page.pass(30);
  expect(page.state.link.value.kind).toBe(kind);
  page.freeze();
  await page.pass(7);
  expect(page.state.link.value).toMatchObject({ kind: 'gone', since: expect.any(Number) });
  expect(page.state.health.value).toHaveProperty(
    'overdue.age',
    expect.toSatisfy((age) => age > 5_000),
  );
  await page.pass(60);
  expect(page.state.link.value.kind).toBe('gone');
  // A network can lose a connection without notice, so the stream is opened again.
  if (hasEvents) expect(page.attempts()).toBeGreaterThan(2);
  await page.close();
});

test('After a sleep of an hour, the state is old until the service answers again', async () => {
  const page = openPage({ hasEvents: true });
  await page.pass(30);
  await page.sleepFor(3_600);
  expect(page.state.link.value.kind).toBe('gone');
  await page.pass(10);
  expect(page.state.link.value.kind).toBe('connected');
  expect(page.state.health.value).not.toHaveProperty('overdue');
  await page.close();
});

test('A service that sends events but answers no requests is not shown as healthy', async () => {
  const page = openPage({ hasEvents: true });
  await page.pass(10);
  expect(page.state.health.value).not.toHaveProperty('overdue');
  page.freezeAnswers();
  await page.pass(12);
  expect(page.state.link.value.kind).toBe('connected');
  expect(page.state.health.value).toHaveProperty(
    'overdue.age',
    expect.toSatisfy((age) => age > 6_500),
  );
  await page.close();
});
