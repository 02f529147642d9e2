/**
 * Drives the packaged extension in a real workbench as a user would. See `test/e2e`. The argument is a prefix of the files to run:
 * `node scripts/bootstrap.mjs rigs/workbench services`.
 */
import { runRig } from './rig.ts';
import { runUiSuite } from './uiSuite.ts';

if (import.meta.main) await runRig('workbench', () => runUiSuite('test/e2e', process.argv[2]));
