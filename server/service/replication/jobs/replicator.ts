/**
 * Watches the deployments: what is pending or active is replicated, each by a job of its own; what was stopped is
 * cleared. What failed is tried again, later each time.
 */
import type { Deployer } from '../../deployments/deployer.ts';
import type { SyncConfigs } from '../../deployments/syncConfigs.ts';
import type { Log, LogFacts } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import type { Deployment, DeploymentState } from '../../storage/deployment.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FailureKind, Source } from '../source.ts';
import { type JobEnd, runJob, toFailure } from './job.ts';
import { type JobStep, type ProgressSnapshot, trackProgress } from './progress.ts';
import type { Errand } from './replication.ts';
import { delayAfter } from './retry.ts';

export interface Replicator {
  /** Until aborted; then all jobs have ended. */
  run(signal: AbortSignal): Promise<void>;
  /** The deployments have changed. */
  wake(): void;
  status(): readonly JobStatus[];
  /** Resolves when it is done. False: this process does not follow the changes of that deployment now. */
  send(deployment: number, errand: Errand): Promise<boolean>;
}

export interface JobStatus {
  readonly deployment: number;
  readonly work: Work;
  readonly running: boolean;
  /** Another process does it; this one waits. */
  readonly standby?: true;
  /** Of the present attempt, or of the last one. */
  readonly progress: ProgressSnapshot;
  /** In a row, without any progress in between. */
  readonly failures: number;
  readonly lastFailure?: { readonly message: string; readonly at: number };
  readonly nextAttemptAt?: number;
}

type Work = 'replicate' | 'clear';

interface ReplicatorSettings {
  readonly source: Source;
  readonly storage: Storage;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly clock: Clock;
  readonly log: Log;
  /** Called on every sign of life, at the latest every few seconds. */
  readonly touch: () => void;
  /** Milliseconds between marks in the source's log; absent: none. */
  readonly heartbeat?: number;
  /** Changes that are stored in one go, at most; usually 500. */
  readonly rowsAtOnce?: number;
  /** Counts what is replicated. */
  readonly onStep?: (step: JobStep) => void;
  /** Where a file says what is deployed: pending deployments of other content are another process' matter. */
  readonly onlyPending?: string;
}

const workIn: Readonly<Record<DeploymentState, Work | undefined>> = {
  processing: 'replicate',
  active: 'replicate',
  errored: undefined,
  stopped: 'clear',
  terminated: undefined,
};

/** While a deployment waits for its first job, then while all is well; in milliseconds. */
const lookedAtEvery = { first: 500, later: 5000 };
const firstPeriod = 120_000;
/** However much fails: the rest of the process wants to run, too. */
const leastPause = 50;

