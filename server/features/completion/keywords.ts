/** Completes keywords by position: only those that can follow in the edition of the file. */
import { visibleColumn } from '../../engine/names/visible.ts';
import type { ClausePart, ExpectedPart } from '../../engine/sql/position/positionFrames.ts';
import type { Completion, Insert } from './item.ts';
import { type SqlContext, takesStar } from './sqlContext.ts';

interface Keyword {
  readonly words: string;
  readonly expected: ExpectedPart;
  /** The clauses that allow the keyword; absent: all clauses. */
  readonly clauses?: readonly ClausePart[];
  /** Present if the keyword is allowed only in streams of edition 3. */
  readonly modern?: true;
  readonly when?: (context: SqlContext) => boolean;
  readonly insert?: Insert;
}

const conditions: readonly ClausePart[] = ['where', 'on'];
const anywhere: readonly ClausePart[] = ['columns', 'where', 'on'];
const isNoCase = ({ position }: SqlContext) => !position.inCase;
/** Whether one of these words is the last keyword of the CASE. */
const isBehindInCase =
  (...words: readonly string[]) =>
  ({ position, place }: SqlContext) => {
    const last = /.*\b(when|then|else)\b/is.exec(place.text.slice(0, position.start))?.[1] ?? '';
    return position.inCase && words.includes(last.toLowerCase());
  };
const isNotBehind =
  (word: string) =>
  ({ position }: SqlContext) =>
    position.previous !== word;

/** The pattern of an unfinished comparison after its first value, such as `WHERE owner_id`. */
const operand =
  /(?:\b(?:where|and|or|not|on|when)\b|\()\s*(?:(?:"[^"]+"|[A-Za-z_][\w$]*)\s*\.\s*)?("[^"]+"|[A-Za-z_][\w$]*)\s*$/i;

/** Returns the column that is not compared with anything yet and is not a condition on its own. */
function operandOf({ place, position, tables }: SqlContext): string | undefined {
  const name = operand.exec(place.text.slice(0, position.start))?.[1]?.replaceAll('"', '');
  const known = name === undefined ? undefined : visibleColumn(tables.flat(), undefined, name)?.known;
  return /^bool/i.test(known?.sourceType ?? '') ? undefined : name;
}

/** Whether the cursor is after a NOT such as in `owner_id NOT`. */
const isNegated = ({ place, position }: SqlContext) =>
  position.previous === 'not' && operand.test(place.text.slice(0, position.start).replace(/\bnot\s*$/i, ''));

const isOperand = (context: SqlContext) => operandOf(context) !== undefined;
const isWhole = (context: SqlContext) => !isOperand(context);
/** Whether the column contains the time of an event that may not have happened yet. */
const isOftenNull = (context: SqlContext) =>
  /(?:_at|At|_on|_date|deleted|archived|removed)$/.test(operandOf(context) ?? '');
const isSeldomNull = (context: SqlContext) => !isOftenNull(context);

const isCompared = ({ position }: SqlContext) => /^(?:=|!=|<>)$/.test(position.previous);

const keywords: readonly Keyword[] = [
  { words: 'SELECT', expected: 'statement' },
  { words: 'SELECT * FROM', expected: 'statement', when: takesStar },
  { words: 'SELECT', expected: 'value', modern: true, when: ({ position }) => position.canSelect },
  { words: 'FROM', expected: 'operator', clauses: ['columns'], when: isNoCase },
  { words: 'AS', expected: 'operator', clauses: ['columns'], when: isNoCase },
  { words: 'ON', expected: 'join', modern: true, when: ({ position }) => position.wantsOn },
  { words: 'WHERE', expected: 'join' },
  { words: 'JOIN', expected: 'join', modern: true },
  { words: 'INNER JOIN', expected: 'join', modern: true },
  { words: 'AS', expected: 'join' },
  { words: 'JOIN', expected: 'join word', modern: true },
  { words: 'THEN', expected: 'operator', when: isBehindInCase('when') },
  { words: 'WHEN', expected: 'operator', when: isBehindInCase('then') },
  { words: 'ELSE', expected: 'operator', when: isBehindInCase('then') },
  { words: 'END', expected: 'operator', when: isBehindInCase('then', 'else') },
  { words: 'AND', expected: 'operator', clauses: conditions, when: isWhole },
  { words: 'OR', expected: 'operator', clauses: conditions, when: isWhole },
  { words: 'WHERE', expected: 'operator', clauses: ['on'] },
  { words: 'JOIN', expected: 'operator', clauses: ['on'], modern: true },
  { words: 'IS NULL', expected: 'operator', clauses: conditions, when: isOftenNull },
  { words: 'IS NOT NULL', expected: 'operator', clauses: conditions, when: isOftenNull },
  { words: 'IN', expected: 'operator', clauses: anywhere },
  { words: 'NOT IN', expected: 'operator', clauses: anywhere, modern: true },
  { words: 'IS NULL', expected: 'operator', clauses: anywhere, when: isSeldomNull },
  { words: 'IS NOT NULL', expected: 'operator', clauses: anywhere, when: isSeldomNull },
  { words: 'BETWEEN', expected: 'operator', clauses: anywhere, modern: true },
  { words: 'AND', expected: 'operator', clauses: conditions, when: isOperand },
  { words: 'OR', expected: 'operator', clauses: conditions, when: isOperand },
  { words: 'IN', expected: 'value', when: isNegated },
  { words: 'BETWEEN', expected: 'value', modern: true, when: isNegated },
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
  { words: 'TRUE', expected: 'value', when: isCompared },
  { words: 'FALSE', expected: 'value', when: isCompared },
  { words: 'NULL', expected: 'test' },
  { words: 'NOT NULL', expected: 'test', when: isNotBehind('not') },
  { words: 'TRUE', expected: 'test', modern: true },
  { words: 'FALSE', expected: 'test', modern: true },
  ...['text', 'integer', 'real', 'numeric', 'blob'].map((words) => ({ words, expected: 'type' as const })),
];

/** The ranks of keywords that are frequent even at places for values. */
const frequent: ReadonlyMap<string, number> = new Map([
  ['SELECT', 1],
  ['WHEN', 0],
  ['IN', 0],
  ['BETWEEN', 0],
]);

export function completeKeywords(context: SqlContext): readonly Completion[] {
  const { position, edition, place, span } = context;
  const isModern = edition === 3 && (place.role === 'stream' || place.role === 'cte');
  const isBehindStar = position.previous === '*' && position.expected === 'operator';
  return keywords
    .filter(
      ({ words, expected, clauses, modern, when }) =>
        expected === position.expected &&
        (!isBehindStar || words === 'FROM') &&
        (clauses?.includes(position.clause) ?? true) &&
        (!modern || isModern) &&
        (when?.(context) ?? true),
    )
    .map(({ words, insert = [words] }) => ({
      label: context.keyword(words),
      kind: 'keyword',
      insert: insert.map((part) => (typeof part === 'string' ? context.keyword(part) : part)),
      span,
      filter: context.keywordFilter(context.keyword(words)),
      rank: position.expected !== 'value' ? 0 : (frequent.get(words) ?? 9),
    }));
}
