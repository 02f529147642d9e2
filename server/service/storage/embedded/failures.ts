/** Explains failures of SQLite and of the file system. */
import { closeSync, openSync, readSync } from 'node:fs';
import { describeFullDisk, StorageFailure, type StorageFailureKind } from '../storageFailure.ts';
import { UnsoundRecord } from './recordChecks.ts';

const corruptSentence =
  '[SVC_S2403] The storage in $ is corrupt. It is not used; the service copies everything again from the source.';

const brokenDiskSentence = 'Reading or writing the data in $ failed. Check the disk.';

/** Primary result codes: https://www.sqlite.org/rescode.html */
const bySqlite: ReadonlyMap<number, readonly [StorageFailureKind, string]> = new Map([
  [5, ['in-use', 'The data in $ is in use by another process. Stop it first.']],
  [8, ['not-writable', 'The data folder $ cannot be written to. Check its owner and its permissions.']],
  [10, ['other', brokenDiskSentence]],
  [11, ['corrupt', corruptSentence]],
  [13, ['full', describeFullDisk('$')]],
  [
    14,
    [
      'not-writable',
      'The data folder $ cannot be opened. Check that it is a folder, and check its permissions.',
    ],
  ],
  [26, ['corrupt', corruptSentence]],
]);

const byFileSystem: Readonly<Record<string, readonly [StorageFailureKind, string]>> = {
  EACCES: ['not-writable', 'The data folder $ cannot be written to. Check its owner and its permissions.'],
  EPERM: ['not-writable', 'The data folder $ cannot be written to. Check its owner and its permissions.'],
  EROFS: ['not-writable', 'The data folder $ is on a read-only disk.'],
  EEXIST: ['not-writable', '$ is a file: the storage needs its own folder.'],
  ENOTDIR: ['not-writable', 'The data folder $ cannot be created: a part of its path is a file.'],
  ENOENT: ['not-writable', 'The data folder $ cannot be created.'],
  EIO: ['other', brokenDiskSentence],
  ENOSPC: ['full', describeFullDisk('$')],
  EDQUOT: ['full', describeFullDisk('$')],
};

export function failureOf(error: unknown, folder: string): unknown {
  if (error instanceof StorageFailure || !(error instanceof Error)) return error;
  if (error instanceof UnsoundRecord) return corruptFailure(folder, { cause: error });
  const known = knownFailure(error);
  if (known === undefined) return error;
  const [kind, sentence] = known;
  return new StorageFailure(
    kind,
    sentence.replace('$', () => folder),
    { cause: error },
  );
}

/**
 * Returns the failure of opening the file. A flipped bit can change the file's write version to one that SQLite does not know.
 * SQLite then refuses to write, as it does for a user without permission:
 * https://www.sqlite.org/fileformat.html#file_format_version_numbers
 */
export function openingFailureOf(error: unknown, folder: string, file: string): unknown {
  const failure = failureOf(error, folder);
  const isRefused = failure instanceof StorageFailure && failure.kind === 'not-writable';
  return isRefused && writeVersionOf(file) > newestWriteVersion
    ? corruptFailure(folder, { cause: error })
    : failure;
}

const newestWriteVersion = 2;

/** Returns the write version, or 0 if the file cannot be read. */
function writeVersionOf(file: string): number {
  const head = Buffer.alloc(19);
  try {
    const handle = openSync(file, 'r');
    try {
      readSync(handle, head);
    } finally {
      closeSync(handle);
    }
  } catch {}
  return head.readUInt8(18);
}

export function corruptFailure(folder: string, options?: ErrorOptions): StorageFailure {
  return new StorageFailure(
    'corrupt',
    corruptSentence.replace('$', () => folder),
    options,
  );
}

/** Returns the failure of making committed data durable. */
export function flushFailureOf(error: unknown, folder: string): StorageFailure {
  const failure = failureOf(error, folder);
  if (failure instanceof StorageFailure) return failure;
  const sentence = brokenDiskSentence.replace('$', () => folder);
  return new StorageFailure('other', sentence, { cause: error });
}

/** Whether SQLite reported the unspecific SQLITE_ERROR. */
export function isPlainError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && error.errcode === 1;
}

/** Whether SQLite refused a row because it violates a constraint of its table, or has a column that the table does not have. */
export function isMisfit(error: unknown): boolean {
  const isRefused = error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19;
  return isRefused || isPlainError(error);
}

export function isCorrupt(error: unknown): error is StorageFailure {
  return error instanceof StorageFailure && error.kind === 'corrupt';
}

function knownFailure(error: Error): readonly [StorageFailureKind, string] | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return bySqlite.get(error.errcode & 0xff);
  if ('code' in error && typeof error.code === 'string') return byFileSystem[error.code];
  return undefined;
}
