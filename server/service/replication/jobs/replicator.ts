/**
 * Watches the deployments. Each pending or active deployment has a job that replicates it, and a stopped one is cleared. A failed
 * job is tried again after increasing delays.
 */

import { type Deployment, type DeploymentState, storedTextsOf } from '../../storage/deployment.ts';
import { type AttemptSettings, perform, reasonFacts } from './attempt.ts';
import {
  enqueue,
  type JobEntry,
  type JobStatus,
  type JobWork,
  jobStatusesOf,
  lagsOf,
  newEntry,
  type Order,
  orderOf,
  paceOf,
} from './entry.ts';
import type { Errand } from './replication.ts';

export interface Replicator {
  /** Runs until aborted. When it resolves, all jobs have ended. */
  run(signal: AbortSignal): Promise<void>;
  /** Called when the deployments have changed. */
  wake(): void;
  status(): readonly JobStatus[];
  /** Returns {@link lagOf} for each job. It is cheap enough to be called for every step. */
  lags(): readonly number[];
  /** Runs an errand. Resolves to false if this process is not following the changes of that deployment. */
  send(deployment: number, errand: Errand): Promise<boolean>;
}

interface ReplicatorSettings extends AttemptSettings {
  /** The content that a file determines. Pending deployments with other content are left to another process. */
  readonly onlyPending?: string;
}

const workIn: Readonly<Record<DeploymentState, JobWork | undefined>> = {
  processing: 'replicate',
  active: 'replicate',
  errored: undefined,
  stopped: 'clear',
  terminated: undefined,
};

/** The interval of checking the deployments, in milliseconds: while a deployment waits for its first job, and later. */
const lookedAtEvery = { first: 500, later: 5000 };
const firstPeriod = 120_000;
/** The time for which unused parts are kept, in milliseconds. */
const keptFor = 24 * 60 * 60_000;
/** The shortest pause in milliseconds, so that other work of the process can run even if many jobs fail. */
const leastPause = 50;

export function createReplicator(settings: ReplicatorSettings): Replicator {
  const { storage, configs, clock, log, touch, onlyPending } = settings;
  const entries = new Map<number, JobEntry>();
  /** The state of each deployment that was examined for unused parts, by its id. */
  const forgotten = new Map<number, string>();
  let alarm = new AbortController();
  const wake = () => alarm.abort();

  return {
    wake,
    status: () => [...entries.values()].flatMap((entry) => jobStatusesOf(entry, clock)),
    lags: () => [...entries.values()].flatMap((entry) => lagsOf(entry, clock.now())),
    send: (deployment, errand) => {
      const entry = entries.get(deployment);
      const isStreaming = entry?.ended !== undefined && entry.progress.snapshot().phase === 'streaming';
      return isStreaming ? enqueue(entry, errand, settings.source) : Promise.resolve(false);
    },
    run: async (signal) => {
      signal.addEventListener('abort', wake, { once: true });
      const startedAt = clock.steady();
      while (!signal.aborted) {
        alarm = new AbortController();
        touch();
        try {
          reconcile(await storage.deployments.all(), signal);
        } catch (error) {
          log.write('error', 'Could not read the deployments', reasonFacts(error));
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
      else if (entry?.work !== work) start(order, newEntry(order, work, clock), signal);
      else if (entry.order.key !== order.key || entry.notBefore <= clock.steady())
        start(order, entry, signal);
    }
  }

  /**
   * Removes unused parts after a while. They are kept until then, so that a user who goes back to the config that needs them need
   * not wait.
   */
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
        log.write('error', 'Could not delete unneeded data', reasonFacts(error));
      settings.deployer.tell({ kind: 'forgets', id, before, storedTexts }).catch(report);
    }
  }

  /** Returns the work for a deployment. A deployment with a base is copied by the job of its base. */
  function workOf({ state, base }: Deployment): JobWork | undefined {
    return base !== undefined && state === 'processing' ? undefined : workIn[state];
  }

  function isOurs({ state, content }: Deployment): boolean {
    return state !== 'processing' || onlyPending === undefined || content === onlyPending;
  }

  /**
   * Whether the deployment may be copied. A config with errors is not copied, because it would replace the served one without the
   * streams that have the errors.
   */
  function isReady(record: Deployment): boolean {
    return record.state !== 'processing' || configs.of(record).valid;
  }

  function start(order: Order, entry: JobEntry, signal: AbortSignal): void {
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
    const now = clock.steady();
    const usual = now - startedAt < firstPeriod ? lookedAtEvery.first : lookedAtEvery.later;
    const waiting = [...entries.values()].filter(({ ended }) => ended === undefined);
    return Math.max(leastPause, Math.min(usual, ...waiting.map(({ notBefore }) => notBefore - now)));
  }
}
