/** The room on disk and in memory that the tests need. */

/** The databases, workbenches and packages of a whole run need this many bytes at the same time. */
const neededDisk = 3e9;

/** The processes of a whole run need this many bytes of memory beside its temporary files. */
const neededMemory = 9e9;

/** Linux keeps the files of this folder in memory. */
const folderInMemory = '/dev/shm';

interface Machine {
  /** The content of `/proc/mounts`; empty on other systems. */
  readonly mounts: string;
  readonly freeMemory: number;
  readonly freeBytesOf: (folder: string) => number;
}

/**
 * Returns the folder in memory if it has enough room. A run creates and removes thousands of small files, and a file system on a
 * disk needs much processor time for them.
 */
export function findFolderInMemory({ mounts, freeMemory, freeBytesOf }: Machine): string | undefined {
  const [, options = ''] = new RegExp(`^\\S+ ${folderInMemory} tmpfs (\\S+)`, 'm').exec(mounts) ?? [];
  const flags = options.split(',');
  // Tests write programs and run them.
  if (!flags.includes('rw') || flags.includes('noexec')) return undefined;
  const hasRoom = freeMemory >= neededMemory + neededDisk && freeBytesOf(folderInMemory) >= neededDisk;
  return hasRoom ? folderInMemory : undefined;
}

/** Returns why the tests cannot run here, or nothing if they can. */
export function lackOfRoom(folder: string, freeBytes: number): string | undefined {
  if (freeBytes >= neededDisk) return undefined;
  const [free, needed] = [freeBytes, neededDisk].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`);
  return `The folder for temporary files, ${folder}, has ${free} left, and the tests need ${needed}. Make room, or set TMPDIR to another folder.`;
}
