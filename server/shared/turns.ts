/** Work that is done one piece at a time, in the order of asking. */
interface Turns {
  /** Resolves to what ends the turn. */
  take(): Promise<() => void>;
  /** A turn that ends with the work, however that ends. */
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
