/** The packaged extension in a real workbench, driven as a user does: see `test/e2e`. */
import { existsSync } from 'node:fs';
import { vsixPath } from '../package.ts';
import type { Tally } from '../tally.ts';
import { runRig } from './rig.ts';
import { runUiSuite } from './uiSuite.ts';

async function workbench(): Promise<Tally> {
  if (!existsSync(vsixPath())) throw new Error(`${vsixPath()} is missing: run \`npm run package\` first.`);
  return runUiSuite('test/e2e');
}

if (import.meta.main) await runRig('workbench', workbench);