export function createReplicator(settings: ReplicatorSettings): Replicator {
  const { storage, configs, clock, log, touch, onlyPending } = settings;
  const entries = new Map<number, Entry>();
  let alarm = new AbortController();
  const wake = () => alarm.abort();

  return {
    wake,
    status: () => [...entries.values()].map(statusOf),
    send: (deployment, errand) => {
      const entry = entries.get(deployment);
      const isStreaming = entry?.ended !== undefined && entry.progress.snapshot().phase === 'streaming';
      return isStreaming ? enqueue(entry, errand, settings.source) : Promise.resolve(false);
    },
    run: async (signal) => {
      signal.addEventListener('abort', wake, { once: true });
      const startedAt = clock.now();
      while (!signal.aborted) {
        alarm = new AbortController();
        touch();
        try {
          reconcile(await storage.deployments.all(), signal);
        } catch (error) {
          log.write('error', 'The deployments cannot be read', factsOf(error));
        }
        await clock.sleep(pause(startedAt), alarm.signal);
      }
      await Promise.all([...entries.values()].map(({ ended }) => ended));
    },
  };

  function reconcile(records: readonly Deployment[], signal: AbortSignal): void {
    for (const record of records) {
      const work = isOurs(record) && isReady(record) ? workIn[record.state] : undefined;
      const entry = entries.get(record.id);
      if (entry?.ended !== undefined) {
        if (entry.work !== work) entry.controller.abort();
      } else if (work === undefined) entries.delete(record.id);
      else if (entry?.work !== work) start(record, newEntry(record.id, work, settings), signal);
      else if (entry.notBefore <= clock.now()) start(record, entry, signal);
    }
  }

  function isOurs({ state, content }: Deployment): boolean {
    return state !== 'processing' || onlyPending === undefined || content === onlyPending;
  }

  /** What has errors would take the place of what serves, without the streams that they are in. */
  function isReady(record: Deployment): boolean {
    return record.state !== 'processing' || configs.of(record).valid;
  }

  function start(record: Deployment, entry: Entry, signal: AbortSignal): void {
    if (signal.aborted) return;
    entries.set(record.id, entry);
    entry.controller = new AbortController();
    const { controller } = entry;
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort);
    entry.ended = perform(record, entry, settings, wake).finally(() => {
      signal.removeEventListener('abort', abort);
      for (const { drop } of entry.errands.splice(0)) drop();
      entry.ended = undefined;
      wake();
    });
  }

  function pause(startedAt: number): number {
    const now = clock.now();
    const usual = now - startedAt < firstPeriod ? lookedAtEvery.first : lookedAtEvery.later;
    const waiting = [...entries.values()].filter(({ ended }) => ended === undefined);
    return Math.max(leastPause, Math.min(usual, ...waiting.map(({ notBefore }) => notBefore - now)));
  }
}

/** The work for one deployment, over all attempts. */
interface Entry {
  readonly deployment: number;
  readonly work: Work;
  progress: ReturnType<typeof trackProgress>;
  controller: AbortController;
  /** While an attempt runs. */
  ended: Promise<void> | undefined;
  failures: number;
  lastFailure: JobStatus['lastFailure'];
  notBefore: number;
  isStandby: boolean;
  readonly errands: QueuedErrand[];
}

interface QueuedErrand {
  readonly errand: Errand;
  /** Its job has ended before. */
  readonly drop: () => void;
}

function enqueue(entry: Entry, work: Errand, source: Source): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const errand: Errand = async (replication) => {
      try {
        const outcome = await work(replication);
        resolve(true);
        return outcome;
      } catch (error) {
        reject(error);
        throw error;
      }
    };
    entry.errands.push({ errand, drop: () => resolve(false) });
    // Its turn comes with the next checkpoint.
    source.mark().catch(reject);
  });
}

function newEntry(deployment: number, work: Work, { clock }: ReplicatorSettings): Entry {
  return {
    deployment,
    work,
    failures: 0,
    notBefore: 0,
    isStandby: false,
    progress: trackProgress(clock, () => {}),
    controller: new AbortController(),
    ended: undefined,
    lastFailure: undefined,
    errands: [],
  };
}

function statusOf(entry: Entry): JobStatus {
  const { deployment, work, ended, failures, lastFailure, notBefore, isStandby, progress } = entry;
  return {
    deployment,
    work,
    failures,
    progress: progress.snapshot(),
    // One that waits asks every second whether it may begin.
    running: ended !== undefined && !isStandby,
    ...(lastFailure && { lastFailure }),
    ...(isStandby && { standby: true }),
    ...(ended === undefined && { nextAttemptAt: notBefore }),
  };
}

/** Never fails. */
async function perform(
  record: Deployment,
  entry: Entry,
  settings: ReplicatorSettings,
  wake: () => void,
): Promise<void> {
  const { clock, log } = settings;
  const facts = { deployment: record.id, slot: record.slotName };
  const attempt = entry.work === 'replicate' ? replicate : clear;
  const end = await attempt(record, entry, settings, wake).catch(toFailure);
  if (end.kind === 'stopped') return;
  if (end.kind === 'occupied') {
    entry.notBefore = clock.now() + occupied;
    if (!entry.isStandby) log.write('info', 'Another process replicates this deployment', facts);
    entry.isStandby = true;
    return;
  }
  entry.failures += 1;
  entry.lastFailure = { message: end.message, at: clock.now() };
  const kind = failureKindOf(end);
  const delay = delayAfter(kind, entry.failures);
  entry.notBefore = clock.now() + delay;
  log.write('error', end.message, { ...facts, failures: entry.failures, retryInMs: delay });
  await note(end, record, settings).catch((error) =>
    log.write('error', 'A failure could not be stored', { ...facts, ...factsOf(error) }),
  );
}

