/**
 * Derives the state of a service from its answers and its silence. A light is green only while progress is proven: HTTP 200
 * alone proves nothing.
 *
 *   unknown ──any answer──► waiting · empty · copying · resuming · healthy · incomplete · stalled · failing
 *      │                       │ ▲
 *      │                       │ └──any answer decides again
 *      │                       └──no answer, or not in time──► the same state with `overdue`: the last known state
 *      ├──no answer──► silent
 *      ├──nothing is listening──► off
 *      └──refused, or not a service──► refused
 */
import type { CopyStatus, Deployment, Diagnosis, ReportedError, SourceStatus } from '../api/answers.ts';
import type { FailureKind } from '../api/failure.ts';
import { present } from '../api/reading.ts';
import { t } from '../l10n.ts';
import { isIncomplete } from './tableState.ts';

export type Health =
  | { readonly kind: 'unknown' }
  /** No process is listening. */
  | { readonly kind: 'off'; readonly sentence: string }
  /** The service is listening but has never answered. */
  | { readonly kind: 'silent'; readonly sentence: string }
  /** The service refuses requests, and waiting will not help. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly why: Refusal }
  | AnsweredHealth;

/** Failures that would occur again at the next call. */
export type Refusal = Exclude<FailureKind, 'cancelled' | 'unreachable' | 'slow' | 'lost' | 'busy'>;

export type AnsweredHealth =
  /** The service receives nothing from its source, but does not report a failure. */
  | (LastAnswer & { readonly kind: 'waiting' })
  | (LastAnswer & { readonly kind: 'empty' })
  | (LastAnswer & { readonly kind: 'copying'; readonly copy: Copy })
  | (LastAnswer & { readonly kind: 'healthy' })
  /**
   * The service is running again after it was off, and has made no progress since then. `since`: the time of the first such
   * answer.
   */
  | (LastAnswer & { readonly kind: 'resuming'; readonly slot: string; readonly since: number })
  /** Replication works, but tables that the config reads are missing or incomplete. */
  | (LastAnswer & { readonly kind: 'incomplete' })
  /** There is no progress. `since`: the last proven progress; absent if there never was any. `copy`: the copy that is stuck. */
  | (LastAnswer & { readonly kind: 'stalled'; readonly since?: number; readonly copy?: Copy })
  | (LastAnswer & { readonly kind: 'failing'; readonly errors: readonly ReportedError[] });

interface LastAnswer {
  readonly diagnosis: Diagnosis;
  /** Present while a newer answer is overdue, so the diagnosis may be out of date. */
  readonly overdue?: Overdue;
}

export interface Overdue {
  /** The time since the last answer, in milliseconds. */
  readonly age: number;
  /** The reason why the last call failed. Absent if no call has failed since the last answer. */
  readonly sentence?: string;
}

export interface Copy extends CopyStatus {
  readonly slot: string;
  /** The time of the last change of `rows`, on the clock of the service. */
  readonly changedAt: number;
}

export type HealthEvent =
  | { readonly kind: 'retargeted' }
  | { readonly kind: 'answered'; readonly diagnosis: Diagnosis }
  /** No new answer has arrived in time. `age`: the milliseconds since the last answer. */
  | { readonly kind: 'overdue'; readonly age: number }
  | {
      readonly kind: 'failed';
      readonly why: FailureKind;
      readonly sentence: string;
      /** The time since the last answer, in milliseconds. */
      readonly age: number;
    };

/**
 * The interval in milliseconds at which a service is asked for its state. A service that has given no sign of life for as long has
 * missed a question, so its state is unknown on every surface.
 */
export const pollEvery = 5_000;

/** The maximum time without progress, in milliseconds. Even an idle service makes progress every minute. */
export const longestPause = 300_000;

export function next(health: Health, event: HealthEvent): Health {
  switch (event.kind) {
    case 'retargeted':
      return { kind: 'unknown' };
    case 'answered':
      return judge(event.diagnosis, health);
    case 'overdue':
      return 'diagnosis' in health ? { ...health, overdue: { ...health.overdue, age: event.age } } : health;
    case 'failed':
      return afterFailure(health, event);
  }
}

/** Whether rows may be called current: replication is proven to work, or there is nothing to replicate. */
export function isLive(health: Health): boolean {
  if (!('diagnosis' in health) || health.overdue !== undefined) return false;
  const { kind } = healthOfServing(health);
  return kind === 'empty' || kind === 'healthy' || kind === 'incomplete';
}

