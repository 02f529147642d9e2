/** The failure when the process of the embedded database has ended unexpectedly. */
import { SourceFailure } from '../source.ts';

type Circumstances =
  /**
   * The process reported the reason, or the service killed it, so the statement is the cause. `reason` continues a sentence after
   * "because".
   */
  | { readonly kind: 'statement'; readonly reason: string; readonly statement: string | undefined }
  /** The process was ended from outside. A statement may be the cause, for example if the system ran out of memory. */
  | { readonly kind: 'unknown'; readonly exit: string };

export class DatabaseEnd extends SourceFailure {
  readonly circumstances: Circumstances;

  constructor(circumstances: Circumstances) {
    super('closed', 'SVC_S1101', sentenceFor(circumstances));
    this.circumstances = circumstances;
  }
}

function sentenceFor(circumstances: Circumstances): string {
  if (circumstances.kind === 'unknown') return 'The process of the embedded database has ended.';
  const { reason, statement } = circumstances;
  const named = statement === undefined ? '.' : `: ${oneLine(statement)}`;
  return `A statement ended the embedded database, because ${reason}${named}`;
}

export function oneLine(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim();
}
