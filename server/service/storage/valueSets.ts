/**
 * Value sets of lookups, as JSON that preserves the type of each value. For example, `[["s1","i1","r1.5","b00ff",null]]` is the
 * text 1, the integer 1, the real 1.5, two bytes and NULL.
 */
import type { SqlValue } from '../../engine/plan/values/value.ts';

type ValueSets = readonly (readonly SqlValue[])[];

/** The text for no value sets, which means that the row has none under this lookup any more. */
export const noValueSets = '[]';

export function writeValueSets(sets: ValueSets): string {
  return JSON.stringify(sets.map((values) => values.map(writeValue)));
}

export function readValueSets(text: string): ValueSets {
  const sets = JSON.parse(text) as (string | null)[][];
  return sets.map((values) => values.map(readValue));
}

function writeValue(value: SqlValue): string | null {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'bigint':
      return `i${value}`;
    case 'number':
      return `r${Object.is(value, -0) ? '-0' : value}`;
    default:
      return value === null ? null : `b${Buffer.from(value).toString('hex')}`;
  }
}

function readValue(text: string | null): SqlValue {
  if (text === null) return null;
  const rest = text.slice(1);
  switch (text[0]) {
    case 'i':
      return BigInt(rest);
    case 'r':
      return Number(rest);
    case 'b':
      return new Uint8Array(Buffer.from(rest, 'hex'));
    default:
      return rest;
  }
}
