/**
 * How long tests and rigs wait on this machine. A limit ends what hangs; it never judges how fast something is. So limits
 * are written for an idle, fast machine, and stretched by what the yardstick measured: see `yardstick.ts`.
 */

export const patienceVariable = 'HEADWATER_PATIENCE';

/** A limit for this machine, from one for an idle, fast machine. */
export function patient(limit: number): number {
  return Math.ceil(limit * patienceFactor());
}

/** By how much limits are stretched: 1 or more. Where nothing was measured, as in a browser, twice is assumed. */
export function patienceFactor(): number {
  const measured = Number(globalThis.process?.env?.[patienceVariable]);
  return measured >= 1 ? measured : 2;
}
