/** Finds out which statements still have to run when a script was edited after it was run. */
import { hashStatements } from '../loading/statements.ts';

/** A statement of the former text. */
export interface KnownStatement {
  readonly hash: string;
  /** `fatal`: it was skipped because the database did not survive it. */
  readonly became: 'run' | 'left out' | 'fatal';
}

/** The offsets refer to the new text. */
interface Continuation {
  readonly done: readonly number[];
  readonly fatal: readonly { readonly start: number; readonly hash: string }[];
}

/**
 * Returns undefined unless all statements that were run are still in the text, in the same order. In that case, the other
 * statements are new, or were skipped before and may be corrected now.
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
