/** The scripts that have run and are not reported yet. They are reported only when clients have their effects. */
import { untilAborted } from '../../../ground/clock.ts';
import type { ScriptRun } from '../../source.ts';

export interface ScriptRuns {
  add(run: ScriptRun): void;
  /** Removes and returns all runs. Waits until there are any, or until the signal is aborted. */
  next(signal: AbortSignal): Promise<readonly ScriptRun[]>;
}

export function openScriptRuns(): ScriptRuns {
  const runs: ScriptRun[] = [];
  let wake: () => void = () => {};
  return {
    add(run) {
      runs.push(run);
      wake();
    },
    async next(signal) {
      if (runs.length === 0 && !signal.aborted)
        await Promise.race([
          untilAborted(signal),
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        ]);
      return runs.splice(0);
    },
  };
}
