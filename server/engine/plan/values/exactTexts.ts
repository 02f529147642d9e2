/**
 * The source's texts of values that identify a row, for values that configs show with a loss. Two keys that differ in microseconds
 * can become one value, and two years BC both become NULL, but their rows must stay apart. Queries do not see these texts.
 */
import type { SqlValue } from './value.ts';

type Row = Readonly<Record<string, SqlValue>>;

const texts: unique symbol = Symbol('exact texts');

type ExactRow = Row & { [texts]?: Record<string, string> };

export function keepExactText(row: Row, name: string, text: string): void {
  const kept = row as ExactRow;
  kept[texts] ??= Object.create(null) as Record<string, string>;
  kept[texts][name] = text;
}

/** Returns the text or the value that distinguishes the column from all other values of its type. */
export function identifyingValue(row: Row, name: string): SqlValue {
  return (row as ExactRow)[texts]?.[name] ?? row[name] ?? null;
}
