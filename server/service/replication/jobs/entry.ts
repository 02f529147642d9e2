/** The work for each deployment, across all attempts: the task, its progress, and its status. */
import type { Clock } from '../../ground/world.ts';
import { type Deployment, type Pace, type StoredText, storedTextsOf } from '../../storage/deployment.ts';
import type { Source } from '../source.ts';
import { type CopyPace, openPace } from './pace.ts';
import { type JobProgress, lagOf, type ProgressSnapshot, trackProgress } from './progress.ts';
import type { Errand } from './replication.ts';

export interface JobStatus {
  readonly deployment: number;
  readonly work: JobWork;
  readonly running: boolean;
  /** Whether another process is doing the work, and this job waits. */
  readonly standby?: true;
  /** The progress of the current attempt, or of the last one. */
  readonly progress: ProgressSnapshot;
  /** The number of consecutive failures without any progress. */
  readonly failures: number;
  readonly lastFailure?: { readonly message: string; readonly at: number };
  readonly nextAttemptAt?: number;
}

export type JobWork = 'replicate' | 'clear';

/** The task for a deployment, according to the records. */
export interface Order {
  readonly record: Deployment;
  /** The deployment that is copied beside this one. */
  readonly pending: Deployment | undefined;
  /** If the key changes, the work must begin again. */
  readonly key: string;
}

export function orderOf(record: Deployment, records: readonly Deployment[]): Order {
  const pending = records.find(({ state, base }) => state === 'processing' && base === record.id);
  const { storedContent, content } = pending ?? {};
  const added = pending && [pending.id, storedContent ?? content, pending.anew];
  return { record, pending, key: orderKeyOf(storedTextsOf(record), added) };
}

/**
 * Returns the key of a task. The rest to be cleared is not a part of it, because the job that produced the rest clears it, and
 * need not begin again.
 */
export function orderKeyOf(storedTexts: readonly StoredText[], added?: readonly unknown[]): string {
  return JSON.stringify([storedTexts, added]);
}

/** Returns the pace of the copy: of everything, or of the added parts. */
export function paceOf({ record, pending }: Order): Pace | undefined {
  if (pending !== undefined) return pending.pace;
  return record.state === 'processing' ? record.pace : undefined;
}

/** The work for one deployment, across all attempts. */
export interface JobEntry {
  order: Order;
  /** The keys with which the work continues: those of the records before and after it has completed its part. */
  keys: Set<string>;
  readonly pace: CopyPace;
  readonly work: JobWork;
  progress: ReturnType<typeof trackProgress>;
  /** The progress of the copy beside the deployment. */
  beside: { readonly deployment: number; readonly progress: JobProgress } | undefined;
  controller: AbortController;
  /** Present while an attempt is running. */
  ended: Promise<void> | undefined;
  failures: number;
  lastFailure: JobStatus['lastFailure'];
  notBefore: number;
  isStandby: boolean;
  readonly errands: QueuedErrand[];
}

interface QueuedErrand {
  readonly errand: Errand;
  /** Called if the job ends before the errand. */
  readonly drop: () => void;
}

export function enqueue(entry: JobEntry, work: Errand, source: Source): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const errand: Errand = async (replication, compare) => {
      try {
        const outcome = await work(replication, compare);
        resolve(true);
        return outcome;
      } catch (error) {
        reject(error);
        throw error;
      }
    };
    entry.errands.push({ errand, drop: () => resolve(false) });
    // The errand runs at the next checkpoint, which the mark causes.
    source.mark().catch(reject);
  });
}

export function newEntry(order: Order, work: JobWork, clock: Clock): JobEntry {
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

export function jobStatusesOf(entry: JobEntry, clock: Pick<Clock, 'now' | 'steady'>): readonly JobStatus[] {
  const { order, work, ended, failures, lastFailure, notBefore, isStandby, progress, beside } = entry;
  const status: JobStatus = {
    deployment: order.record.id,
    work,
    failures,
    progress: progress.snapshot(),
    running: isRunning(entry),
    ...(lastFailure && { lastFailure }),
    ...(isStandby && { standby: true }),
    ...(ended === undefined && { nextAttemptAt: clock.now() + notBefore - clock.steady() }),
  };
  if (beside === undefined) return [status];
  return [status, { ...status, deployment: beside.deployment, progress: beside.progress.snapshot() }];
}

/** Returns the lags of the jobs in {@link jobStatusesOf}. */
export function lagsOf(entry: JobEntry, now: number): readonly number[] {
  const running = isRunning(entry);
  const all = entry.beside === undefined ? [entry.progress] : [entry.progress, entry.beside.progress];
  return all.flatMap((progress) => lagOf({ progress: progress.times(), running }, now) ?? []);
}

/** Whether the job is replicating. A standby only asks every second whether it may begin. */
function isRunning({ ended, isStandby }: JobEntry): boolean {
  return ended !== undefined && !isStandby;
}
