/** Finds the mutants of a source, and takes a random sample of them that stays the same when other code changes. */
import { createHash } from 'node:crypto';
import { operators } from './operators.ts';
import { placesIn } from './syntax.ts';

export interface Mutant {
  /** The path relative to the root. */
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  /** The start of the replaced part of the file. */
  readonly start: number;
  readonly end: number;
  readonly isStatement: boolean;
  readonly before: string;
  readonly after: string;
  /** Identifies the mutant independently of its place, so that it is the same in another version of the file. */
  readonly key: string;
}

export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const keys = new Map<string, number>();
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
  return placesIn(text).flatMap((place) =>
    Object.entries(operators).flatMap(([operator, changesOf]) =>
      changesOf(place, textOf).map((after): Mutant => {
        const { start, end, type } = place.node;
        const line = lineOf(text, start);
        const name = [file, operator, line.text.trim(), textOf(place.node), after].join('\n');
        const number = (keys.get(name) ?? 0) + 1;
        keys.set(name, number);
        const isStatement = type.endsWith('Statement');
        const before = textOf(place.node);
        const key = `${name}\n${number}`;
        return { file, line: line.number, operator, start, end, isStatement, before, after, key };
      }),
    ),
  );
}

function lineOf(text: string, offset: number) {
  const begin = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return {
    number: text.slice(0, begin).split('\n').length,
    text: text.slice(begin, end < 0 ? undefined : end),
  };
}

/**
 * Takes a sample. Each mutant gets a number computed from the seed and its own key, and the lowest numbers are taken. So a sample
 * does not depend on the order of the files, and a change elsewhere replaces few of its mutants.
 */
export function sampleOf(
  mutants: readonly Mutant[],
  { seed, count }: { seed: string; count: number },
): readonly Mutant[] {
  const drawn = mutants.map((mutant) => ({
    mutant,
    number: createHash('sha256').update(`${seed}\n${mutant.key}`).digest('hex'),
  }));
  drawn.sort((one, other) => (one.number < other.number ? -1 : 1));
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}

export function mutate(text: string, { start, end, after }: Mutant): string {
  return `${text.slice(0, start)}${after}${text.slice(end)}`;
}
