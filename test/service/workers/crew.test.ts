/** A crew of fake workers, which are only the other ends of channels. Workers are started, notified, ended and started again. */
import { describe, expect, test } from 'vitest';
import { firstPosition } from '../../../server/service/ground/logPosition.ts';
import type { Notice } from '../../../server/service/storage/storage.ts';
import type { ProcessChannel, WorkerProcess } from '../../../server/service/workers/channel.ts';
import { Crew } from '../../../server/service/workers/crew.ts';
import { openLine, type ProcessLine } from '../../../server/service/workers/line.ts';
import type {
  PrimaryProcedures,
  WorkerOrders,
  WorkerProcedures,
} from '../../../server/service/workers/procedures.ts';
import { recordLog } from '../../support/processes/http.ts';
import { createManualClock, type ManualClock } from '../../support/service/manualClock.ts';
import { serviceSettings } from '../../support/service/serviceSettings.ts';
import { channelPair } from './channelPair.ts';

describe('a crew', () => {
  test('begins when all of its workers serve', async () => {
    const { crew, workers, turns } = stage();
    let address: unknown;
    const begun = crew.begin().then((found) => {
      address = found;
    });
    await turns();
    expect(workers.map(({ orders }) => orders?.number)).toEqual([1, 2]);
    workers[0]?.line.tell('ready', { port: 8080, url: 'http://127.0.0.1:8080' });
    await turns();
    expect(address).toBeUndefined();
    workers[1]?.line.tell('ready', { port: 8080, url: 'http://127.0.0.1:8080' });
    await begun;
    expect(address).toEqual({ port: 8080, url: 'http://127.0.0.1:8080' });
    expect(crew.states()).toMatchObject([{ state: 'serving' }, { state: 'serving' }]);
  });

  test('does not begin if one of its workers cannot, and reports the reason', async () => {
    const { crew, workers, turns } = stage();
    const begun = crew.begin();
    await turns();
    await workers[1]?.line.ask('failed', {
      kind: 'known',
      code: 'SVC_S3201',
      details: 'Port 8080 is taken.',
      status: 500,
    });
    workers[1]?.end('exit code 150');
    await expect(begun).rejects.toMatchObject({ code: 'SVC_S3201', message: 'Port 8080 is taken.' });
  });

  test('keeps the port that was free at the start, even if all of its workers end', async () => {
    const { crew, workers, turns, clock } = stage({ port: 0 });
    const begun = crew.begin();
    await turns();
    // The system chooses the port when the first worker listens, because a port that was chosen before could be taken by then.
    expect(portsOf(workers)).toEqual([0, 0]);
    for (const { line } of workers) line.tell('ready', address(51_000));
    expect(await begun).toMatchObject({ port: 51_000 });
    workers[1]?.end('SIGKILL');
    await turns();
    await clock.advance(200);
    await turns();
    // The first worker is still listening, so port 0 means the same port.
    expect(portsOf(workers)).toEqual([0, 0, 0]);
    workers[0]?.end('SIGKILL');
    await turns();
    workers[2]?.line.tell('ready', address(52_000));
    await turns();
    expect(workers[2]?.isKilled).toBe(true);
    expect(crew.states().filter(({ state }) => state === 'serving')).toEqual([]);
    workers[2]?.end('SIGKILL');
    await turns();
    await clock.advance(400);
    await turns();
    expect(portsOf(workers)).toEqual([0, 0, 0, 51_000, 51_000]);
  });

  test('replaces a worker that ends, with a longer delay each time', async () => {
    const { crew, workers, turns, clock, log } = await running();
    workers[0]?.end('SIGKILL');
    await turns();
    expect(crew.states()).toMatchObject([{ state: 'ended' }, { state: 'serving' }]);
    expect(log.lines.at(-1)).toMatchObject({ level: 'error', facts: { worker: 1, reason: 'SIGKILL' } });
    await clock.advance(199);
    expect(workers).toHaveLength(2);
    await clock.advance(1);
    await turns();
    expect(workers).toHaveLength(3);
    expect(workers[2]?.orders).toMatchObject({ number: 1 });
    workers[2]?.end('SIGKILL');
    await turns();
    await clock.advance(399);
    expect(workers).toHaveLength(3);
    await clock.advance(1);
    expect(workers).toHaveLength(4);
    expect(crew.states()).toMatchObject([{ state: 'starting' }, { state: 'serving' }]);
  });

  test('ends only a worker that is silent for 30 seconds', async () => {
    const { workers, clock } = await running();
    for (let second = 0; second < 31; second += 1) {
      workers[1]?.line.tell('beat');
      await clock.advance(1_000);
    }
    expect(workers.map(({ isKilled }) => isKilled)).toEqual([true, false]);
  });

  test('notifies all other workers of a write checkpoint before its number is returned', async () => {
    const { workers, turns } = await running();
    const order: string[] = [];
    workers[1]?.onWriteCheckpoint((key) => order.push(`other: ${key}`));
    const answered = workers[0]?.line
      .ask('createWriteCheckpoint', 'ada', firstPosition)
      .then((number) => order.push(`answer: ${number}`));
    await answered;
    await turns();
    expect(order).toEqual(['other: ada', 'answer: 7']);
  });

  test('adds up the clients of its workers, and sends each worker the number of the others', async () => {
    const { crew, workers, turns, sizes } = await running();
    workers[0]?.line.tell('connected', { http: 3, websocket: 1 });
    workers[1]?.line.tell('connected', { http: 2, websocket: 0 });
    await turns();
    expect(crew.clients.size).toBe(6);
    expect(sizes.at(-1)).toBe(6);
    expect(workers.map(({ elsewhere }) => elsewhere)).toEqual([
      { http: 2, websocket: 0 },
      { http: 3, websocket: 1 },
    ]);
    workers[0]?.end('SIGKILL');
    await turns();
    expect(crew.clients.size).toBe(2);
    expect(workers[1]?.elsewhere).toEqual({ http: 0, websocket: 0 });
  });

  test('lists the clients that its workers report, page by page, and forgets the clients of a worker that ended', async () => {
    const { crew, workers, turns } = await running();
    workers[0]?.reports.push(
      { changed: [report(1, 'ada'), report(2, 'ben')], gone: [], hasMore: true },
      { changed: [report(3, 'cy')], gone: [1], hasMore: false },
    );
    workers[1]?.reports.push({ changed: [report(1, 'dora')], gone: [], hasMore: false });
    await crew.clients.refresh();
    const names = () => crew.clients.all().map(({ userId }) => userId);
    expect(names()).toEqual(['ben', 'cy', 'dora']);
    const [ben] = crew.clients.all();
    expect(ben?.claims).toBe('{"sub":"ben"}');
    workers[0]?.reports.push({
      changed: [{ id: 2, position: { opId: 5, buckets: ['b'], complete: true }, share: nothing }],
      gone: [],
      hasMore: false,
    });
    await crew.clients.refresh();
    expect(ben?.position()).toEqual({ opId: 5, buckets: ['b'], complete: true });
    workers[0]?.end('SIGKILL');
    await turns();
    expect(names()).toEqual(['dora']);
  });

  test('does not wait longer than a second for a worker that does not answer', async () => {
    const { crew, workers, clock, turns } = await running();
    workers[0]?.fallSilent();
    let isDone = false;
    const refreshed = crew.clients.refresh().then(() => {
      isDone = true;
    });
    await turns();
    expect(isDone).toBe(false);
    await clock.advance(1_000);
    await refreshed;
  });

  test('keeps little for a silent worker', async () => {
    const { crew, workers, turns } = await running();
    const buckets = new Set(Array.from({ length: 60_000 }, (_, n) => `b${n}`));
    const publish = async () => {
      crew.publish({
        deployment: 1,
        checkpoint: { opId: 1, position: firstPosition },
        changed: { buckets, lookups: new Set() },
      });
      await turns();
    };
    await publish();
    await publish();
    expect(workers[0]?.notices.map(({ changed }) => changed?.buckets.size)).toEqual([60_000, undefined]);
    workers[0]?.line.tell('beat');
    await turns();
    await publish();
    expect(workers[0]?.notices.at(-1)?.changed?.buckets.size).toBe(60_000);
    expect(workers[1]?.notices.at(-1)?.changed).toBeUndefined();
  });

  test('stops its workers, kills one that does not stop, and starts no other', async () => {
    const { crew, workers, clock, turns } = await running();
    const stopped = crew.stop();
    await turns();
    expect(workers.map(({ isStopping }) => isStopping)).toEqual([true, true]);
    workers[0]?.end('exit code 0');
    await clock.advance(10_000);
    expect(workers.map(({ isKilled }) => isKilled)).toEqual([false, true]);
    await stopped;
    await clock.advance(60_000);
    expect(workers).toHaveLength(2);
  });

  test('ends a question if its worker ends', async () => {
    const { crew, workers, turns } = await running();
    workers[0]?.fallSilent();
    const refreshed = crew.clients.refresh();
    await turns();
    workers[0]?.end('SIGKILL');
    await refreshed;
    expect(crew.clients.all()).toEqual([]);
  });
});

