/** In each file of live tests: notes which process runs it, for `scripts/run/vitestReporter.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { workersFolder } from '../../../scripts/run/workers.ts';

const folder = workersFolder(process.ppid);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, encodeURIComponent(expect.getState().testPath ?? '')), String(process.pid));
