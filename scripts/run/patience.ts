/**
 * How long tests and rigs wait on this machine. A limit ends what hangs; it never judges how fast something is. So limits
 * are written for an idle, fast machine, and stretched by what the yardstick measured: see `yardstick.ts`.
 */

export const patienceVariable = 'HEADWATER_PATIENCE';

/** A limit for this machine, from one for an idle, fast machine. */
export function patient(limit: number): number {
  return Math.ceil(limit * patienceFactor());
}

/** Returns the factor by which limits are stretched, which is at least 1. It is 2 if nothing was measured, as in a browser. */
export function patienceFactor(): number {
  const measured = Number(globalThis.process?.env?.[patienceVariable]);
  return measured >= 1 ? measured : 2;
}
