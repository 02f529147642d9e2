/** Computes a short text that is equal for plans with the same effect. */
import { dumpPlan } from './dump.ts';
import type { StreamPlan } from './plan.ts';

/** A 32-bit FNV-1a hash of the readable form of the plan: http://www.isthe.com/chongo/tech/comp/fnv/ */
export function fingerprintOf(plan: StreamPlan): string {
  let hash = 0x811c9dc5;
  for (const char of dumpPlan(plan)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
