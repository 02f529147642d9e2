import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ground/log.ts';
import type { ProbeFiles } from './probes.ts';

/** @param folder by default `.probes` in the working directory; created with the first file */
export function probeFilesIn(folder: string, log: Log): ProbeFiles {
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      log.write('debug', `A probe file in ${folder} cannot be written: ${(error as Error).message}`);
    }
  };
  return {
    write: (name, content) =>
      attempt(() => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, name), content);
      }),
    remove: (name) => attempt(() => rmSync(join(folder, name), { force: true })),
  };
}
