/**
 * How long tests and rigs wait on this machine. A limit ends processes that hang, but never judges speed. So limits are written for
 * an idle, fast machine and multiplied by the measured factor. See `yardstick.ts`.
 */

export const patienceVariable = 'HEADWATER_PATIENCE';

/** Returns a limit for this machine from a limit for an idle, fast machine. */
export function patient(limit: number): number {
  return Math.ceil(limit * patienceFactor());
}

/** Returns the factor by which limits are multiplied, which is at least 1. It is 2 if nothing was measured, as in a browser. */
export function patienceFactor(): number {
  const measured = Number(globalThis.process?.env?.[patienceVariable]);
  return measured >= 1 ? measured : 2;
}
