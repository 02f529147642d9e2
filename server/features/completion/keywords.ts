/** Key words by position: only those that every edition of the file can go on with. */
import type { ClausePart, ExpectedPart } from '../../engine/sql/position/positionFrames.ts';
import type { Completion, Insert } from './item.ts';
import type { SqlContext } from './sqlContext.ts';

interface Keyword {
  readonly words: string;
  readonly expected: ExpectedPart;
  /** Everywhere, if absent. */
  readonly clauses?: readonly ClausePart[];
  /** Streams of edition 3 only. */
  readonly modern?: true;
  readonly when?: (context: SqlContext) => boolean;
  readonly insert?: Insert;
}

const conditions: readonly ClausePart[] = ['where', 'on'];
const anywhere: readonly ClausePart[] = ['columns', 'where', 'on'];
const isInCase = ({ position }: SqlContext) => position.inCase;
const isNotBehind =
  (word: string) =>
  ({ position }: SqlContext) =>
    position.previous !== word;

const keywords: readonly Keyword[] = [
  { words: 'SELECT', expected: 'statement' },
  { words: 'SELECT * FROM', expected: 'statement' },
  { words: 'SELECT', expected: 'value', modern: true, when: ({ position }) => position.canSelect },
  { words: 'FROM', expected: 'operator', clauses: ['columns'] },
  { words: 'AS', expected: 'operator', clauses: ['columns'] },
  { words: 'ON', expected: 'join', modern: true, when: ({ position }) => position.wantsOn },
  { words: 'WHERE', expected: 'join' },
  { words: 'JOIN', expected: 'join', modern: true },
  { words: 'INNER JOIN', expected: 'join', modern: true },
  { words: 'AS', expected: 'join' },
  { words: 'JOIN', expected: 'join word', modern: true },
  { words: 'AND', expected: 'operator', clauses: conditions },
  { words: 'OR', expected: 'operator', clauses: conditions },
  { words: 'WHERE', expected: 'operator', clauses: ['on'] },
  { words: 'JOIN', expected: 'operator', clauses: ['on'], modern: true },
  { words: 'IN', expected: 'operator', clauses: anywhere },
  { words: 'NOT IN', expected: 'operator', clauses: anywhere, modern: true },
  { words: 'IS NULL', expected: 'operator', clauses: anywhere },
  { words: 'IS NOT NULL', expected: 'operator', clauses: anywhere },
  { words: 'BETWEEN', expected: 'operator', clauses: anywhere, modern: true },
  { words: 'WHEN', expected: 'operator', when: isInCase },
  { words: 'THEN', expected: 'operator', when: isInCase },
  { words: 'ELSE', expected: 'operator', when: isInCase },
  { words: 'END', expected: 'operator', when: isInCase },
  { words: 'WHEN', expected: 'value', when: ({ position }) => position.previous === 'case' },
  { words: 'NOT', expected: 'value', when: isNotBehind('in') },
  { words: 'NULL', expected: 'value', when: isNotBehind('in') },
  {
    words: 'CASE',
    expected: 'value',
    modern: true,
    insert: ['CASE WHEN ', { stop: 'condition' }, ' THEN ', { stop: 'value' }, ' END'],
  },
  { words: 'CAST', expected: 'value', insert: ['CAST(', { stop: 'x' }, ' AS ', { stop: 'text' }, ')'] },
  { words: 'NULL', expected: 'test' },
  { words: 'NOT NULL', expected: 'test', when: isNotBehind('not') },
  { words: 'TRUE', expected: 'test', modern: true },
  { words: 'FALSE', expected: 'test', modern: true },
  ...['text', 'integer', 'real', 'numeric', 'blob'].map((words) => ({ words, expected: 'type' as const })),
];

export function completeKeywords(context: SqlContext): readonly Completion[] {
  const { position, edition, place, span } = context;
  const isModern = edition === 3 && (place.role === 'stream' || place.role === 'cte');
  return keywords
    .filter(
      ({ expected, clauses, modern, when }) =>
        expected === position.expected &&
        (clauses?.includes(position.clause) ?? true) &&
        (!modern || isModern) &&
        (when?.(context) ?? true),
    )
    .map(({ words, insert = [words] }) => ({
      label: context.keyword(words),
      kind: 'keyword',
      insert: insert.map((part) => (typeof part === 'string' ? context.keyword(part) : part)),
      span,
      rank: position.expected !== 'value' ? 0 : words === 'SELECT' ? 1 : 9,
    }));
}
