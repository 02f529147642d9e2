/** One deploy at a time: a second one would replace the first while that is followed. */
export interface Turns {
  /** Not any more when it was told to stop: then it ends within moments. */
  readonly isTaken: () => boolean;
  /** Whoever follows a deploy is to stop that; resolves when the turn is free. */
  stop(): Promise<void>;
  /** False, and nothing is done, while another one is under way. */
  take(work: (following: AbortSignal) => Promise<void>): Promise<boolean>;
}

export function openTurns(): Turns {
  let current: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;
  return {
    isTaken: () => current !== undefined && !current.controller.signal.aborted,
    async stop() {
      current?.controller.abort();
      await current?.ended;
    },
    async take(work) {
      if (current !== undefined) return false;
      const controller = new AbortController();
      const working = work(controller.signal).finally(() => {
        current = undefined;
      });
      current = { controller, ended: working.catch(() => {}) };
      await working;
      return true;
    },
  };
}