const nothing = { buckets: 0, failing: [] };

function portsOf(workers: readonly FakeWorker[]) {
  return workers.map(({ orders }) => orders?.settings.port);
}

function address(port: number) {
  return { port, url: `http://127.0.0.1:${port}` };
}

function report(id: number, userId: string) {
  return {
    id,
    identity: {
      userId,
      clientId: undefined,
      transport: 'http' as const,
      appMetadata: {},
      subscriptions: [],
      since: 1,
      claims: JSON.stringify({ sub: userId }),
      connection: '{}',
    },
    position: undefined,
    share: nothing,
  };
}

interface FakeWorker {
  readonly line: ProcessLine<PrimaryProcedures>;
  readonly orders: WorkerOrders | undefined;
  readonly elsewhere: unknown;
  readonly isStopping: boolean;
  readonly isKilled: boolean;
  readonly notices: Notice[];
  readonly reports: Awaited<ReturnType<WorkerProcedures['report']>>[];
  onWriteCheckpoint(listener: (key: string) => void): void;
  fallSilent(): void;
  end(how: string): void;
}

interface Stage {
  readonly crew: Crew;
  readonly workers: FakeWorker[];
  readonly sizes: number[];
  readonly clock: ManualClock;
  readonly log: ReturnType<typeof recordLog>;
  /** Resolves when all sent messages have arrived. */
  readonly turns: () => Promise<void>;
}

