/** The packaged extension in a real workbench, driven as a user does: see `test/e2e`. */
import { runRig } from './rig.ts';
import { runUiSuite } from './uiSuite.ts';

if (import.meta.main) await runRig('workbench', () => runUiSuite('test/e2e'));
