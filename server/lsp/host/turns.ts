/** Runs steps one after the other. One that fails is reported, and the next one runs all the same. */
export function takeTurns(report: (error: unknown) => void): (step: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (step) => {
    last = last.then(step).catch(report);
    return last;
  };
}
