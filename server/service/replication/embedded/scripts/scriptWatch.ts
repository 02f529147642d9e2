/**
 * Notices that files of the schema have come, gone or changed, by looking at them now and then: notices of the system do
 * not arrive from all file systems, and end with a folder that is replaced.
 */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../../../shared/files.ts';
import { attempt } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';

/** Returns a text for the state of the files: the same text means that nothing has changed. */
type LookAtFiles = (paths: readonly string[]) => Promise<string>;

interface ScriptWatching {
  readonly paths: readonly string[];
  /** The state of the files when they were read. */
  readonly known: string;
  readonly look: LookAtFiles;
  readonly clock: Clock;
  /** Not called again until it is done. */
  readonly onChange: () => Promise<void>;
}

/** The interval of looks, in milliseconds. If a look takes long, it still takes only a small part of the time. */
const looksEvery = 1_000;
const pausePerLook = 20;

/**
 * Watches until aborted. A change is reported when nothing else has changed by the next look, because files are written in
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
