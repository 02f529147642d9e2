/** The process of the embedded database has ended, and nobody asked it to. */
import { SourceFailure } from '../source.ts';

type Circumstances =
  /** The process said why, or we ended it: the statement is to blame. `reason` continues a sentence after "because". */
  | { readonly kind: 'statement'; readonly reason: string; readonly statement: string | undefined }
  /** The process was ended from outside. A statement may be to blame, as when the system runs out of memory. */
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
