/** What the tools are made of: commands, and what the engine says of one config. Whoever serves the tools brings it. */

/**
 * What a call may reach besides the files of the workspace, which it reads only. A service is the one that the command
 * line would ask, and nobody can name another: a name may come from a text that a model has read.
 */
export type ToolReach =
  | 'nothing'
  | 'reads the target'
  | 'reads the local service'
  | 'deploys to the local service';

/** Which config is meant: a file, or a text as if it stood in that file. */
export interface JudgedSubject {
  readonly file?: string | undefined;
  readonly text?: string | undefined;
}

/** The words and options of a command; with `file` and `text`, a text as if it stood in that file. */
interface CommandWish {
  readonly words: readonly string[];
  readonly options?: Readonly<Record<string, string | readonly string[] | true | undefined>>;
  /** Stands where the command takes its file. */
  readonly subject?: JudgedSubject;
  /** What there is besides the files of the workspace. */
  readonly drafts?: Readonly<Record<string, string>>;
  readonly reach: ToolReach;
}

export interface CommandReport {
  /** 0: the answer is yes; 1: it is no; 2: it could not be done. */
  readonly code: number;
  /** The answer, as people read it. */
  readonly lines: readonly string[];
  /** What went wrong, and what to do next. */
  readonly remarks: readonly string[];
}

export interface JudgedFix {
  readonly title: string;
  /** There is nothing else that could be meant. */
  readonly sure?: true;
  /** Places are line:column from 1 on; `to` is behind the last character. */
  readonly edits?: readonly { readonly from: string; readonly to: string; readonly text: string }[];
}

export interface JudgedFinding {
  readonly file: string;
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  /** Found when they are asked for: each is tried first. */
  readonly fixes: () => readonly JudgedFix[];
}

export interface JudgedFile {
  readonly file: string;
  readonly kind: string;
  readonly findings: readonly JudgedFinding[];
}

export interface RepairedText {
  readonly file: string;
  readonly text: string;
  /** How many findings of each code are gone. */
  readonly repaired: Readonly<Record<string, number>>;
  readonly left: readonly JudgedFinding[];
}

interface CodePage {
  readonly code: string;
  /** In Markdown. */
  readonly page: string;
}

interface CodeTitle {
  readonly code: string;
  readonly severity: string;
  readonly title: string;
}

interface StreamSentences {
  readonly name: string;
  readonly sentences: string;
  readonly queries: readonly string[];
}

/** Each rejects with a failure in a sentence. */
export interface Judge {
  readonly version: string;
  readonly run: (wish: CommandWish, signal: AbortSignal) => Promise<CommandReport>;
  /** The path of the sync config of the workspace. */
  readonly syncConfig: () => Promise<string>;
  /** Without a file and a text, all configs of the workspace. */
  readonly check: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly JudgedFile[]>;
  readonly repair: (subject: JudgedSubject, signal: AbortSignal) => Promise<RepairedText>;
  readonly page: (code: string) => Promise<CodePage>;
  readonly codes: () => readonly CodeTitle[];
  /** Each table in a line. */
  readonly tables: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly string[]>;
  readonly streams: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly StreamSentences[]>;
  readonly reference: () => string;
  /** Whether it is one of those that the commands throw: its sentence is meant to be read. */
  readonly isFailure: (error: unknown) => error is Error;
  /** Without what is secret on this machine. */
  readonly withoutSecrets: (text: string) => string;
}