/** Returns the health of the config that clients get. A copy of another one says nothing about it. */
export function healthOfServing(health: AnsweredHealth): AnsweredHealth {
  return health.kind === 'copying' ? healthOfActive(health) : health;
}

/** Returns the health of the active config alone, even if another config is being copied. */
export function healthOfActive(health: AnsweredHealth): AnsweredHealth {
  const { pending, ...others } = health.diagnosis;
  return pending === undefined ? health : judge(others);
}

/**
 * Returns the time after an answer at which the next one is overdue, in milliseconds. A service that answers slowly, for example
 * because its source hangs, is given twice the time of its last answer.
 *
 * @param pause the pause before the next question
 * @param took the time that the last answer took
 */
export function overdueAfter(pause: number, took: number): number {
  return pause + Math.max(shortestPatience, 2 * took);
}

/** The shortest time that an answer may take before the shown state counts as old, in milliseconds. */
export const shortestPatience = 1_500;

/** The parts of a diagnosis that show whether the sources answer. */
type Answers = Pick<Diagnosis, 'sources' | 'active' | 'pending'>;

/** Whether all sources answer. If one does not, the state of its tables is unknown. */
export function isHeard(answers: Answers): boolean {
  return isReached(answers) && !isSilent(answers);
}

/** Whether all sources are connected, although one may not answer a question about its tables. */
export function isReached({ sources }: Pick<Diagnosis, 'sources'>): boolean {
  return sources.every(({ connected }) => connected);
}

/** Whether a source has given no sign of life, so that only its state is unknown. */
export function isSilent(answers: Answers): boolean {
  return silencesIn(answers).length > 0;
}

/** Returns the silence of sources, also of a connected one that did not answer a question about its tables. */
export function silencesIn({ sources, active, pending }: Answers): readonly ReportedError[] {
  const tables = [active, pending].flatMap((deployed) => deployed?.tables ?? []);
  const unconnected = sources.filter(({ connected }) => !connected);
  return [...unconnected, ...tables].flatMap(({ errors }) => errors.filter(({ kind }) => kind === 'silence'));
}

/** Whether the last call failed. */
export function isUnanswered(health: Health): boolean {
  return 'diagnosis' in health ? health.overdue?.sentence !== undefined : health.kind !== 'unknown';
}

function afterFailure(health: Health, failure: Extract<HealthEvent, { kind: 'failed' }>): Health {
  const { why, sentence, age } = failure;
  switch (why) {
    case 'cancelled':
      return health;
    case 'unreachable':
      return { kind: 'off', sentence };
    case 'slow':
    case 'lost':
    case 'busy':
      return 'diagnosis' in health ? { ...health, overdue: { age, sentence } } : { kind: 'silent', sentence };
    case 'untrusted':
    case 'foreign':
    case 'unsupported':
    case 'tokenless':
    case 'unauthorized':
    case 'refused':
    case 'failed':
      return { kind: 'refused', sentence, why };
  }
}

export function judge(diagnosis: Diagnosis, before: Health = { kind: 'unknown' }): AnsweredHealth {
  const { at, active, pending } = diagnosis;
  const answered = { diagnosis };
  const errors = currentErrors(diagnosis);
  if (errors.length > 0) return { ...answered, kind: 'failing', errors };
  if (!isHeard(diagnosis)) return { ...answered, kind: 'waiting' };
  if (pending) {
    const copy = copyOf(pending, at, before);
    const isStuck = copy.rows !== undefined && !copy.isPaused && at - copy.changedAt > patienceWith(copy);
    return isStuck
      ? { ...answered, kind: 'stalled', since: copy.changedAt, copy }
      : { ...answered, kind: 'copying', copy };
  }
  if (!active) return { ...answered, kind: 'empty' };
  const progressAt = progressOf(active);
  if (progressAt === undefined) return { ...answered, kind: 'stalled' };
  if (at - progressAt > longestPause) {
    const since = resumingSince(active, at, before);
    return since === undefined || at - since > longestPause
      ? { ...answered, kind: 'stalled', since: progressAt }
      : { ...answered, kind: 'resuming', slot: active.slot, since };
  }
  return { ...answered, kind: active.tables.some(isIncomplete) ? 'incomplete' : 'healthy' };
}

/**
 * Returns the time since which a service has been running without progress. Undefined if it has made progress since its start,
 * or is not replicating.
 */
