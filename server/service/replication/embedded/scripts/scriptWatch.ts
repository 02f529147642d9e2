/**
 * Detects added, removed and changed files of the schema by looking at them at intervals. Notifications of the operating system
 * are not reliable: some file systems send none, and they stop when a folder is replaced.
 */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../../../shared/files.ts';
import { attempt } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';

/** Returns a text that describes the state of the files. The same text means that nothing has changed. */
type LookAtFiles = (paths: readonly string[]) => Promise<string>;

interface ScriptWatching {
  readonly paths: readonly string[];
  /** The state of the files when they were read. */
  readonly known: string;
  readonly look: LookAtFiles;
  readonly clock: Clock;
  /** Called after a change, and not again until the promise has settled. */
  readonly onChange: () => Promise<void>;
}

/**
 * The interval of looks, in milliseconds. If a look takes long, the interval is extended, so that looks take only a small part of
 * the time.
 */
export const looksEvery = 400;
const pausePerLook = 20;

/**
 * Watches until aborted. A change is reported only if the next look finds no further change, because files are often written in
 * several steps.
 */
export async function watchScripts(
  { paths, look, clock, onChange, ...watching }: ScriptWatching,
  signal: AbortSignal,
): Promise<void> {
  let { known } = watching;
  let before = known;
  while (!signal.aborted) {
    const began = clock.steady();
    await attempt('Watching the scripts', async () => {
      const present = await look(paths);
      if (present !== known && present === before) {
        known = present;
        await onChange();
      }
      before = present;
    });
    await clock.sleep(Math.max(looksEvery, pausePerLook * (clock.steady() - began)), signal);
  }
}

/** Looks at names, sizes and times. An unreadable file looks like a missing one. */
export const lookAtFiles: LookAtFiles = async (paths) => {
  const files: string[] = [];
  for (const path of paths) {
    const below = await filesBelow(path, schemaFiles).catch(() => undefined);
    files.push(...(below?.map((each) => join(path, each)) ?? [path]));
  }
  const looks: string[] = [];
  for (const file of files) {
    const found = await promises.stat(file).catch(() => undefined);
    if (found?.isFile()) looks.push(`${file}\0${found.size}\0${found.mtimeMs}`);
  }
  return looks.toSorted().join('\n');
};

const schemaFiles = {
  isWanted: (path: string) => /\.(?:sql|prisma|rb)$/i.test(path),
  most: Number.POSITIVE_INFINITY,
  unreadable: 'left out',
} as const;
