/** The process of the embedded database has ended, and nobody asked it to. */
import { SourceFailure } from '../source.ts';

interface Circumstances {
  /** Continues a sentence after "because". */
  readonly reason: string;
  /** The beginning of the statement that was running; absent if none was. */
  readonly statement?: string | undefined;
  /** Whether the process said so itself, or we ended it. Otherwise it was ended from outside. */
  readonly isOwn: boolean;
}

export class DatabaseEnd extends SourceFailure {
  readonly reason: string;
  readonly isOwn: boolean;

  constructor({ reason, statement, isOwn }: Circumstances) {
    super('closed', 'SVC_S1101', sentenceFor(reason, statement));
    this.reason = reason;
    this.isOwn = isOwn;
  }
}

function sentenceFor(reason: string, statement: string | undefined): string {
  if (statement === undefined) return `The embedded database has ended, because ${reason}.`;
  return `A statement ended the embedded database, because ${reason}: ${oneLine(statement)}`;
}

export function oneLine(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim();
}