const settings = {
  ...serviceSettings({
    connection: { id: 'default', tag: 'default', type: 'embedded', debugApi: false },
    storage: { type: 'embedded', path: '/nowhere' },
  }),
  port: 8080,
};

function stage({ port = settings.port } = {}): Stage {
  const clock = createManualClock();
  const log = recordLog();
  const workers: FakeWorker[] = [];
  const sizes: number[] = [];
  const crew = new Crew({
    count: 2,
    start: () => {
      const { worker, process } = fakeWorker(workers.length);
      workers.push(worker);
      return process;
    },
    orders: { settings: { ...settings, port }, instanceId: 'i', defaultSchema: 'public' },
    services: {
      position: async () => firstPosition,
      mark: async () => {},
      createWriteCheckpoint: async () => 7n,
      requestWriteCheckpoint: async (_, id) => ({ id, needsMark: false }),
      damaged: () => {},
      corrupt: () => {},
      happened: () => {},
      count: () => {},
    },
    take: ({ socket }) => socket.destroy(),
    onClients: (size) => sizes.push(size),
    world: { clock, log },
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { crew, workers, sizes, clock, log, turns };
}

async function running(): Promise<Stage> {
  const all = stage();
  const begun = all.crew.begin();
  await all.turns();
  for (const { line } of all.workers) line.tell('ready', { port: 8080, url: 'http://127.0.0.1:8080' });
  await begun;
  return all;
}

function fakeWorker(index: number): { readonly worker: FakeWorker; readonly process: WorkerProcess } {
  const [ours, theirs] = channelPair();
  let isSilent = false;
  let end = (_: string): void => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const state: { orders?: WorkerOrders; elsewhere?: unknown } = {};
  let [isStopping, isKilled] = [false, false];
  let onWriteCheckpoint = (_: string): void => {};
  const reports: FakeWorker['reports'] = [];
  const notices: Notice[] = [];
  const channel: ProcessChannel = {
    listen: theirs.listen,
    send: (message) => {
      if (!isSilent) theirs.send(message);
    },
  };
  const unused = () => {};
  const line = openLine<WorkerProcedures, PrimaryProcedures>(channel, {
    begin: (orders) => {
      state.orders = orders;
    },
    beat: unused,
    stop: () => {
      isStopping = true;
    },
    published: (notice) => notices.push(notice),
    doubt: unused,
    writeCheckpoint: (key) => onWriteCheckpoint(key),
    elsewhere: (clients) => {
      state.elsewhere = clients;
    },
    admitted: unused,
    report: () => reports.shift() ?? { changed: [], gone: [], hasMore: false },
    tunnelOpen: unused,
    tunnelData: async () => {},
    tunnelEnd: unused,
    tunnelClose: unused,
  });
  const worker: FakeWorker = {
    line,
    get orders() {
      return state.orders;
    },
    get elsewhere() {
      return state.elsewhere;
    },
    get isStopping() {
      return isStopping;
    },
    get isKilled() {
      return isKilled;
    },
    reports,
    notices,
    onWriteCheckpoint: (listener) => {
      onWriteCheckpoint = listener;
    },
    fallSilent: () => {
      isSilent = true;
    },
    end,
  };
  const kill = () => {
    isKilled = true;
    end('SIGKILL');
  };
  return { worker, process: { channel: ours, pid: 100 + index, kill, ended } };
}
