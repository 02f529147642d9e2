/**
 * Watches whether a connection still carries messages. A connection that a network or a pooler has dropped silently looks
 * exactly like an idle one. So this process asks for a sign of life, and gives up the connection if none comes.
 *
 *     hearing ──nothing came for a while──► asking ──nothing came at all──► renewing
 *        ▲                                    │  ▲                             │
 *        └─────────── a sign of life ─────────┘  └──────── reconnected ────────┘
 *
 * Time is counted in ticks of this process, because it could not hear anything while it was not running itself.
 */

import { repeat, startAlone } from './unattended.ts';
import type { Clock } from './world.ts';

export interface Hearing {
  readonly kind: 'hearing' | 'asking' | 'renewing';
  /** The number of ticks since the last sign of life. */
  readonly silent: number;
  /** The number of ticks since the first question over this connection. */
  readonly asked: number;
  /** How often in a row the other side has denied that anything will come. */
  readonly denied: number;
}

export type HearingEvent =
  /** A sign of life has come. */
  | 'heard'
  /** The other side has reported in another way that it is not sending anything on this connection. */
  | 'denied'
  /** The connection has ended. */
  | 'ended'
  /** There is a new connection. */
  | 'renewed'
  | 'tick';

/** The time limits for a silent connection, in ticks. */
export interface HearingPatience {
  /** The duration of silence after which the other side is asked. */
  readonly ask: number;
  /** The duration without an answer after which the connection is given up. */
  readonly giveUp: number;
}

export interface HearingStep {
  readonly state: Hearing;
  readonly act?: 'ask' | 'renew';
}

/** The initial state: nothing has come yet. */
export const unheard: Hearing = { kind: 'asking', silent: 0, asked: 0, denied: 0 };

/** The number of denials that are certain. At the first denial, an answer may still be on its way. */
const certain = 2;

export function nextHearing(state: Hearing, event: HearingEvent, patience: HearingPatience): HearingStep {
  if (event === 'heard')
    return state.kind === 'renewing' ? { state } : { state: { ...unheard, kind: 'hearing' } };
  return steps[state.kind](state, event, patience);
}

type Step = (state: Hearing, event: Exclude<HearingEvent, 'heard'>, patience: HearingPatience) => HearingStep;

const steps: Readonly<Record<Hearing['kind'], Step>> = {
  hearing: (state, event, patience) => {
    if (event === 'ended') return renew(state);
    if (event === 'renewed') return ask({ ...state, asked: 0 });
    if (event === 'denied') return { state };
    const later = { ...state, silent: state.silent + 1 };
    return later.silent < patience.ask ? { state: later } : ask({ ...later, asked: 0 });
  },
  asking: (state, event, patience) => {
    if (event === 'ended') return renew(state);
    if (event === 'renewed') return ask({ ...state, asked: 0, denied: 0 });
    if (event === 'denied') {
      const denied = { ...state, denied: state.denied + 1 };
      return denied.denied < certain ? { state: denied } : renew(denied);
    }
    const later = { ...state, silent: state.silent + 1, asked: state.asked + 1 };
    return later.asked < patience.giveUp ? ask(later) : renew(later);
  },
  renewing: (state, event) => {
    if (event === 'renewed') return ask({ ...state, asked: 0, denied: 0 });
    return { state: event === 'tick' ? { ...state, silent: state.silent + 1 } : state };
  },
};

function ask(state: Hearing): HearingStep {
  return { state: { ...state, kind: 'asking' }, act: 'ask' };
}

function renew(state: Hearing): HearingStep {
  return { state: { ...state, kind: 'renewing' }, act: 'renew' };
}

/** The length of a tick in milliseconds. */
const tick = 1_000;

interface EarParts {
  readonly patience: HearingPatience;
  /** Asks for a sign of life, which arrives through {@link Ear.take}. Each connection has at most one running call. */
  readonly ask: (state: Hearing) => Promise<void>;
  /** Closes the connection. */
  readonly renew: () => void;
  /** Whether anything should come now; absent: always. If not, silence has no meaning. */
  readonly isExpected?: () => boolean;
  /** Called after each step. */
  readonly onStep?: (state: Hearing) => void;
}

export interface Ear {
  take(event: Exclude<HearingEvent, 'tick'>): void;
  readonly state: Hearing;
}

/** Listens until aborted. */
export function listenFor(
  { patience, ask, renew, isExpected = () => true, onStep }: EarParts,
  clock: Clock,
  signal: AbortSignal,
): Ear {
  let state = unheard;
  /** The question that has no answer yet. A question over a former connection may never get one. */
  let open: object | undefined;
  const take = (event: HearingEvent): void => {
    if (signal.aborted) return;
    const step = nextHearing(state, event, patience);
    state = step.state;
    if (step.act === 'renew') {
      open = undefined;
      renew();
    }
    if (step.act === 'ask' && open === undefined) {
      const question = {};
      open = question;
      const close = (): void => {
        if (open === question) open = undefined;
      };
      ask(state).then(close, close);
    }
    onStep?.(state);
  };
  startAlone('Listening for signs of life', () =>
    repeat('Listening for signs of life', { every: tick, clock, signal }, () =>
      take(isExpected() ? 'tick' : 'heard'),
    ),
  );
  return {
    take,
    get state() {
      return state;
    },
  };
}
