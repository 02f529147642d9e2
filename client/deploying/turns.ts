/**
 * Allows one deploy at a time, because a second one would replace the first while it is followed.
 *
 *   free ──take──► preparing ──sent──► following ──stop──► ending
 *     ▲                │ cancel            │                  │
 *     └────────────────┴────── ended ──────┴──────────────────┘
 */
type Phase = 'free' | 'preparing' | 'following' | 'ending';

interface DeployTurns {
  readonly phase: () => Phase;
  /** Stops following a deploy. Resolves when the turn is free. */
  stop(): Promise<void>;
  /** Cancels a deploy that has not been sent yet. */
  cancel(): void;
  /** Runs a deploy. Returns false without running it if the turn is not free. */
  take(work: (turn: DeployTurn) => Promise<void>): Promise<boolean>;
}

export interface DeployTurn {
  /** Called when the config has been sent, so that the deploy can no longer be cancelled. */
  readonly noteSent: () => void;
  /** Aborted by `stop`. */
  readonly following: AbortSignal;
  /** Aborted by `cancel`. */
  readonly preparing: AbortSignal;
}

export function openDeployTurns(): DeployTurns {
  let phase: Phase = 'free';
  let controller = new AbortController();
  let cancelling = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  return {
    phase: () => phase,
    async stop() {
      if (phase === 'following') phase = 'ending';
      controller.abort();
      await ended;
    },
    cancel() {
      if (phase === 'preparing') cancelling.abort();
    },
    async take(work) {
      if (phase !== 'free') return false;
      phase = 'preparing';
      controller = new AbortController();
      cancelling = new AbortController();
      const { signal: following } = controller;
      const noteSent = (): void => {
        phase = following.aborted ? 'ending' : 'following';
      };
      const working = work({ following, preparing: cancelling.signal, noteSent }).finally(() => {
        phase = 'free';
      });
      ended = working.catch(() => {});
      await working;
      return true;
    },
  };
}
