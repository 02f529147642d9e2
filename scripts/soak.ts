/**
 * `npm run soak -- MINUTES [--workers N]`: runs the service under load. Fails if memory, handles or delays grow. See test/soak/.
 */
import { parseArgs } from 'node:util';
import { buildAll } from './build.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: 'string', default: '0' } },
});
const minutes = Number(positionals[0] ?? 30);
if (!(minutes > 0)) {
  console.error('How long? Write the minutes: npm run soak -- 30');
  process.exit(2);
}
if ((await buildAll()) > 0) console.error('Not everything could be built.');
const { soak } = await import('../test/soak/soak.ts');
const { tableOf } = await import('../test/soak/samples.ts');
console.log(`Under load for ${minutes} minutes.`);
const { samples, done, problems } = await soak(minutes * 60, Number(values.workers));
for (const [name, some] of samples) console.log(`${name}\n${tableOf(some)}`);
console.log(
  Object.entries(done)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', '),
);
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'All of it is flat.' : 'FAILED');
process.exit(problems.length === 0 ? 0 : 1);