function failureKindOf(end: Exclude<JobEnd, { readonly kind: 'stopped' | 'occupied' }>): FailureKind {
  if (end.kind === 'slot lost' || end.kind === 'storage outdated') return 'slot-lost';
  return end.kind === 'damaged' ? 'other' : end.failure;
}

/** Milliseconds: whether the other process has ended is asked so often. */
const occupied = 1000;

async function replicate(
  deployment: Deployment,
  entry: Entry,
  settings: ReplicatorSettings,
  wake: () => void,
): Promise<JobEnd> {
  const { source, storage, configs, deployer, clock, log, touch, heartbeat, rowsAtOnce } = settings;
  let hasError = deployment.lastError !== undefined || entry.lastFailure !== undefined;
  const onStep = (step: JobStep) => {
    touch();
    settings.onStep?.(step);
    entry.failures = 0;
    if (!hasError) return;
    hasError = false;
    entry.lastFailure = undefined;
    const report = (error: unknown) => log.write('error', 'A recovery could not be stored', factsOf(error));
    deployer.tell({ kind: 'recovered', id: deployment.id }).catch(report);
  };
  entry.progress = trackProgress(clock, onStep);
  const { progress } = entry;
  const config = configs.of(deployment);
  if (!config.isStored) {
    const error = { message: notStored, at: clock.now() };
    await deployer.tell({ kind: 'damaged', id: deployment.id, error });
  }
  const activate = deployer.decide({ kind: 'published', id: deployment.id });
  const activateAnyway = deployer.decide({ kind: 'activated', id: deployment.id });
  const onActivated = () => {
    log.write('info', 'A deployment is active', { deployment: deployment.id, slot: deployment.slotName });
    wake();
  };
  return runJob(
    {
      deployment,
      config,
      source,
      storage,
      activate,
      activateAnyway,
      progress,
      clock,
      log,
      touch,
      onActivated,
      onBegun: () => {
        entry.isStandby = false;
      },
      nextErrand: () => entry.errands.shift()?.errand,
      ...(heartbeat !== undefined && { heartbeat }),
      ...(rowsAtOnce !== undefined && { rowsAtOnce }),
    },
    entry.controller.signal,
  );
}

const notStored =
  'This release finds in the sync config what an earlier one has not stored: it is copied, and until then the config before it is served.';

/** The slot first: it makes the source keep its log. */
async function clear(record: Deployment, entry: Entry, settings: ReplicatorSettings): Promise<JobEnd> {
  const { source, storage, deployer, log } = settings;
  const { signal } = entry.controller;
  await source.dropSlot(record.slotName);
  await storage.clear(record.id, signal);
  if (signal.aborted) return { kind: 'stopped' };
  await deployer.tell({ kind: 'cleared', id: record.id });
  log.write('info', 'A replaced deployment is cleared', { deployment: record.id });
  return { kind: 'stopped' };
}

type FailedEnd = Exclude<JobEnd, { readonly kind: 'stopped' | 'occupied' }>;

async function note(
  end: FailedEnd,
  { id }: Deployment,
  { deployer, clock }: ReplicatorSettings,
): Promise<void> {
  const error = { message: end.message, at: clock.now() };
  if (end.kind === 'slot lost') await deployer.tell({ kind: 'slot lost', id, error, restart: end.restart });
  else await deployer.tell({ kind: end.kind, id, error });
}

function factsOf(error: unknown): LogFacts {
  return { reason: error instanceof Error ? error.message : String(error) };
}
