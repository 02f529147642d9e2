/** A script that was run and is another text now: what of it is still to be run. */
import { hashStatements } from '../loading/statements.ts';

/** A statement of the text that was run. */
export interface KnownStatement {
  readonly hash: string;
  /** `endless`: it was left out because it never ended. */
  readonly became: 'run' | 'left out' | 'endless';
}

/** Offsets into the new text. */
interface Continuation {
  readonly done: readonly number[];
  readonly endless: readonly number[];
}

/**
 * Undefined unless all that was run is still there, in its order. Then what is left is new, or was left out and may be
 * corrected now.
 */
export function continuationOf(text: string, known: readonly KnownStatement[]): Continuation | undefined {
  const statements = hashStatements(text);
  if (statements === undefined) return undefined;
  const run = known.filter(({ became }) => became === 'run');
  const neverEnds = new Set(known.filter(({ became }) => became === 'endless').map(({ hash }) => hash));
  const done: number[] = [];
  const endless: number[] = [];
  for (const { start, hash } of statements) {
    if (hash === run[done.length]?.hash) done.push(start);
    else if (neverEnds.has(hash)) endless.push(start);
  }
  return done.length === run.length ? { done, endless } : undefined;
}
