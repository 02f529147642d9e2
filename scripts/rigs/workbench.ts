/**
 * The packaged extension in a real workbench, driven as a user does: see `test/e2e`. An argument is the beginning of the
 * files to run: `node scripts/bootstrap.mjs rigs/workbench services`.
 */
import { runRig } from './rig.ts';
import { runUiSuite } from './uiSuite.ts';

if (import.meta.main) await runRig('workbench', () => runUiSuite('test/e2e', process.argv[2]));
