/**
 * The preflight proves that a source can be replicated, before a deploy and while the service runs. Each check has one of three
 * results; a check that was not made is never `ok`. `test-connection`, `headwater doctor`, `headwater init`, the review of a
 * deploy and the state of the service all show these results.
 */
import type { ServiceErrorCode } from '../ground/errors.ts';
import type { SourceProblem } from './source.ts';

/** The checks in order. Each depends on those before it. */
export const preflightIds = [
  'source',
  'wal-level',
  'replication',
  'slots',
  'publication',
  'rights',
  'replica-identity',
] as const;

export type PreflightId = (typeof preflightIds)[number];

export type PreflightCheck =
  | { readonly id: PreflightId; readonly state: 'ok'; readonly message: string }
  | { readonly id: PreflightId; readonly state: 'failed'; readonly problems: readonly PreflightProblem[] }
  | { readonly id: PreflightId; readonly state: 'unchecked'; readonly why: string };

export interface PreflightProblem {
  /** `warning`: rows are replicated, but perhaps not all of them. */
  readonly level: 'warning' | 'fatal';
  readonly code: ServiceErrorCode;
  readonly cause: string;
  /** A sentence that contains everything that is needed, such as statements or an address. */
  readonly remedy: string;
  /** The SQL of the remedy, if SQL alone is enough. */
  readonly statements?: readonly string[];
}

export function reportOk(id: PreflightId, message: string): PreflightCheck {
  return { id, state: 'ok', message };
}

export function reportFailure(id: PreflightId, ...problems: readonly PreflightProblem[]): PreflightCheck {
  return { id, state: 'failed', problems };
}

export function reportUnchecked(id: PreflightId, why: string): PreflightCheck {
  return { id, state: 'unchecked', why };
}

/** Returns a problem that statements can repair. */
export function repairable(
  problem: Pick<PreflightProblem, 'level' | 'code' | 'cause'>,
  ...statements: readonly string[]
): PreflightProblem {
  return { ...problem, remedy: `Run: ${statements.join(' ')}`, statements };
}

export function problemsOf(checks: readonly PreflightCheck[]): readonly PreflightProblem[] {
  return checks.flatMap((check) => (check.state === 'failed' ? check.problems : []));
}

/** Whether no check has found anything that prevents replication. */
export function isFit(checks: readonly PreflightCheck[]): boolean {
  return problemsOf(checks).every(({ level }) => level !== 'fatal');
}

/** Returns the text of a problem, which is the same wherever it is shown. */
export function wordsOf({ cause, remedy }: Pick<PreflightProblem, 'cause' | 'remedy'>): string {
  return `${cause} ${remedy}`;
}

export function toSourceProblem(problem: PreflightProblem): SourceProblem {
  return { level: problem.level, code: problem.code, message: `[${problem.code}] ${wordsOf(problem)}` };
}
