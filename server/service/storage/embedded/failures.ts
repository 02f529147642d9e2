/** What SQLite and the file system refuse, in sentences. */
import { describeFullDisk, StorageFailure, type StorageFailureKind } from '../storageFailure.ts';

/** Primary result codes: https://www.sqlite.org/rescode.html */
const bySqlite: ReadonlyMap<number, readonly [StorageFailureKind, string]> = new Map([
  [5, ['in-use', 'The data in $ is in use by another process. Stop it first.']],
  [8, ['not-writable', 'The data folder $ cannot be written to. Check who owns it and its permissions.']],
  [10, ['other', 'Reading or writing the data in $ failed. Check the disk.']],
  [
    11,
    [
      'corrupt',
      'The data in $ is damaged. Move the folder away: everything is copied again from the source.',
    ],
  ],
  [13, ['full', describeFullDisk('$')]],
  [
    14,
    ['not-writable', 'The data folder $ cannot be opened. Check that it is a folder and its permissions.'],
  ],
  [
    26,
    [
      'corrupt',
      'The data in $ is damaged. Move the folder away: everything is copied again from the source.',
    ],
  ],
]);

const byFileSystem: Readonly<Record<string, readonly [StorageFailureKind, string]>> = {
  EACCES: ['not-writable', 'The data folder $ cannot be written to. Check who owns it and its permissions.'],
  EPERM: ['not-writable', 'The data folder $ cannot be written to. Check who owns it and its permissions.'],
  EROFS: ['not-writable', 'The data folder $ is on a disk that is read-only.'],
  EEXIST: ['not-writable', '$ is a file: the storage needs its own folder.'],
  ENOTDIR: ['not-writable', 'The data folder $ cannot be made: a part of its path is a file.'],
  ENOENT: ['not-writable', 'The data folder $ cannot be made.'],
  ENOSPC: ['full', describeFullDisk('$')],
  EDQUOT: ['full', describeFullDisk('$')],
};

export function failureOf(error: unknown, folder: string): unknown {
  if (error instanceof StorageFailure || !(error instanceof Error)) return error;
  const known = knownFailure(error);
  if (known === undefined) return error;
  const [kind, sentence] = known;
  return new StorageFailure(
    kind,
    sentence.replace('$', () => folder),
    { cause: error },
  );
}

function knownFailure(error: Error): readonly [StorageFailureKind, string] | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return bySqlite.get(error.errcode & 0xff);
  if ('code' in error && typeof error.code === 'string') return byFileSystem[error.code];
  return undefined;
}
