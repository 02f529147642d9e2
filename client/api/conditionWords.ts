/** Describes a condition between a row and a client in one line. */
import type { RowCondition } from './explained.ts';

/** The SQL of the condition, and a text with the values of both sides. Some conditions have no SQL. */
interface ConditionWords {
  readonly sql?: string | undefined;
  readonly text: string;
}

/** The signs for a condition that holds, that does not hold, and that is unknown. */
export const conditionSigns = { true: '✓', false: '✗', unknown: '?' } as const;

/** A condition from an answer of the service, or from the engine. */
type WrittenCondition = Omit<RowCondition, 'marks'> & { readonly marks: readonly { readonly sql: string }[] };

/** @param stream the stream that the condition belongs to */
export function conditionWords(
  { kind, holds, marks, values, held }: WrittenCondition,
  user: string,
  stream: string,
): ConditionWords {
  const sql = marks[0]?.sql.replaceAll(/\s+/g, ' ');
  const read = values.map(({ text, value }) => `${text} is ${valueText(value)}`).join(', ');
  switch (kind) {
    case 'subscription':
      return { text: holds === true ? `subscribes to ${stream}` : `does not subscribe to ${stream}` };
    case 'together':
      return { text: 'all of these comparisons for the same row' };
    case 'comparison':
      return {
        sql,
        text: [...values.map(({ value }) => `this row: ${valueText(value)}`), ownText(held, user)].join(
          ' · ',
        ),
      };
    default:
      return { sql, text: holds === 'unknown' && read === '' ? 'not looked up' : read };
  }
}

function ownText(held: readonly unknown[] | undefined, user: string): string {
  if (held === undefined) return `${user}: not looked up`;
  const known = held.filter((value) => value !== null);
  return `${user}: ${enumerate(known.map(valueText)) || 'nothing'}`;
}

/** Returns at most five texts as a list, and the number of the others. */
export function enumerate(texts: readonly string[]): string {
  const more = texts.length - mostShown;
  return [...texts.slice(0, mostShown), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const mostShown = 5;

/** Returns the value in SQL notation. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
