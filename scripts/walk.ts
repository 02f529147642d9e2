/**
 * `npm run walk [-- <steps> [<seed>]]`: a random walk through the language protocol of any length; the test suite runs short ones.
 * Writes every step to `artifacts/walk.log` and prints failures.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createViteServer } from 'vitest/node';
import { root } from './root.ts';

const [steps = 50_000, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
const most = 10;

// The server imports its version in a way that bundlers support but Node does not.
const loader = await createViteServer({
  root,
  configFile: false,
  server: { middlewareMode: true, ws: false },
});
const { walk } = (await loader.ssrLoadModule('/test/walk/walk.ts')) as typeof import('../test/walk/walk.ts');
const { requests, edits, recording, problems } = await walk(steps, seed);
await loader.close();

const file = join(root, 'artifacts/walk.log');
mkdirSync(join(root, 'artifacts'), { recursive: true });
writeFileSync(file, `${recording.join('\n')}\n`);
for (const problem of problems.slice(0, most)) console.log(`${problem}\n`);
console.log(
  `${recording.length} steps from seed ${seed}: ${requests} requests, ${edits} edits; all in ${file}.`,
);
console.log(`${problems.length} problems.`);
process.exitCode = problems.length > 0 ? 1 : 0;
