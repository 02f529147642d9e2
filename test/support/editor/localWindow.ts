/** The workbench of the suites about the local service of the example, which follow each other. See `sharedWorkbench.ts`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isKept, readRecord, release } from '../../../client/local/record.ts';
import { variables } from '../../../client/project/localNames.ts';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { example } from './exampleProject.ts';

/** The folder of the local service. */
export const data = join(temporaryFolder('data'), 'service');

/** The token of the local service, with which a test asks it. */
export const token = 'token-of-this-journey-and-of-nothing-else';

export const localWindow = {
  /** Removes what the service of the former suite stored. That suite has stopped it, unless it failed. */
  async from(): Promise<string> {
    release(data);
    while (isKept(readRecord(data))) await sleep(100);
    rmSync(data, { recursive: true, force: true });
    return example;
  },
  env: { [variables.token]: token },
  settings: {
    // The editor must not complete or close what the test types.
    '[yaml]': { 'editor.autoIndent': 'none', 'editor.quickSuggestions': false },
    'headwater.local.dataDirectory': data,
  },
};
