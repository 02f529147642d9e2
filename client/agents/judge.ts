/**
 * The interface that the tools require: commands, and the engine's findings for one config. The command line and the extension
 * implement it.
 */

/**
 * The things that a call may use in addition to the files of the workspace, which it can only read. A call cannot name a
 * service, because the name could come from a text that a model has read. Instead, the call uses the service that the command
 * line would use.
 */
export type ToolReach =
  | 'nothing'
  | 'reads the target'
  | 'reads the local service'
  | 'deploys to the local service';

/** The config to check: a file, or a text that replaces the content of the file. */
export interface JudgedSubject {
  readonly file?: string | undefined;
  readonly text?: string | undefined;
}

/** A command, its options, and the config to run it on. */
interface CommandWish {
  readonly words: readonly string[];
  readonly options?: Readonly<Record<string, string | readonly string[] | true | undefined>>;
  /** The config that the command runs on. */
  readonly subject?: JudgedSubject;
  /** Files that exist only for this call, by path. */
  readonly drafts?: Readonly<Record<string, string>>;
  readonly reach: ToolReach;
}

export interface CommandReport {
  /** The exit code. 0: the answer is yes. 1: the answer is no. 2: the command failed. */
  readonly code: number;
  /** The lines of the answer, in the form for people. */
  readonly lines: readonly string[];
  /** The problems, and the next steps. */
  readonly remarks: readonly string[];
}

export interface JudgedFix {
  readonly title: string;
  /** Present if this is the only possible fix. */
  readonly sure?: true;
  /** Positions are `line:column`, counted from 1; `to` is exclusive. */
  readonly edits?: readonly { readonly from: string; readonly to: string; readonly text: string }[];
}

export interface JudgedFinding {
  readonly file: string;
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  /** Computes the fixes on demand, because each fix has to be tried out first. */
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
  /** The number of repaired findings, by code. */
  readonly repaired: Readonly<Record<string, number>>;
  readonly left: readonly JudgedFinding[];
}

interface CodePage {
  readonly code: string;
  /** The page in Markdown. */
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

/** The functions that tools use. Each rejects with an error whose message is a sentence. */
export interface Judge {
  readonly version: string;
  readonly run: (wish: CommandWish, signal: AbortSignal) => Promise<CommandReport>;
  /** Returns the path of the sync config of the workspace. */
  readonly syncConfig: () => Promise<string>;
  /** Checks all configs of the workspace if the subject has neither file nor text. */
  readonly check: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly JudgedFile[]>;
  readonly repair: (subject: JudgedSubject, signal: AbortSignal) => Promise<RepairedText>;
  readonly page: (code: string) => Promise<CodePage>;
  readonly codes: () => readonly CodeTitle[];
  /** Returns a line for each table. */
  readonly tables: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly string[]>;
  readonly streams: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly StreamSentences[]>;
  readonly reference: () => string;
  /** Whether a command threw the error, so that its sentence is written for users. */
  readonly isFailure: (error: unknown) => error is Error;
  /** Removes the secrets of this machine from a text. */
  readonly withoutSecrets: (text: string) => string;
}
