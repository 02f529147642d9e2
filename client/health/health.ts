/**
 * How a service is, from what it answers and what it does not. A light is green only while progress is proven:
 * HTTP 200 alone proves nothing.
 *
 *                    ┌────────────── any answer decides again ─────────────┐
 *   unknown ──answer─┴► empty · copying · resuming · healthy · incomplete · stalled · failing ◄┘
 *      │                    │
 *      │                    └──no answer──► the same, once (`missed`) ──again──► silent
 *      └──nothing listens──► off      ──not let in, no service──► refused
 */
import type { Deployment, Diagnosis, ReportedError, TableStatus } from '../api/answers.ts';
import type { FailureKind } from '../api/failure.ts';
import { t } from '../l10n.ts';

export type Health =
  | { readonly kind: 'unknown' }
  /** Nothing listens. */
  | { readonly kind: 'off'; readonly sentence: string }
  /** It listens, and does not answer. */
  | { readonly kind: 'silent'; readonly sentence: string }
  /** It answers, and waiting will not help. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly why: Refusal }
  | AnsweredHealth;

/** Failures that come again. */
export type Refusal = Exclude<FailureKind, 'cancelled' | 'unreachable' | 'slow' | 'lost' | 'busy'>;

export type AnsweredHealth =
  | (LastAnswer & { readonly kind: 'empty' })
  | (LastAnswer & { readonly kind: 'copying'; readonly copy: Copy })
  | (LastAnswer & { readonly kind: 'healthy'; readonly progressAt: number })
  /** It runs again after it was off, and has made no progress since then: since when it is seen like that. */
  | (LastAnswer & { readonly kind: 'resuming'; readonly slot: string; readonly since: number })
  /** All goes on, but tables that the config reads are not there, or not whole. */
  | (LastAnswer & { readonly kind: 'incomplete'; readonly missing: readonly TableStatus[] })
  /** `since`: the last proven progress; absent if there never was any. */
  | (LastAnswer & { readonly kind: 'stalled'; readonly since?: number })
  | (LastAnswer & { readonly kind: 'failing'; readonly errors: readonly ReportedError[] });

interface LastAnswer {
  readonly diagnosis: Diagnosis;
  /** Calls since then that had no answer. */
  readonly missed: number;
}

export interface Copy {
  readonly slot: string;
  /** Absent where the service does not tell. */
  readonly rows?: number;
  readonly estimated?: number;
  /** On the service's clock, when `rows` last was another number. */
  readonly changedAt: number;
  /** Rows per second between the last two answers. */
  readonly rate?: number;
  /** Seconds, where the service tells. */
  readonly remaining?: number;
  readonly isPaused?: true;
  /** Rows in a second, at most. */
  readonly limit?: number;
}

export type HealthEvent =
  | { readonly kind: 'retargeted' }
  | { readonly kind: 'answered'; readonly diagnosis: Diagnosis }
  | { readonly kind: 'failed'; readonly why: FailureKind; readonly sentence: string };

/** Milliseconds without progress after which it is doubted. Idle services make some every minute. */
export const longestPause = 300_000;

export function next(health: Health, event: HealthEvent): Health {
  switch (event.kind) {
    case 'retargeted':
      return { kind: 'unknown' };
    case 'answered':
      return judge(event.diagnosis, health);
    case 'failed':
      return afterFailure(health, event.why, event.sentence);
  }
}

