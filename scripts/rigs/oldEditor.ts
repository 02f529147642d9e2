/** Runs the suite of `test/integration` in the oldest VS Code that can be installed from npm and that package.json supports. */
import { oldest } from './install.ts';
import { integration } from './integration.ts';
import { runRig } from './rig.ts';

const name = 'old-editor';

if (import.meta.main) await runRig(name, (tools) => integration(tools, name), oldest);
