/**
 * Watches the deployments: what is pending or active is replicated, each by a job of its own; what was stopped is
 * cleared. What failed is tried again, later each time.
 */

import { belongsTo, isAddable } from '../../../engine/plan/evaluate/names.ts';
import type { Deployer } from '../../deployments/deployer.ts';
import type { RunningConfig, SyncConfigs } from '../../deployments/syncConfigs.ts';
import type { Log, LogFacts } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import {
  type Deployment,
  type DeploymentState,
  type Pace,
  type StoredText,
  storedTextsOf,
} from '../../storage/deployment.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FailureKind, Source } from '../source.ts';
import { type JobEnd, runJob, type Task, toFailure } from './job.ts';
import { type CopyPace, openPace } from './pace.ts';
import { type JobProgress, type JobStep, lagOf, type ProgressSnapshot, trackProgress } from './progress.ts';
import type { BesideWork, Clearing, Errand } from './replication.ts';
import { delayAfter } from './retry.ts';

export interface Replicator {
  /** Until aborted; then all jobs have ended. */
  run(signal: AbortSignal): Promise<void>;
  /** The deployments have changed. */
  wake(): void;
  status(): readonly JobStatus[];
  /** What {@link lagOf} says of each job. Cheap: may be asked at every step. */
  lags(): readonly number[];
  /** Resolves when it is done. False: this process does not follow the changes of that deployment now. */
  send(deployment: number, errand: Errand): Promise<boolean>;
}

