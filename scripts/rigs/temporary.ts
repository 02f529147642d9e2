import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atTheEnd } from './process.ts';

const folders: string[] = [];

atTheEnd(() => {
  // A killed process may still be writing for a moment.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates a folder that is removed when this process ends, throws or is interrupted. */
export function temporaryFolder(purpose: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, `headwater-${purpose}-`));
  folders.push(folder);
  return folder;
}
