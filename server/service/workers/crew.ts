/**
 * The workers of a service: starts and watches them, and starts a new one when one ends. Questions and messages go to all running
 * workers, and the workers' reports about clients are combined here.
 */
import { type Backoff, backoffAfter } from '../ground/backoff.ts';
import { ServiceError } from '../ground/errors.ts';
import { attempt, startAlone } from '../ground/unattended.ts';
import type { World } from '../ground/world.ts';
import type { Notice } from '../storage/storage.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import { keepBeating } from './beats.ts';
import type { StartWorker, WorkerProcess } from './channel.ts';
import { openReportedClients } from './clientReports.ts';
import { type ClientCounts, noClients } from './counts.ts';
import { failureOfPlain } from './failures.ts';
import { openLine, type ProcessLine } from './line.ts';
import type { PrimaryProcedures, WorkerOrders, WorkerProcedures } from './procedures.ts';
import { openTunnels, type Tunnel } from './tunnels.ts';

/** The procedures of the primary for its workers, except those about their processes. */
export type PrimaryServices = Pick<
  PrimaryProcedures,
  | 'position'
  | 'mark'
  | 'requestWriteCheckpoint'
  | 'createWriteCheckpoint'
  | 'damaged'
  | 'corrupt'
  | 'happened'
  | 'count'
>;

interface CrewParts {
  readonly start: StartWorker;
  readonly count: number;
  readonly orders: Omit<WorkerOrders, 'number' | 'workers'>;
  readonly services: PrimaryServices;
  /** Answers a request that a worker does not answer itself. */
  readonly take: (tunnel: Tunnel, address: string, admit: () => void) => void;
  readonly onClients: (size: number) => void;
  readonly world: Pick<World, 'clock' | 'log'>;
}

interface WorkerAddress {
  readonly port: number;
  readonly url: string;
}

export interface Crew {
  /** Resolves when all workers serve clients. Fails if one of them cannot. */
  begin(): Promise<WorkerAddress>;
  tell: ProcessLine<WorkerProcedures>['tell'];
  publish(notice: Notice): void;
  readonly clients: CrewClients;
  /** Returns the states in the order of the workers' numbers. */
  states(): readonly WorkerState[];
  /** Ends streams and answers, then the processes. May be called repeatedly. */
  stop(): Promise<void>;
}

export interface CrewClients {
  readonly size: number;
  /** Returns the clients as they were last reported. */
  all(): readonly ConnectedClient[];
  /** Asks all workers for reports. */
  refresh(): Promise<void>;
}

/** The state of a worker for diagnostics. */
export interface WorkerState {
  readonly number: number;
  /** `ended`: a new one will be started soon. */
  readonly state: 'starting' | 'serving' | 'ended';
  readonly pid: number | undefined;
  readonly clients: number;
}

interface Worker {
  readonly process: WorkerProcess;
  readonly line: ProcessLine<WorkerProcedures>;
  readonly reported: ReturnType<typeof openReportedClients>;
  clients: ClientCounts;
  isServing: boolean;
  /** The number of changed parts that were sent to the worker since its last sign. */
  unheard: number;
}

/** The delays between restarts, in milliseconds. */
const restarts: Backoff = { first: 200, longest: 10_000 };
/** A worker that has run for this time, in milliseconds, has started successfully. */
const steadyAfter = 60_000;
/** The number of seconds without a sign after which a worker is ended. A busy machine delays signs for less time. */
const longestSilence = 30;
/** The maximum number of messages in memory for a worker that has stopped reading. After that, it must look for changes itself. */
const mostUnheard = 100_000;
/** The time that a worker has for ending its streams, in milliseconds. */
const longestStop = 10_000;
/** The time limit of a report about clients, in milliseconds. */
const reportPatience = 1_000;

