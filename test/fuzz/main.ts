/** `npm run fuzz -- TARGET` at a terminal. */
import { readFileSync } from 'node:fs';
import { readCorpus, writeInput } from './corpus.ts';
import { type Failure, type FuzzReport, fuzz } from './fuzz.ts';
import { judge, type Target } from './target.ts';
import { type TargetName, targets } from './targets.ts';

export interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Path of a single one. */
  readonly input?: string;
  readonly keep: boolean;
}

/** The exit code. */
export async function fuzzTarget(name: string, options: FuzzOptions): Promise<number> {
  const target = await targets[name as TargetName]();
  try {
    return options.input === undefined ? await run(target, options) : await again(target, options.input);
  } finally {
    await target.close?.();
  }
}

async function again(target: Target, path: string): Promise<number> {
  const { feature, failure } = await judge(target, readFileSync(path));
  console.log(failure ?? `Nothing is wrong: ${feature}`);
  return failure === undefined ? 0 : 1;
}

async function run(target: Target, options: FuzzOptions): Promise<number> {
  const { name } = target;
  const known = await featuresOf(target);
  const report = await fuzz(target, { lasts: { seconds: options.seconds }, seed: options.seed });
  console.log(
    `${name}: ${report.cases} inputs from seed ${options.seed}, ${report.found.size} kinds of outcome, ${report.failures.length} failures.`,
  );
  for (const failure of report.failures) console.log(explainFailure(name, failure));
  if (options.keep) keep(name, report, known);
  return report.failures.length > 0 ? 1 : 0;
}

/** Outcomes that the seeds and the corpus have without any change. */
async function featuresOf(target: Target): Promise<ReadonlySet<string>> {
  const features = new Set<string>();
  for (const input of [...target.seeds, ...readCorpus(target.name).values()])
    features.add((await judge(target, input)).feature);
  return features;
}

/** Writes its input, so that it can be tried again. */
export function explainFailure(name: string, { input, what }: Failure): string {
  const path = writeInput(name, input);
  return `\n${what}\n  again: npm run fuzz -- ${name} --input ${path}\n`;
}

/** A corpus is read in each run of the tests: few inputs, and small ones. */
const mostKept = 12;
const mostBytes = 1_024;

function keep(name: string, { found }: FuzzReport, known: ReadonlySet<string>): void {
  const fresh = [...found].filter(([feature, input]) => !known.has(feature) && input.length <= mostBytes);
  const smallest = fresh.toSorted(([, a], [, b]) => a.length - b.length).slice(0, mostKept);
  for (const [feature, input] of smallest) console.log(`kept ${writeInput(name, input)}: ${feature}`);
}
