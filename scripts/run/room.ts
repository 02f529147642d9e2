/** Whether a machine has the room that the tests need. */

/** The databases, workbenches and packages of a whole run need this many bytes at the same time. */
const neededDisk = 3e9;

/** Returns why the tests cannot run here, or nothing if they can. */
export function lackOfRoom(folder: string, freeBytes: number): string | undefined {
  if (freeBytes >= neededDisk) return undefined;
  const [free, needed] = [freeBytes, neededDisk].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`);
  return `The folder for temporary files, ${folder}, has ${free} left, and the tests need ${needed}. Make room, or set TMPDIR to another folder.`;
}
