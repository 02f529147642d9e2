/**
 * Tries seeded random inputs on one target for a limited time. A failing input is made smaller, and reported with the
 * command that runs it again.
 */
import { randomFrom } from '../differential/random.ts';
import { type Corpus, readCorpus } from './corpus.ts';
import { judge, type Target } from './target.ts';

export interface FuzzSettings {
  /** The time to run, or the number of inputs in addition to the known ones. */
  readonly lasts: { readonly seconds: number } | { readonly cases: number };
  readonly seed: number;
  /** Returns the time in milliseconds. */
  readonly now?: () => number;
}

export interface FuzzReport {
  readonly cases: number;
  /** The shortest input for each outcome. */
  readonly found: ReadonlyMap<string, Buffer>;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly input: Buffer;
  readonly what: string;
}

/** The fuzzer stops after this many failures, because further ones are mostly repetitions. */
const mostFailures = 3;

/** The number of attempts between two checks for resources that were not released. */
const lookEvery = 500;

export async function fuzz(
  target: Target,
  { lasts, seed, now = () => performance.now() }: FuzzSettings,
  corpus: Corpus = readCorpus(target.name),
): Promise<FuzzReport> {
  const random = randomFrom(seed);
  const end = 'seconds' in lasts ? now() + lasts.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const most = 'cases' in lasts ? lasts.cases : Number.POSITIVE_INFINITY;
  const found = new Map<string, Buffer>();
  const failures: Failure[] = [];
  const known = [...target.seeds, ...corpus.values()];
  let cases = 0;

  const run = async (input: Buffer): Promise<void> => {
    cases += 1;
    const { feature, failure } = await judge(target, input);
    if (failure !== undefined && !failures.some(({ what }) => kindOf(what) === kindOf(failure)))
      failures.push({ input: await shrink(target, input, failure), what: failure });
    const before = found.get(feature);
    if (before === undefined || input.length < before.length) found.set(feature, input);
    if (before === undefined) known.push(input);
  };
  const look = async (): Promise<void> => {
    const left = await target.leftovers?.();
    if (left !== undefined) failures.push({ input: Buffer.alloc(0), what: left });
  };

  // Real messages and former failures come first, even in a run without any time.
  for (const input of [...known]) await run(input);
  const first = cases;
  while (failures.length < mostFailures && cases - first < most && now() < end) {
    let input = random.pick(known);
    for (let changes = 1 + random.int(4); changes > 0; changes -= 1) input = target.mutate(input, random);
    await run(input);
    if (cases % lookEvery === 0) await look();
  }
  await look();
  return { cases, found, failures };
}

/** The limit of attempts to make one failing input smaller. */
const mostAttempts = 400;

/** Returns the smallest input that was found to fail in the same way, by removing shorter and shorter runs of bytes. */
async function shrink(target: Target, input: Buffer, failure: string): Promise<Buffer> {
  const kind = kindOf(failure);
  let smallest = input;
  let left = mostAttempts;
  for (let run = smallest.length >> 1; run >= 1 && left > 0; run >>= 1) {
    for (let at = 0; at < smallest.length && left > 0; left -= 1) {
      const fewer = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + run)]);
      const again = (await judge(target, fewer)).failure;
      if (again !== undefined && kindOf(again) === kind) smallest = fewer;
      else at += run;
    }
  }
  return smallest;
}

/** Returns the kind of a failure: the beginning of its first line, without the numbers. */
function kindOf(failure: string): string {
  return (failure.split('\n', 1)[0] ?? '').replaceAll(/\d+/g, '0').slice(0, 60);
}
