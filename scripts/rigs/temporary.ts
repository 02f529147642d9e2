import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atTheEnd } from './process.ts';

const folders: string[] = [];

atTheEnd(() => {
  // A process that was killed may be writing for a moment.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A new folder that goes when this process does, whether it ends, throws or is interrupted. */
export function temporaryFolder(purpose: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, `headwater-${purpose}-`));
  folders.push(folder);
  return folder;
}