function afterFailure(health: Health, why: FailureKind, sentence: string): Health {
  switch (why) {
    case 'cancelled':
      return health;
    case 'unreachable':
      return { kind: 'off', sentence };
    case 'slow':
    case 'lost':
    case 'busy':
      return 'diagnosis' in health && health.missed === 0
        ? { ...health, missed: 1 }
        : { kind: 'silent', sentence };
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

function judge(diagnosis: Diagnosis, before: Health): AnsweredHealth {
  const { at, active, pending } = diagnosis;
  const answered = { diagnosis, missed: 0 };
  const errors = currentErrors(diagnosis);
  if (errors.length > 0) return { ...answered, kind: 'failing', errors };
  if (pending) {
    const copy = copyOf(pending, at, before);
    const isStuck = copy.rows !== undefined && !copy.isPaused && at - copy.changedAt > patienceWith(copy);
    return isStuck
      ? { ...answered, kind: 'stalled', since: copy.changedAt }
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
  const missing = active.tables.filter(isMissing);
  return missing.length > 0
    ? { ...answered, kind: 'incomplete', missing }
    : { ...answered, kind: 'healthy', progressAt };
}

/**
 * Since when a service that has just started is waited for; undefined if it has made progress since its
 * start. If a service does not report its progress, its start is unknown.
 */
function resumingSince(active: Deployment, at: number, before: Health): number | undefined {
  if (active.isReplicating !== true || active.progressAt !== undefined) return undefined;
  return before.kind === 'resuming' && before.slot === active.slot ? before.since : at;
}

/** For a table that exists, services report what identifies its rows. */
function isMissing({ keys, errors }: TableStatus): boolean {
  return errors.some(({ kind }) => kind === 'left out') || (keys.length === 0 && errors.length > 0);
}

/** The last sign that replication works. */
export function progressOf({ checkpointAt, keepaliveAt, progressAt }: Deployment): number | undefined {
  const signs = [checkpointAt, keepaliveAt, progressAt].filter((at) => at !== undefined);
  return signs.length === 0 ? undefined : Math.max(...signs);
}

/** The current errors: an error with progress after it is history. */
function currentErrors({ sources, active, pending }: Diagnosis): readonly ReportedError[] {
  const ofSources = sources.flatMap(({ connected, errors }) =>
    connected ? errors.filter(isFullDisk) : orUnconnected(errors),
  );
  const ofConfigs = [pending, active].flatMap((deployed) =>
    deployed === undefined ? [] : deployed.errors.filter((error) => isCurrent(error, deployed)),
  );
  return distinct([...ofSources, ...ofConfigs].filter(({ level }) => level === 'fatal'));
}

/** One may repeat another one and say more. */
export function distinct(errors: readonly ReportedError[]): readonly ReportedError[] {
  const different = [...new Map(errors.map((error) => [error.message, error])).values()];
  return different.filter(
    (error) => !different.some((other) => other !== error && other.message.includes(error.message)),
  );
}

export function isFullDisk({ kind }: ReportedError): boolean {
  return kind === 'full disk';
}

function orUnconnected(errors: readonly ReportedError[]): readonly ReportedError[] {
  return errors.length > 0
    ? errors
    : [{ level: 'fatal', message: t('The source database cannot be reached.') }];
}

export function isCurrent({ kind, at }: ReportedError, deployed: Deployment): boolean {
  // It is judged here, by its age.
  if (kind === 'silence') return false;
  const progressAt = progressOf(deployed);
  return at === undefined || progressAt === undefined || progressAt <= at;
}

/** Rows are read in pages: a slow copy stands still between them. */
function patienceWith({ limit }: Copy): number {
  return limit === undefined ? longestPause : Math.max(longestPause, (1000 * mostRowsOfPage) / limit);
}

const mostRowsOfPage = 10_000;

function copyOf({ slot, tables, copy }: Deployment, at: number, before: Health): Copy {
  const rows = copy?.rows ?? sumOf(tables.map(({ copiedRows }) => copiedRows));
  const estimated = copy?.ofRows ?? sumOf(tables.map(({ estimatedRows }) => estimatedRows));
  const { isPaused, limit, rowsPerSecond, remainingSeconds: remaining } = copy ?? {};
  const counts = {
    slot,
    ...(rows !== undefined && { rows }),
    ...(estimated !== undefined && { estimated }),
    ...(isPaused && { isPaused }),
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(rowsPerSecond !== undefined && !isPaused && { rate: rowsPerSecond }),
  };
  const last = copyBefore(before, slot);
  if (last === undefined) return { ...counts, changedAt: at };
  if (rows === last.copy.rows) return { ...counts, changedAt: last.copy.changedAt };
  const seconds = (at - last.at) / 1000;
  const rate = seconds > 0 ? Math.round(((rows ?? 0) - (last.copy.rows ?? 0)) / seconds) : undefined;
  return { ...(rate !== undefined && rate > 0 && { rate }), ...counts, changedAt: at };
}

function copyBefore(before: Health, slot: string): { copy: Copy; at: number } | undefined {
  if (before.kind === 'copying' && before.copy.slot === slot)
    return { copy: before.copy, at: before.diagnosis.at };
  if (before.kind !== 'stalled' || before.since === undefined) return undefined;
  const { diagnosis, since } = before;
  if (diagnosis.pending?.slot !== slot) return undefined;
  return {
    copy: { ...copyOf(diagnosis.pending, diagnosis.at, { kind: 'unknown' }), changedAt: since },
    at: diagnosis.at,
  };
}

/** Undefined if none is known. */
function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}
