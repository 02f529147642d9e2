/** A target of the fuzzer: real messages, a way to change them, and a check of the outcome. */
import { patient } from '../../scripts/run/patience.ts';
import type { Random } from '../differential/random.ts';

export interface Target {
  readonly name: string;
  /** Real messages, from which all other inputs are made. */
  readonly seeds: readonly Buffer[];
  /** Returns a changed input with roughly the same structure. */
  readonly mutate: (input: Buffer, random: Random) => Buffer;
  readonly attempt: (input: Buffer) => Outcome | Promise<Outcome>;
  /** Called after many attempts. Returns the resources that were not released. */
  readonly leftovers?: () => Promise<string | undefined>;
  readonly close?: () => Promise<void>;
}

export interface Outcome {
  /** A coarse description of the outcome. An input with a new outcome is worth changing further. */
  readonly feature: string;
  /** The mistake that was found. Absent if there is none. */
  readonly failure?: string;
}

/** The limits of one attempt. The time is that of the processor, because the machine may be busy with other things. */
export const budget = { milliseconds: patient(2_000), bytes: 256 * 1024 * 1024 } as const;

/** Returns the processor time that this process has used so far, and its current memory. */
export function readUsage(): { readonly milliseconds: number; readonly bytes: number } {
  const { user, system } = process.cpuUsage();
  return { milliseconds: (user + system) / 1_000, bytes: process.memoryUsage.rss() };
}

/** Returns the outcome of an attempt. Exceeding the budget is a failure, and so is an exception. */
export async function judge(target: Target, input: Buffer, usage = readUsage): Promise<Outcome> {
  const before = usage();
  const outcome = await attempt(target, input);
  if (outcome.failure !== undefined) return outcome;
  const after = usage();
  const took = after.milliseconds - before.milliseconds;
  const grew = after.bytes - before.bytes;
  const over = [
    ...(took > budget.milliseconds ? [`${Math.round(took)} ms`] : []),
    ...(grew > budget.bytes ? [`${Math.round(grew / 2 ** 20)} MiB`] : []),
  ];
  return over.length === 0 ? outcome : { ...outcome, failure: `it took ${over.join(' and ')}` };
}

async function attempt(target: Target, input: Buffer): Promise<Outcome> {
  try {
    return await target.attempt(input);
  } catch (error) {
    return {
      feature: 'exception',
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
