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
import type { StartWorker } from './channel.ts';
import { type ClientCounts, noClients } from './counts.ts';
import { failureOfPlain } from './failures.ts';
import type { ProcessLine } from './line.ts';
import type { PrimaryProcedures, WorkerOrders, WorkerProcedures } from './procedures.ts';
import type { Tunnel } from './tunnels.ts';
import { sizeOfCounts, Worker, type WorkerState } from './worker.ts';

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

export interface CrewClients {
  readonly size: number;
  /** Returns the clients as they were last reported. */
  all(): readonly ConnectedClient[];
  /** Asks all workers for reports. */
  refresh(): Promise<void>;
}

/** The delays between restarts, in milliseconds. */
const restarts: Backoff = { first: 200, longest: 10_000 };
/** A worker that has run for this time, in milliseconds, has started successfully. */
const steadyAfter = 60_000;
/** The time that a worker has for ending its streams, in milliseconds. */
const longestStop = 10_000;
/** The time limit of a report about clients, in milliseconds. */
const reportPatience = 1_000;

/**
 * 1. Each number has at most one running worker. When it ends, another one is started, until the crew stops.
 * 2. All workers listen on the same port: the one of the first worker that served clients.
 */
export class Crew {
  readonly clients: CrewClients;
  readonly #parts: CrewParts;
  /** The running workers by their numbers. */
  readonly #workers = new Map<number, Worker>();
  readonly #stopping = new AbortController();
  /** Resolve when the workers have ended and no others are started. */
  readonly #ended: Promise<void>[] = [];
  #port: number | undefined;
  #settings: WorkerOrders['settings'];
  #stopped: Promise<void> | undefined;

  constructor(parts: CrewParts) {
    this.#parts = parts;
    this.#settings = parts.orders.settings;
    const size = (): number => this.#size;
    const refresh = (): Promise<void> => this.#refresh();
    this.clients = {
      get size() {
        return size();
      },
      all: lookAgain(
        () => [...this.#workers.values()].flatMap(({ reported }) => reported.all()),
        refresh,
        parts.world.clock,
        this.#stopping.signal,
      ),
      refresh,
    };
  }

  /** Resolves when all workers serve clients. Fails if one of them cannot. */
  async begin(): Promise<WorkerAddress> {
    const [address] = await Promise.all([
      this.#keep(1),
      ...Array.from({ length: this.#parts.count - 1 }, (_, index) => this.#keep(index + 2)),
    ]);
    return address;
  }

  readonly tell: ProcessLine<WorkerProcedures>['tell'] = (...told) => {
    for (const { line } of this.#workers.values()) line.tell(...told);
  };

  readonly publish = (notice: Notice): void => {
    for (const worker of this.#workers.values()) worker.publish(notice);
  };

  /** Returns the states in the order of the workers' numbers. */
  readonly states = (): readonly WorkerState[] =>
    Array.from({ length: this.#parts.count }, (_, index) => {
      const number = index + 1;
      return this.#workers.get(number)?.state ?? { number, state: 'ended', pid: undefined, clients: 0 };
    });

  /** Ends streams and answers, then the processes. May be called repeatedly. */
  readonly stop = (): Promise<void> => {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  };

  async #stop(): Promise<void> {
    this.#stopping.abort();
    this.tell('stop');
    const patience = new AbortController();
    const all = Promise.all(this.#ended).then(() => patience.abort());
    await this.#parts.world.clock.sleep(longestStop, patience.signal);
    for (const { process } of this.#workers.values()) process.kill();
    await all;
  }

  get #size(): number {
    return sizeOfCounts(sumOf(this.#workers.values()));
  }

  /** Keeps a worker of this number running. Fails if the first one cannot start. */
  #keep(number: number): Promise<WorkerAddress> {
    return new Promise((resolve, reject) => {
      this.#ended.push(this.#restart(number, resolve, reject));
    });
  }

  async #restart(
    number: number,
    onServing: (address: WorkerAddress) => void,
    onFailure: (failure: Error) => void,
  ): Promise<void> {
    const { clock, log } = this.#parts.world;
    const { signal } = this.#stopping;
    let hasServed = false;
    for (let failures = 0; !signal.aborted; ) {
      const startedAt = clock.steady();
      const { how, failure } = await this.#run(number, (address) => {
        hasServed = true;
        onServing(address);
      }).catch(withoutProcess);
      if (!hasServed) return onFailure(failure ?? endAtStart(number, how));
      if (signal.aborted) return;
      failures = clock.steady() - startedAt > steadyAfter ? 1 : failures + 1;
      log.write('error', 'A worker has ended, so its clients reconnect. Another worker is being started', {
        worker: number,
        reason: failure === undefined ? how : failure.message,
      });
      await clock.sleep(backoffAfter(failures, restarts), signal);
    }
  }

  /** Runs a worker until its process has ended. */
  async #run(number: number, onReady: (address: WorkerAddress) => void): Promise<WorkerEnd> {
    const { start, services, orders, count, take, world } = this.#parts;
    // Workers that ask for any free port get the same one as long as one of them listens, because no other process can take it in
    // between. When all have ended, the next ones ask for this port by its number.
    if (this.#port !== undefined && this.#workers.size === 0)
      this.#settings = { ...this.#settings, port: this.#port };
    let failure: Error | undefined;
    const worker = new Worker({
      number,
      process: start(),
      services: (own) => ({
        ...services,
        ...this.#checkpointServices(own),
        ready: (address) => {
          this.#port ??= address.port;
          // All other workers have ended while this one was starting.
          if (address.port !== this.#port) return own.process.kill();
          own.isServing = true;
          onReady(address);
        },
        failed: (plain) => {
          failure = failureOfPlain(plain);
        },
        connected: (clients) => {
          own.clients = clients;
          this.#tellClients();
        },
      }),
      take,
      world,
    });
    this.#workers.set(number, worker);
    worker.begin({ ...orders, settings: this.#settings, number, workers: count });
    this.#tellClients();
    const how = await worker.process.ended;
    worker.end();
    this.#workers.delete(number);
    this.#tellClients();
    return { how, failure };
  }

  /** Returns the procedures for write checkpoints, which all other workers hear about. */
  #checkpointServices(
    from: Worker,
  ): Pick<PrimaryServices, 'createWriteCheckpoint' | 'requestWriteCheckpoint'> {
    const { services } = this.#parts;
    const tellOthers = (...told: Parameters<WorkerProcedures['writeCheckpoint']>): void => {
      for (const worker of this.#workers.values())
        if (worker !== from) worker.line.tell('writeCheckpoint', ...told);
    };
    return {
      createWriteCheckpoint: async (key, position) => {
        const id = await services.createWriteCheckpoint(key, position);
        if (id !== undefined) tellOthers(key, position);
        return id;
      },
      requestWriteCheckpoint: async (key, id, position, at) => {
        const stored = await services.requestWriteCheckpoint(key, id, position, at);
        tellOthers(key, position);
        return stored;
      },
    };
  }

  #tellClients(): void {
    this.#parts.onClients(this.#size);
    for (const worker of this.#workers.values()) {
      const others = [...this.#workers.values()].filter((each) => each !== worker);
      worker.line.tell('elsewhere', sumOf(others));
    }
  }

  /** Asks all workers for reports. */
  async #refresh(): Promise<void> {
    const patience = new AbortController();
    const asked = [...this.#workers.values()].map((worker) => worker.refresh().catch(() => undefined));
    const all = Promise.all(asked).then(() => patience.abort());
    await Promise.race([all, this.#parts.world.clock.sleep(reportPatience, patience.signal)]);
  }
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
