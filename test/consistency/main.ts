/**
 * `npm run consistency`: ten minutes of transactions, clients and faults.
 *
 * `--seconds 60 --seed 7 --source embedded --storage postgresql --every 3000 --kills 200 --only standby --workers 2`.
 *
 * `--mistakes`: the check must find each mistake that is put into the service on purpose.
 *
 * `--no-keepalives`: the service does nothing periodically, and writers rest after each fault until all clients show the last
 * change. A client that misses a wake-up waits forever.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsWithoutKeepalives, sourceWithoutKeepalives, withoutKeepalives } from './keepalives.ts';
import { type RunReport, type RunSettings, runConsistency } from './run.ts';
import { buildWith, mistakes } from './sabotage.ts';

/** The most runs for one mistake. Some mistakes show only with the right timing. */
const mostRuns = 5;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    source: { type: 'string', default: 'postgresql' },
    storage: { type: 'string', default: 'embedded' },
    only: { type: 'string' },
    every: { type: 'string' },
    kills: { type: 'string' },
    workers: { type: 'string', default: '0' },
    mistakes: { type: 'boolean', default: false },
    'no-keepalives': { type: 'boolean', default: false },
  },
});

const settings: RunSettings = {
  lasts: { seconds: Number(values.seconds) },
  seed: Number(values.seed),
  source: values.source === 'embedded' ? 'embedded' : 'postgresql',
  storage: values.storage.startsWith('postgres') ? 'postgresql' : 'embedded',
  faultEvery: Number(values.every ?? (values['no-keepalives'] ? 500 : 4000)),
  workers: Number(values.workers),
  ...(values.only !== undefined && { only: new RegExp(values.only) }),
  ...(values.kills !== undefined && { kills: Number(values.kills) }),
  say: (sentence) => console.log(sentence),
};

console.log(`Seed ${settings.seed}.`);
const missed = values.mistakes
  ? await runWithMistakes()
  : values['no-keepalives']
    ? await runWithoutKeepalives()
    : await runOnce(settings);
process.exit(missed ? 1 : 0);

async function runOnce(run: RunSettings): Promise<boolean> {
  const report = await runConsistency(run);
  tell(report);
  return report.violations.length > 0;
}

async function runWithoutKeepalives(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-without-'));
  try {
    const program = await buildWith(withoutKeepalives, folder);
    return await runOnce({
      only: faultsWithoutKeepalives,
      ...settings,
      program,
      rests: true,
      sourceSettings: sourceWithoutKeepalives,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tries each mistake in short runs until a run finds it. A run has faults only if the mistake needs them. */
async function runWithMistakes(): Promise<boolean> {
  let missed = false;
  const { faultEvery: _, say: __, only = /(?:)/, ...quiet } = settings;
  for (const mistake of mistakes.filter(({ name }) => only.test(name))) {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-mistake-'));
    const { edits } = mistake;
    const program = await buildWith(mistake.run?.rests ? [...edits, ...withoutKeepalives] : edits, folder);
    let runs = 0;
    let violations: readonly string[] = [];
    for (; runs < mostRuns && violations.length === 0; runs += 1) {
      const seed = settings.seed + runs;
      const run = { ...quiet, seed, lasts: { seconds: 20 }, program, patience: 20_000, ...mistake.run };
      ({ violations } = await runConsistency(run));
    }
    rmSync(folder, { recursive: true, force: true });
    console.log(
      `${violations.length > 0 ? 'found ' : 'MISSED'} ${mistake.name}${runs > 1 ? ` (run ${runs})` : ''}`,
    );
    console.log(`       ${violations.length} violations, such as: ${violations[0] ?? '-'}`);
    missed ||= violations.length === 0;
  }
  return missed;
}

function tell({ violations, transactions, observations, faults, kills, longestRest }: RunReport): void {
  for (const [name, count] of Object.entries(faults)) console.log(`${String(count).padStart(6)} ${name}`);
  if (longestRest !== undefined)
    console.log(`Longest rest: ${longestRest.milliseconds} ms, after "${longestRest.after}"`);
  for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`);
  console.log(
    `${transactions} transactions, ${observations} states at clients, ${kills} kills: ${violations.length} violations`,
  );
}
