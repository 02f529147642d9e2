/**
 * Follows a deployment until it is active, or until there is no reason to wait any longer.
 *
 *   waiting ──it is active──────────────────────────────────► active
 *      │ ├────another deployment has replaced it────────────► replaced
 *      │ ├────too many failures in a row────────────────────► failed
 *      │ ├────too many looks without an answer, or no time──► unfollowed
 *      └─┴────otherwise: again, after a pause
 */
import type { Deployment, Diagnosis, ReportedError } from '../api/answers.ts';
import type { Api, DiagnoseOptions } from '../api/api.ts';
import { isSent, type SentConfig } from '../api/deployedConfig.ts';
import { isFailure } from '../api/failure.ts';
import { isCurrent } from '../health/health.ts';

/** The limits of following. */
export interface FollowLimits {
  /** The pause between two looks, in milliseconds. It grows with each look. */
  readonly pause: { readonly first: number; readonly longest: number; readonly growth: number };
  /**
   * The maximum number of looks in a row that show a failure. A service that has just started may only be waiting for its
   * database.
   */
  readonly mostFailures: number;
  /** The maximum number of looks in a row without an answer, for example while the service restarts. */
  readonly mostSilences: number;
}

/** The result of one look. */
export type Sight =
  | { readonly kind: 'active' }
  | { readonly kind: 'replaced' }
  | { readonly kind: 'failing'; readonly errors: readonly ReportedError[] }
  | { readonly kind: 'copying' }
  | { readonly kind: 'nothing' };

export interface WaitState {
  readonly kind: 'waiting';
  /** The number of looks in a row that have shown a failure. */
  readonly failures: number;
  readonly silences: number;
  /** The pause before the next look, in milliseconds. */
  readonly pause: number;
}

export type Ending =
  | { readonly kind: 'active' }
  | { readonly kind: 'replaced' }
  /** The deployment is stored but makes no progress. The service keeps trying. */
  | { readonly kind: 'failed'; readonly errors: readonly ReportedError[] }
  /** The deployment is stored, but its outcome is unknown. */
  | { readonly kind: 'unfollowed'; readonly why: 'unasked' | 'stopped' | 'silence' | 'time' };

export function firstWait({ pause }: FollowLimits): WaitState {
  return { kind: 'waiting', failures: 0, silences: 0, pause: pause.first };
}

export function afterSight(
  waiting: WaitState,
  sight: Sight,
  { pause, mostFailures, mostSilences }: FollowLimits,
): WaitState | Ending {
  const longer = Math.min(pause.longest, waiting.pause * pause.growth);
  const again: WaitState = { kind: 'waiting', failures: 0, silences: 0, pause: longer };
  switch (sight.kind) {
    case 'active':
    case 'replaced':
      return { kind: sight.kind };
    case 'copying':
      return again;
    case 'failing': {
      const failures = waiting.failures + 1;
      return failures < mostFailures ? { ...again, failures } : { kind: 'failed', errors: sight.errors };
    }
    case 'nothing': {
      const silences = waiting.silences + 1;
      return silences < mostSilences ? { ...again, silences } : { kind: 'unfollowed', why: 'silence' };
    }
  }
}

export function sightOf(sent: SentConfig, diagnosis: Diagnosis | undefined): Sight {
  const { active, pending } = diagnosis ?? {};
  if (active && isSent(active, sent)) return { kind: 'active' };
  if (pending && isSent(pending, sent)) {
    const errors = fatalErrors(pending);
    return errors.length > 0 ? { kind: 'failing', errors } : { kind: 'copying' };
  }
  return { kind: active === undefined && pending === undefined ? 'nothing' : 'replaced' };
}

export function fatalErrors(deployed: Deployment): readonly ReportedError[] {
  return deployed.errors.filter((error) => error.level === 'fatal' && isCurrent(error, deployed));
}

export interface FollowParts {
  readonly api: Pick<Api, 'diagnose'>;
  readonly limits: FollowLimits;
  /** The parts of the diagnosis to ask for; other views may need more. */
  readonly asks: DiagnoseOptions;
  /** Called with the progress while the deployment is being copied. */
  readonly onCopying: (diagnosis: Diagnosis) => void;
  /** Waits for this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Whether there is time for another look. Called before each pause. */
  readonly hasTime: () => boolean;
  /** Aborted when the user stops following. The deploy itself is not cancelled. */
  readonly following: AbortSignal;
}

export async function follow(sent: SentConfig, parts: FollowParts): Promise<Ending> {
  const { api, limits, asks, pause, hasTime, following, onCopying } = parts;
  let state: WaitState | Ending = firstWait(limits);
  while (state.kind === 'waiting') {
    if (!hasTime()) return { kind: 'unfollowed', why: 'time' };
    await pause(state.pause);
    if (following.aborted) return { kind: 'unfollowed', why: 'stopped' };
    let diagnosis: Diagnosis | undefined;
    try {
      diagnosis = await lookAt(api, asks, following);
    } catch (error) {
      if (isFailure(error, 'cancelled')) return { kind: 'unfollowed', why: 'stopped' };
      throw error;
    }
    const sight = sightOf(sent, diagnosis);
    if (sight.kind === 'copying' && diagnosis) onCopying(diagnosis);
    state = afterSight(state, sight, limits);
  }
  return state;
}

/** Returns a diagnosis. Undefined if there was no answer, because the service is restarting or a proxy has answered instead. */
export async function lookAt(
  api: FollowParts['api'],
  asks: DiagnoseOptions,
  signal: AbortSignal,
): Promise<Diagnosis | undefined> {
  try {
    return await api.diagnose(asks, signal);
  } catch (error) {
    if (isFailure(error) && passing.includes(error.kind)) return undefined;
    throw error;
  }
}

const passing: readonly string[] = ['slow', 'lost', 'busy', 'unreachable', 'failed', 'foreign'];
