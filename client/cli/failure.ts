/** The reason why a command could not do its work, in a sentence for its caller. */

/**
 * 0: the command succeeded, and the answer is yes. 1: the command succeeded, and the answer is no. 2: the command failed (wrong
 * usage, or a file that cannot be read) or took too long. 130: ended by Ctrl-C. A command that runs another program returns the
 * code of that program.
 */
export type ExitCode = number;

export class CliFailure extends Error {
  readonly code: ExitCode;

  constructor(sentence: string, code: ExitCode = 2, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'CliFailure';
    this.code = code;
  }
}

/** Whether an error is a failure. The name is compared, because code that is loaded on first use has its own copy of the class. */
export function isCliFailure(error: unknown): error is CliFailure {
  return error instanceof Error && error.name === 'CliFailure';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTFILE: 'it is not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'it is in use by another program',
  EIO: 'its disk cannot be reached',
  UNKNOWN: 'its disk cannot be reached',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'its links form a loop',
  EOUTSIDE: 'it is outside of the workspace',
  ENAMETOOLONG: 'its name is too long',
  ERR_STRING_TOO_LONG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

/** Returns a sentence such as `Cannot read sync.yaml: there is no such file.` */
export function explainFile(doing: 'read' | 'write', path: string, error: unknown): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return `Cannot ${doing} ${path}: ${reasons[code] ?? code}.`;
}
