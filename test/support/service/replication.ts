/** A replicator with a source and a storage in memory, and functions that wait for its progress. */

import { patient } from '../../../scripts/run/patience.ts';
import { openDeployer } from '../../../server/service/deployments/deployer.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import type { LogFacts } from '../../../server/service/ground/log.ts';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import type { Clock } from '../../../server/service/ground/world.ts';
import { createReplicator, type Replicator } from '../../../server/service/replication/jobs/replicator.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { Checkpoint, Storage } from '../../../server/service/storage/storage.ts';
import { createMemorySource, type MemorySource, type MemorySourceOptions } from './memorySource.ts';
import { createMemoryStorage, type MemoryStorage } from './memoryStorage.ts';

export interface Replicating {
  readonly source: MemorySource;
  readonly storage: MemoryStorage;
  /** Returns the current deployments of a storage in memory. For any other storage, returns those that {@link until} read last. */
  records(): readonly Deployment[];
  readonly replicator: Replicator;
  readonly deployer: ReturnType<typeof openDeployer>;
  readonly log: readonly { readonly level: string; readonly message: string; readonly facts?: LogFacts }[];
  readonly touches: number;
  readonly clock: Clock;
  /** Resolves with the checkpoint of the serving deployment that is at or after the position. */
  reach(position?: LogPosition): Promise<Checkpoint>;
  until(condition: () => boolean, what: string): Promise<void>;
  /** Returns the buckets of the serving deployment, as clients see them: bucket → sorted rows. */
  buckets(): Record<string, string[]>;
  deployment(id: number): Deployment;
  start(): void;
  stop(): Promise<void>;
}

export interface ReplicatingOptions extends MemorySourceOptions {
  readonly source?: MemorySource;
  /** A storage to use instead of the one in memory. Then `storage` and `buckets` of the result cannot be used. */
  readonly storage?: Storage;
  /** Wraps the storage for the service. */
  readonly through?: (storage: Storage) => Storage;
  readonly onlyPending?: string;
  readonly heartbeat?: number;
  readonly rowsAtOnce?: number;
  readonly now?: () => number;
}

export function createReplicating(options: ReplicatingOptions = {}): Replicating {
  const source = options.source ?? createMemorySource(options);
  const memory = createMemoryStorage();
  const given = options.storage ?? memory;
  const storage = isMemory(given) ? given : memory;
  const used = options.through?.(given) ?? given;
  let seen: readonly Deployment[] = [];
  const records = () => (isMemory(given) ? given.records : seen);
  const log: { level: string; message: string; facts?: LogFacts }[] = [];
  const configs = openSyncConfigs('public');
  const clock = { ...impatientClock(), ...(options.now && { now: options.now, steady: options.now }) };
  let touches = 0;
  let running: { controller: AbortController; ended: Promise<void> } | undefined;
  const deployer = openDeployer({
    store: used.deployments,
    configs,
    namePrefix: 'test_',
    clock,
    defaultStorageVersion: 2,
    drawHex: () => 'a1b2',
    onChange: () => replicator.wake(),
  });
  const replicator = createReplicator({
    source,
    storage: used,
    configs,
    deployer,
    clock,
    ...(options.onlyPending !== undefined && { onlyPending: options.onlyPending }),
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
    ...(options.rowsAtOnce !== undefined && { rowsAtOnce: options.rowsAtOnce }),
    log: { write: (level, message, facts) => log.push({ level, message, ...(facts && { facts }) }) },
    touch: () => {
      touches += 1;
    },
  });
  const serving = () => records().findLast(({ state }) => state === 'active' || state === 'errored');

  async function until(condition: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + patient(30_000);
    for (;;) {
      seen = await given.deployments.all();
      if (condition()) return;
      if (performance.now() > deadline)
        throw new Error(`waited in vain for: ${what}\n${log.map(({ message }) => message).join('\n')}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    source,
    storage,
    records,
    replicator,
    deployer,
    log,
    clock,
    until,
    get touches() {
      return touches;
    },
    reach: async (aim) => {
      const position = aim ?? (await source.position());
      await until(() => (serving()?.lastCheckpointPosition ?? '') >= position, `a checkpoint at ${position}`);
      const { lastCheckpoint = 0, lastCheckpointPosition = position } = serving() ?? {};
      return { opId: lastCheckpoint, position: lastCheckpointPosition };
    },
    buckets: () => {
      const { id = 0, lastCheckpoint = 0 } = serving() ?? {};
      const contents = storage.contents(id, lastCheckpoint);
      return Object.fromEntries([...contents].map(([bucket, rows]) => [bucket, [...rows.values()].sort()]));
    },
    deployment: (id) => records().find((record) => record.id === id) as Deployment,
    start: () => {
      const controller = new AbortController();
      running = { controller, ended: replicator.run(controller.signal) };
    },
    stop: async () => {
      running?.controller.abort();
      await running?.ended;
      running = undefined;
    },
  };
}

/** Returns a clock on which each sleep takes only a moment, and then moves the time forward by the requested duration. */
function impatientClock(): Clock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    steady: () => Math.floor(performance.now()) + ahead,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const timer = setTimeout(() => {
          ahead += Math.ceil(ms);
          resolve();
        }, 1);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

function isMemory(storage: Storage): storage is MemoryStorage {
  return 'records' in storage;
}
