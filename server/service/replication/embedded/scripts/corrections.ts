/** A script that was run and is another text now: what of it is still to be run. */
import { hashStatements } from '../loading/statements.ts';

/** A statement of the text that was run. */
export interface KnownStatement {
  readonly hash: string;
  /** `fatal`: it was left out because the database did not survive it. */
  readonly became: 'run' | 'left out' | 'fatal';
}

/** Offsets into the new text. */
interface Continuation {
  readonly done: readonly number[];
  readonly fatal: readonly { readonly start: number; readonly hash: string }[];
}

/**
 * Returns undefined unless all statements that were run are still there, in their order. Then the other statements are new, or
 * were left out and may be corrected now.
 */
export function continuationOf(text: string, known: readonly KnownStatement[]): Continuation | undefined {
  const statements = hashStatements(text);
  if (statements === undefined) return undefined;
  const run = known.filter(({ became }) => became === 'run');
  const isFatal = new Set(known.filter(({ became }) => became === 'fatal').map(({ hash }) => hash));
  const done: number[] = [];
  const fatal: { start: number; hash: string }[] = [];
  for (const { start, hash } of statements) {
    if (hash === run[done.length]?.hash) done.push(start);
    else if (isFatal.has(hash)) fatal.push({ start, hash });
  }
  return done.length === run.length ? { done, fatal } : undefined;
}
