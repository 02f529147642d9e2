/** Runs one piece of work at a time, in the order of the calls. */
interface Turns {
  /** Waits for a turn and resolves to the function that ends it. */
  take(): Promise<() => void>;
  /** Runs work in a turn that ends when the work succeeds or fails. */
  run<T>(work: () => T | Promise<T>): Promise<T>;
}

export function openTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  const take = (): Promise<() => void> => {
    const before = last;
    let end = (): void => {};
    last = new Promise((resolve) => {
      end = resolve;
    });
    return before.then(() => end);
  };
  return {
    take,
    run: async (work) => {
      const end = await take();
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
