/** One attempt at the work for a deployment: replicating it, together with the parts that are copied beside it, or clearing it. */
import { belongsTo, isAddable } from '../../../engine/plan/evaluate/names.ts';
import type { Deployer } from '../../deployments/deployer.ts';
import { strayNames } from '../../deployments/deploymentNames.ts';
import type { RunningConfig, SyncConfigs } from '../../deployments/syncConfigs.ts';
import { restBetween } from '../../ground/clock.ts';
import type { Log, LogFacts } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import { type Deployment, storedTextsOf } from '../../storage/deployment.ts';
import { heardAfter } from '../../storage/link.ts';
import type { Storage } from '../../storage/storage.ts';
import type { FailureKind, Source } from '../source.ts';
import { type JobEntry, type Order, orderKeyOf, orderOf } from './entry.ts';
import { type JobEnd, runJob, type Task, toFailure } from './job.ts';
import { type JobStep, trackProgress } from './progress.ts';
import type { BesideWork, Clearing } from './replication.ts';
import { delayAfter } from './retry.ts';

export interface AttemptSettings {
  readonly source: Source;
  readonly storage: Storage;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for every sign of life, at least every few seconds. */
  readonly touch: () => void;
  /** The interval of marks in the source's log, in milliseconds; absent: no marks. */
  readonly heartbeat?: number;
  /** The maximum number of changes that are stored together; default: 500. */
  readonly rowsAtOnce?: number;
  /** Receives the amounts of replicated rows, bytes, pages and transactions. */
  readonly onStep?: (step: JobStep) => void;
}

/** Makes an attempt. Never rejects. */
export async function perform(entry: JobEntry, settings: AttemptSettings, wake: () => void): Promise<void> {
  const { clock, log } = settings;
  const { order } = entry;
  const { record } = order;
  const facts = { deployment: record.id, slot: record.deploymentName };
  const attempt = entry.work === 'replicate' ? replicate : clear;
  const end = await attempt(order, entry, settings, wake).catch(toFailure);
  entry.beside = undefined;
  if (end.kind === 'stopped') return;
  if (end.kind === 'occupied') {
    entry.notBefore = clock.steady() + occupied;
    if (!entry.isStandby) log.write('info', 'Another process is replicating this deployment', facts);
    entry.isStandby = true;
    return;
  }
  const kind = failureKindOf(end);
  if (kind === 'reset') {
    entry.notBefore = clock.steady() + delayAfter(kind, 1);
    log.write('info', end.message, facts);
    return;
  }
  entry.failures += 1;
  entry.lastFailure = { message: end.message, at: clock.now() };
  const delay = delayAfter(kind, entry.failures);
  entry.notBefore = clock.steady() + delay;
  log.write('error', end.message, { ...facts, failures: entry.failures, retryInMs: delay });
  await note(end, record, settings).catch((error) =>
    log.write('error', 'Could not store a failure', { ...facts, ...reasonFacts(error) }),
  );
}

type FailedEnd = Exclude<JobEnd, { readonly kind: 'stopped' | 'occupied' }>;

function failureKindOf(end: FailedEnd): FailureKind {
  if (end.kind === 'backlog lost' || end.kind === 'storage outdated') return 'backlog-lost';
  return end.kind === 'damaged' ? 'other' : end.failure;
}

/** The interval of checking whether the other process has ended, in milliseconds. */
const occupied = 1000;

