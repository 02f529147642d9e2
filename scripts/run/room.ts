/** Checks the space on disk and in memory that the tests need. */

/** The disk space in bytes that the databases, workbenches and packages of an entire run need at the same time. */
const neededDisk = 3e9;

/** The memory in bytes that the processes of an entire run need, in addition to temporary files. */
const neededMemory = 9e9;

/** A folder whose files Linux keeps in memory. */
const folderInMemory = '/dev/shm';

interface Machine {
  /** The content of `/proc/mounts`; empty on other systems. */
  readonly mounts: string;
  readonly freeMemory: number;
  readonly freeBytesOf: (folder: string) => number;
}

/**
 * Returns the folder in memory if it has enough space. A run creates and removes thousands of small files, which takes much
 * processor time in a file system on disk.
 */
export function findFolderInMemory({ mounts, freeMemory, freeBytesOf }: Machine): string | undefined {
  const [, options = ''] = new RegExp(`^\\S+ ${folderInMemory} tmpfs (\\S+)`, 'm').exec(mounts) ?? [];
  const flags = options.split(',');
  // Tests write programs to this folder and run them.
  if (!flags.includes('rw') || flags.includes('noexec')) return undefined;
  const hasRoom = freeMemory >= neededMemory + neededDisk && freeBytesOf(folderInMemory) >= neededDisk;
  return hasRoom ? folderInMemory : undefined;
}

/** Returns why the tests cannot run here; undefined if they can. */
export function lackOfRoom(folder: string, freeBytes: number): string | undefined {
  if (freeBytes >= neededDisk) return undefined;
  const [free, needed] = [freeBytes, neededDisk].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`);
  return `The folder for temporary files, ${folder}, has ${free} left, and the tests need ${needed}. Make room, or set TMPDIR to another folder.`;
}