function resumingSince(active: Deployment, at: number, before: Health): number | undefined {
  if (active.isReplicating !== true || active.progressAt !== undefined) return undefined;
  return before.kind === 'resuming' && before.slot === active.slot ? before.since : at;
}

/** Returns the time of the last sign that replication works. */
export function progressOf({ checkpointAt, keepaliveAt, progressAt }: Deployment): number | undefined {
  const signs = [checkpointAt, keepaliveAt, progressAt].filter((at) => at !== undefined);
  return signs.length === 0 ? undefined : Math.max(...signs);
}

/** Returns the current errors. An error is not current if there was progress after it. */
function currentErrors({ sources, active, pending }: Diagnosis): readonly ReportedError[] {
  const unreached: ReportedError = { level: 'fatal', message: t('The source database cannot be reached.') };
  const ofSources = sources.flatMap(({ connected, errors }) =>
    connected ? errors.filter(isFullDisk) : errors.length > 0 ? errors : [unreached],
  );
  const ofConfigs = [pending ?? [], active ?? []]
    .flat()
    .flatMap((deployed) => deployed.errors.filter((error) => isCurrent(error, deployed)));
  return distinct([...ofSources, ...ofConfigs].filter(({ level }) => level === 'fatal'));
}

/** Returns the errors, except those that another error repeats with more detail. */
export function distinct<Kind extends Pick<ReportedError, 'message'>>(
  errors: readonly Kind[],
): readonly Kind[] {
  const different = [...new Map(errors.map((error) => [error.message, error])).values()];
  return different.filter(
    (error) => !different.some((other) => other !== error && other.message.includes(error.message)),
  );
}

/** Returns the errors of a deployment, each once, except those that its tables report. */
export function ownErrorsOf({ errors, tables }: Deployment): readonly ReportedError[] {
  const ofTables = new Set(tables.flatMap((table) => table.errors.map(({ message }) => message)));
  const own = errors.filter(({ message }) => !ofTables.has(message));
  return distinct(own).map((error) => {
    const alike = own.filter(({ message }) => message === error.message);
    const places = new Set(alike.flatMap(({ location }) => location?.start ?? [])).size;
    return places > 1 ? { ...error, message: t('{0} (In {1} places.)', error.message, places) } : error;
  });
}

export function isFullDisk({ kind }: Pick<ReportedError, 'kind'>): boolean {
  return kind === 'full disk';
}

/** Whether a source cannot be reached. One that has not answered yet, or is slow, has only warnings. */
export function isDown({ connected, errors }: Pick<SourceStatus, 'connected' | 'errors'>): boolean {
  return !connected && (errors.length === 0 || errors.some(({ level }) => level === 'fatal'));
}

export function isCurrent({ kind, at }: ReportedError, deployed: Deployment): boolean {
  // Silence does not count as an error, because its age is checked here.
  if (kind === 'silence') return false;
  const progressAt = progressOf(deployed);
  return at === undefined || progressAt === undefined || progressAt <= at;
}

/** Returns the maximum time without progress of a copy. A slow copy makes no progress between pages, so it has more time. */
function patienceWith({ limit }: Copy): number {
  return limit === undefined ? longestPause : Math.max(longestPause, (1000 * mostRowsOfPage) / limit);
}

const mostRowsOfPage = 10_000;

/** Returns the progress of a copy. If the service reports only that of each table, returns the sum. */
export function progressOfCopy({ tables, copy }: Deployment): CopyStatus {
  const rows = copy?.rows ?? sumOf(tables.map(({ copiedRows }) => copiedRows));
  const ofRows = copy?.ofRows ?? sumOf(tables.map(({ estimatedRows }) => estimatedRows));
  return { isPaused: false, ...copy, ...present({ rows, ofRows }) };
}

function copyOf(deployed: Deployment, at: number, before: Health): Copy {
  const { slot } = deployed;
  const counts = { ...progressOfCopy(deployed), slot };
  const last = 'copy' in before && before.copy?.slot === slot ? before : undefined;
  if (last?.copy === undefined) return { ...counts, changedAt: at };
  const { rows = 0, changedAt } = last.copy;
  if (counts.rows === last.copy.rows) return { ...counts, changedAt };
  const seconds = (at - last.diagnosis.at) / 1000;
  const rate = seconds > 0 ? Math.round(((counts.rows ?? 0) - rows) / seconds) : 0;
  return { ...(rate > 0 && { rowsPerSecond: rate }), ...counts, changedAt: at };
}

/** Returns the sum of the known numbers, or undefined if there are none. */
function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}
