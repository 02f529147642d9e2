/**
 * Runs before each file of live tests. Records the process of the file for `scripts/run/vitestReporter.ts`, and enables a shared
 * cache of compiled modules.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { workersFolder } from '../../../scripts/run/workers.ts';

const folder = workersFolder(process.ppid);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, encodeURIComponent(expect.getState().testPath ?? '')), String(process.pid));

// Programs that tests start from sources (such as the embedded database) start in a third of the time with this cache.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/headwater-compiled');
