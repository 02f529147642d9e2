/** One at a time, in the order of asking. */
export interface Turns {
  /** Resolves to what ends the turn. */
  take(): Promise<() => void>;
}

export function openTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take() {
      const before = last;
      let end = (): void => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      return before.then(() => end);
    },
  };
}
