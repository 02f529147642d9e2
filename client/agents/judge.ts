/**
 * The requirements of the tools: the commands, and the engine's findings for one config. The command line and the extension
 * provide them.
 */

/**
 * The things that a call may use in addition to the files of the workspace, which it can only read. A call cannot name a
 * service, because the name could come from a text that a model has read: it uses the service that the command line would use.
 */
export type ToolReach =
  | 'nothing'
  | 'reads the target'
  | 'reads the local service'
  | 'deploys to the local service';

/** The config to look at: a file, or a text in place of the file's content. */
export interface JudgedSubject {
  readonly file?: string | undefined;
  readonly text?: string | undefined;
}

/** A command, its options, and the config to run it on. */
interface CommandWish {
  readonly words: readonly string[];
  readonly options?: Readonly<Record<string, string | readonly string[] | true | undefined>>;
  /** The place of the command's file. */
  readonly subject?: JudgedSubject;
  /** Files that exist only for this call, by path. */
  readonly drafts?: Readonly<Record<string, string>>;
  readonly reach: ToolReach;
}

export interface CommandReport {
  /** 0: the answer is yes; 1: it is no; 2: it could not be done. */
  readonly code: number;
  /** The answer, as people read it. */
  readonly lines: readonly string[];
  /** The problems, and the next steps. */
  readonly remarks: readonly string[];
}

export interface JudgedFix {
  readonly title: string;
  /** There is nothing else that could be meant. */
  readonly sure?: true;
  /** Places are line:column, counted from 1; `to` is after the last character. */
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

/** Each rejects with a failure in a sentence. */
export interface Judge {
  readonly version: string;
  readonly run: (wish: CommandWish, signal: AbortSignal) => Promise<CommandReport>;
  /** The path of the sync config of the workspace. */
  readonly syncConfig: () => Promise<string>;
  /** Checks all configs of the workspace if the subject has neither file nor text. */
  readonly check: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly JudgedFile[]>;
  readonly repair: (subject: JudgedSubject, signal: AbortSignal) => Promise<RepairedText>;
  readonly page: (code: string) => Promise<CodePage>;
  readonly codes: () => readonly CodeTitle[];
  /** Each table in a line. */
  readonly tables: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly string[]>;
  readonly streams: (subject: JudgedSubject, signal: AbortSignal) => Promise<readonly StreamSentences[]>;
  readonly reference: () => string;
  /** Whether a command threw the error, so that its sentence is written for users. */
  readonly isFailure: (error: unknown) => error is Error;
  /** Returns a text without the secrets of this machine. */
  readonly withoutSecrets: (text: string) => string;
}
