/** Runs the tests that execute a mutant, until one of them fails. */
import type { Coverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { runTests } from './testRun.ts';

export type Verdict = 'killed' | 'killed by a limit' | 'survived' | 'not executed';

/** Calls `take` for each mutant as soon as its verdict is known. */
export async function tryMutants(
  mutants: readonly Mutant[],
  { coverage, workers }: { readonly coverage: Coverage; readonly workers: number },
  take: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> {
  const waiting = mutants.values();
  const worker = async (): Promise<void> => {
    for (const mutant of waiting) take(mutant, await tryMutant(mutant, coverage));
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function tryMutant(mutant: Mutant, coverage: Coverage): Promise<Verdict> {
  const { kind, files, limitMs, testTimeoutMs } = coverage.of(mutant);
  if (files.length === 0) return 'not executed';
  const change = { kind: 'mutate', mutant, testTimeoutMs } as const;
  const { end } = await runTests({ kind, files, change, workers: 1 }, limitMs);
  return end === 'passed' ? 'survived' : end === 'failed' ? 'killed' : 'killed by a limit';
}