async function replicate(
  order: Order,
  entry: JobEntry,
  settings: AttemptSettings,
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
    tellRecovered(deployment.id, settings);
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
    log.write('info', 'A deployment is active', {
      deployment: deployment.id,
      slot: deployment.deploymentName,
    });
    wake();
    const record = records.find(({ id }) => id === deployment.id);
    const next = record && orderOf(record, records);
    // The next check of the deployments notices further changes.
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

function tellRecovered(id: number, { deployer, log }: AttemptSettings): void {
  const report = (error: unknown) => log.write('error', 'Could not store a recovery', reasonFacts(error));
  deployer.tell({ kind: 'recovered', id }).catch(report);
}

/** Returns the parts to copy beside the deployment, in the form that the job needs. */
async function besideOf({ record, pending }: Order, entry: JobEntry, settings: AttemptSettings) {
  const { configs, deployer, clock, log, touch, onStep } = settings;
  if (pending === undefined) return undefined;
  const { id, deploymentName } = pending;
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
    tellRecovered(id, settings);
  });
  entry.beside = { deployment: id, progress };
  const work: BesideWork = {
    ...beside,
    pace: entry.pace,
    progress,
    onFailure: async (failure) => {
      const { message } = toFailure(failure);
      log.write('error', message, { deployment: id, slot: deploymentName });
      hasError = true;
      await deployer.tell({ kind: 'failed', id, error: { message, at: clock.now() } });
    },
    onGivenUp: async () => {
      await deployer.tell({ kind: 'not beside', id });
    },
  };
  const { storedTexts } = beside;
  entry.keys.add(orderKeyOf(storedTexts));
  const before = storedTextsOf(record);
  return {
    beside: work,
    takeOver: deployer.decide({ kind: 'copied beside', id, before, storedTexts }),
  };
}

/** Returns the task of a deployment without added parts. */
function taskOf(order: Order, settings: AttemptSettings): Task {
  const config = settings.configs.of(order.record);
  const { storing } = config;
  return { storing, ...(order.record.hasRest && { clearing: clearingOf(order, config, settings) }) };
}

function clearingOf(
  { record: { id } }: Order,
  { storing: { parts } }: RunningConfig,
  { storage, deployer, clock }: AttemptSettings,
): Clearing {
  return {
    isStored: belongsTo(parts),
    contents: storage.stored(id),
    clearParts: async (signal) => {
      if (isAddable(parts.names))
        await storage.clearParts(id, parts.names, signal, restBetween(clock, signal));
    },
    onCleared: async () => {
      await deployer.tell({ kind: 'has no rest', id });
    },
  };
}

const notStored =
  'This release reads more from the sync config than an earlier release has stored. The missing rows are being copied, and the previous config is served until then.';

/** Clears a deployment. The backlog is dropped first, because it makes the source retain its log. */
async function clear({ record }: Order, entry: JobEntry, settings: AttemptSettings): Promise<JobEnd> {
  const { source, storage, deployer, clock, log } = settings;
  const { signal } = entry.controller;
  await source.dropBacklog(record.deploymentName);
  await dropSkipped(source, storage);
  // Another process may still be serving the deployment, and would tell its clients that the deleted rows do not exist.
  if (storage.link !== undefined) await clock.sleep(heardAfter * 1000, signal);
  if (signal.aborted) return { kind: 'stopped' };
  await storage.clear(record.id, signal, restBetween(clock, signal));
  if (signal.aborted) return { kind: 'stopped' };
  await deployer.tell({ kind: 'cleared', id: record.id });
  log.write('info', 'Cleared a replaced deployment', { deployment: record.id });
  return { kind: 'stopped' };
}

/** Drops backlogs of unknown deployments. If one seems to be in use, it is dropped another time. */
async function dropSkipped(source: Source, storage: Storage): Promise<void> {
  const strays = strayNames(await source.backlogNames(), await storage.deployments.all());
  for (const { name, isLater } of strays) if (!isLater) await source.dropBacklog(name).catch(() => {});
}

async function note(end: FailedEnd, { id }: Deployment, { deployer, clock }: AttemptSettings): Promise<void> {
  const error = { message: end.message, at: clock.now() };
  if (end.kind === 'backlog lost')
    await deployer.tell({ kind: 'backlog lost', id, error, restart: end.restart });
  else await deployer.tell({ kind: end.kind, id, error });
}

export function reasonFacts(error: unknown): LogFacts {
  return { reason: error instanceof Error ? error.message : String(error) };
}
