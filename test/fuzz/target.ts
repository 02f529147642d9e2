/** What is fuzzed: real messages, how they are changed, and what must hold for whatever comes out. */
import { patient } from '../../scripts/run/patience.ts';
import type { Random } from '../differential/random.ts';

export interface Target {
  readonly name: string;
  /** Real messages, from which all others are made. */
  readonly seeds: readonly Buffer[];
  /** Of the same structure, more or less. */
  readonly mutate: (input: Buffer, random: Random) => Buffer;
  readonly attempt: (input: Buffer) => Outcome | Promise<Outcome>;
  /** After many attempts: what was not given back. */
  readonly leftovers?: () => Promise<string | undefined>;
  readonly close?: () => Promise<void>;
}

export interface Outcome {
  /** What happened, coarsely: an input that makes something new happen is worth changing further. */
  readonly feature: string;
  /** What must not be. */
  readonly failure?: string;
}

/** What one attempt may take. The processor's time, because the machine may be busy with other things. */
export const budget = { milliseconds: patient(2_000), bytes: 256 * 1024 * 1024 } as const;

/** What this process has used so far: its processor time, and the memory it holds now. */
export function readUsage(): { readonly milliseconds: number; readonly bytes: number } {
  const { user, system } = process.cpuUsage();
  return { milliseconds: (user + system) / 1_000, bytes: process.memoryUsage.rss() };
}

/** The outcome, with what breaks the budget as a failure; an exception always is one. */
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