export interface JobStatus {
  readonly deployment: number;
  readonly work: Work;
  readonly running: boolean;
  /** Another process does it; this one waits. */
  readonly standby?: true;
  /** Of the current attempt, or of the last one. */
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
  /** Changes that are stored in one go, at most; default: 500. */
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
/** What a config does not need any longer, in milliseconds. */
const keptFor = 24 * 60 * 60_000;
/** However much fails: the rest of the process wants to run, too. */
const leastPause = 50;

export function createReplicator(settings: ReplicatorSettings): Replicator {
  const { storage, configs, clock, log, touch, onlyPending } = settings;
  const entries = new Map<number, Entry>();
  /** By deployment: what was looked at. */
  const forgotten = new Map<number, string>();
  let alarm = new AbortController();
  const wake = () => alarm.abort();

  return {
    wake,
    status: () => [...entries.values()].flatMap(statusOf),
    lags: () => [...entries.values()].flatMap((entry) => lagsOf(entry, clock.now())),
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
    forget(records);
    for (const record of records) {
      const work = isOurs(record) && isReady(record) ? workOf(record) : undefined;
      const entry = entries.get(record.id);
      const order = orderOf(record, records);
      entry?.pace.set(paceOf(order));
      if (entry?.ended !== undefined) {
        if (entry.work !== work || !entry.keys.has(order.key)) entry.controller.abort();
      } else if (work === undefined) entries.delete(record.id);
      else if (entry?.work !== work) start(order, newEntry(order, work, settings), signal);
      else if (entry.order.key !== order.key || entry.notBefore <= clock.now()) start(order, entry, signal);
    }
  }

  /** What is served no longer is kept for a while: who goes back to it has it at once. */
  function forget(records: readonly Deployment[]): void {
    for (const record of records) {
      const { id, state, content, createdAt } = record;
      const { key, pending } = orderOf(record, records);
      const known = `${key} ${content}`;
      const isTime = state === 'active' && pending === undefined && clock.now() - createdAt >= keptFor;
      if (!isTime || forgotten.get(id) === known) continue;
      forgotten.set(id, known);
      const storedTexts = configs.needed(record);
      if (storedTexts === undefined) continue;
      const before = { content, storedTexts: storedTextsOf(record) };
      const report = (error: unknown) =>
        log.write('error', 'What is not needed cannot be deleted', factsOf(error));
      settings.deployer.tell({ kind: 'forgets', id, before, storedTexts }).catch(report);
    }
  }

  /** What has a base is the matter of that one's job. */
  function workOf({ state, base }: Deployment): Work | undefined {
    return base !== undefined && state === 'processing' ? undefined : workIn[state];
  }

  function isOurs({ state, content }: Deployment): boolean {
    return state !== 'processing' || onlyPending === undefined || content === onlyPending;
  }

  /** What has errors would take the place of what serves, without the streams that they are in. */
  function isReady(record: Deployment): boolean {
    return record.state !== 'processing' || configs.of(record).valid;
  }

  function start(order: Order, entry: Entry, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { record } = order;
    entries.set(record.id, entry);
    entry.order = order;
    entry.keys = new Set([order.key]);
    entry.controller = new AbortController();
    const { controller } = entry;
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort);
    entry.ended = perform(entry, settings, wake).finally(() => {
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

/** What is to be done for a deployment, as the records are. */
interface Order {
  readonly record: Deployment;
  /** What is copied beside it. */
  readonly pending: Deployment | undefined;
  /** If it changes, the work has to begin again. */
  readonly key: string;
}

function orderOf(record: Deployment, records: readonly Deployment[]): Order {
  const pending = records.find(({ state, base }) => state === 'processing' && base === record.id);
  const { storedContent, content } = pending ?? {};
  const added = pending && [pending.id, storedContent ?? content, pending.anew];
  return { record, pending, key: keyOf(storedTextsOf(record), added) };
}

/** A rest is no part of it: the work that has left one deletes it, and does not begin again for that. */
function keyOf(storedTexts: readonly StoredText[], added?: readonly unknown[]): string {
  return JSON.stringify([storedTexts, added]);
}

/** Of what is copied: all of it, or what is added to it. */
function paceOf({ record, pending }: Order): Pace | undefined {
  if (pending !== undefined) return pending.pace;
  return record.state === 'processing' ? record.pace : undefined;
}

/** The work for one deployment, over all attempts. */
interface Entry {
  order: Order;
  /** With these the work goes on: of the records as they were, and as they will be when it has done its part. */
  keys: Set<string>;
  readonly pace: CopyPace;
  readonly work: Work;
  progress: ReturnType<typeof trackProgress>;
  /** Of what is copied beside it. */
  beside: { readonly deployment: number; readonly progress: JobProgress } | undefined;
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

function newEntry(order: Order, work: Work, { clock }: ReplicatorSettings): Entry {
  const pace = openPace(clock);
  pace.set(paceOf(order));
  return {
    order,
    keys: new Set(),
    pace,
    work,
    beside: undefined,
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

function statusOf(entry: Entry): readonly JobStatus[] {
  const { order, work, ended, failures, lastFailure, notBefore, isStandby, progress, beside } = entry;
  const status: JobStatus = {
    deployment: order.record.id,
    work,
    failures,
    progress: progress.snapshot(),
    running: isRunning(entry),
    ...(lastFailure && { lastFailure }),
    ...(isStandby && { standby: true }),
    ...(ended === undefined && { nextAttemptAt: notBefore }),
  };
  if (beside === undefined) return [status];
  return [status, { ...status, deployment: beside.deployment, progress: beside.progress.snapshot() }];
}

/** The same as of {@link statusOf}. */
function lagsOf(entry: Entry, now: number): readonly number[] {
  const running = isRunning(entry);
  const all = entry.beside === undefined ? [entry.progress] : [entry.progress, entry.beside.progress];
  return all.flatMap((progress) => lagOf({ progress: progress.times(), running }, now) ?? []);
}

/** One that waits asks every second whether it may begin. */
function isRunning({ ended, isStandby }: Entry): boolean {
  return ended !== undefined && !isStandby;
}

/** Never fails. */
async function perform(entry: Entry, settings: ReplicatorSettings, wake: () => void): Promise<void> {
  const { clock, log } = settings;
  const { order } = entry;
  const { record } = order;
  const facts = { deployment: record.id, slot: record.slotName };
  const attempt = entry.work === 'replicate' ? replicate : clear;
  const end = await attempt(order, entry, settings, wake).catch(toFailure);
  entry.beside = undefined;
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
  order: Order,
  entry: Entry,
  settings: ReplicatorSettings,
  wake: () => void,
): Promise<JobEnd> {
  const { source, storage, configs, deployer, clock, log, touch, heartbeat, rowsAtOnce } = settings;
  const deployment = order.record;
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
  const onActivated = (records: readonly Deployment[]) => {
    log.write('info', 'A deployment is active', { deployment: deployment.id, slot: deployment.slotName });
    wake();
    const record = records.find(({ id }) => id === deployment.id);
    const next = record && orderOf(record, records);
    // What else has changed meanwhile is seen when the deployments are looked at.
    if (next === undefined || next.key === entry.order.key || !entry.keys.has(next.key)) return undefined;
    entry.order = next;
    entry.beside = undefined;
    return taskOf(next, settings);
  };
  const beside = await besideOf(order, entry, settings);
  return runJob(
    {
      deployment,
      ...(beside === undefined ? taskOf(order, settings) : { storing: config.storing, ...beside }),
      isCurrent: (records) => {
        const record = records.find(({ id }) => id === deployment.id);
        return record !== undefined && orderOf(record, records).key === order.key;
      },
      source,
      storage,
      activate,
      activateAnyway,
      pace: entry.pace,
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

/** What is to be copied beside, as the job needs it. */
async function besideOf(
  { record, pending }: Order,
  entry: Entry,
  { configs, deployer, clock, log, touch, onStep }: ReplicatorSettings,
) {
  if (pending === undefined) return undefined;
  const { id, slotName } = pending;
  const beside = configs.beside(record, pending);
  if (beside === undefined) {
    await deployer.tell({ kind: 'not beside', id });
    return undefined;
  }
  let hasError = pending.lastError !== undefined;
  const progress = trackProgress(clock, (step) => {
    touch();
    onStep?.(step);
    if (!hasError) return;
    hasError = false;
    const report = (error: unknown) => log.write('error', 'A recovery could not be stored', factsOf(error));
    deployer.tell({ kind: 'recovered', id }).catch(report);
  });
  entry.beside = { deployment: id, progress };
  const work: BesideWork = {
    ...beside,
    pace: entry.pace,
    progress,
    onFailure: async (failure) => {
      const { message } = toFailure(failure);
      log.write('error', message, { deployment: id, slot: slotName });
      hasError = true;
      await deployer.tell({ kind: 'failed', id, error: { message, at: clock.now() } });
    },
    onGivenUp: async () => {
      await deployer.tell({ kind: 'not beside', id });
    },
  };
  const { storedTexts } = beside;
  entry.keys.add(keyOf(storedTexts));
  const before = storedTextsOf(record);
  return {
    beside: work,
    takeOver: deployer.decide({ kind: 'copied beside', id, before, storedTexts }),
  };
}

/** Of a deployment to which nothing is added. */
function taskOf(order: Order, settings: ReplicatorSettings): Task {
  const config = settings.configs.of(order.record);
  const { storing } = config;
  return { storing, ...(order.record.hasRest && { clearing: clearingOf(order, config, settings) }) };
}

function clearingOf(
  { record: { id } }: Order,
  { storing: { parts } }: RunningConfig,
  { storage, deployer }: ReplicatorSettings,
): Clearing {
  return {
    isStored: belongsTo(parts),
    contents: storage.stored(id),
    clearParts: async (signal) => {
      if (isAddable(parts.names)) await storage.clearParts(id, parts.names, signal);
    },
    onCleared: async () => {
      await deployer.tell({ kind: 'has no rest', id });
    },
  };
}

const notStored =
  'This release finds in the sync config what an earlier one has not stored: it is copied, and until then the config before it is served.';

/** The slot first: it makes the source keep its log. */
async function clear({ record }: Order, entry: Entry, settings: ReplicatorSettings): Promise<JobEnd> {
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
