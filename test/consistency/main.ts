/**
 * `npm run consistency`: ten minutes of transactions, clients and faults.
 *
 * `--seconds 60 --seed 7 --source embedded --every 3000 --kills 200`, and `--mistakes`: the check must find each
 * mistake that is put into the service on purpose. `--faults 'restored source,redeployed'` and `--mistake log` choose.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FaultName, type RunReport, type RunSettings, runConsistency } from './run.ts';
import { buildWith, mistakes } from './sabotage.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    source: { type: 'string', default: 'postgresql' },
    every: { type: 'string', default: '4000' },
    kills: { type: 'string' },
    faults: { type: 'string' },
    mistake: { type: 'string', default: '' },
    mistakes: { type: 'boolean', default: false },
  },
});

const settings: RunSettings = {
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  source: values.source === 'embedded' ? 'embedded' : 'postgresql',
  faultEvery: Number(values.every),
  ...(values.kills !== undefined && { kills: Number(values.kills) }),
  ...(values.faults !== undefined && { faults: values.faults.split(',') as FaultName[] }),
  say: (sentence) => console.log(sentence),
};

console.log(`Seed ${settings.seed}.`);
const missed = values.mistakes ? await runWithMistakes() : await runOnce();
process.exit(missed ? 1 : 0);

async function runOnce(): Promise<boolean> {
  const report = await runConsistency(settings);
  tell(report);
  return report.violations.length > 0;
}

/** Each in a short run, with the one fault that shows it, or without any. */
async function runWithMistakes(): Promise<boolean> {
  let missed = false;
  for (const mistake of mistakes.filter(({ name }) => name.includes(values.mistake))) {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-mistake-'));
    const program = await buildWith(mistake, folder);
    const { faultEvery: _, say: __, ...quiet } = settings;
    const { fault } = mistake;
    const disturbed = fault === undefined ? {} : { faults: [fault], faultEvery: 1500 };
    const report = await runConsistency({ ...quiet, ...disturbed, seconds: 20, program, patience: 5000 });
    rmSync(folder, { recursive: true, force: true });
    const { violations } = report;
    console.log(`${violations.length > 0 ? 'found ' : 'MISSED'} ${mistake.name}`);
    console.log(`       ${violations.length} violations, such as: ${violations[0] ?? '-'}`);
    missed ||= violations.length === 0;
  }
  return missed;
}

function tell({ violations, transactions, observations, faults, kills }: RunReport): void {
  for (const [name, count] of Object.entries(faults)) console.log(`${String(count).padStart(6)} ${name}`);
  for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`);
  console.log(
    `${transactions} transactions, ${observations} states at clients, ${kills} kills: ${violations.length} violations`,
  );
}
