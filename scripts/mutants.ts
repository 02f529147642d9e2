/**
 * `npm run mutants [-- --count 100] [--seed TEXT] [--room PATH] [--live PATH] [--workers N]`: makes small mistakes in the rooms that
 * decide what clients get, one at a time, and fails if the tests detect fewer than 95 % of those that they execute. The tests are
 * the unit tests, and the live tests below the path. The working tree is not changed.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { sourcesIn } from '../test/support/house/imports.ts';
import { liveTestsIn, measureCoverage, type Tests, unitTestsIn } from './mutants/coverage.ts';
import { describeMutant, placeOf } from './mutants/description.ts';
import { type Mutant, mutantsOf, sampleOf } from './mutants/mutants.ts';
import { tryMutants, type Verdict } from './mutants/trials.ts';
import { useShortForm } from './run/shortForm.ts';
import { takeMeasure } from './run/yardstick.ts';

const rooms = [
  'server/service/sync',
  'server/engine/plan/evaluate',
  'server/service/deployments',
  'server/service/replication/jobs',
  'server/service/storage',
  'server/service/http/auth',
];

const leastShare = 0.95;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    room: { type: 'string', default: '' },
    live: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});
const workers = Number(values.workers);
useShortForm();
await takeMeasure(1);
const sources = ['client', 'server', 'scripts', 'test'].flatMap((folder) => sourcesIn(folder));
const all = sources
  .filter(({ path }) => rooms.some((room) => path.startsWith(`${room}/`)) && path.startsWith(values.room))
  .flatMap(({ path, text }) => mutantsOf(path, text));
const mutants = sampleOf(all, { seed: values.seed, count: Number(values.count) });
console.log(`${mutants.length} of ${all.length} mutants, with --seed ${values.seed}.`);
const verdicts = await judge(mutants);
process.exitCode = report(verdicts) ? 0 : 1;

/** Tries all mutants with the unit tests, and those that survive with the chosen live tests. */
async function judge(sample: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Verdict>> {
  const found = new Map<Mutant, Verdict>();
  await tryWith(unitTestsIn(sources), sample, found);
  if (values.live === undefined) return found;
  const surviving = sample.filter((mutant) => !found.get(mutant)?.startsWith('killed'));
  console.log(`${surviving.length} mutants are tried with live tests.`);
  await tryWith(liveTestsIn(sources, values.live), surviving, found);
  return found;
}

async function tryWith(tests: Tests, sample: readonly Mutant[], found: Map<Mutant, Verdict>): Promise<void> {
  const coverage = await measureCoverage(sample, { tests, sources, workers });
  for (const [file, failure] of coverage.failing)
    console.log(`Not used, because it fails: ${file}: ${failure}`);
  console.log(`${coverage.measured} test files measured in ${secondsSinceStart()} s.`);
  let tried = 0;
  await tryMutants(sample, { coverage, workers }, (mutant, verdict) => {
    if (verdict !== 'not executed' || !found.has(mutant)) found.set(mutant, verdict);
    tried += 1;
    if (tried % 10 === 0) console.log(`${tried} mutants tried in ${secondsSinceStart()} s.`);
  });
}

function secondsSinceStart(): string {
  return (performance.now() / 1000).toFixed(0);
}

/** Returns whether enough mutants were killed. */
function report(verdicts: ReadonlyMap<Mutant, Verdict>): boolean {
  const ofVerdict = (wanted: Verdict): readonly Mutant[] =>
    [...verdicts]
      .flatMap(([mutant, verdict]) => (verdict === wanted ? [mutant] : []))
      .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other), 'en', { numeric: true }));
  const notExecuted = ofVerdict('not executed');
  console.log(`\n${notExecuted.length} are executed by none of these tests:`);
  for (const mutant of notExecuted) console.log(describeMutant(mutant));
  const survivors = ofVerdict('survived');
  console.log(`\n${survivors.length} survived:`);
  for (const mutant of survivors) console.log(describeMutant(mutant));
  const late = ofVerdict('killed by a limit').length;
  const killed = ofVerdict('killed').length + late;
  const tried = killed + survivors.length;
  const share = tried === 0 ? 1 : killed / tried;
  console.log(
    `${killed} of ${tried} were killed (${(100 * share).toFixed(1)} %), ${late} of them by a time limit.`,
  );
  return share >= leastShare;
}
