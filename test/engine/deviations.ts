/**
 * Where we differ from the reference on purpose: each example by name, with the reason and the exact difference.
 * `-` is what the reference reports and we do not, `+` the reverse. At most 25 of them.
 */
import type { Difference } from '../support/examples.ts';

export interface Deviation {
  readonly reason: string;
  readonly difference: Difference;
}

export const deviations: Readonly<Record<string, Deviation>> = {};
