/**
 * The states of the local service's process.
 *
 *   looking ──found──► running ◄──ready── starting ◄──start── off
 *      └──absent──► off   │ ▲                 │                ▲
 *                         │ └──ended, once────┤                │
 *                         ├──ended again──► failed ◄──ended────┘ (before it was ready)
 *                         └──stop──► stopping ──ended──► off, or starting again
 */
import { t } from '../l10n.ts';
export type LocalState =
  /** Checks whether a service was running before the window was opened. */
  | { readonly kind: 'looking' }
  | { readonly kind: 'off' }
  | { readonly kind: 'starting'; readonly crashes: number }
  | { readonly kind: 'running'; readonly url: string; readonly crashes: number }
  | { readonly kind: 'stopping'; readonly again: boolean }
  | { readonly kind: 'failed'; readonly sentence: string };

export type LocalEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'restart' }
  /** The service answers, and accepts our token. */
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'absent' }
  /** `ranFor`: the running time in milliseconds. */
  | { readonly kind: 'ended'; readonly sentence: string; readonly ranFor: number }
  | { readonly kind: 'overdue' };

type LocalEffect = 'launch' | 'release' | 'report';

interface Step {
  readonly state: LocalState;
  /**
   * - `launch`: use the running process, or start one.
   * - `release`: tell the process that it is no longer needed.
   * - `report`: tell the user that it crashed again.
   */
  readonly effect?: LocalEffect;
}

/** The time after which a crash no longer counts, in milliseconds. */
const forgiveness = 10 * 60_000;

export function step(state: LocalState, event: LocalEvent): Step {
  switch (event.kind) {
    case 'start':
      return start(state);
    case 'stop':
      return stop(state);
    case 'restart':
      return restart(state);
    case 'ready':
      return ready(state, event.url);
    case 'absent':
      return { state: state.kind === 'looking' ? { kind: 'off' } : state };
    case 'ended':
      return afterEnd(state, event);
    case 'overdue':
      return overdue(state);
  }
}

function start(state: LocalState): Step {
  if (state.kind === 'starting' || state.kind === 'running') return { state };
  if (state.kind === 'stopping') return { state: { ...state, again: true } };
  return { state: { kind: 'starting', crashes: 0 }, effect: 'launch' };
}

function stop(state: LocalState): Step {
  if (state.kind === 'off' || state.kind === 'failed') return { state: { kind: 'off' } };
  const stopping: LocalState = { kind: 'stopping', again: false };
  return state.kind === 'stopping' ? { state: stopping } : { state: stopping, effect: 'release' };
}

function restart(state: LocalState): Step {
  if (state.kind !== 'starting' && state.kind !== 'running') return start(state);
  return { state: { kind: 'stopping', again: true }, effect: 'release' };
}

function ready(state: LocalState, url: string): Step {
  if (state.kind === 'looking') return { state: { kind: 'running', url, crashes: 0 } };
  if (state.kind === 'starting') return { state: { kind: 'running', url, crashes: state.crashes } };
  return { state };
}

function afterEnd(state: LocalState, { sentence, ranFor }: Extract<LocalEvent, { kind: 'ended' }>): Step {
  switch (state.kind) {
    case 'looking':
      return { state: { kind: 'off' } };
    case 'starting':
      return {
        state: { kind: 'failed', sentence },
        ...(state.crashes > 0 && { effect: 'report' as const }),
      };
    case 'running': {
      const crashes = ranFor > forgiveness ? 1 : state.crashes + 1;
      return crashes > 1
        ? { state: { kind: 'failed', sentence }, effect: 'report' }
        : { state: { kind: 'starting', crashes }, effect: 'launch' };
    }
    case 'stopping':
      return state.again
        ? { state: { kind: 'starting', crashes: 0 }, effect: 'launch' }
        : { state: { kind: 'off' } };
    case 'off':
    case 'failed':
      return { state };
  }
}

function overdue(state: LocalState): Step {
  if (state.kind === 'starting')
    return {
      state: { kind: 'failed', sentence: t('The local service did not become ready in time.') },
      effect: 'release',
    };
  if (state.kind === 'stopping')
    return { state: { kind: 'failed', sentence: t('The local service did not stop in time.') } };
  return { state };
}