export function openCrew(parts: CrewParts): Crew {
  const { count, orders, services, world } = parts;
  const { clock, log } = world;
  const workers = new Map<number, Worker>();
  const stopping = new AbortController();
  const ended: Promise<void>[] = [];
  let { settings } = orders;
  /** The port of the first worker that served clients. */
  let port: number | undefined;
  // Workers that ask for any free port get the same one as long as one of them listens, because no other process can take it in
  // between. When all have ended, the next ones ask for this port by its number.
  const keepPort = (): void => {
    if (port !== undefined && workers.size === 0) settings = { ...settings, port };
  };

  const sizeOf = (): number => sizeOfCounts(sumOf(workers.values()));
  const onClients = (): void => {
    parts.onClients(sizeOf());
    for (const worker of workers.values()) {
      const others = [...workers.values()].filter((each) => each !== worker);
      worker.line.tell('elsewhere', sumOf(others));
    }
  };
  const tell: Crew['tell'] = (...told) => {
    for (const { line } of workers.values()) line.tell(...told);
  };
  const publish = ({ changed, ...rest }: Notice): void => {
    for (const worker of workers.values()) {
      worker.unheard += changed === undefined ? 0 : changed.buckets.size + changed.lookups.size;
      const isMuch = changed === undefined || worker.unheard > mostUnheard;
      worker.line.tell('published', isMuch ? rest : { ...rest, changed });
    }
  };
  const run = async (number: number, onReady: (address: WorkerAddress) => void): Promise<WorkerEnd> => {
    keepPort();
    const process = parts.start();
    const over = new AbortController();
    let failure: Error | undefined;
    const tunnels = openTunnels(
      () => line,
      (tunnel, address) => parts.take(tunnel, address, () => line.tell('admitted', tunnel.id)),
    );
    const line: ProcessLine<WorkerProcedures> = openLine<PrimaryProcedures, WorkerProcedures>(
      process.channel,
      {
        ...services,
        ...tunnels.procedures,
        ready: (address) => {
          port ??= address.port;
          // All other workers have ended while this one was starting.
          if (address.port !== port) return process.kill();
          worker.isServing = true;
          onReady(address);
        },
        failed: (plain) => {
          failure = failureOfPlain(plain);
        },
        beat: () => {},
        connected: (clients) => {
          worker.clients = clients;
          onClients();
        },
        createWriteCheckpoint: async (key, lsn) => {
          const id = await services.createWriteCheckpoint(key, lsn);
          if (id !== undefined) tellOthers(worker, key, lsn);
          return id;
        },
        requestWriteCheckpoint: async (key, id, lsn, at) => {
          const stored = await services.requestWriteCheckpoint(key, id, lsn, at);
          tellOthers(worker, key, lsn);
          return stored;
        },
      },
    );
    const worker: Worker = {
      process,
      line,
      reported: openReportedClients(),
      clients: noClients,
      isServing: false,
      unheard: 0,
    };
    const heard = keepBeating(
      {
        beat: () => line.tell('beat'),
        onSilence: (seconds) => {
          if (seconds !== longestSilence) return;
          log.write(
            'error',
            `Worker ${number} has not responded for ${longestSilence} s and is being stopped`,
          );
          process.kill();
        },
      },
      clock,
      over.signal,
    );
    line.onSign(() => {
      worker.unheard = 0;
      heard();
    });
    workers.set(number, worker);
    line.tell('begin', { ...orders, settings, number, workers: count });
    onClients();
    return process.ended.then((how) => {
      over.abort();
      line.end();
      tunnels.end();
      workers.delete(number);
      onClients();
      return { how, failure };
    });
  };
  const tellOthers = (from: Worker, ...told: Parameters<WorkerProcedures['writeCheckpoint']>): void => {
    for (const worker of workers.values()) if (worker !== from) worker.line.tell('writeCheckpoint', ...told);
  };
  /** Keeps a worker of this number running. Fails if the first one cannot start. */
  const keep = (number: number): Promise<WorkerAddress> =>
    new Promise((resolve, reject) => {
      const loop = async (): Promise<void> => {
        let hasServed = false;
        for (let failures = 0; !stopping.signal.aborted; ) {
          const startedAt = clock.steady();
          const { how, failure } = await run(number, (address) => {
            hasServed = true;
            resolve(address);
          }).catch(withoutProcess);
          if (!hasServed) return reject(failure ?? endAtStart(number, how));
          if (stopping.signal.aborted) return;
          failures = clock.steady() - startedAt > steadyAfter ? 1 : failures + 1;
          const reason = failure === undefined ? how : failure.message;
          log.write(
            'error',
            'A worker has ended, so its clients reconnect. Another worker is being started',
            {
              worker: number,
              reason,
            },
          );
          await clock.sleep(backoffAfter(failures, restarts), stopping.signal);
        }
      };
      ended.push(loop());
    });
  const refreshOne = async ({ line, reported }: Worker): Promise<void> => {
    for (;;) {
      const report = await line.ask('report');
      reported.take(report);
      if (!report.hasMore) return;
    }
  };
  const refresh = async (): Promise<void> => {
    const patience = new AbortController();
    const asked = [...workers.values()].map((worker) => refreshOne(worker).catch(() => undefined));
    const all = Promise.all(asked).then(() => patience.abort());
    await Promise.race([all, clock.sleep(reportPatience, patience.signal)]);
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    tell('stop');
    const patience = new AbortController();
    const all = Promise.all(ended).then(() => patience.abort());
    await clock.sleep(longestStop, patience.signal);
    for (const { process } of workers.values()) process.kill();
    await all;
  };
  let stopped: Promise<void> | undefined;
  return {
    begin: async () => {
      const [address] = await Promise.all([
        keep(1),
        ...Array.from({ length: count - 1 }, (_, index) => keep(index + 2)),
      ]);
      return address;
    },
    tell,
    publish,
    clients: {
      get size() {
        return sizeOf();
      },
      all: lookAgain(
        () => [...workers.values()].flatMap(({ reported }) => reported.all()),
        refresh,
        world.clock,
        stopping.signal,
      ),
      refresh,
    },
    states: () => Array.from({ length: count }, (_, index) => stateOf(index + 1, workers.get(index + 1))),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function stateOf(number: number, worker: Worker | undefined): WorkerState {
  if (worker === undefined) return { number, state: 'ended', pid: undefined, clients: 0 };
  const { process, clients, isServing } = worker;
  const state = isServing ? 'serving' : 'starting';
  return { number, state, pid: process.pid, clients: sizeOfCounts(clients) };
}

function endAtStart(number: number, how: string): ServiceError {
  return new ServiceError('SVC_S3201', `Worker ${number} ended while it was starting: ${how}.`);
}

function sumOf(workers: Iterable<Pick<Worker, 'clients'>>): ClientCounts {
  let { http, websocket } = noClients;
  for (const { clients } of workers) {
    http += clients.http;
    websocket += clients.websocket;
  }
  return { http, websocket };
}

function sizeOfCounts({ http, websocket }: ClientCounts): number {
  return http + websocket;
}

interface WorkerEnd {
  readonly how: string;
  readonly failure: Error | undefined;
}

/** Returns the end of a process that could not be started, for example because there are too many processes. */
function withoutProcess(error: unknown): WorkerEnd {
  return { how: String(error), failure: undefined };
}

const asking = 'Asking workers for their clients';

/**
 * Times in milliseconds: the pauses between reports while the clients are read often or rarely, the longest interval that counts
 * as often, and the time without reading after which the reports end.
 */
const looks = { often: 20, seldom: 250, isOften: 50, isOver: 2_500 };

/** Returns a reader of clients. It asks the workers for reports repeatedly, as long as the clients are read. */
function lookAgain(
  all: CrewClients['all'],
  refresh: () => Promise<void>,
  clock: World['clock'],
  signal: AbortSignal,
): CrewClients['all'] {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (!signal.aborted && clock.steady() - lookedAt < looks.isOver) {
      const begun = clock.steady();
      await attempt(asking, refresh);
      const took = clock.steady() - begun;
      const pause = begun - lookedAt < looks.isOften ? looks.often : looks.seldom;
      // The pause is longer if a report took long, so that reports take only a small part of the time.
      await clock.sleep(Math.max(pause, 10 * took), signal);
    }
    isRunning = false;
  };
  return () => {
    lookedAt = clock.steady();
    if (!isRunning) {
      isRunning = true;
      startAlone(asking, run);
    }
    return all();
  };
}
