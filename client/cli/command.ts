/** What a command may touch besides its arguments, so that tests need no process, no terminal and no disk. */
export interface World {
  /** Writes a line to standard output: the answer. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error: what went wrong, and what to do. */
  readonly complain: (line: string) => void;
  /** The text of a file; rejects with Node's error when it cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
  /** Whether there is such a file or folder. */
  readonly exists: (path: string) => boolean;
}

/** 0: done; 1: done, and the answer is no; 2: could not be done (wrong usage, unreadable file). */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  /** Its line in `headwater --help`. */
  readonly summary: string;
  /** The whole of `headwater <name> --help`; starts with the line `Usage: headwater <name> …`. */
  readonly usage: string;
  /** `args` are those behind the command's name; `--help` never gets here. */
  readonly run: (args: readonly string[], world: World) => Promise<ExitCode>;
}
