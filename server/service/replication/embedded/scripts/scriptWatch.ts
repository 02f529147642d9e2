/**
 * Notices that files of the schema have come, gone or changed, by looking at them now and then: notices of the system do
 * not arrive from all file systems, and end with a folder that is replaced.
 */
import { promises } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../ground/world.ts';

/** What the files look like: the same text means that nothing has changed. */
export type LookAtFiles = (paths: readonly string[]) => Promise<string>;

interface ScriptWatching {
  readonly paths: readonly string[];
  /** What they looked like when they were read. */
  readonly known: string;
  readonly look: LookAtFiles;
  readonly clock: Clock;
  /** Not called again until it is done. */
  readonly onChange: () => Promise<void>;
}

/** In milliseconds. Where a look takes long, it is a small part of the time. */
const looksEvery = 1_000;
const pausePerLook = 20;

/** Until aborted. A change is told when nothing has changed for one look more: files are written in several steps. */
export async function watchScripts(
  { paths, look, clock, onChange, ...watching }: ScriptWatching,
  signal: AbortSignal,
): Promise<void> {
  let { known } = watching;
  let before = known;
  while (!signal.aborted) {
    const began = clock.now();
    const present = await look(paths);
    if (present !== known && present === before) {
      known = present;
      await onChange();
    }
    before = present;
    await clock.sleep(Math.max(looksEvery, pausePerLook * (clock.now() - began)), signal);
  }
}

/** Names, sizes and times. What cannot be read looks like what is not there; links to folders are not followed. */
export const lookAtFiles: LookAtFiles = async (paths) => {
  const seen: string[] = [];
  const lookAt = async (path: string): Promise<void> => {
    const entries = await promises.readdir(path, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
      const found = await promises.stat(path).catch(() => undefined);
      if (found?.isFile()) seen.push(`${path}\0${found.size}\0${found.mtimeMs}`);
      return;
    }
    for (const entry of entries)
      if (entry.name !== 'node_modules' && (entry.isDirectory() || /\.(?:sql|prisma|rb)$/i.test(entry.name)))
        await lookAt(join(path, entry.name));
  };
  for (const path of paths) await lookAt(path);
  return seen.toSorted().join('\n');
};
