/** Writes keywords in upper case. */
import type { Edit } from '../../text/edit.ts';
import { span } from '../../text/span.ts';
import type { Select } from '../ast.ts';
import { expressionsIn, selectsIn } from '../walk.ts';
import { reservedWords, valueWords } from '../words.ts';
import type { Atom } from './atoms.ts';

export function keywordEdits(statement: Select, atoms: readonly Atom[]): Edit[] {
  const hasBetween = selectsIn(statement).some((select) =>
    expressionsIn(select).some(({ kind }) => kind === 'between'),
  );
  return atoms.flatMap(({ kind, text, start, end }, index) => {
    const upper = text.toUpperCase();
    if (kind !== 'word' || upper === text || atoms[index - 1]?.text === '.') return [];
    const word = text.toLowerCase();
    const isKeyword = reservedWords.has(word) && !valueWords.has(word) && atoms[index + 1]?.text !== '.';
    return isKeyword || (word === 'between' && hasBetween) ? [{ span: span(start, end), text: upper }] : [];
  });
}
